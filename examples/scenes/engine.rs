//! The interface of engines for benchmark scenes: one definition of a scene drives several engines.

use cairn2d::prelude::*;
use std::cell::RefCell;

/// Names a body in an [`Engine`]: bodies are numbered in order of creation, and no number returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyHandle(pub u32);

/// Names a joint in an [`Engine`]: joints are numbered in order of creation, and no number returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointHandle(pub u32);

/// A revolute joint between two bodies of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct Hinge {
    /// The first body.
    pub body_a: BodyHandle,
    /// The second body.
    pub body_b: BodyHandle,
    /// Anchor on the first body.
    pub frame_a: JointFrame,
    /// Anchor on the second body.
    pub frame_b: JointFrame,
    /// Range of the angle \[rad\].
    pub limit: Option<Limit>,
    /// Drive, or at speed 0 friction.
    pub motor: Option<Motor>,
    /// Torsion spring.
    pub spring: Option<Spring>,
}

/// A spring between the origins of two bodies of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct DistanceSpring {
    /// The first body.
    pub body_a: BodyHandle,
    /// The second body.
    pub body_b: BodyHandle,
    /// Length at rest \[m\].
    pub length: f32,
    /// Stiffness and damping.
    pub spring: Spring,
}

/// A prismatic joint without limits and motor between two bodies of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct Slider {
    /// The first body.
    pub body_a: BodyHandle,
    /// The second body.
    pub body_b: BodyHandle,
    /// Frame on the first body; its x axis is the direction of the motion.
    pub frame_a: JointFrame,
    /// Anchor on the second body.
    pub frame_b: JointFrame,
}

/// A sprung, driven wheel of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// The body that the wheel carries.
    pub body_a: BodyHandle,
    /// The wheel; its origin is its hub.
    pub body_b: BodyHandle,
    /// Place of the hub on the first body, and, as the x axis, the direction of the suspension.
    pub frame_a: JointFrame,
    /// Suspension.
    pub spring: Spring,
    /// Range of the suspension \[m\].
    pub limit: Option<Limit>,
    /// Drive.
    pub motor: Motor,
}

/// A rigid rod between the origins of two bodies of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct Rod {
    /// The first body.
    pub body_a: BodyHandle,
    /// The second body.
    pub body_b: BodyHandle,
    /// Length \[m\].
    pub length: f32,
}

/// A rigid weld of two bodies of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct Weld {
    /// The first body.
    pub body_a: BodyHandle,
    /// The second body.
    pub body_b: BodyHandle,
    /// Frame on the first body.
    pub frame_a: JointFrame,
    /// Frame on the second body, which the weld holds at that of the first.
    pub frame_b: JointFrame,
}

/// The grip of a hand on a body of an [`Engine`]: a spring of bounded force, as a mouse joint has it.
#[derive(Clone, Copy, Debug)]
pub struct Grip {
    /// The hand, whose origin pulls; it does not turn the body.
    pub body_a: BodyHandle,
    /// The body whose origin is pulled.
    pub body_b: BodyHandle,
    /// Stiffness and damping; the target is not used.
    pub spring: Spring,
    /// Greatest force \[N\].
    pub max_force: f32,
}

/// A brake between two bodies of an [`Engine`]: a bounded force and torque against relative motion.
#[derive(Clone, Copy, Debug)]
pub struct Brake {
    /// The first body.
    pub body_a: BodyHandle,
    /// The second body, which is slowed at its origin.
    pub body_b: BodyHandle,
    /// Greatest force \[N\].
    pub max_force: f32,
    /// Greatest torque [N m].
    pub max_torque: f32,
}

impl Hinge {
    /// Returns a free hinge.
    #[must_use]
    pub const fn new(a: (BodyHandle, JointFrame), b: (BodyHandle, JointFrame)) -> Self {
        Self {
            body_a: a.0,
            body_b: b.0,
            frame_a: a.1,
            frame_b: b.1,
            limit: None,
            motor: None,
            spring: None,
        }
    }
}

/// Settings of a world of an [`Engine`].
#[derive(Clone, Copy, Debug)]
pub struct EngineSettings {
    /// Acceleration of everything that falls [m/s^2].
    pub gravity: Vec2,
    /// Whether bodies at rest fall asleep.
    pub sleeping: bool,
    /// Substeps of a step.
    pub substeps: u32,
    /// Replaces the default of `WorldDef::solver_budget`; other engines have no such setting.
    pub solver_budget: Option<u32>,
    /// Replaces the default of `Tuning::linkage_drag`; other engines have no such setting.
    pub linkage_drag: Option<f32>,
    /// Threads that may work on a step.
    pub threads: usize,
}

