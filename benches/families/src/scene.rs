//! A scene: a world and its measurement.

use crate::conditions::{Conditions, Draw};
use crate::form::Form;
use cairn2d::{
    BodyDef, BodyId, Chain, JointId, Limit, Motor, RevoluteJointDef, ShapeDef, Tuning, Vec2,
    WeldJointDef, World, WorldDef, WorldPoint, point, vec2,
};

/// User data of bodies that are measured.
pub(crate) const MEASURED: u64 = 1;

/// Whether gravity acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    On,
    Off,
}

/// Called before each step with the standard time [s].
pub(crate) type Drive = Box<dyn FnMut(&mut World, f32)>;

/// The part of the world in which all bodies must stay, in standard meters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) min_x: f32,
    pub(crate) max_x: f32,
    pub(crate) min_y: f32,
}

/// A thin body that another one must not cross.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    /// Lies along the x axis of its frame.
    pub(crate) plate: BodyId,
    /// Half of its length, in standard meters.
    pub(crate) half_length: f32,
    pub(crate) body: BodyId,
}

/// A body of a structure, and its initial position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) body: BodyId,
    pub(crate) place: WorldPoint,
}

/// A scene. Its methods take standard meters, seconds and meters per second.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) conditions: Conditions,
    /// Standard seconds.
    pub(crate) duration: f32,
    /// Time from which gaps, overlaps, heights and speeds are measured.
    pub(crate) settle: f32,
    pub(crate) bodies: Vec<BodyId>,
    pub(crate) joints: Vec<JointId>,
    pub(crate) members: Vec<Member>,
    /// Distance from its place at which a member has fallen.
    pub(crate) fallen_shift: f32,
    pub(crate) crossings: Vec<Crossing>,
    pub(crate) region: Option<Region>,
    /// Height below which no point of a body may be.
    pub(crate) floor: Option<f32>,
    /// Bodies whose energy is conserved; if empty, only the gain of the total energy is measured.
    pub(crate) conserved: Vec<BodyId>,
    pub(crate) drive: Option<Drive>,
    /// Factors on the length of a step, in turn.
    pub(crate) pace: Vec<f32>,
}

impl Scene {
    /// Returns an empty scene.
    pub(crate) fn new(draw: &Draw, weight: Weight, duration: f32) -> Self {
        let conditions = draw.conditions;
        let gravity = match weight {
            Weight::On => vec2(0.0, -conditions.gravity),
            Weight::Off => vec2(0.0, 0.0),
        };
        let mut scene = Self {
            world: World::new(WorldDef {
                gravity,
                tuning: Tuning {
                    mechanisms: draw.mechanisms,
                    ..Tuning::default()
                },
                ..WorldDef::default()
            }),
            conditions,
            duration,
            settle: 0.0,
            bodies: Vec::new(),
            joints: Vec::new(),
            members: Vec::new(),
            fallen_shift: 0.25,
            crossings: Vec::new(),
            region: None,
            floor: None,
            conserved: Vec::new(),
            drive: None,
            pace: vec![1.0],
        };
        scene.add_neighbors();
        scene
    }

    /// Adds the unrelated bodies, far to the left: a heap of boxes in rows.
    fn add_neighbors(&mut self) {
        const ROW: usize = 50;
        const PLACE: f32 = -2000.0;
        if self.conditions.neighbors == 0 {
            return;
        }
        self.fixed(Form::Beside([60.0, 1.0], [PLACE + 50.0, -1.0], 0.0));
        for i in 0..self.conditions.neighbors {
            let (column, row) = (i % ROW, i / ROW);
            let def = BodyDef::dynamic().position(0.0, 0.0);
            let at = [PLACE + 2.0 * column as f32, 0.5 + 1.1 * row as f32];
            self.put(def, at, Form::Rectangle(0.4, 0.5), &ShapeDef::default());
        }
    }

    fn put(&mut self, def: BodyDef, [x, y]: [f32; 2], form: Form, shape: &ShapeDef) -> BodyId {
        let s = self.conditions.scale;
        let body = self.world.create_body(def.position(s * x, s * y));
        self.world.create_shape(body, form.shape(s), *shape);
        body
    }

