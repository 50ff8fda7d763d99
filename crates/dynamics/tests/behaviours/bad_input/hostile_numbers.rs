//! Every number of every definition and setter, at every hostile value: it is refused at the door, or the world
//! steps on without a panic and without a NaN, and its save loads.

use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, ExplosionDef, Fluid, GearJointDef, IgnoreFor, JointBaseDef,
    JointDef, JointFrame, JointId, JointSoftness, Limit, Material, MixRule, Motor, MotorJointDef,
    MouseJointDef, PrismaticJointDef, PulleyJointDef, RevoluteJointDef, ShapeDef, ShapeId, Spring,
    Tuning, WeldJointDef, WheelJointDef, Wind, World, WorldDef,
};
use cairn2d_geometry::math::{WorldPoint, point, vec2};
use cairn2d_geometry::{Aabb, Circle, MassData, Polygon, Shape};
use std::panic::{AssertUnwindSafe, catch_unwind};

const DT: f32 = 1.0 / 60.0;

/// Numbers that programs pass by mistake, and those at the edges of `f32`.
#[rustfmt::skip]
const VALUES: [f32; 24] = [
    0.0, -0.0, 1.0e-45, 1.0e-40, f32::MIN_POSITIVE, 1.0e-20, 1.0e-6, 1.0, 90.0, 1.0e6, 1.0e9, 1.0e12, 1.0e16, 1.0e20,
    1.0e30, 1.0e38, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -1.0e-45, -1.0, -1.0e12, f32::MIN,
];

/// Two boxes at rest on the ground, the upper one so heavy that Newton's method solves them, a ball that falls beside
/// them, and two balls for joints in the air.
struct Scene {
    world: World,
    ground: BodyId,
    boxes: [BodyId; 2],
    /// Shapes of the boxes.
    shapes: [ShapeId; 2],
    ball: BodyId,
    pair: [BodyId; 2],
}

impl Scene {
    fn new() -> Self {
        let mut world = World::default();
        let mut add = |def: BodyDef, shape: Shape, surface: ShapeDef| {
            let body = world.create_body(def);
            (body, world.create_shape(body, shape, surface))
        };
        let floor = Polygon::rectangle(20.0, 1.0).into();
        let at = |x, y| BodyDef::dynamic().position(x, y);
        let (ground, _) = add(
            BodyDef::static_().position(0.0, -1.0),
            floor,
            ShapeDef::default(),
        );
        let square = Shape::from(Polygon::rectangle(0.5, 0.5));
        let disc = Shape::from(Circle::of_radius(0.4));
        let (lower, lower_shape) = add(at(0.0, 0.5), square.clone(), ShapeDef::default());
        let (upper, upper_shape) = add(at(0.2, 1.5), square, ShapeDef::default().density(500.0));
        let bouncy = ShapeDef::default().restitution(0.6);
        let (ball, _) = add(at(1.3, 0.6).velocity(-1.0, -2.0), disc.clone(), bouncy);
        let (first, _) = add(at(-4.0, 1.0), disc.clone(), ShapeDef::default());
        let (second, _) = add(at(-2.5, 0.8), disc, ShapeDef::default());
        Self {
            world,
            ground,
            boxes: [lower, upper],
            shapes: [lower_shape, upper_shape],
            ball,
            pair: [first, second],
        }
    }

    fn tune(&mut self, set: impl FnOnce(&mut Tuning)) -> bool {
        self.define(|def| set(&mut def.tuning))
    }

    fn define(&mut self, set: impl FnOnce(&mut WorldDef)) -> bool {
        let mut def = self.world.def().clone();
        set(&mut def);
        self.world.try_set_def(def).is_ok()
    }

