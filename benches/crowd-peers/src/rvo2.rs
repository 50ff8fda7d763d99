//! RVO2 in a process of its own: `rvo2.py`, which needs Python and the package `pyrvo`.

use crate::scenes::Scene;
use crate::scenes::conduct::{Aim, Walkers};
use cairn2d_crowd::{ObstacleDef, Outline};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use std::io::{Read, Result, Write};
use std::process::{Child, Command, Stdio};

/// A crowd of RVO2.
pub struct Rvo2Crowd {
    process: Child,
    motions: Vec<[f32; 4]>,
}

impl Rvo2Crowd {
    /// Creates the scene's agents, which walk in steps of `dt` seconds.
    ///
    /// # Errors
    /// If Python cannot be started.
    pub fn new(scene: &Scene, dt: f32) -> Result<Self> {
        let process = Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/rvo2.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut numbers = vec![dt, scene.agents.len() as f32];
        let place = |at: WorldPoint| [at.x as f32, at.y as f32];
        for def in &scene.agents {
            numbers.extend(place(def.position));
            numbers.extend([def.radius, def.max_speed, def.neighbor_range + def.radius]);
            numbers.extend([
                def.time_horizon,
                def.obstacle_horizon,
                def.neighbor_limit as f32,
            ]);
        }
        let walls: Vec<Vec<f32>> = scene.obstacles.iter().flat_map(walls).collect();
        numbers.push(walls.len() as f32);
        for wall in walls {
            numbers.push(0.5 * wall.len() as f32);
            numbers.extend(wall);
        }
        let motions = scene.agents.iter().map(|def| {
            let [x, y] = place(def.position);
            [x, y, 0.0, 0.0]
        });
        let mut crowd = Self {
            process,
            motions: motions.collect(),
        };
        crowd.send(&numbers)?;
        Ok(crowd)
    }

    fn send(&mut self, numbers: &[f32]) -> Result<()> {
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let input = self.process.stdin.as_mut().expect("a piped input");
        input.write_all(&bytes)?;
        input.flush()
    }

    fn receive(&mut self) -> Result<()> {
        let mut bytes = vec![0; 16 * self.motions.len()];
        let output = self.process.stdout.as_mut().expect("a piped output");
        output.read_exact(&mut bytes)?;
        let mut numbers = bytes
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")));
        for motion in &mut self.motions {
            motion.fill_with(|| numbers.next().expect("four numbers for each agent"));
        }
        Ok(())
    }
}

impl Drop for Rvo2Crowd {
    fn drop(&mut self) {
        // Its input ends, and so does the process.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

impl Walkers for Rvo2Crowd {
    fn step(&mut self, aims: &[Aim], _dt: f32) {
        let numbers: Vec<f32> = aims
            .iter()
            .flat_map(|aim| [aim.velocity.x, aim.velocity.y])
            .collect();
        self.send(&numbers)
            .and_then(|()| self.receive())
            .expect("RVO2 runs");
    }

    fn motion(&self, agent: usize) -> (WorldPoint, Vec2) {
        let [x, y, velocity_x, velocity_y] = self.motions[agent];
        (
            WorldPoint::new(x.into(), y.into()),
            Vec2::new(velocity_x, velocity_y),
        )
    }
}

/// Returns the rings of an obstacle: a line is a wall of two points for each segment.
fn walls(def: &ObstacleDef) -> Vec<Vec<f32>> {
    let numbers =
        |points: &[cairn2d_geometry::math::Point]| points.iter().flat_map(|p| [p.x, p.y]).collect();
    match def.outline {
        Outline::Ring => vec![numbers(&def.points)],
        Outline::Line => def.points.windows(2).map(numbers).collect(),
    }
}
