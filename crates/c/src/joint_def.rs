//! Definitions of joints: one structure for all kinds.

use crate::failure::{Failure, cairn_result, call};
use crate::pointer::put;
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_joint_id, cairn_position, cairn_vec2,
};
use engine::{
    DistanceJointDef, FilterJointDef, GearJointDef, JointBaseDef, JointDef, JointFrame, JointId,
    JointSoftness, Limit, Motor, MotorJointDef, MouseJointDef, PrismaticJointDef, PulleyJointDef,
    RevoluteJointDef, Spring, WeldJointDef, WheelJointDef, WorldPoint,
};

/// Kind of a joint.
pub type cairn_joint_kind = u32;

/// Keeps a distance between the anchors: a rod, a rope or a spring. Reads `length`, `spring`, `limit`, `motor`.
pub const CAIRN_DISTANCE_JOINT: cairn_joint_kind = 0;
/// A hinge. Reads `spring`, `limit`, `motor` for its angle [rad].
pub const CAIRN_REVOLUTE_JOINT: cairn_joint_kind = 1;
/// A slider along the x axis of frame A. Reads `spring`, `limit`, `motor` for its translation [m].
pub const CAIRN_PRISMATIC_JOINT: cairn_joint_kind = 2;
/// Holds two bodies together. Reads `linear_spring` and `angular_spring`, which make it soft.
pub const CAIRN_WELD_JOINT: cairn_joint_kind = 3;
/// A wheel with its suspension along the x axis of frame A. Reads `spring`, `limit` for the suspension [m], `motor` for the
/// turning of the wheel.
pub const CAIRN_WHEEL_JOINT: cairn_joint_kind = 4;
/// Drives the relative velocity or pose of two bodies. Reads `linear_velocity`, `angular_velocity`, `linear_spring`,
/// `angular_spring`, and the greatest forces and torques.
pub const CAIRN_MOTOR_JOINT: cairn_joint_kind = 5;
/// Pulls the anchor of body B to a point: that of body A. Reads `linear_spring` and `max_spring_force`.
pub const CAIRN_MOUSE_JOINT: cairn_joint_kind = 6;
/// A rope over two wheels. Reads `wheel_a`, `wheel_b`, `length`, `ratio`.
pub const CAIRN_PULLEY_JOINT: cairn_joint_kind = 7;
/// Couples two revolute or prismatic joints. Reads `joint_a`, `joint_b`, `ratio`.
pub const CAIRN_GEAR_JOINT: cairn_joint_kind = 8;
/// Only keeps two bodies from colliding.
pub const CAIRN_FILTER_JOINT: cairn_joint_kind = 9;

/// Anchor and axis of a joint on one of its bodies, in the body's frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_joint_frame {
    /// Anchor [m].
    pub anchor: cairn_vec2,
    /// Angle of the frame's x axis relative to the body's, counter-clockwise [rad].
    pub angle: f32,
}

/// Stiffness of a joint or of a spring without a target.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_softness {
    /// Whether it counts.
    pub enabled: cairn_bool,
    /// Stiffness [Hz].
    pub hertz: f32,
    /// Damping ratio.
    pub damping_ratio: f32,
}

/// Damped spring toward a target.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_spring {
    /// Whether there is a spring.
    pub enabled: cairn_bool,
    /// Frequency of the oscillation [Hz].
    pub hertz: f32,
    /// Damping ratio: 0 oscillates without end, 1 does not overshoot.
    pub damping_ratio: f32,
    /// Rest position: an angle [rad] or a translation [m].
    pub target: f32,
}

/// Range of a joint's coordinate: an angle [rad] or a translation [m].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_limit {
    /// Whether there is a limit.
    pub enabled: cairn_bool,
    /// Least value; may be minus infinity.
    pub lower: f32,
    /// Greatest value; may be infinity.
    pub upper: f32,
}

