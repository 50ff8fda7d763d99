//! The interface of engines for benchmark scenes: one definition of a scene drives several engines.

use cairn2d::prelude::*;

/// Names a body in an [`Engine`]: bodies are numbered in order of creation, and no number returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyHandle(pub u32);

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
    /// Drive.
    pub motor: Motor,
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

    /// Adds a shape to a body.
    fn create_shape(&mut self, body: BodyHandle, shape: &Shape, def: &ShapeDef);

    /// Adds a chain to a body.
    fn create_chain(&mut self, body: BodyHandle, chain: &Chain, def: &ShapeDef);

    /// Adds a revolute joint.
    fn create_hinge(&mut self, hinge: &Hinge);

    /// Adds a distance joint with a spring.
    fn create_spring(&mut self, spring: &DistanceSpring);

    /// Adds a prismatic joint.
    fn create_slider(&mut self, slider: &Slider);

    /// Adds a wheel joint.
    fn create_wheel(&mut self, wheel: &Wheel);

    /// Returns the share of `translation` \[m\] at which a ray from `origin` first meets a shape, 0 to 1.
    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32>;

    /// Gives a body a mass \[kg\] and an inertia about its origin [kg m^2] in place of those of its shapes. The
    /// origin becomes the center of mass; the body must have no shapes that place it elsewhere.
    fn set_mass(&mut self, body: BodyHandle, mass: f32, inertia: f32);

    /// Applies a force at a point of the world during the next step \[N\].
    fn apply_force(&mut self, body: BodyHandle, force: Vec2, at: Point);

    /// Applies a torque during the next step, counter-clockwise [N m].
    fn apply_torque(&mut self, body: BodyHandle, torque: f32);

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
}

impl CairnEngine {
    /// Makes an empty world; `clock` is for its profile.
    #[must_use]
    pub fn new(settings: &EngineSettings, clock: Option<Clock>) -> Self {
        let def = WorldDef {
            gravity: settings.gravity,
            sleeping: settings.sleeping,
            substeps: settings.substeps,
            threads: settings.threads as u32,
            clock,
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
        }
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

    fn create_hinge(&mut self, hinge: &Hinge) {
        let mut def = RevoluteJointDef::new(self.id(hinge.body_a), self.id(hinge.body_b));
        def.base.frame_a = hinge.frame_a;
        def.base.frame_b = hinge.frame_b;
        def.limit = hinge.limit;
        def.motor = hinge.motor;
        def.spring = hinge.spring;
        self.world.create_joint(def);
    }

    fn create_spring(&mut self, spring: &DistanceSpring) {
        let (a, b) = (self.id(spring.body_a), self.id(spring.body_b));
        self.world.create_joint(DistanceJointDef {
            length: spring.length,
            spring: Some(spring.spring),
            ..DistanceJointDef::new(a, b)
        });
    }

    fn create_slider(&mut self, slider: &Slider) {
        let mut def = PrismaticJointDef::new(self.id(slider.body_a), self.id(slider.body_b));
        def.base.frame_a = slider.frame_a;
        def.base.frame_b = slider.frame_b;
        self.world.create_joint(def);
    }

    fn create_wheel(&mut self, wheel: &Wheel) {
        let mut def = WheelJointDef::new(self.id(wheel.body_a), self.id(wheel.body_b));
        def.base.frame_a = wheel.frame_a;
        def.spring = Some(wheel.spring);
        def.motor = Some(wheel.motor);
        self.world.create_joint(def);
    }

    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32> {
        let hit = self
            .world
            .ray_cast(origin, translation, QueryFilter::default());
        hit.map(|hit| hit.fraction)
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