    /// Creates a static body.
    pub(crate) fn fixed(&mut self, form: Form) -> BodyId {
        self.put(BodyDef::static_(), [0.0, 0.0], form, &ShapeDef::default())
    }

    /// Creates a static body that does not lie at the origin.
    pub(crate) fn fixed_at(&mut self, at: [f32; 2], form: Form) -> BodyId {
        self.put(BodyDef::static_(), at, form, &ShapeDef::default())
    }

    /// Creates a kinematic body.
    pub(crate) fn kinematic(&mut self, at: [f32; 2], form: Form) -> BodyId {
        self.put(BodyDef::kinematic(), at, form, &ShapeDef::default())
    }

    /// Creates the ground: a wide box with its top at 0.
    pub(crate) fn ground(&mut self) -> BodyId {
        self.fixed(Form::Beside([200.0, 2.0], [0.0, -2.0], 0.0))
    }

    /// Creates a static chain that is solid from above.
    pub(crate) fn terrain(&mut self, points: &[[f32; 2]]) -> BodyId {
        let s = self.conditions.scale;
        let points: Vec<_> = points.iter().map(|[x, y]| point(s * x, s * y)).collect();
        let chain = Chain::ground(&points);
        let body = self.world.create_body(BodyDef::static_());
        self.world.create_chain(body, &chain, ShapeDef::default());
        body
    }

    /// Creates a measured dynamic body from a definition without a place.
    pub(crate) fn dynamic_of(
        &mut self,
        def: BodyDef,
        at: [f32; 2],
        form: Form,
        shape: &ShapeDef,
    ) -> BodyId {
        let body = self.put(def.user_data(MEASURED), at, form, shape);
        self.bodies.push(body);
        body
    }

    /// Creates a measured dynamic body at rest.
    pub(crate) fn dynamic(&mut self, at: [f32; 2], form: Form, density: f32) -> BodyId {
        let shape = ShapeDef::default().density(density);
        self.dynamic_of(BodyDef::dynamic(), at, form, &shape)
    }

    /// Returns the definition of a dynamic body that moves.
    pub(crate) fn moving(&self, velocity: [f32; 2], spin: f32) -> BodyDef {
        let [x, y] = velocity;
        let unit = self.conditions.speed_unit();
        BodyDef::dynamic()
            .velocity(unit * x, unit * y)
            .angular_velocity(spin / self.conditions.time_unit())
    }

    /// Adds a body to the structure, at its present position.
    pub(crate) fn member(&mut self, body: BodyId) {
        let place = self.world.body(body).center_exact();
        self.members.push(Member { body, place });
    }

    /// Returns a point of the world.
    pub(crate) fn place(&self, [x, y]: [f32; 2]) -> WorldPoint {
        let s = f64::from(self.conditions.scale);
        WorldPoint::new(s * f64::from(x), s * f64::from(y))
    }

    /// Joins two bodies by a pin.
    pub(crate) fn pin(&mut self, a: BodyId, b: BodyId, at: [f32; 2]) -> JointId {
        self.hinge(a, b, at, None, None)
    }

    /// Joins two bodies by a pin with a limit and a motor [rad/s, N m].
    pub(crate) fn hinge(
        &mut self,
        a: BodyId,
        b: BodyId,
        at: [f32; 2],
        limit: Option<Limit>,
        motor: Option<Motor>,
    ) -> JointId {
        let mut def = RevoluteJointDef::new(a, b).at(&self.world, self.place(at));
        (def.limit, def.motor) = (limit, motor);
        let joint = self.world.create_joint(def);
        self.joints.push(joint);
        joint
    }

    /// Welds two bodies.
    pub(crate) fn weld(&mut self, a: BodyId, b: BodyId, at: [f32; 2]) -> JointId {
        let def = WeldJointDef::new(a, b).at(&self.world, self.place(at));
        let joint = self.world.create_joint(def);
        self.joints.push(joint);
        joint
    }

    /// Returns a velocity of the world.
    pub(crate) fn velocity(&self, [x, y]: [f32; 2]) -> Vec2 {
        self.conditions.speed_unit() * vec2(x, y)
    }

    /// Returns the number of steps.
    pub(crate) fn steps(&self) -> u32 {
        let seconds = self.duration * self.conditions.time_unit();
        (seconds * self.conditions.rate).ceil() as u32
    }
}