/// Pose and velocity of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyMotion {
    /// Origin of the body's frame \[m\].
    pub position: Point,
    /// Rotation of the body's frame.
    pub rotation: Rotation,
    /// Velocity of the center of mass [m/s].
    pub velocity: Vec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub angular_velocity: f32,
}

/// Numbers of objects in a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bodies of any kind.
    pub bodies: usize,
    /// Shapes; an engine that has chains as one shape counts one.
    pub shapes: usize,
    /// Joints.
    pub joints: usize,
    /// Contacts, touching or near, as the engine counts them.
    pub contacts: usize,
    /// Contacts that touch, asleep or not.
    pub touching: usize,
    /// Bodies that are simulated, as of the last step.
    pub awake_bodies: usize,
}

/// A world of some engine.
pub trait Engine {
    /// Adds a body.
    fn create_body(&mut self, def: &BodyDef) -> BodyHandle;

    /// Adds bodies of one shape each: with one call in engines that have it, else one by one.
    fn create_bodies(
        &mut self,
        bodies: &[BodyDef],
        shape: &Shape,
        def: &ShapeDef,
    ) -> Vec<BodyHandle> {
        let create = |body| {
            let body = self.create_body(body);
            self.create_shape(body, shape, def);
            body
        };
        bodies.iter().map(create).collect()
    }

    /// Adds a shape to a body.
    fn create_shape(&mut self, body: BodyHandle, shape: &Shape, def: &ShapeDef);

    /// Adds a chain to a body.
    fn create_chain(&mut self, body: BodyHandle, chain: &Chain, def: &ShapeDef);

    /// Adds a revolute joint.
    fn create_hinge(&mut self, hinge: &Hinge) -> JointHandle;

    /// Adds a distance joint with a spring.
    fn create_spring(&mut self, spring: &DistanceSpring) -> JointHandle;

    /// Adds a prismatic joint.
    fn create_slider(&mut self, slider: &Slider) -> JointHandle;

    /// Adds a wheel joint.
    fn create_wheel(&mut self, wheel: &Wheel) -> JointHandle;

    /// Adds a rigid distance joint.
    fn create_rod(&mut self, rod: &Rod) -> JointHandle;

    /// Adds a rigid weld joint.
    fn create_weld(&mut self, weld: &Weld) -> JointHandle;

    /// Adds a soft pull of bounded force.
    fn create_grip(&mut self, grip: &Grip) -> JointHandle;

    /// Adds a joint that slows relative motion.
    fn create_brake(&mut self, brake: &Brake) -> JointHandle;

    /// Removes a joint, which must still exist.
    fn destroy_joint(&mut self, joint: JointHandle);

    /// Changes the speed of a hinge's motor [rad/s].
    fn set_motor_speed(&mut self, hinge: JointHandle, speed: f32);

    /// Returns the share of `translation` \[m\] at which a ray from `origin` first meets a shape, 0 to 1.
    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32>;

    /// Returns the number of shapes that overlap `shape`, unturned at a place.
    fn overlaps(&self, shape: &Shape, at: Point) -> usize;

    /// Returns the share of `translation` \[m\] at which `shape`, moved from a place, first meets another one, 0 to 1.
    fn shape_cast(&self, shape: &Shape, from: Point, translation: Vec2) -> Option<f32>;

    /// Keeps a copy of the world for [`restore`](Self::restore).
    fn keep(&mut self);

    /// Makes the world what it was when it was last kept; the handles stay valid.
    fn restore(&mut self);

    /// Gives a body a mass \[kg\] and an inertia about its origin [kg m^2] in place of those of its shapes. The
    /// origin becomes the center of mass; the body must have no shapes that place it elsewhere.
    fn set_mass(&mut self, body: BodyHandle, mass: f32, inertia: f32);

    /// Applies a force at a point of the world during the next step \[N\].
    fn apply_force(&mut self, body: BodyHandle, force: Vec2, at: Point);

    /// Applies a torque during the next step, counter-clockwise [N m].
    fn apply_torque(&mut self, body: BodyHandle, torque: f32);

    /// Changes the velocity of a body at once, by an impulse at its center of mass [N s].
    fn apply_impulse(&mut self, body: BodyHandle, impulse: Vec2);

    /// Sets the velocity of a body's center of mass [m/s].
    fn set_velocity(&mut self, body: BodyHandle, velocity: Vec2);

    /// Sets the approach speed below which shapes do not bounce [m/s]. Without effect in engines that have none.
    fn set_restitution_threshold(&mut self, speed: f32);

    /// Removes a body with its shapes and joints.
    fn destroy_body(&mut self, body: BodyHandle);

    /// Lets a kinematic body reach a pose at the end of the next step, which takes `dt` \[s\].
    fn move_to(&mut self, body: BodyHandle, position: Point, angle: f32, dt: f32);

