//! Walkers that carry a package: equal to `multiwalker_v9` of PettingZoo on `cairn2d.compat.Box2D`.

use crate::box2d::SolverSettings;
use crate::envs::bipedal_terrain::{
    TERRAIN_GRASS, TERRAIN_HEIGHT, TERRAIN_STARTPAD, TERRAIN_STEP, create_terrain, skip_clouds,
};
use crate::envs::box2d_scene::{Fixture, SCALE, Scene, vector};
use crate::envs::environment::{AgentOutcome, Environment, Observation, Outcome};
use crate::envs::legs::{LEG_HEIGHT, Legs, OWN_NUMBERS, greatest_push};
use crate::envs::random::Random;
use crate::touching::TouchingPair;
use cairn2d::{BodyId, QueryFilter, ShapeHit, World, WorldPoint};

/// Numbers of an observation: those of the walker, the places of its neighbors, and that of the package.
pub(super) const NUMBERS: usize = OWN_NUMBERS + 4 + 3;

const PACKAGE: [[f64; 2]; 4] = [[-120.0, 5.0], [120.0, 5.0], [120.0, -5.0], [-120.0, -5.0]];
const PACKAGE_LENGTH: f64 = 240.0;
const PACKAGE_CATEGORY: u64 = 0x004;

/// Distance of walkers at the start, in pieces of terrain.
const WALKER_SEPARATION: f64 = 10.0;

/// Category of the shapes that the lidar sees: ground, hulls and legs.
const SEEN: u64 = 0x001;

/// Arguments of the environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarrierOptions {
    pub(crate) walkers: usize,
    /// Noise of the places, and of the angle of the package, in observations.
    pub(crate) position_noise: f64,
    pub(crate) angle_noise: f64,
    pub(crate) forward_reward: f64,
    pub(crate) terminate_reward: f64,
    pub(crate) fall_reward: f64,
    /// Share of the reward that is the mean of all.
    pub(crate) shared_reward: f64,
    pub(crate) terminate_on_fall: bool,
    pub(crate) remove_on_fall: bool,
    /// Pieces of the terrain.
    pub(crate) terrain_length: usize,
    pub(crate) max_cycles: u32,
    pub(crate) solver: SolverSettings,
}

/// A walker and what becomes of it.
#[derive(Clone, Copy, Debug)]
struct Carrier {
    legs: Legs,
    /// Whether its bodies are in the world.
    is_there: bool,
    has_fallen: bool,
    shaping: f64,
    outcome: AgentOutcome,
}

/// Walkers with their package. Each episode has a new world, as in PettingZoo.
pub(crate) struct Multiwalker {
    options: CarrierOptions,
    scene: Scene,
    package: BodyId,
    walkers: Vec<Carrier>,
    touches: Vec<TouchingPair>,
    is_lost: bool,
    package_shaping: f64,
    frames: u32,
    /// Generator of the pushes at the start of an episode: it starts anew by the last seed in each.
    seeded: Random,
    observation: Vec<f64>,
    hits: Vec<ShapeHit>,
}

impl Multiwalker {
    pub(crate) fn new(options: CarrierOptions) -> Self {
        Self {
            scene: Scene::new(-10.0, options.solver),
            package: BodyId::from_bits(0),
            walkers: Vec::new(),
            touches: Vec::new(),
            is_lost: false,
            package_shaping: 0.0,
            frames: 0,
            seeded: Random::new(0, 1, None),
            observation: vec![0.0; options.walkers * NUMBERS],
            hits: Vec::new(),
            options,
        }
    }

    fn package_scale(&self) -> f64 {
        self.options.walkers as f64 / 1.75
    }

    fn start_of(walker: usize) -> f64 {
        let first = TERRAIN_STEP * TERRAIN_STARTPAD as f64 / 2.0;
        first + WALKER_SEPARATION * walker as f64 * TERRAIN_STEP
    }

    fn create_package(&mut self) {
        let count = self.options.walkers;
        let middle = sum((0..count).map(Self::start_of)) / count as f64;
        let scale = self.package_scale();
        let outline = PACKAGE.map(|[x, y]| [x * scale / SCALE, y / SCALE]);
        let fixture = Fixture {
            density: 1.0,
            friction: 0.5,
            category: PACKAGE_CATEGORY,
            ..Fixture::default()
        };
        let place = [middle, TERRAIN_HEIGHT + 3.0 * LEG_HEIGHT];
        self.package = self.scene.dynamic(place, 0.0, &outline, fixture);
    }

