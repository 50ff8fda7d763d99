//! Measures of a run, in standard units.

use crate::scene::{Crossing, MEASURED, Scene};
use cairn2d::{BodyId, BodyRef, JointDef, QueryFilter, ShapeId, World, vec2};

/// Names of the measures, in their order in [`Measures::values`].
pub const MEASURES: [&str; 12] = [
    "speed", "gain", "error", "gap", "limit", "overlap", "shift", "fallen", "passed", "thrown",
    "slowest", "mean",
];

/// Measures of a run. Lengths and speeds are in standard meters and seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Top speed of a body after a step [m/s].
    pub speed: f64,
    /// Gain of energy, relative to the energy that the scene can lose.
    pub gain: f64,
    /// Greatest error of a conserved energy, relative to the same.
    pub error: f64,
    /// Widest joint gap in meters.
    pub gap: f64,
    /// Furthest angle beyond a limit \[rad\].
    pub limit: f64,
    /// Deepest overlap in meters.
    pub overlap: f64,
    /// Furthest shift of a member of a structure at the end in meters.
    pub shift: f64,
    /// 1 if the structure has fallen.
    pub fallen: f64,
    /// Bodies that passed through something, left the region, or were lost.
    pub passed: f64,
    /// Greatest height above the start in meters.
    pub thrown: f64,
    /// Slowest step \[ms\].
    pub slowest: f64,
    /// Mean step \[ms\].
    pub mean: f64,
}

impl Measures {
    /// Returns all values in the order of [`MEASURES`].
    #[must_use]
    pub fn values(&self) -> [f64; 12] {
        [
            self.speed,
            self.gain,
            self.error,
            self.gap,
            self.limit,
            self.overlap,
            self.shift,
            self.fallen,
            self.passed,
            self.thrown,
            self.slowest,
            self.mean,
        ]
    }
}

/// Follows a scene from step to step.
pub(crate) struct Probe {
    measures: Measures,
    scale: f64,
    speed: f64,
    gravity: f64,
    start_height: f64,
    start_energy: f64,
    start_conserved: f64,
    /// The energy that the scene can lose \[J\].
    usual_energy: f64,
    /// Heights of the bodies of each crossing in the frame of its plate at the last step.
    sides: Vec<[f64; 2]>,
    passed: Vec<bool>,
    lost: usize,
    is_driven: bool,
}

impl Probe {
    pub(crate) fn new(scene: &Scene) -> Self {
        let conditions = scene.conditions;
        let gravity = -f64::from(scene.world.gravity().y);
        let scale = f64::from(conditions.scale);
        let heights = || scene.bodies.iter().map(|&body| height(&scene.world, body));
        let top = heights().fold(f64::MIN, f64::max);
        let bottom = heights().fold(f64::MAX, f64::min);
        let energy = energy_of(&scene.world, &scene.bodies, gravity);
        let kinetic = energy_of(&scene.world, &scene.bodies, 0.0);
        let mass: f64 = scene.bodies.iter().map(|&b| mass(&scene.world, b)).sum();
        let sides = |crossing: &Crossing| side(scene, crossing);
        Self {
            measures: Measures::default(),
            scale,
            speed: f64::from(conditions.speed_unit()),
            gravity,
            start_height: top,
            start_energy: energy,
            start_conserved: energy_of(&scene.world, &scene.conserved, gravity),
            usual_energy: kinetic + mass * gravity * (top - bottom).max(scale),
            sides: scene.crossings.iter().map(sides).collect(),
            passed: vec![false; scene.crossings.len()],
            lost: 0,
            is_driven: scene.drive.is_some(),
        }
    }

    /// Measures after a step that ends at `time`, in standard seconds.
    pub(crate) fn observe(&mut self, scene: &Scene, time: f32) {
        self.lost += scene.world.body_freezes().len();
        self.observe_crossings(scene);
        if time < scene.settle {
            return;
        }
        self.observe_bodies(scene);
        self.observe_energy(scene);
        self.observe_joints(scene);
        self.observe_contacts(scene);
    }

    fn observe_bodies(&mut self, scene: &Scene) {
        let m = &mut self.measures;
        for &id in &scene.bodies {
            let body = scene.world.body(id);
            m.speed = m.speed.max(f64::from(body.velocity().norm()) / self.speed);
            let rise = body.center_exact().y - self.start_height;
            // Without gravity thrown bodies do not come down again.
            if self.gravity > 0.0 {
                m.thrown = m.thrown.max(rise / self.scale);
            }
            if let Some(floor) = scene.floor {
                let depth = f64::from(floor) - lowest_point(&body) / self.scale;
                m.overlap = m.overlap.max(depth);
            }
        }
    }

    fn observe_energy(&mut self, scene: &Scene) {
        let m = &mut self.measures;
        if !self.is_driven {
            let energy = energy_of(&scene.world, &scene.bodies, self.gravity);
            m.gain = m.gain.max((energy - self.start_energy) / self.usual_energy);
        }
        if !scene.conserved.is_empty() {
            let energy = energy_of(&scene.world, &scene.conserved, self.gravity);
            let error = (energy - self.start_conserved).abs() / self.usual_energy;
            m.error = m.error.max(error);
        }
    }

