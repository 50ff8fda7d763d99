//! A soak test: the memory of a world must not grow while bodies and joints are created and destroyed all the time.

use cairn2d::math::{PI, point, vec2};
use cairn2d::prelude::*;

/// Parts of a run that are compared; the first one is the warm-up.
const PARTS: usize = 10;

/// Parameters of a soak test.
#[derive(Clone, Copy, Debug)]
pub struct Churn {
    /// Total number of steps.
    pub steps: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Load after the warm-up.
    pub load: Load,
    /// Load of the warm-up, which must have the highest peaks of the run. Lists keep the memory of their peak, and the peaks of a
    /// random load grow with the logarithm of time: under a constant load, memory grows without a defect.
    pub warm_up: Load,
    /// Period of the number of bodies, in steps.
    pub swing: u64,
}

/// Maximum numbers of bodies and joints.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Minimum and maximum number of bodies.
    pub bodies: [usize; 2],
    /// Maximum number of joints.
    pub joints: usize,
    /// Mean number of steps, of four, in which a joint is created at random.
    pub joining: u32,
}

impl Default for Churn {
    fn default() -> Self {
        Self {
            steps: 1_000_000,
            seed: 1,
            load: Load {
                bodies: [5, 120],
                joints: 20,
                joining: 1,
            },
            warm_up: Load {
                bodies: [5, 240],
                joints: 60,
                joining: 4,
            },
            swing: 2000,
        }
    }
}

impl Churn {
    fn load_in(&self, part: usize) -> &Load {
        match part {
            0 => &self.warm_up,
            _ => &self.load,
        }
    }

    /// Returns the number of bodies at a step, a triangle wave.
    fn bodies_at(&self, step: u64, load: &Load) -> usize {
        let [fewest, most] = load.bodies;
        let half = (self.swing / 2).max(1);
        let up = (step % self.swing).min(self.swing - step % self.swing);
        fewest + ((most - fewest) as u64 * up / half) as usize
    }
}

/// Live elements of a world, or the peak of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// Bodies of any kind.
    pub bodies: usize,
    /// Contacts, touching or not: before a step, and new ones in it. A body that is thrown far begins hundreds, which
    /// end in the next step.
    pub contacts: usize,
    /// Joints.
    pub joints: usize,
    /// Islands, awake or not.
    pub islands: usize,
    /// Events of a step.
    pub events: usize,
}

impl Elements {
    fn max(&self, other: &Self) -> Self {
        Self {
            bodies: self.bodies.max(other.bodies),
            contacts: self.contacts.max(other.contacts),
            joints: self.joints.max(other.joints),
            islands: self.islands.max(other.islands),
            events: self.events.max(other.events),
        }
    }
}

/// Live bytes and elements after each step of a part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Maximum of the live bytes \[B\].
    pub most: usize,
    /// Mean of the live bytes \[B\].
    pub mean: usize,
    /// Peak of the elements.
    pub peak: Elements,
}

/// Live bytes and elements in the parts of a soak test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The parts, the first one the warm-up.
    pub parts: [Part; PARTS],
    /// The world's hash at the end, to compare runs.
    pub hash: u64,
}

/// Greatest change of memory after the warm-up, relative to the first part after it.
const MAX_CHANGE: f64 = 0.01;

impl Growth {
    /// Returns whether the mean and the maximum of the live bytes stay the same after the warm-up, to 1 %.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        let is_same = |a: usize, b: usize| a.abs_diff(b) as f64 <= MAX_CHANGE * b as f64;
        let [_, first, others @ ..] = &self.parts;
        others
            .iter()
            .all(|part| is_same(part.mean, first.mean) && is_same(part.most, first.most))
    }

    /// Returns whether the warm-up has the highest peak of each kind of element, as the comparison of the other parts requires.
    #[must_use]
    pub fn is_warmed_up(&self) -> bool {
        let [warm_up, others @ ..] = &self.parts;
        others
            .iter()
            .all(|part| warm_up.peak.max(&part.peak) == warm_up.peak)
    }
}