    fn create_walkers(&mut self) {
        // Each walker has a generator of its own, and all of these have the same seed.
        let push = self
            .seeded
            .clone()
            .uniform(-greatest_push(), greatest_push());
        self.walkers.clear();
        for at in 0..self.options.walkers {
            let x = Self::start_of(at);
            let bits = Fixture {
                group: -(x as i32),
                ..Fixture::default()
            };
            let place = [x, TERRAIN_HEIGHT + 2.0 * LEG_HEIGHT];
            self.walkers.push(Carrier {
                legs: Legs::create(&mut self.scene, place, push, bits),
                is_there: true,
                has_fallen: false,
                shaping: 0.0,
                outcome: AgentOutcome {
                    is_alive: true,
                    ..AgentOutcome::default()
                },
            });
        }
    }

    fn note_contacts(&mut self) {
        let touches = &self.scene.rules.touches;
        for touch in &touches.begins {
            self.touches.push(*touch);
            note_begin(
                &mut self.walkers,
                self.package,
                &mut self.is_lost,
                touch.bodies,
            );
        }
        for ended in &touches.ends {
            // Contacts of a walker that was removed have ended already.
            if let Some(at) = self.touches.iter().position(|touch| touch == ended) {
                self.touches.remove(at);
                note_end(&mut self.walkers, ended.bodies);
            }
        }
    }

    /// Removes a walker from the world.
    fn remove(&mut self, walker: usize) {
        if !std::mem::replace(&mut self.walkers[walker].is_there, false) {
            return;
        }
        let legs = self.walkers[walker].legs;
        let is_part = |body: &BodyId| *body == legs.hull || legs.legs.contains(body);
        let walkers = &mut self.walkers;
        self.touches.retain(|touch| {
            let ends = touch.bodies.iter().any(is_part);
            if ends {
                note_end(walkers, touch.bodies);
            }
            !ends
        });
        legs.destroy(&mut self.scene);
    }

    /// Observes all walkers; returns their rewards for keeping the hull level.
    fn look(&mut self, random: &mut Random) -> Vec<f64> {
        let mut rewards = vec![0.0; self.walkers.len()];
        for (at, reward) in rewards.iter_mut().enumerate() {
            let mut row = [0.0; NUMBERS];
            if self.walkers[at].is_there {
                self.note_own(at, &mut row);
                self.note_others(at, &mut row, random);
                let shaping = -5.0 * row[0].abs();
                *reward = shaping - self.walkers[at].shaping;
                self.walkers[at].shaping = shaping;
            }
            self.observation[at * NUMBERS..][..NUMBERS].copy_from_slice(&row);
        }
        rewards
    }

    fn note_own(&mut self, at: usize, row: &mut [f64; NUMBERS]) {
        let mut own = [0.0; OWN_NUMBERS];
        let (legs, scene, hits) = (&self.walkers[at].legs, &self.scene, &mut self.hits);
        legs.note_state(scene, &mut own, |from, along| {
            first_seen(&scene.world, hits, from, along)
        });
        row[..OWN_NUMBERS].copy_from_slice(&own);
    }

    /// Writes where the neighbors and the package are, with noise.
    fn note_others(&self, at: usize, row: &mut [f64; NUMBERS], random: &mut Random) {
        let own = self.place(self.walkers[at].legs.hull);
        let length = PACKAGE_LENGTH / SCALE * self.package_scale();
        let (position_noise, angle_noise) = (self.options.position_noise, self.options.angle_noise);
        let mut off = |body: BodyId| {
            let place = self.place(body);
            [(place.x - own.x) / length, (place.y - own.y) / length]
                .map(|exact| random.normal(exact, position_noise))
        };
        let neighbors = [at.checked_sub(1), Some(at + 1)];
        for (side, neighbor) in neighbors.into_iter().enumerate() {
            let walker = neighbor.and_then(|neighbor| self.walkers.get(neighbor));
            if let Some(walker) = walker.filter(|walker| walker.is_there) {
                row[OWN_NUMBERS + 2 * side..][..2].copy_from_slice(&off(walker.legs.hull));
            }
        }
        row[OWN_NUMBERS + 4..][..2].copy_from_slice(&off(self.package));
        row[NUMBERS - 1] = random.normal(self.scene.angle(self.package), angle_noise);
    }

    fn place(&self, body: BodyId) -> WorldPoint {
        self.scene.world.body(body).position_exact()
    }

    /// Reward and end of each walker after a step.
    fn judge(&mut self, mut rewards: Vec<f64>) {
        let x = self.place(self.package).x;
        let shaping = self.options.forward_reward * 130.0 * x / SCALE;
        let gain = shaping - std::mem::replace(&mut self.package_shaping, shaping);
        rewards.iter_mut().for_each(|reward| *reward += gain);
        let mut done: Vec<bool> = self
            .walkers
            .iter()
            .map(|walker| walker.has_fallen)
            .collect();
        for at in 0..self.walkers.len() {
            if !done[at] {
                continue;
            }
            rewards[at] += self.options.fall_reward;
            if self.options.remove_on_fall {
                self.remove(at);
            }
            if !self.options.terminate_on_fall {
                rewards[at] += self.options.terminate_reward;
            }
        }
        let has_fallen = self.options.terminate_on_fall && done.contains(&true);
        let goal = (self.options.terrain_length as f64 - TERRAIN_GRASS as f64) * TERRAIN_STEP;
        if has_fallen || self.is_lost || x < 0.0 {
            for reward in &mut rewards {
                *reward += self.options.terminate_reward;
            }
            done.fill(true);
        } else if x > goal {
            done.fill(true);
        }
        self.share(&rewards, &done);
    }