    /// Adds a box of this definition to the pile.
    fn body(&mut self, set: impl FnOnce(&mut BodyDef)) -> bool {
        let mut def = BodyDef::dynamic().position(0.1, 2.5);
        set(&mut def);
        let Ok(body) = self.world.try_create_body(def) else {
            return false;
        };
        self.world
            .try_create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default())
            .is_ok()
    }

    /// Sets the materials of both boxes.
    fn surfaces(&mut self, set: impl Fn(&mut Material)) -> bool {
        let mut material = Material::default();
        set(&mut material);
        self.shapes.map(|shape| {
            self.world
                .shape_mut(shape)
                .try_set_material(material)
                .is_ok()
        }) == [true; 2]
    }

    /// Adds a shape of this definition to the ball.
    fn shape(&mut self, set: impl FnOnce(&mut ShapeDef)) -> bool {
        let mut def = ShapeDef::default();
        set(&mut def);
        self.world
            .try_create_shape(self.ball, Circle::new(point(0.3, 0.0), 0.3), def)
            .is_ok()
    }

    fn joint(&mut self, def: impl Into<JointDef>) -> bool {
        self.world.try_create_joint(def).is_ok()
    }

    /// Adds a joint of each kind with the parts of a drive, to the pair or to the ground.
    fn drive(
        &mut self,
        limit: Option<Limit>,
        motor: Option<Motor>,
        spring: Option<Spring>,
    ) -> bool {
        let [a, b] = self.pair;
        let [lower, upper] = self.boxes;
        let mut between_boxes = PrismaticJointDef {
            limit,
            motor,
            spring,
            ..PrismaticJointDef::new(lower, upper)
        };
        between_boxes.base.collide_connected = true;
        let defs: [JointDef; 6] = [
            between_boxes.into(),
            RevoluteJointDef {
                limit,
                motor,
                spring,
                ..RevoluteJointDef::new(a, b)
            }
            .into(),
            PrismaticJointDef {
                limit,
                motor,
                spring,
                ..PrismaticJointDef::new(a, b)
            }
            .into(),
            WheelJointDef {
                limit,
                motor,
                spring,
                ..WheelJointDef::new(a, b)
            }
            .into(),
            DistanceJointDef {
                limit,
                motor,
                spring,
                ..DistanceJointDef::new(a, b)
            }
            .into(),
            RevoluteJointDef {
                limit,
                motor,
                spring,
                ..RevoluteJointDef::new(self.ground, self.ball)
            }
            .into(),
        ];
        let accepted = defs.map(|def| self.world.try_create_joint(def).is_ok());
        accepted.contains(&true)
    }

    fn with_base(&mut self, set: impl Fn(&mut JointDef)) -> bool {
        let [a, b] = self.pair;
        let defs: [JointDef; 4] = [
            RevoluteJointDef::new(a, b).into(),
            WeldJointDef::new(a, b).into(),
            DistanceJointDef::new(self.ball, b).into(),
            MouseJointDef::new(self.ground, self.ball).into(),
        ];
        let accepted = defs.map(|mut def| {
            set(&mut def);
            self.world.try_create_joint(def).is_ok()
        });
        accepted.contains(&true)
    }

    fn motor_joint(&mut self, set: impl FnOnce(&mut MotorJointDef)) -> bool {
        let [a, b] = self.pair;
        let mut def = MotorJointDef::new(a, b);
        def.max_velocity_force = 100.0;
        def.max_velocity_torque = 100.0;
        def.max_spring_force = 100.0;
        def.max_spring_torque = 100.0;
        def.linear_spring = Some(JointSoftness {
            hertz: 2.0,
            damping_ratio: 0.7,
        });
        def.angular_spring = def.linear_spring;
        set(&mut def);
        self.joint(def)
    }

    fn pulley(&mut self, set: impl FnOnce(&mut PulleyJointDef)) -> bool {
        let [a, b] = self.pair;
        let mut def = PulleyJointDef::new(
            a,
            b,
            WorldPoint::new(-4.0, 6.0),
            WorldPoint::new(-2.5, 6.0),
            8.0,
        );
        set(&mut def);
        self.joint(def)
    }

    /// Sets the mass of the upper box.
    fn weigh(&mut self, mass: f32, x: f32, inertia: f32) -> bool {
        let center = point(x, 0.0);
        let data = MassData {
            mass,
            center,
            inertia,
        };
        let mut upper = self.world.body_mut(self.boxes[1]);
        upper.try_set_mass(Some(data)).is_ok()
    }

    fn hinge(&mut self) -> JointId {
        let [a, b] = self.pair;
        let mut def = RevoluteJointDef::new(a, b);
        def.base.frame_a = JointFrame::at(0.7, 0.0);
        def.base.frame_b = JointFrame::at(-0.7, 0.0);
        self.world.create_joint(def)
    }
}

