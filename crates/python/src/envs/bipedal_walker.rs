//! Bipedal walker: equal to `BipedalWalker-v3` and `BipedalWalkerHardcore-v3` of Gymnasium on `cairn2d.compat.Box2D`.

use crate::box2d::SolverSettings;
use crate::envs::bipedal_terrain::{
    Columns, TERRAIN_GRASS, TERRAIN_HEIGHT, TERRAIN_LENGTH, TERRAIN_STARTPAD, TERRAIN_STEP,
    create_terrain, skip_clouds,
};
use crate::envs::box2d_scene::{Fixture, GROUND_ONLY, SCALE, Scene};
use crate::envs::environment::{Environment, Observation, Outcome};
use crate::envs::legs::{LEG_HEIGHT, Legs, OWN_NUMBERS, effort_price, greatest_push};
use crate::envs::random::Random;
use cairn2d::{BodyId, World};

/// A walker on its terrain. One world serves all episodes, as in Gymnasium.
#[derive(Debug)]
pub(crate) struct BipedalWalker {
    is_hardcore: bool,
    scene: Scene,
    /// Bodies of the terrain, in the order in which they are destroyed.
    terrain: Vec<BodyId>,
    columns: Columns,
    walker: Legs,
    has_fallen: bool,
    shaping: Option<f64>,
    observation: [f64; OWN_NUMBERS],
}

impl BipedalWalker {
    pub(crate) fn new(is_hardcore: bool, solver: SolverSettings) -> Self {
        Self {
            is_hardcore,
            scene: Scene::new(-10.0, solver),
            terrain: Vec::new(),
            columns: Columns::default(),
            walker: Legs::default(),
            has_fallen: false,
            shaping: None,
            observation: [0.0; OWN_NUMBERS],
        }
    }

    fn destroy(&mut self) {
        if self.terrain.is_empty() {
            return;
        }
        for body in self.terrain.drain(..) {
            self.scene.world.destroy_body(body);
        }
        self.walker.destroy(&mut self.scene);
    }

    fn create_walker(&mut self, random: &mut Random) {
        let place = [
            TERRAIN_STEP * TERRAIN_STARTPAD as f64 / 2.0,
            TERRAIN_HEIGHT + 2.0 * LEG_HEIGHT,
        ];
        let bits = Fixture {
            category: 0x0020,
            mask: GROUND_ONLY,
            ..Fixture::default()
        };
        let push = random.uniform(-greatest_push(), greatest_push());
        self.walker = Legs::create(&mut self.scene, place, push, bits);
    }

    fn note_contacts(&mut self) {
        let (walker, has_fallen) = (&mut self.walker, &mut self.has_fallen);
        self.scene.touches(|began, bodies| {
            *has_fallen |= began && bodies.contains(&walker.hull);
            walker.note_touch(began, bodies);
        });
    }

    fn note_state(&mut self) {
        let columns = &self.columns;
        self.walker
            .note_state(&self.scene, &mut self.observation, |from, along| {
                columns.ray_cast(from.to_point(), along)
            });
    }

    /// Reward of a step; Gymnasium computes the cost of the motors in `f32`.
    fn reward(&mut self, x: f64, action: &[f32]) -> f64 {
        let shaping = 130.0 * x / SCALE - 5.0 * self.observation[0].abs();
        let gain = self
            .shaping
            .replace(shaping)
            .map_or(0.0, |before| shaping - before);
        let price = effort_price();
        let reward = action.iter().fold(gain as f32, |reward, drive| {
            reward - price * drive.abs().clamp(0.0, 1.0)
        });
        reward.into()
    }
}

impl Environment for BipedalWalker {
    fn reset(&mut self, random: &mut Random) {
        self.destroy();
        (self.has_fallen, self.shaping) = (false, None);
        (self.terrain, self.columns) =
            create_terrain(&mut self.scene, random, self.is_hardcore, TERRAIN_LENGTH);
        skip_clouds(random, TERRAIN_LENGTH);
        self.create_walker(random);
        self.step(&[0.0; 4], random);
    }

    fn step(&mut self, action: &[f32], _random: &mut Random) -> Outcome {
        self.walker.drive(&mut self.scene, action);
        // The step is valid; the world changes in no other way that could fail.
        let _ = self.scene.step();
        self.note_contacts();
        self.note_state();
        let x = self.scene.world.body(self.walker.hull).position_exact().x;
        let reward = self.reward(x, action);
        let is_lost = self.has_fallen || x < 0.0;
        let has_arrived = x > (TERRAIN_LENGTH as f64 - TERRAIN_GRASS as f64) * TERRAIN_STEP;
        Outcome {
            reward: if is_lost { -100.0 } else { reward },
            terminated: is_lost || has_arrived,
            lap_finished: None,
        }
    }

    fn world(&self) -> Option<&World> {
        Some(&self.scene.world)
    }

    fn observe(&mut self, out: &mut Observation) {
        out.write(&self.observation);
    }
}