/// Runs steps of 1/60 s, with bodies and joints created and destroyed. `live_bytes` returns the number of allocated bytes;
/// `report` receives each part with the number of steps until its end.
///
/// # Panics
/// If a slot of the world's pools is lost, or elements are left after all bodies are destroyed.
pub fn soak(
    churn: &Churn,
    live_bytes: impl Fn() -> usize,
    mut report: impl FnMut(u64, &Part),
) -> Growth {
    let mut mill = Mill::new(churn.seed);
    let steps = (churn.steps / PARTS as u64).max(1);
    let mut parts = [Part::default(); PARTS];
    for (index, part) in parts.iter_mut().enumerate() {
        let load = churn.load_in(index);
        let first = index as u64 * steps;
        let mut sum = 0;
        for step in first..first + steps {
            let elements = mill.turn(churn.bodies_at(step, load), load);
            let live = live_bytes();
            part.most = part.most.max(live);
            part.peak = part.peak.max(&elements);
            sum += live as u64;
            if step.is_multiple_of(churn.swing) {
                // A slot that is neither used nor free would not exceed the memory of the warm-up for a long time.
                mill.world.assert_consistent();
            }
        }
        part.mean = (sum / steps) as usize;
        report(first + steps, part);
    }
    let hash = mill.world.state_hash();
    mill.destroy_all();
    Growth { parts, hash }
}

/// A world whose bodies are created and destroyed all the time.
struct Mill {
    world: World,
    random: fastrand::Rng,
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
    floor: BodyId,
    /// Contacts after the last step.
    contacts: usize,
}

impl Mill {
    fn new(seed: u64) -> Self {
        let mut world = World::default();
        let floor = world.create_body(BodyDef::static_());
        let tray = [(-12.0, 20.0), (-12.0, 0.0), (12.0, 0.0), (12.0, 20.0)];
        let tray = tray.map(|(x, y)| point(x, y));
        let chain = Chain::ground(&tray);
        world.create_chain(floor, &chain, ShapeDef::default());
        let eye = Polygon::rectangle(12.0, 2.0);
        world.create_shape(floor, eye, ShapeDef::sensor());
        Self {
            world,
            random: fastrand::Rng::with_seed(seed),
            bodies: Vec::new(),
            joints: Vec::new(),
            floor,
            contacts: 0,
        }
    }

    /// Creates or destroys a body or two, steps, and counts the elements.
    fn turn(&mut self, bodies: usize, load: &Load) -> Elements {
        while self.bodies.len() < bodies {
            self.create();
        }
        while self.bodies.len() > bodies {
            self.destroy();
        }
        // The number stays the same, the bodies change.
        self.destroy();
        self.create();
        if self.random.u32(0..4) < load.joining {
            self.join(load.joints);
        }
        self.world.step(1.0 / 60.0);
        self.count()
    }

    /// Destroys all bodies and checks that nothing is left.
    fn destroy_all(&mut self) {
        while !self.bodies.is_empty() {
            self.destroy();
        }
        self.world.destroy_body(self.floor);
        self.world.step(1.0 / 60.0);
        self.world.assert_consistent();
        let counters = self.world.counters();
        let left = [
            counters.bodies,
            counters.shapes,
            counters.contacts,
            counters.joints,
            counters.islands,
        ];
        assert_eq!(left, [0; 5], "bodies, shapes, contacts, joints, islands");
    }

    fn create(&mut self) {
        let random = &mut self.random;
        let (x, y) = (-10.0 + 20.0 * random.f32(), 2.0 + 16.0 * random.f32());
        let size = 0.2 + 0.4 * random.f32();
        let shape: Shape = match random.u32(0..4) {
            0 => Circle::of_radius(size).into(),
            1 => Capsule::new(point(-size, 0.0), point(size, 0.0), 0.5 * size).into(),
            2 => Polygon::regular(5, size).into(),
            _ => Polygon::rectangle(size, 0.7 * size).into(),
        };
        let def = BodyDef::dynamic()
            .position(x, y)
            .angle(2.0 * PI * random.f32());
        let body = self.world.create_body(def.velocity(3.0, 0.0));
        let def = match random.u32(0..8) {
            0 => ShapeDef::sensor(),
            _ => ShapeDef::default().force_event_threshold(50.0),
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

    fn join(&mut self, max_joints: usize) {
        self.joints.retain(|&id| self.world.get_joint(id).is_some());
        let count = self.bodies.len();
        let (a, b) = (self.random.usize(0..count), self.random.usize(0..count));
        if a == b || self.joints.len() >= max_joints {
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
        // Two bodies may be at one position, where a rod has no length.
        self.joints.extend(self.world.try_create_joint(def));
    }

    fn count(&mut self) -> Elements {
        let world = &self.world;
        let events = [
            world.contact_begins().len(),
            world.contact_ends().len(),
            world.contact_hits().len(),
            world.contact_forces().len(),
            world.sensor_begins().len(),
            world.sensor_ends().len(),
            world.sleep_changes().len(),
            world.joint_breaks().len(),
        ];
        let counters = world.counters();
        let contacts_before = std::mem::replace(&mut self.contacts, counters.contacts);
        Elements {
            bodies: counters.bodies,
            contacts: contacts_before + counters.new_pairs,
            joints: counters.joints,
            islands: counters.islands,
            events: events.iter().sum(),
        }
    }
}