/// Drives a joint's coordinate at a speed with bounded force or torque.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_motor {
    /// Whether there is a motor.
    pub enabled: cairn_bool,
    /// Speed of the angle [rad/s] or translation [m/s].
    pub speed: f32,
    /// Greatest torque [N m] or force [N]; may be infinite.
    pub max_effort: f32,
}

/// Defines a joint of any kind: start from cairn_default_joint_def(). See cairn_joint_kind for the fields that a kind reads.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_joint_def {
    /// The first body.
    pub body_a: cairn_body_id,
    /// The second body. Impulses act on it, and in the opposite direction on the first.
    pub body_b: cairn_body_id,
    /// Gear: the first joint.
    pub joint_a: cairn_joint_id,
    /// Gear: the second joint.
    pub joint_b: cairn_joint_id,
    /// For the caller.
    pub user_data: u64,
    /// Pulley: wheel on A's side, in the world [m].
    pub wheel_a: cairn_position,
    /// Pulley: wheel on B's side, in the world [m].
    pub wheel_b: cairn_position,
    /// Kind of joint: see cairn_joint_kind.
    pub kind: cairn_joint_kind,
    /// Anchor and axis on A.
    pub frame_a: cairn_joint_frame,
    /// Anchor and axis on B.
    pub frame_b: cairn_joint_frame,
    /// Stiffness with which the joint closes gaps; not enabled: that of the world.
    pub softness: cairn_softness,
    /// Force, on average over a step, at which the joint breaks [N]; may be infinite.
    pub break_force: f32,
    /// Torque, on average over a step, at which the joint breaks [N m]; may be infinite.
    pub break_torque: f32,
    /// Spring of the joint's coordinate.
    pub spring: cairn_spring,
    /// Limits of the joint's coordinate.
    pub limit: cairn_limit,
    /// Motor of the joint's coordinate.
    pub motor: cairn_motor,
    /// Spring between the anchors.
    pub linear_spring: cairn_softness,
    /// Spring between the frames' angles.
    pub angular_spring: cairn_softness,
    /// Distance: length at rest. Pulley: length of the rope [m].
    pub length: f32,
    /// Gear and pulley: ratio of the two sides.
    pub ratio: f32,
    /// Motor: velocity of B's anchor relative to A [m/s].
    pub linear_velocity: cairn_vec2,
    /// Motor: angular velocity of B relative to A [rad/s].
    pub angular_velocity: f32,
    /// Motor: greatest force for the velocity [N].
    pub max_velocity_force: f32,
    /// Motor: greatest torque for the angular velocity [N m].
    pub max_velocity_torque: f32,
    /// Motor and mouse: greatest force of the spring [N]; may be infinite.
    pub max_spring_force: f32,
    /// Motor: greatest torque of the spring [N m]; may be infinite.
    pub max_spring_torque: f32,
    /// Whether the two bodies collide with each other.
    pub collide_connected: cairn_bool,
}

const NO_SOFTNESS: cairn_softness = cairn_softness {
    enabled: CAIRN_FALSE,
    hertz: 0.0,
    damping_ratio: 0.0,
};

const NO_SPRING: cairn_spring = cairn_spring {
    enabled: CAIRN_FALSE,
    hertz: 0.0,
    damping_ratio: 0.0,
    target: 0.0,
};

const NO_LIMIT: cairn_limit = cairn_limit {
    enabled: CAIRN_FALSE,
    lower: 0.0,
    upper: 0.0,
};

const NO_MOTOR: cairn_motor = cairn_motor {
    enabled: CAIRN_FALSE,
    speed: 0.0,
    max_effort: 0.0,
};