    /// Lets `dt` \[s\] pass.
    fn step(&mut self, dt: f32);

    /// Returns where a body is.
    fn motion(&self, body: BodyHandle) -> BodyMotion;

    /// Returns how much there is.
    fn counts(&self) -> Counts;
}

/// This engine.
#[derive(Clone, Debug)]
pub struct CairnEngine {
    /// The world; bodies made behind the back of this record have no handle.
    pub world: World,
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
    kept: Option<Box<World>>,
    /// Buffer of queries.
    found: RefCell<Vec<ShapeId>>,
}

impl CairnEngine {
    /// Makes an empty world; `clock` is for its profile.
    #[must_use]
    pub fn new(settings: &EngineSettings, clock: Option<Clock>) -> Self {
        let tuning = Tuning::default();
        let def = WorldDef {
            tuning: Tuning {
                linkage_drag: settings.linkage_drag.unwrap_or(tuning.linkage_drag),
                ..tuning
            },
            gravity: settings.gravity,
            sleeping: settings.sleeping,
            substeps: settings.substeps,
            threads: settings.threads as u32,
            clock,
            solver_budget: settings
                .solver_budget
                .unwrap_or(WorldDef::default().solver_budget),
            ..WorldDef::default()
        };
        Self::with_world(World::new(def))
    }

    /// Takes a world without bodies, with any settings.
    #[must_use]
    pub const fn with_world(world: World) -> Self {
        Self {
            world,
            bodies: Vec::new(),
            joints: Vec::new(),
            kept: None,
            found: RefCell::new(Vec::new()),
        }
    }

    fn add_joint(&mut self, def: impl Into<JointDef>) -> JointHandle {
        self.joints.push(self.world.create_joint(def));
        JointHandle(self.joints.len() as u32 - 1)
    }

    /// Returns the world's own name of a body.
    #[must_use]
    pub fn id(&self, body: BodyHandle) -> BodyId {
        self.bodies[body.0 as usize]
    }
}

impl Engine for CairnEngine {
    fn create_body(&mut self, def: &BodyDef) -> BodyHandle {
        self.bodies.push(self.world.create_body(def.clone()));
        BodyHandle(self.bodies.len() as u32 - 1)
    }

    fn create_bodies(
        &mut self,
        bodies: &[BodyDef],
        shape: &Shape,
        def: &ShapeDef,
    ) -> Vec<BodyHandle> {
        let first = self.bodies.len() as u32;
        let bodies = bodies
            .iter()
            .map(|body| (body.clone(), [(shape.clone(), *def)]));
        self.bodies.extend(self.world.create_bodies(bodies));
        (first..self.bodies.len() as u32).map(BodyHandle).collect()
    }

    fn create_shape(&mut self, body: BodyHandle, shape: &Shape, def: &ShapeDef) {
        let body = self.id(body);
        self.world.create_shape(body, shape.clone(), *def);
    }

    fn create_chain(&mut self, body: BodyHandle, chain: &Chain, def: &ShapeDef) {
        let body = self.id(body);
        for segment in chain.segments() {
            self.world.create_shape(body, *segment, *def);
        }
    }

    fn create_hinge(&mut self, hinge: &Hinge) -> JointHandle {
        let mut def = RevoluteJointDef::new(self.id(hinge.body_a), self.id(hinge.body_b));
        def.base.frame_a = hinge.frame_a;
        def.base.frame_b = hinge.frame_b;
        def.limit = hinge.limit;
        def.motor = hinge.motor;
        def.spring = hinge.spring;
        self.add_joint(def)
    }

    fn create_spring(&mut self, spring: &DistanceSpring) -> JointHandle {
        let (a, b) = (self.id(spring.body_a), self.id(spring.body_b));
        self.add_joint(DistanceJointDef {
            length: spring.length,
            spring: Some(spring.spring),
            ..DistanceJointDef::new(a, b)
        })
    }

    fn create_slider(&mut self, slider: &Slider) -> JointHandle {
        let mut def = PrismaticJointDef::new(self.id(slider.body_a), self.id(slider.body_b));
        def.base.frame_a = slider.frame_a;
        def.base.frame_b = slider.frame_b;
        self.add_joint(def)
    }

    fn create_wheel(&mut self, wheel: &Wheel) -> JointHandle {
        let mut def = WheelJointDef::new(self.id(wheel.body_a), self.id(wheel.body_b));
        def.base.frame_a = wheel.frame_a;
        def.spring = Some(wheel.spring);
        def.limit = wheel.limit;
        def.motor = Some(wheel.motor);
        self.add_joint(def)
    }

    fn create_rod(&mut self, rod: &Rod) -> JointHandle {
        self.add_joint(DistanceJointDef {
            length: rod.length,
            ..DistanceJointDef::new(self.id(rod.body_a), self.id(rod.body_b))
        })
    }