    /// Shares the rewards among the walkers that are alive, and ends their episodes.
    fn share(&mut self, rewards: &[f64], done: &[bool]) {
        let local = 1.0 - self.options.shared_reward;
        let mean = sum(rewards.iter().copied()) / rewards.len() as f64;
        let is_over = self.frames >= self.options.max_cycles;
        for ((walker, own), done) in self.walkers.iter_mut().zip(rewards).zip(done) {
            let outcome = &mut walker.outcome;
            let was_alive = outcome.is_alive && !outcome.terminated;
            *outcome = AgentOutcome::default();
            if was_alive {
                outcome.reward = mean * (1.0 - local) + own * local * local;
                outcome.terminated = *done || is_over;
                outcome.is_alive = true;
            }
        }
    }
}

/// Adds numbers one after the other.
fn sum(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}

/// Share of a ray at which it first hits what the lidar sees, but for what contains its start; 1 if nothing.
fn first_seen(
    world: &World,
    hits: &mut Vec<ShapeHit>,
    from: WorldPoint,
    [dx, dy]: [f64; 2],
) -> f32 {
    world.ray_cast_all_into(from, vector(dx, dy), QueryFilter::default(), hits);
    let is_seen = |hit: &&ShapeHit| {
        hit.normal.norm_squared() > 0.0 && world.shape(hit.shape).filter().category & SEEN != 0
    };
    hits.iter().find(is_seen).map_or(1.0, |hit| hit.fraction)
}

/// Notes that two bodies began to touch.
fn note_begin(walkers: &mut [Carrier], package: BodyId, is_lost: &mut bool, bodies: [BodyId; 2]) {
    let is_hull = |body: BodyId| walkers.iter().any(|w| w.is_there && w.legs.hull == body);
    let [a, b] = bodies;
    *is_lost |= (a == package && !is_hull(b)) || (b == package && !is_hull(a));
    for walker in walkers.iter_mut().filter(|walker| walker.is_there) {
        walker.has_fallen |= bodies.contains(&walker.legs.hull) && !bodies.contains(&package);
        walker.legs.note_touch(true, bodies);
    }
}

/// Notes that two bodies ceased to touch.
fn note_end(walkers: &mut [Carrier], bodies: [BodyId; 2]) {
    for walker in walkers.iter_mut().filter(|walker| walker.is_there) {
        walker.legs.note_touch(false, bodies);
    }
}

impl Environment for Multiwalker {
    fn note_seed(&mut self, random: &Random) {
        self.seeded = *random;
    }

    fn reset(&mut self, random: &mut Random) {
        self.scene = Scene::new(-10.0, self.options.solver);
        self.touches.clear();
        (self.is_lost, self.package_shaping, self.frames) = (false, 0.0, 0);
        self.create_package();
        let length = self.options.terrain_length;
        create_terrain(&mut self.scene, random, false, length);
        skip_clouds(random, length);
        self.create_walkers();
        // The reward of what is there at the start is not given, and falls are noted in the first step.
        self.look(random);
        self.package_shaping =
            self.options.forward_reward * 130.0 * self.place(self.package).x / SCALE;
    }

    fn step(&mut self, action: &[f32], random: &mut Random) -> Outcome {
        for (walker, action) in self.walkers.iter().zip(action.chunks_exact(4)) {
            if walker.outcome.is_alive && !walker.outcome.terminated && walker.is_there {
                walker.legs.drive(&mut self.scene, action);
            }
        }
        // The step is valid; the world changes in no other way that could fail.
        let _ = self.scene.step();
        self.note_contacts();
        let rewards = self.look(random);
        self.frames += 1;
        self.judge(rewards);
        let outcomes = self.walkers.iter().map(|walker| walker.outcome);
        Outcome {
            reward: sum(outcomes.clone().map(|outcome| outcome.reward)),
            terminated: outcomes.clone().all(|o| o.terminated || !o.is_alive),
            lap_finished: None,
        }
    }

    fn agents(&self, out: &mut Vec<AgentOutcome>) {
        out.clear();
        out.extend(self.walkers.iter().map(|walker| walker.outcome));
    }

    fn world(&self) -> Option<&World> {
        Some(&self.scene.world)
    }

    fn observe(&mut self, out: &mut Observation) {
        out.write(&self.observation);
    }
}