/// Returns the definition of a joint of the given kind between two bodies, at their origins. An unknown kind is refused when
/// the joint is created.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_joint_def(
    kind: cairn_joint_kind,
    body_a: cairn_body_id,
    body_b: cairn_body_id,
) -> cairn_joint_def {
    let (a, b) = (body_a.into(), body_b.into());
    let none = JointId::from_bits(u64::MAX);
    let def: JointDef = match kind {
        CAIRN_DISTANCE_JOINT => DistanceJointDef::new(a, b).into(),
        CAIRN_REVOLUTE_JOINT => RevoluteJointDef::new(a, b).into(),
        CAIRN_PRISMATIC_JOINT => PrismaticJointDef::new(a, b).into(),
        CAIRN_WELD_JOINT => WeldJointDef::new(a, b).into(),
        CAIRN_WHEEL_JOINT => WheelJointDef::new(a, b).into(),
        CAIRN_MOTOR_JOINT => MotorJointDef::new(a, b).into(),
        CAIRN_MOUSE_JOINT => MouseJointDef::new(a, b).into(),
        CAIRN_PULLEY_JOINT => {
            PulleyJointDef::new(a, b, WorldPoint::ORIGIN, WorldPoint::ORIGIN, 1.0).into()
        }
        CAIRN_GEAR_JOINT => GearJointDef::new(a, b, none, none).into(),
        _ => FilterJointDef::new(a, b).into(),
    };
    cairn_joint_def {
        kind,
        ..describe(&def)
    }
}

/// Writes the spring that a stiffness and a damping make with a mass: the frequency of a cairn_spring refers to the lighter
/// body, so springs that carry a load are better given so. Units are [N/m], [N s/m] and [kg] for translations, [N m/rad],
/// [N m s/rad] and [kg m^2] for angles. cairn_joint_get_spring_mass() has the mass; convert again after it changes. The target
/// is 0. Stiffness and mass must be positive and the damping not negative.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_spring_from_stiffness(
    stiffness: f32,
    damping: f32,
    mass: f32,
    spring: *mut cairn_spring,
) -> cairn_result {
    call(|| {
        positive(stiffness, "stiffness")?;
        positive(mass, "mass")?;
        if damping.is_nan() || damping < 0.0 {
            return Err(Failure::value(format!("damping is {damping}")));
        }
        let made = Spring::of_stiffness(stiffness, damping, mass);
        if !(made.hertz.is_finite() && made.damping_ratio.is_finite()) {
            let numbers = format!("stiffness {stiffness}, damping {damping}, mass {mass}");
            return Err(Failure::value(format!("{numbers}: out of range")));
        }
        put(spring, described_spring(made), "spring")
    })
}

fn positive(value: f32, name: &str) -> Result<(), Failure> {
    if value > 0.0 {
        Ok(())
    } else {
        Err(Failure::value(format!("{name} is {value}, not positive")))
    }
}

fn softness(from: cairn_softness) -> Option<JointSoftness> {
    (from.enabled != CAIRN_FALSE).then_some(JointSoftness {
        hertz: from.hertz,
        damping_ratio: from.damping_ratio,
    })
}

pub(crate) fn spring(from: cairn_spring) -> Option<Spring> {
    (from.enabled != CAIRN_FALSE).then_some(Spring {
        hertz: from.hertz,
        damping_ratio: from.damping_ratio,
        target: from.target,
    })
}

pub(crate) fn limit(from: cairn_limit) -> Option<Limit> {
    (from.enabled != CAIRN_FALSE).then(|| Limit::new(from.lower, from.upper))
}

pub(crate) fn motor(from: cairn_motor) -> Option<Motor> {
    (from.enabled != CAIRN_FALSE).then(|| Motor::new(from.speed, from.max_effort))
}

impl From<cairn_joint_frame> for JointFrame {
    fn from(frame: cairn_joint_frame) -> Self {
        Self {
            anchor: frame.anchor.point(),
            angle: frame.angle,
        }
    }
}

impl From<JointFrame> for cairn_joint_frame {
    fn from(frame: JointFrame) -> Self {
        Self {
            anchor: frame.anchor.into(),
            angle: frame.angle,
        }
    }
}

fn softness_of(from: Option<JointSoftness>) -> cairn_softness {
    from.map_or(NO_SOFTNESS, |softness| cairn_softness {
        enabled: 1,
        hertz: softness.hertz,
        damping_ratio: softness.damping_ratio,
    })
}

