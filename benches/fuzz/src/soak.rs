//! A soak test: a world in which things come and go all the time must not grow.

use cairn2d::math::{PI, point, vec2};
use cairn2d::prelude::*;
use std::hint::black_box;

/// How a soak test runs.
#[derive(Clone, Copy, Debug)]
pub struct Churn {
    /// Steps in all; four quarters are compared.
    pub steps: u64,
    /// Where the random numbers start.
    pub seed: u64,
    /// Fewest bodies and most, between which their number swings.
    pub bodies: [usize; 2],
    /// Steps in which it swings once there and back.
    pub swing: u64,
}

impl Default for Churn {
    fn default() -> Self {
        Self {
            steps: 1_000_000,
            seed: 1,
            bodies: [5, 120],
            swing: 2000,
        }
    }
}

impl Churn {
    /// Returns how many bodies there are at a step: their number swings evenly.
    fn wanted_bodies(&self, step: u64) -> usize {
        let [fewest, most] = self.bodies;
        let half = (self.swing / 2).max(1);
        let up = (step % self.swing).min(self.swing - step % self.swing);
        fewest + ((most - fewest) as u64 * up / half) as usize
    }
}

/// Live bytes of the quarters of a soak test: the most that were allocated after any of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The most in each quarter \[B\].
    pub most: [usize; 4],
    /// The mean in each quarter \[B\].
    pub mean: [usize; 4],
    /// Steps of a quarter.
    pub steps: u64,
    /// The world's hash at the end, to compare runs.
    pub hash: u64,
}

/// Share by which the mean of the last quarter may exceed that of the second. The number of bodies is drawn by lot, so that means of
/// quarters differ by chance.
const MAX_GROWTH: f64 = 0.01;

impl Growth {
    /// Returns whether the last quarter needed no more memory than the second.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        let limit = |before: usize| before as f64 * (1.0 + MAX_GROWTH);
        self.mean[3] as f64 <= limit(self.mean[1]) && self.most[3] as f64 <= limit(self.most[1])
    }

    /// Returns the growth from the second quarter to the last \[B\] for each step between them: 4 or more if every step leaves
    /// something behind.
    #[must_use]
    pub fn bytes_per_step(&self) -> f64 {
        (self.mean[3] as f64 - self.mean[1] as f64) / (2 * self.steps) as f64
    }
}

/// Steps of one 60th of a second in which things are created and destroyed. `live_bytes` returns what is allocated.
pub fn soak(
    churn: &Churn,
    live_bytes: impl Fn() -> usize,
    mut report: impl FnMut(u64, usize),
) -> Growth {
    let mut mill = Mill::new(churn.seed);
    let mut growth = Growth {
        most: [0; 4],
        mean: [0; 4],
        steps: (churn.steps / 4).max(1),
        hash: 0,
    };
    let quarter = growth.steps;
    let mut sums = [0u64; 4];
    for step in 0..4 * quarter {
        mill.turn(churn.wanted_bodies(step));
        let live = live_bytes();
        let place = (step / quarter) as usize;
        growth.most[place] = growth.most[place].max(live);
        sums[place] += live as u64;
        if step.is_multiple_of(quarter.div_ceil(4)) {
            report(step, live);
        }
    }
    growth.mean = sums.map(|sum| (sum / quarter) as usize);
    growth.hash = mill.world.state_hash();
    growth
}

/// A world whose bodies come and go.
struct Mill {
    world: World,
    random: fastrand::Rng,
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
    floor: BodyId,
    /// Events read so far.
    events: u64,
}