    fn create_weld(&mut self, weld: &Weld) -> JointHandle {
        let mut def = WeldJointDef::new(self.id(weld.body_a), self.id(weld.body_b));
        def.base.frame_a = weld.frame_a;
        def.base.frame_b = weld.frame_b;
        self.add_joint(def)
    }

    fn create_grip(&mut self, grip: &Grip) -> JointHandle {
        self.add_joint(MouseJointDef {
            spring: JointSoftness {
                hertz: grip.spring.hertz,
                damping_ratio: grip.spring.damping_ratio,
            },
            max_force: grip.max_force,
            ..MouseJointDef::new(self.id(grip.body_a), self.id(grip.body_b))
        })
    }

    fn create_brake(&mut self, brake: &Brake) -> JointHandle {
        self.add_joint(MotorJointDef {
            max_velocity_force: brake.max_force,
            max_velocity_torque: brake.max_torque,
            ..MotorJointDef::new(self.id(brake.body_a), self.id(brake.body_b))
        })
    }

    fn destroy_joint(&mut self, joint: JointHandle) {
        let id = self.joints[joint.0 as usize];
        assert!(self.world.destroy_joint(id), "the joint is gone");
    }

    fn set_motor_speed(&mut self, hinge: JointHandle, speed: f32) {
        let id = self.joints[hinge.0 as usize];
        self.world.joint_mut(id).set_motor_speed(speed);
    }

    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32> {
        let hit = self
            .world
            .ray_cast(origin, translation, QueryFilter::default());
        hit.map(|hit| hit.fraction)
    }

    fn overlaps(&self, shape: &Shape, at: Point) -> usize {
        let mut found = self.found.borrow_mut();
        self.world
            .overlap_shape_into(shape, at, 0.0, QueryFilter::default(), &mut found);
        found.len()
    }

    fn shape_cast(&self, shape: &Shape, from: Point, translation: Vec2) -> Option<f32> {
        let hit = self
            .world
            .shape_cast(shape, from, 0.0, translation, QueryFilter::default());
        hit.map(|hit| hit.fraction)
    }

    fn keep(&mut self) {
        match &mut self.kept {
            Some(kept) => kept.as_mut().clone_from(&self.world),
            None => self.kept = Some(Box::new(self.world.clone())),
        }
    }

    fn restore(&mut self) {
        let kept = self.kept.as_deref().expect("a world was kept");
        self.world.clone_from(kept);
    }

    fn set_mass(&mut self, body: BodyHandle, mass: f32, inertia: f32) {
        let center = Point::origin();
        let data = MassData {
            mass,
            center,
            inertia,
        };
        let body = self.id(body);
        self.world.body_mut(body).set_mass(Some(data));
    }

    fn apply_force(&mut self, body: BodyHandle, force: Vec2, at: Point) {
        let body = self.id(body);
        self.world.body_mut(body).apply_force_at(force, at);
    }

    fn apply_torque(&mut self, body: BodyHandle, torque: f32) {
        let body = self.id(body);
        self.world.body_mut(body).apply_torque(torque);
    }

    fn apply_impulse(&mut self, body: BodyHandle, impulse: Vec2) {
        let body = self.id(body);
        self.world.body_mut(body).apply_impulse(impulse);
    }

    fn set_velocity(&mut self, body: BodyHandle, velocity: Vec2) {
        let body = self.id(body);
        self.world.body_mut(body).set_velocity(velocity);
    }

    fn set_restitution_threshold(&mut self, speed: f32) {
        let mut def = self.world.def().clone();
        def.tuning.restitution_threshold = speed;
        self.world.set_def(def);
    }

    fn destroy_body(&mut self, body: BodyHandle) {
        let body = self.id(body);
        self.world.destroy_body(body);
    }

    fn move_to(&mut self, body: BodyHandle, position: Point, angle: f32, dt: f32) {
        let body = self.id(body);
        self.world.body_mut(body).move_to(position, angle, dt);
    }

    fn step(&mut self, dt: f32) {
        self.world.step(dt);
    }

    fn motion(&self, body: BodyHandle) -> BodyMotion {
        let body = self.world.body(self.id(body));
        BodyMotion {
            position: body.position(),
            rotation: body.rotation(),
            velocity: body.velocity(),
            angular_velocity: body.angular_velocity(),
        }
    }

    fn counts(&self) -> Counts {
        let counters = self.world.counters();
        Counts {
            bodies: self.world.bodies().count(),
            shapes: self.world.shape_count(),
            joints: self.world.joint_count(),
            contacts: counters.contacts,
            touching: self.world.contacts().count(),
            awake_bodies: counters.awake_bodies,
        }
    }
}