const fn described_spring(spring: Spring) -> cairn_spring {
    cairn_spring {
        enabled: 1,
        hertz: spring.hertz,
        damping_ratio: spring.damping_ratio,
        target: spring.target,
    }
}

impl cairn_joint_def {
    fn base(&self) -> JointBaseDef {
        JointBaseDef {
            body_a: self.body_a.into(),
            body_b: self.body_b.into(),
            frame_a: self.frame_a.into(),
            frame_b: self.frame_b.into(),
            collide_connected: self.collide_connected != CAIRN_FALSE,
            softness: softness(self.softness),
            break_force: self.break_force,
            break_torque: self.break_torque,
            user_data: self.user_data,
        }
    }

    /// Returns the engine's definition.
    pub(crate) fn def(&self) -> Result<JointDef, Failure> {
        let base = self.base();
        let (limit, motor, spring) = (limit(self.limit), motor(self.motor), spring(self.spring));
        Ok(match self.kind {
            CAIRN_DISTANCE_JOINT => JointDef::Distance(DistanceJointDef {
                base,
                length: self.length,
                limit,
                motor,
                spring,
            }),
            CAIRN_REVOLUTE_JOINT => JointDef::Revolute(RevoluteJointDef {
                base,
                limit,
                motor,
                spring,
            }),
            CAIRN_PRISMATIC_JOINT => JointDef::Prismatic(PrismaticJointDef {
                base,
                limit,
                motor,
                spring,
            }),
            CAIRN_WELD_JOINT => JointDef::Weld(WeldJointDef {
                base,
                linear: softness(self.linear_spring),
                angular: softness(self.angular_spring),
            }),
            CAIRN_WHEEL_JOINT => JointDef::Wheel(WheelJointDef {
                base,
                limit,
                motor,
                spring,
            }),
            CAIRN_MOTOR_JOINT => JointDef::Motor(self.motor_joint()),
            CAIRN_MOUSE_JOINT => JointDef::Mouse(self.mouse_joint()),
            CAIRN_PULLEY_JOINT => JointDef::Pulley(PulleyJointDef {
                base,
                wheel_a: self.wheel_a.into(),
                wheel_b: self.wheel_b.into(),
                length: self.length,
                ratio: self.ratio,
            }),
            CAIRN_GEAR_JOINT => JointDef::Gear(GearJointDef {
                base,
                joint_a: self.joint_a.into(),
                joint_b: self.joint_b.into(),
                ratio: self.ratio,
            }),
            CAIRN_FILTER_JOINT => JointDef::Filter(FilterJointDef { base }),
            kind => return Err(Failure::unknown("kind", kind)),
        })
    }

    fn motor_joint(&self) -> MotorJointDef {
        MotorJointDef {
            base: self.base(),
            linear_velocity: self.linear_velocity.into(),
            angular_velocity: self.angular_velocity,
            max_velocity_force: self.max_velocity_force,
            max_velocity_torque: self.max_velocity_torque,
            linear_spring: softness(self.linear_spring),
            angular_spring: softness(self.angular_spring),
            max_spring_force: self.max_spring_force,
            max_spring_torque: self.max_spring_torque,
        }
    }

    /// Without a spring the joint has the default one: it cannot be without.
    fn mouse_joint(&self) -> MouseJointDef {
        let usual = MouseJointDef::new(self.body_a.into(), self.body_b.into());
        MouseJointDef {
            base: self.base(),
            spring: softness(self.linear_spring).unwrap_or(usual.spring),
            max_force: self.max_spring_force,
        }
    }
}

