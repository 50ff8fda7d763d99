//! The same scenes in dodgy_2d, with a grid that finds the ten nearest agents for it.

use crate::scenes::Scene;
use cairn2d_crowd::Outline;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use dodgy_2d::{Agent, AvoidanceOptions, Obstacle};
use std::borrow::Cow;

/// Neighbors passed to dodgy_2d: as many as the other libraries use.
const LIMIT: usize = 10;

/// A crowd of dodgy agents.
pub struct DodgyCrowd {
    agents: Vec<Agent>,
    limits: Vec<(f32, AvoidanceOptions)>,
    obstacles: Vec<(Obstacle, [f32; 4])>,
    next: Vec<dodgy_2d::Vec2>,
}

impl DodgyCrowd {
    /// Creates the scene's agents.
    pub fn new(scene: &Scene) -> Self {
        let vec = |x: f64, y: f64| dodgy_2d::Vec2::new(x as f32, y as f32);
        let agents: Vec<Agent> = scene
            .agents
            .iter()
            .map(|def| Agent {
                position: vec(def.position.x, def.position.y),
                velocity: dodgy_2d::Vec2::ZERO,
                radius: def.radius,
                avoidance_responsibility: 1.0,
            })
            .collect();
        let limits = scene
            .agents
            .iter()
            .map(|def| {
                let options = AvoidanceOptions {
                    obstacle_margin: def.radius,
                    time_horizon: def.time_horizon,
                    obstacle_time_horizon: def.obstacle_horizon,
                };
                (def.max_speed, options)
            })
            .collect();
        let obstacles = scene.obstacles.iter().map(|def| {
            let vertices: Vec<_> = def
                .points
                .iter()
                .map(|p| dodgy_2d::Vec2::new(p.x, p.y))
                .collect();
            let bounds = vertices
                .iter()
                .fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |b, v| {
                    [b[0].min(v.x), b[1].min(v.y), b[2].max(v.x), b[3].max(v.y)]
                });
            let obstacle = match def.outline {
                Outline::Ring => Obstacle::Closed { vertices },
                Outline::Line => Obstacle::Open { vertices },
            };
            (obstacle, bounds)
        });
        let next = vec![dodgy_2d::Vec2::ZERO; agents.len()];
        Self {
            agents,
            limits,
            obstacles: obstacles.collect(),
            next,
        }
    }

    /// Returns place \[m\] and velocity [m/s] of an agent.
    pub fn motion(&self, agent: usize) -> (WorldPoint, Vec2) {
        let Agent {
            position, velocity, ..
        } = &self.agents[agent];
        (
            WorldPoint::new(position.x.into(), position.y.into()),
            Vec2::new(velocity.x, velocity.y),
        )
    }

    /// Runs one step; the neighbors come from a grid of cells built for it. `wish` returns the preferred velocity of an
    /// agent [m/s] at a place.
    pub fn step(&mut self, dt: f32, wish: impl Fn(usize, WorldPoint) -> Vec2) {
        let grid = Cells::new(&self.agents);
        let mut near: Vec<(f32, u32)> = Vec::new();
        for i in 0..self.agents.len() {
            let agent = &self.agents[i];
            grid.nearest(&self.agents, i, &mut near);
            let neighbors: Vec<Cow<'_, Agent>> = near
                .iter()
                .map(|&(_, j)| Cow::Borrowed(&self.agents[j as usize]))
                .collect();
            let (speed, options) = &self.limits[i];
            let range = options.obstacle_time_horizon * speed + agent.radius;
            let p = agent.position;
            let obstacles: Vec<Cow<'_, Obstacle>> = self
                .obstacles
                .iter()
                .filter(|(_, b)| {
                    p.x > b[0] - range
                        && p.y > b[1] - range
                        && p.x < b[2] + range
                        && p.y < b[3] + range
                })
                .map(|(obstacle, _)| Cow::Borrowed(obstacle))
                .collect();
            let from = WorldPoint::new(p.x.into(), p.y.into());
            let wish = wish(i, from);
            let wish = dodgy_2d::Vec2::new(wish.x, wish.y);
            self.next[i] =
                agent.compute_avoiding_velocity(&neighbors, &obstacles, wish, *speed, dt, options);
        }
        for (agent, velocity) in self.agents.iter_mut().zip(&self.next) {
            agent.velocity = *velocity;
            agent.position += *velocity * dt;
        }
    }
}

/// Agents sorted by square cells.
struct Cells {
    low: dodgy_2d::Vec2,
    per_meter: f32,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl Cells {
    fn new(agents: &[Agent]) -> Self {
        let (mut low, mut high) = (agents[0].position, agents[0].position);
        for agent in agents {
            low = low.min(agent.position);
            high = high.max(agent.position);
        }
        let extent = high - low;
        // Two agents a cell, and no more cells than agents.
        let size = (extent.x.max(1.0) * extent.y.max(1.0) * 2.0 / agents.len() as f32).sqrt();
        let per_meter = 1.0 / size;
        let columns = (extent.x * per_meter) as usize + 1;
        let rows = (extent.y * per_meter) as usize + 1;
        let mut cells = Self {
            low,
            per_meter,
            columns,
            rows,
            starts: vec![0; columns * rows + 1],
            order: vec![0; agents.len()],
        };
        for agent in agents {
            let cell = cells.cell(agent.position);
            cells.starts[cell + 1] += 1;
        }
        for i in 1..cells.starts.len() {
            cells.starts[i] += cells.starts[i - 1];
        }
        let mut places = cells.starts.clone();
        for (i, agent) in agents.iter().enumerate() {
            let place = &mut places[cells.cell(agent.position)];
            cells.order[*place as usize] = i as u32;
            *place += 1;
        }
        cells
    }

    fn cell(&self, p: dodgy_2d::Vec2) -> usize {
        let at = (p - self.low) * self.per_meter;
        (at.y as usize).min(self.rows - 1) * self.columns + (at.x as usize).min(self.columns - 1)
    }

    /// Finds the nearest agents in growing squares of cells, up to 15 m.
    fn nearest(&self, agents: &[Agent], own: usize, near: &mut Vec<(f32, u32)>) {
        const RANGE: f32 = 15.0;
        let center = agents[own].position;
        let mut range = 1.5 / self.per_meter;
        loop {
            near.clear();
            let at = |v: f32, low: f32, last: usize| {
                (((v - low) * self.per_meter).max(0.0) as usize).min(last)
            };
            for row in at(center.y - range, self.low.y, self.rows - 1)
                ..=at(center.y + range, self.low.y, self.rows - 1)
            {
                let first = row * self.columns + at(center.x - range, self.low.x, self.columns - 1);
                let last = row * self.columns + at(center.x + range, self.low.x, self.columns - 1);
                for &j in &self.order[self.starts[first] as usize..self.starts[last + 1] as usize] {
                    let distance_sq = agents[j as usize].position.distance_squared(center);
                    if distance_sq < range * range && j as usize != own {
                        near.push((distance_sq, j));
                    }
                }
            }
            if near.len() >= LIMIT || range >= RANGE {
                break;
            }
            range = (range * 1.5).min(RANGE);
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(LIMIT);
    }
}