    fn observe_joints(&mut self, scene: &Scene) {
        let m = &mut self.measures;
        for &id in &scene.joints {
            let joint = scene.world.joint(id);
            let [a, b] = joint.anchors();
            let gap = f64::hypot(b.x - a.x, b.y - a.y) / self.scale;
            m.gap = m.gap.max(gap);
            if let JointDef::Revolute(def) = joint.def()
                && let Some(limit) = def.limit
            {
                let angle = joint.angle();
                let beyond = (angle - limit.upper).max(limit.lower - angle);
                m.limit = m.limit.max(f64::from(beyond));
            }
        }
    }

    fn observe_contacts(&mut self, scene: &Scene) {
        for contact in scene.world.contacts() {
            let is_measured = |id: BodyId| scene.world.body(id).user_data() == MEASURED;
            if contact.bodies().into_iter().any(is_measured) {
                let depths = contact
                    .points()
                    .map(|p| -f64::from(p.separation) / self.scale);
                let depth = depths.fold(0.0, f64::max);
                if depth > self.measures.overlap && do_overlap(&scene.world, contact.shapes()) {
                    self.measures.overlap = depth;
                }
            }
        }
    }

    fn observe_crossings(&mut self, scene: &Scene) {
        for (index, crossing) in scene.crossings.iter().enumerate() {
            let [x, y] = side(scene, crossing);
            let [old_x, old_y] = self.sides[index];
            let half = f64::from(crossing.half_length);
            let was_beside = old_x.abs() < half && x.abs() < half;
            self.passed[index] |= was_beside && y * old_y < 0.0;
            self.sides[index] = [x, y];
        }
    }

    /// Returns the measures at the end of the run, without times.
    pub(crate) fn finish(mut self, scene: &Scene) -> Measures {
        let m = &mut self.measures;
        for member in &scene.members {
            let at = scene.world.body(member.body).center_exact();
            let shift = f64::hypot(at.x - member.place.x, at.y - member.place.y);
            m.shift = m.shift.max(shift / self.scale);
        }
        m.fallen = f64::from(u8::from(m.shift > f64::from(scene.fallen_shift)));
        let crossed = self.passed.iter().filter(|&&passed| passed).count();
        m.passed = (crossed + self.lost + outside(scene, self.scale)) as f64;
        // Values that are not numbers count as the greatest.
        for value in [&mut m.speed, &mut m.gain, &mut m.gap, &mut m.overlap] {
            if !value.is_finite() {
                *value = f64::INFINITY;
            }
        }
        *m
    }
}

/// Returns the number of bodies outside of the region.
fn outside(scene: &Scene, scale: f64) -> usize {
    let Some(region) = scene.region else {
        return 0;
    };
    let is_outside = |&&id: &&BodyId| {
        let at = scene.world.body(id).center_exact();
        let (x, y) = (at.x / scale, at.y / scale);
        x < f64::from(region.min_x) || x > f64::from(region.max_x) || y < f64::from(region.min_y)
    };
    scene.bodies.iter().filter(is_outside).count()
}

/// Returns the place of a crossing's body in the frame of the plate, in standard meters.
fn side(scene: &Scene, crossing: &Crossing) -> [f64; 2] {
    let body = scene.world.body(crossing.body).center_exact();
    let local = scene.world.body(crossing.plate).to_local(body);
    [local.x, local.y].map(|v| f64::from(v / scene.conditions.scale))
}

fn height(world: &World, body: BodyId) -> f64 {
    world.body(body).center_exact().y
}

fn mass(world: &World, body: BodyId) -> f64 {
    f64::from(world.body(body).mass())
}

/// Returns the height of the lowest point of a body in meters.
fn lowest_point(body: &BodyRef<'_>) -> f64 {
    let down = body.rotation().inverse() * vec2(0.0, -1.0);
    let of_shape = |shape: cairn2d::ShapeRef<'_>| {
        let lowest = shape.geometry().support(&down);
        body.to_world_exact(lowest).y
    };
    body.shapes().map(of_shape).fold(f64::MAX, f64::min)
}

/// Returns the kinetic and potential energy of some bodies \[J\].
fn energy_of(world: &World, bodies: &[BodyId], gravity: f64) -> f64 {
    let of_body = |&id: &BodyId| {
        let body = world.body(id);
        let (mass, inertia) = (f64::from(body.mass()), f64::from(body.inertia()));
        let speed_sq = f64::from(body.velocity().x).powi(2) + f64::from(body.velocity().y).powi(2);
        let spin = f64::from(body.angular_velocity());
        0.5 * mass * speed_sq + 0.5 * inertia * spin * spin + mass * gravity * height(world, id)
    };
    bodies.iter().map(of_body).sum()
}

/// Returns `true` if two shapes overlap now. The separation of a contact belongs to the normal at the start of
/// the step, so shapes that bounced within the step may be apart.
fn do_overlap(world: &World, [a, b]: [ShapeId; 2]) -> bool {
    let shape = world.shape(a);
    let body = world.body(shape.body());
    let at = body.position_exact();
    world
        .overlap_shape(
            shape.geometry(),
            at,
            body.rotation().angle(),
            QueryFilter::default(),
        )
        .contains(&b)
}