fn described_base(base: &JointBaseDef) -> cairn_joint_def {
    cairn_joint_def {
        body_a: base.body_a.into(),
        body_b: base.body_b.into(),
        joint_a: cairn_joint_id::default(),
        joint_b: cairn_joint_id::default(),
        user_data: base.user_data,
        wheel_a: cairn_position::default(),
        wheel_b: cairn_position::default(),
        kind: CAIRN_FILTER_JOINT,
        frame_a: base.frame_a.into(),
        frame_b: base.frame_b.into(),
        softness: softness_of(base.softness),
        break_force: base.break_force,
        break_torque: base.break_torque,
        spring: NO_SPRING,
        limit: NO_LIMIT,
        motor: NO_MOTOR,
        linear_spring: NO_SOFTNESS,
        angular_spring: NO_SOFTNESS,
        length: 0.0,
        ratio: 1.0,
        linear_velocity: cairn_vec2::default(),
        angular_velocity: 0.0,
        max_velocity_force: 0.0,
        max_velocity_torque: 0.0,
        max_spring_force: f32::INFINITY,
        max_spring_torque: f32::INFINITY,
        collide_connected: base.collide_connected.into(),
    }
}

/// Returns the definition for the caller.
pub(crate) fn describe(def: &JointDef) -> cairn_joint_def {
    let plain = described_base(def.base());
    let plain = cairn_joint_def {
        limit: def.limit().map_or(NO_LIMIT, |limit| cairn_limit {
            enabled: 1,
            lower: limit.lower,
            upper: limit.upper,
        }),
        motor: def.motor().map_or(NO_MOTOR, |motor| cairn_motor {
            enabled: 1,
            speed: motor.speed,
            max_effort: motor.max_effort,
        }),
        spring: def.spring().map_or(NO_SPRING, described_spring),
        ..plain
    };
    match def {
        JointDef::Distance(distance) => cairn_joint_def {
            kind: CAIRN_DISTANCE_JOINT,
            length: distance.length,
            ..plain
        },
        JointDef::Revolute(_) => cairn_joint_def {
            kind: CAIRN_REVOLUTE_JOINT,
            ..plain
        },
        JointDef::Prismatic(_) => cairn_joint_def {
            kind: CAIRN_PRISMATIC_JOINT,
            ..plain
        },
        JointDef::Weld(weld) => cairn_joint_def {
            kind: CAIRN_WELD_JOINT,
            linear_spring: softness_of(weld.linear),
            angular_spring: softness_of(weld.angular),
            ..plain
        },
        JointDef::Wheel(_) => cairn_joint_def {
            kind: CAIRN_WHEEL_JOINT,
            ..plain
        },
        JointDef::Motor(motor) => described_motor(plain, motor),
        JointDef::Mouse(mouse) => cairn_joint_def {
            kind: CAIRN_MOUSE_JOINT,
            linear_spring: softness_of(Some(mouse.spring)),
            max_spring_force: mouse.max_force,
            ..plain
        },
        JointDef::Pulley(pulley) => cairn_joint_def {
            kind: CAIRN_PULLEY_JOINT,
            wheel_a: pulley.wheel_a.into(),
            wheel_b: pulley.wheel_b.into(),
            length: pulley.length,
            ratio: pulley.ratio,
            ..plain
        },
        JointDef::Gear(gear) => cairn_joint_def {
            kind: CAIRN_GEAR_JOINT,
            joint_a: gear.joint_a.into(),
            joint_b: gear.joint_b.into(),
            ratio: gear.ratio,
            ..plain
        },
        _ => plain,
    }
}

fn described_motor(plain: cairn_joint_def, motor: &MotorJointDef) -> cairn_joint_def {
    cairn_joint_def {
        kind: CAIRN_MOTOR_JOINT,
        linear_velocity: motor.linear_velocity.into(),
        angular_velocity: motor.angular_velocity,
        max_velocity_force: motor.max_velocity_force,
        max_velocity_torque: motor.max_velocity_torque,
        linear_spring: softness_of(motor.linear_spring),
        angular_spring: softness_of(motor.angular_spring),
        max_spring_force: motor.max_spring_force,
        max_spring_torque: motor.max_spring_torque,
        ..plain
    }
}