impl Mill {
    fn new(seed: u64) -> Self {
        let mut world = World::default();
        let floor = world.create_body(BodyDef::static_());
        let tray = [(-12.0, 20.0), (-12.0, 0.0), (12.0, 0.0), (12.0, 20.0)];
        let tray = tray.map(|(x, y)| point(x, y));
        let chain = Chain::ground(&tray).expect("a tray");
        world.create_chain(floor, &chain, ShapeDef::default());
        let eye = Polygon::rectangle(12.0, 2.0).expect("a light barrier");
        world.create_shape(floor, eye, ShapeDef::sensor());
        Self {
            world,
            random: fastrand::Rng::with_seed(seed),
            bodies: Vec::new(),
            joints: Vec::new(),
            floor,
            events: 0,
        }
    }

    /// Creates or destroys a thing or two, steps, and reads all events.
    fn turn(&mut self, wanted: usize) {
        while self.bodies.len() < wanted {
            self.create();
        }
        while self.bodies.len() > wanted {
            self.destroy();
        }
        // The same number, but others.
        self.destroy();
        self.create();
        if self.random.u32(0..4) == 0 {
            self.join();
        }
        self.world.step(1.0 / 60.0);
        self.read();
    }

    fn create(&mut self) {
        let random = &mut self.random;
        let (x, y) = (-10.0 + 20.0 * random.f32(), 2.0 + 16.0 * random.f32());
        let size = 0.2 + 0.4 * random.f32();
        let shape: Shape = match random.u32(0..4) {
            0 => Circle::of_radius(size).map(Shape::from),
            1 => Capsule::new(point(-size, 0.0), point(size, 0.0), 0.5 * size).map(Shape::from),
            2 => Polygon::regular(5, size).map(Shape::from),
            _ => Polygon::rectangle(size, 0.7 * size).map(Shape::from),
        }
        .expect("sizes of half a meter");
        let def = BodyDef::dynamic()
            .at(x, y)
            .rotation(2.0 * PI * random.f32());
        let body = self.world.create_body(def.velocity(3.0, 0.0));
        let def = match random.u32(0..8) {
            0 => ShapeDef::sensor(),
            _ => ShapeDef::default().force_events_above(50.0),
        };
        self.world.create_shape(body, shape, def);
        self.bodies.push(body);
    }

    fn destroy(&mut self) {
        if self.bodies.is_empty() {
            return;
        }
        let place = self.random.usize(0..self.bodies.len());
        let body = self.bodies.swap_remove(place);
        self.world.destroy_body(body);
    }

    fn join(&mut self) {
        self.joints.retain(|&id| self.world.get_joint(id).is_some());
        let count = self.bodies.len();
        let (a, b) = (self.random.usize(0..count), self.random.usize(0..count));
        if a == b || self.joints.len() > 20 {
            if let Some(joint) = self.joints.pop() {
                self.world.destroy_joint(joint);
            }
            return;
        }
        let (a, b) = (self.bodies[a], self.bodies[b]);
        let place = self.world.body(a).center_exact();
        let def: JointDef = match self.random.u32(0..5) {
            0 => WeldJointDef::new(a, b).at(&self.world, place).into(),
            1 => DistanceJointDef::new(a, b)
                .between(
                    &self.world,
                    place,
                    self.world.body(b).center_exact() + vec2(0.1, 0.0),
                )
                .into(),
            2 => PrismaticJointDef::new(self.floor, b)
                .at(&self.world, place, vec2(1.0, 0.3))
                .into(),
            3 => WheelJointDef::new(a, b)
                .at(&self.world, place, vec2(0.0, 1.0))
                .into(),
            _ => RevoluteJointDef::new(a, b).at(&self.world, place).into(),
        };
        // Two bodies may be in one place, where a rod has no length.
        self.joints.extend(self.world.try_create_joint(def));
    }

    fn read(&mut self) {
        let world = &self.world;
        let lists = [
            world.contact_begins().len(),
            world.contact_ends().len(),
            world.contact_hits().len(),
            world.contact_forces().len(),
            world.sensor_begins().len(),
            world.sensor_ends().len(),
            world.sleep_changes().len(),
            world.joint_breaks().len(),
        ];
        self.events += lists.iter().sum::<usize>() as u64;
        black_box(self.events);
    }
}