/// A number of a definition or setter, and the call that passes it; `true`: it was accepted.
type Field = (&'static str, fn(&mut Scene, f32) -> bool);

fn soft(hertz: f32, damping_ratio: f32) -> Option<JointSoftness> {
    Some(JointSoftness {
        hertz,
        damping_ratio,
    })
}

#[rustfmt::skip]
const WORLD_FIELDS: [Field; 20] = [
    ("gravity.x", |s, v| s.world.try_set_gravity(vec2(v, -10.0)).is_ok()),
    ("gravity.y", |s, v| s.world.try_set_gravity(vec2(0.0, v)).is_ok()),
    ("bounds.max.x", |s, v| s.define(|def| def.bounds = Some(Aabb::new(point(-1.0, -1.0), point(v, 1.0))))),
    ("bounds.min.y", |s, v| s.define(|def| def.bounds = Some(Aabb::new(point(-1.0, v), point(1.0, 1.0))))),
    ("contact_hertz", |s, v| s.tune(|t| t.contact_hertz = v)),
    ("contact_damping_ratio", |s, v| s.tune(|t| t.contact_damping_ratio = v)),
    ("contact_push_speed", |s, v| s.tune(|t| t.contact_push_speed = v)),
    ("restitution_threshold", |s, v| s.tune(|t| t.restitution_threshold = v)),
    ("hit_event_threshold", |s, v| s.tune(|t| t.hit_event_threshold = v)),
    ("max_linear_speed", |s, v| s.tune(|t| t.max_linear_speed = v)),
    ("joint_hertz", |s, v| { s.hinge(); s.tune(|t| t.joint_hertz = v) }),
    ("joint_damping_ratio", |s, v| { s.hinge(); s.tune(|t| t.joint_damping_ratio = v) }),
    ("dt", |s, v| s.world.try_step(v).is_ok()),
    ("shift_origin.x", |s, v| s.world.try_shift_origin((v, 0.0)).is_ok()),
    ("shift_origin with a pulley", |s, v| { s.pulley(|_| ()); s.world.try_shift_origin((v, v)).is_ok() }),
    ("ignore_pair time", |s, v| { let [a, b] = s.boxes; s.world.try_ignore_pair(a, b, IgnoreFor::Time(v)).is_ok() }),
    ("explosion.position", |s, v| s.world.try_explode(&ExplosionDef::new((v, 0.0), 2.0, 1.0)).is_ok()),
    ("explosion.radius", |s, v| s.world.try_explode(&ExplosionDef::new((0.5, 0.0), v, 1.0)).is_ok()),
    ("explosion.falloff", |s, v| s.world.try_explode(&ExplosionDef::new((0.5, 0.0), 1.0, 1.0).falloff(v)).is_ok()),
    ("explosion.impulse_per_length", |s, v| s.world.try_explode(&ExplosionDef::new((0.5, 0.0), 2.0, v)).is_ok()),
];

#[rustfmt::skip]
const BODY_FIELDS: [Field; 43] = [
    ("body.position.x", |s, v| s.body(|b| b.position.x = v.into())),
    ("body.position.y", |s, v| s.body(|b| b.position.y = v.into())),
    ("body.angle", |s, v| s.body(|b| b.angle = v)),
    ("body.velocity.x", |s, v| s.body(|b| b.velocity.x = v)),
    ("body.velocity.y", |s, v| s.body(|b| b.velocity.y = v)),
    ("body.angular_velocity", |s, v| s.body(|b| b.angular_velocity = v)),
    ("fast body.angular_velocity", |s, v| s.body(|b| (b.angular_velocity, b.fast_rotation) = (v, true))),
    ("free body.velocity", |s, v| { s.body(|b| { b.velocity = vec2(v, v); b.max_linear_speed = Some(f32::INFINITY); }) }),
    ("bullet.velocity", |s, v| s.body(|b| (b.velocity.y, b.bullet) = (v, true))),
    ("kinematic.velocity", |s, v| { s.body(|b| { *b = BodyDef::kinematic().position(0.1, 2.5); b.velocity = vec2(0.0, v); }) }),
    ("kinematic.angular_velocity", |s, v| { s.body(|b| { *b = BodyDef::kinematic().position(0.1, 2.5); b.angular_velocity = v; }) }),
    ("body.linear_damping", |s, v| s.body(|b| b.linear_damping = v)),
    ("body.angular_damping", |s, v| s.body(|b| b.angular_damping = v)),
    ("body.gravity_scale", |s, v| s.body(|b| b.gravity_scale = v)),
    ("body.max_linear_speed", |s, v| s.body(|b| b.max_linear_speed = Some(v))),
    ("body.max_angular_speed", |s, v| s.body(|b| b.max_angular_speed = v)),
    ("body.sleep_speed", |s, v| s.body(|b| b.sleep_speed = v)),
    ("set_velocity", |s, v| s.world.body_mut(s.boxes[1]).try_set_velocity(vec2(v, 0.0)).is_ok()),
    ("set_angular_velocity", |s, v| s.world.body_mut(s.boxes[1]).try_set_angular_velocity(v).is_ok()),
    ("set_pose.x", |s, v| s.world.body_mut(s.boxes[1]).try_set_pose((v, 1.0), 0.0).is_ok()),
    ("set_pose.angle", |s, v| s.world.body_mut(s.boxes[1]).try_set_pose((0.0, 1.5), v).is_ok()),
    ("move_to.x", |s, v| s.world.body_mut(s.boxes[1]).try_move_to((v, 1.0), 0.0, DT).is_ok()),
    ("move_to.angle", |s, v| s.world.body_mut(s.boxes[1]).try_move_to((0.0, 1.5), v, DT).is_ok()),
    ("move_to.dt", |s, v| s.world.body_mut(s.boxes[1]).try_move_to((0.5, 1.5), 1.0, v).is_ok()),
    ("set_gravity_scale", |s, v| s.world.body_mut(s.boxes[1]).try_set_gravity_scale(v).is_ok()),
    ("set_damping.linear", |s, v| s.world.body_mut(s.ball).try_set_damping(v, 0.0).is_ok()),
    ("set_damping.angular", |s, v| s.world.body_mut(s.ball).try_set_damping(0.0, v).is_ok()),
    ("set_max_linear_speed", |s, v| s.world.body_mut(s.ball).try_set_max_linear_speed(Some(v)).is_ok()),
    ("set_max_angular_speed", |s, v| s.world.body_mut(s.ball).try_set_max_angular_speed(v).is_ok()),
    ("set_sleep_speed", |s, v| s.world.body_mut(s.ball).try_set_sleep_speed(v).is_ok()),
    ("set_mass.mass", |s, v| s.weigh(v, 0.0, 1.0)),
    ("set_mass.inertia", |s, v| s.weigh(1.0, 0.0, v)),
    ("set_mass.center", |s, v| s.weigh(1.0, v, 1.0)),
    ("apply_force", |s, v| s.world.body_mut(s.boxes[1]).try_apply_force(vec2(v, 0.0)).is_ok()),
    ("apply_force_at", |s, v| s.world.body_mut(s.boxes[1]).try_apply_force_at(vec2(1.0, 1.0), (v, 0.0)).is_ok()),
    ("apply_local_force", |s, v| s.world.body_mut(s.boxes[1]).try_apply_local_force(vec2(v, v)).is_ok()),
    ("apply_local_force_at", |s, v| s.world.body_mut(s.boxes[1]).try_apply_local_force_at(vec2(0.0, 1.0), point(v, 0.0)).is_ok()),
    ("apply_torque", |s, v| s.world.body_mut(s.boxes[1]).try_apply_torque(v).is_ok()),
    ("apply_impulse", |s, v| s.world.body_mut(s.boxes[1]).try_apply_impulse(vec2(v, v)).is_ok()),
    ("apply_impulse_at", |s, v| s.world.body_mut(s.boxes[1]).try_apply_impulse_at(vec2(1.0, 1.0), (v, 0.0)).is_ok()),
    ("apply_local_impulse", |s, v| s.world.body_mut(s.boxes[1]).try_apply_local_impulse(vec2(v, 0.0)).is_ok()),
    ("apply_angular_impulse", |s, v| s.world.body_mut(s.boxes[1]).try_apply_angular_impulse(v).is_ok()),
    ("apply_acceleration", |s, v| s.world.body_mut(s.boxes[1]).try_apply_acceleration(vec2(v, 0.0)).is_ok()),
];

#[rustfmt::skip]
const SHAPE_FIELDS: [Field; 20] = [
    ("friction", |s, v| s.surfaces(|m| m.friction = v)),
    ("friction by product", |s, v| s.surfaces(|m| (m.friction, m.friction_rule) = (v, Some(MixRule::Product)))),
    ("restitution", |s, v| s.surfaces(|m| m.restitution = v)),
    ("restitution by product", |s, v| s.surfaces(|m| (m.restitution, m.restitution_rule) = (v, Some(MixRule::Product)))),
    ("rolling_resistance", |s, v| s.surfaces(|m| m.rolling_resistance = v)),
    ("surface_speed", |s, v| s.surfaces(|m| m.surface_speed = v)),
    ("surface_speed and friction", |s, v| s.surfaces(|m| (m.surface_speed, m.friction) = (v, v.abs()))),
    ("one_way", |s, v| s.surfaces(|m| m.one_way = Some(vec2(0.0, v)))),
    ("ball.density", |s, v| s.shape(|d| d.density = v)),
    ("ball.friction", |s, v| s.shape(|d| d.material.friction = v)),
    ("ball.restitution", |s, v| s.shape(|d| d.material.restitution = v)),
    ("ball.rolling_resistance", |s, v| s.shape(|d| d.material.rolling_resistance = v)),
    ("ball.surface_speed", |s, v| s.shape(|d| d.material.surface_speed = v)),
    ("ball.one_way", |s, v| s.shape(|d| d.material.one_way = Some(vec2(v, v)))),
    ("ball.force_event_threshold", |s, v| s.shape(|d| d.force_event_threshold = v)),
    ("set_friction", |s, v| s.world.shape_mut(s.shapes[0]).try_set_friction(v).is_ok()),
    ("set_restitution", |s, v| s.world.shape_mut(s.shapes[0]).try_set_restitution(v).is_ok()),
    ("set_surface_speed", |s, v| s.world.shape_mut(s.shapes[0]).try_set_surface_speed(v).is_ok()),
    ("set_density", |s, v| s.world.shape_mut(s.shapes[0]).try_set_density(v).is_ok()),
    ("set_force_event_threshold", |s, v| s.world.shape_mut(s.shapes[0]).try_set_force_event_threshold(v).is_ok()),
];

#[rustfmt::skip]
const JOINT_FIELDS: [Field; 45] = [
    ("frame_a.anchor", |s, v| s.with_base(|d| d.base_mut().frame_a = JointFrame::at(v, 0.0))),
    ("frame_b.anchor", |s, v| s.with_base(|d| d.base_mut().frame_b = JointFrame::at(0.1, v))),
    ("frame_a.angle", |s, v| s.with_base(|d| d.base_mut().frame_a.angle = v)),
    ("frame_b.angle", |s, v| s.with_base(|d| d.base_mut().frame_b.angle = v)),
    ("softness.hertz", |s, v| s.with_base(|d| d.base_mut().softness = soft(v, 1.0))),
    ("softness.damping_ratio", |s, v| s.with_base(|d| d.base_mut().softness = soft(10.0, v))),
    ("softness of tiny hertz", |s, v| s.with_base(|d| d.base_mut().softness = soft(1.0e-45, v))),
    ("break_force", |s, v| s.with_base(|d| d.base_mut().break_force = v)),
    ("break_torque", |s, v| s.with_base(|d| d.base_mut().break_torque = v)),
    ("limit.lower", |s, v| s.drive(Some(Limit::new(v, 1.0)), None, None)),
    ("limit.upper", |s, v| s.drive(Some(Limit::new(-1.0, v)), None, None)),
    ("limit", |s, v| s.drive(Some(Limit::new(v, v)), None, None)),
    ("motor.speed", |s, v| s.drive(None, Some(Motor::new(v, 10.0)), None)),
    ("motor.speed without limit", |s, v| s.drive(None, Some(Motor::new(v, f32::INFINITY)), None)),
    ("motor.max_effort", |s, v| s.drive(None, Some(Motor::new(1.0, v)), None)),
    ("motor", |s, v| s.drive(None, Some(Motor::new(v, v.abs())), None)),
    ("spring.hertz", |s, v| s.drive(None, None, Some(Spring::new(v, 0.7)))),
    ("spring.damping_ratio", |s, v| s.drive(None, None, Some(Spring::new(2.0, v)))),
    ("spring", |s, v| s.drive(None, None, Some(Spring::new(v, v)))),
    ("spring.target", |s, v| { s.drive(None, None, Some(Spring { target: v,..Spring::new(2.0, 0.7) })) }),
    ("drive", |s, v| {
        let spring = Spring {
            target: v,
            ..Spring::new(20.0, 0.0)
        };
        s.drive(
            Some(Limit::new(-v.abs(), v.abs())),
            Some(Motor::new(v, v.abs())),
            Some(spring),
        )
    }),
    ("distance.length", |s, v| { let [a, b] = s.pair; s.joint(DistanceJointDef { length: v,..DistanceJointDef::new(a, b) }) }),
    ("weld.linear.hertz", |s, v| { let [a, b] = s.pair; s.joint(WeldJointDef { linear: soft(v, 0.7),..WeldJointDef::new(a, b) }) }),
    ("weld.linear.damping_ratio", |s, v| {
        let [a, b] = s.pair;
        s.joint(WeldJointDef {
            linear: soft(3.0, v),
            ..WeldJointDef::new(a, b)
        })
    }),
    ("weld.angular.hertz", |s, v| { let [a, b] = s.pair; s.joint(WeldJointDef { angular: soft(v, 0.7),..WeldJointDef::new(a, b) }) }),
    ("soft weld of a massless body", |s, v| {
        let bare = s
            .world
            .create_body(BodyDef::dynamic().position(-2.0, 3.0).velocity(1.0, 1.0));
        let mut def = WeldJointDef::new(s.pair[0], bare);
        (def.linear, def.angular) = (soft(v, 1.0), soft(v, 0.0));
        let other = WeldJointDef {
            base: JointBaseDef::new(s.ground, bare),
            ..def
        };
        s.joint(def) && s.joint(other)
    }),
    ("weld of a massless body", |s, v| {
        let bare = s
            .world
            .create_body(BodyDef::dynamic().position(-2.0, 3.0).velocity(1.0, 1.0));
        let mut def = WeldJointDef::new(s.pair[0], bare);
        def.base.softness = soft(v, 0.0);
        let mut hinge = RevoluteJointDef::new(s.ground, bare);
        hinge.base.softness = soft(v, 0.0);
        s.joint(def) && s.joint(hinge)
    }),
    ("mouse.hertz", |s, v| { let mut def = MouseJointDef::new(s.ground, s.ball); def.spring.hertz = v; s.joint(def) }),
    ("mouse.damping_ratio", |s, v| { let mut def = MouseJointDef::new(s.ground, s.ball); def.spring.damping_ratio = v; s.joint(def) }),
    ("mouse.max_force", |s, v| { s.joint(MouseJointDef { max_force: v,..MouseJointDef::new(s.ground, s.ball) }) }),
    ("motor_joint.linear_velocity", |s, v| s.motor_joint(|d| d.linear_velocity = vec2(v, v))),
    ("motor_joint.angular_velocity", |s, v| s.motor_joint(|d| d.angular_velocity = v)),
    ("motor_joint.max_velocity_force", |s, v| s.motor_joint(|d| (d.max_velocity_force, d.linear_velocity.x) = (v, 3.0))),
    ("motor_joint.max_velocity_torque", |s, v| s.motor_joint(|d| d.max_velocity_torque = v)),
    ("motor_joint.linear_spring", |s, v| s.motor_joint(|d| d.linear_spring = soft(v, v))),
    ("motor_joint.angular_spring", |s, v| s.motor_joint(|d| d.angular_spring = soft(v, v))),
    ("motor_joint.max_spring_force", |s, v| s.motor_joint(|d| d.max_spring_force = v)),
    ("motor_joint.max_spring_torque", |s, v| s.motor_joint(|d| d.max_spring_torque = v)),
    ("pulley.wheel_a", |s, v| s.pulley(|d| d.wheel_a = WorldPoint::new(v.into(), 6.0))),
    ("pulley.wheel_b", |s, v| s.pulley(|d| d.wheel_b = WorldPoint::new(0.0, v.into()))),
    ("pulley.length", |s, v| s.pulley(|d| d.length = v)),
    ("pulley.ratio", |s, v| s.pulley(|d| d.ratio = v)),
    ("gear.ratio", |s, v| {
        let [a, b] = s.pair;
        let first = s.world.create_joint(RevoluteJointDef::new(s.ground, a));
        let second = s.world.create_joint(PrismaticJointDef::new(s.ground, b));
        s.joint(GearJointDef {
            ratio: v,
            ..GearJointDef::new(a, b, first, second)
        })
    }),
    ("set_motor_speed", |s, v| {
        let hinge = s.hinge();
        s.world
            .joint_mut(hinge)
            .set_motor(Some(Motor::new(0.0, 1.0e6)));
        s.world.joint_mut(hinge).try_set_motor_speed(v).is_ok()
    }),
    ("set_target of a mouse joint", |s, v| {
        let grip = s.world.create_joint(MouseJointDef::new(s.ground, s.ball));
        s.world.joint_mut(grip).try_set_target((v, 1.0)).is_ok()
    }),
];

#[rustfmt::skip]
const MEDIUM_FIELDS: [Field; 13] = [
    ("wind.velocity.x", |s, v| wind(s, |w| w.velocity.x = v)),
    ("wind.velocity.y", |s, v| wind(s, |w| w.velocity.y = v)),
    ("wind.drag", |s, v| wind(s, |w| w.drag = v)),
    ("wind.lift", |s, v| wind(s, |w| w.lift = v)),
    ("wind.density", |s, v| wind(s, |w| w.density = v)),
    ("wind.max_speed", |s, v| wind(s, |w| w.max_speed = v)),
    ("fluid.surface", |s, v| fluid(s, |f| f.surface = WorldPoint::new(0.0, v.into()))),
    ("fluid.up", |s, v| fluid(s, |f| f.up.y = v)),
    ("fluid.density", |s, v| fluid(s, |f| f.density = v)),
    ("fluid.linear_drag", |s, v| fluid(s, |f| f.linear_drag = v)),
    ("fluid.angular_drag", |s, v| fluid(s, |f| f.angular_drag = v)),
    ("fluid.velocity", |s, v| fluid(s, |f| f.velocity = vec2(v, v))),
    ("fluid.bounds", |s, v| { fluid(s, |f| { f.bounds = Some(Aabb::new(point(-1.0, -1.0), point(v, v))) }) }),
];

fn wind(scene: &mut Scene, set: impl FnOnce(&mut Wind)) -> bool {
    let mut wind = Wind::new(vec2(10.0, 2.0)).coefficients(1.0, 0.5);
    set(&mut wind);
    let ball = scene.ball;
    (0..4).all(|_| {
        let accepted = scene.world.body_mut(ball).try_apply_wind(&wind).is_ok();
        scene.world.step(DT);
        accepted
    })
}

fn fluid(scene: &mut Scene, set: impl FnOnce(&mut Fluid)) -> bool {
    let mut fluid = Fluid::new((0.0, 0.8), 2.0);
    set(&mut fluid);
    (0..4).all(|_| {
        let accepted = scene.world.try_apply_fluid(&fluid).is_ok();
        scene.world.step(DT);
        accepted
    })
}

/// Steps as a game does, or in steps of the greatest length.
fn run(scene: &mut Scene, dt: f32) {
    let count = if dt > DT { 20 } else { 60 };
    for step in 0..count {
        scene.world.step(dt);
        for body in scene.world.bodies() {
            let (position, velocity) = (body.position(), body.velocity());
            assert!(
                position.x.is_finite() && position.y.is_finite(),
                "position at step {step}"
            );
            assert!(
                velocity.x.is_finite() && velocity.y.is_finite(),
                "velocity at step {step}"
            );
            assert!(body.angular_velocity().is_finite(), "spin at step {step}");
        }
        if step % 10 == 0 {
            scene.world.assert_consistent();
        }
    }
    scene.world.assert_consistent();
    let loaded = World::load(&scene.world.save()).map(|world| world.state_hash());
    assert_eq!(loaded, Ok(scene.world.state_hash()), "save");
}

/// Tries each field at each value, and lists the failures.
fn try_all(fields: &[Field]) {
    let mut failures = Vec::new();
    for (name, set) in fields {
        for (value, dt) in VALUES
            .iter()
            .flat_map(|&value| [(value, DT), (value, 0.25)])
        {
            let tried = catch_unwind(AssertUnwindSafe(|| {
                let mut scene = Scene::new();
                if set(&mut scene, value) {
                    run(&mut scene, dt);
                }
            }));
            if let Err(panic) = tried {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.into()));
                failures.push(format!(
                    "{name} = {value:e}, dt {dt}: {}",
                    text.unwrap_or_default()
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn every_number_of_a_world_is_refused_or_harmless() {
    try_all(&WORLD_FIELDS);
}

#[test]
fn every_number_of_a_body_is_refused_or_harmless() {
    try_all(&BODY_FIELDS);
}

#[test]
fn every_number_of_a_shape_is_refused_or_harmless() {
    try_all(&SHAPE_FIELDS);
}

#[test]
fn every_number_of_a_joint_is_refused_or_harmless() {
    try_all(&JOINT_FIELDS);
}

#[test]
fn every_number_of_a_medium_is_refused_or_harmless() {
    try_all(&MEDIUM_FIELDS);
}
