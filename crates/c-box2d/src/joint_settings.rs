//! Settings of joints as C knows them: a spring, limit or motor that is off keeps its numbers, which the engine's definition has not.

use crate::abi::{Outcome, Zeroed};
use crate::types::*;
use cairn2d::{
    DistanceJointDef, FilterJointDef, JointBaseDef, JointDef, JointFrame, JointId, JointSoftness,
    Limit, Motor, MotorJointDef, PrismaticJointDef, RevoluteJointDef, Spring, WeldJointDef,
    WheelJointDef,
};

/// Stiffness and damping ratio of joints with the world's stiffness, which are solved exactly where they can be.
pub(crate) const DEFAULT_TUNING: [f32; 2] = [60.0, 2.0];

/// Least length of a distance joint \[m\].
const MIN_LENGTH: f32 = 0.005;

/// A part of a joint that can be turned off and keeps its numbers.
#[derive(Clone, Copy)]
pub(crate) struct SpringSettings {
    pub(crate) is_on: bool,
    pub(crate) hertz: f32,
    pub(crate) damping_ratio: f32,
    pub(crate) target: f32,
}

/// A limit that can be turned off.
#[derive(Clone, Copy)]
pub(crate) struct LimitSettings {
    pub(crate) is_on: bool,
    pub(crate) lower: f32,
    pub(crate) upper: f32,
}

/// A motor that can be turned off.
#[derive(Clone, Copy)]
pub(crate) struct MotorSettings {
    pub(crate) is_on: bool,
    pub(crate) speed: f32,
    pub(crate) max_effort: f32,
}

/// A joint as C knows it. Fields that its kind does not have are 0.
#[derive(Clone, Copy)]
pub(crate) struct JointSettings {
    pub(crate) id: JointId,
    pub(crate) kind: b2JointType,
    pub(crate) base: b2JointDef,
    pub(crate) spring: SpringSettings,
    pub(crate) limit: LimitSettings,
    pub(crate) motor: MotorSettings,
    /// Of a distance joint.
    pub(crate) length: f32,
    pub(crate) spring_forces: [f32; 2],
    /// Of a motor joint. Its springs are those of a weld too.
    pub(crate) drive: b2MotorJointDef,
}

impl JointSettings {
    pub(crate) fn new(kind: b2JointType, base: b2JointDef) -> Self {
        let spring = SpringSettings {
            is_on: false,
            hertz: 0.0,
            damping_ratio: 0.0,
            target: 0.0,
        };
        let limit = LimitSettings {
            is_on: false,
            lower: 0.0,
            upper: 0.0,
        };
        let motor = MotorSettings {
            is_on: false,
            speed: 0.0,
            max_effort: 0.0,
        };
        Self {
            id: JointId::from_bits(0),
            kind,
            base,
            spring,
            limit,
            motor,
            length: 0.0,
            spring_forces: [0.0; 2],
            drive: b2MotorJointDef::zeroed(),
        }
    }

    /// Returns `true` if an event is due when force or torque exceed a threshold.
    pub(crate) fn is_watched(&self) -> bool {
        self.base.forceThreshold < f32::MAX || self.base.torqueThreshold < f32::MAX
    }

    fn base_def(&self) -> Outcome<JointBaseDef> {
        let base = &self.base;
        let frame = |frame: b2Transform| -> Outcome<JointFrame> {
            Ok(JointFrame {
                anchor: frame.p.point(),
                angle: frame.q.angle()?,
            })
        };
        let tuning = [base.constraintHertz, base.constraintDampingRatio];
        let softness = (tuning != DEFAULT_TUNING).then_some(JointSoftness {
            hertz: tuning[0],
            damping_ratio: tuning[1],
        });
        Ok(JointBaseDef {
            frame_a: frame(base.localFrameA)?,
            frame_b: frame(base.localFrameB)?,
            collide_connected: base.collideConnected.is_set(),
            softness,
            ..JointBaseDef::new(base.bodyIdA.engine(), base.bodyIdB.engine())
        })
    }

    fn spring(&self) -> Option<Spring> {
        let spring = self.spring;
        spring.is_on.then_some(Spring {
            hertz: spring.hertz,
            damping_ratio: spring.damping_ratio,
            target: spring.target,
        })
    }

    fn limit(&self) -> Option<Limit> {
        let limit = self.limit;
        limit.is_on.then(|| Limit::new(limit.lower, limit.upper))
    }

    fn motor(&self) -> Option<Motor> {
        let motor = self.motor;
        motor
            .is_on
            .then(|| Motor::new(motor.speed, motor.max_effort))
    }

    /// Returns the engine's definition.
    pub(crate) fn engine_def(&self) -> Outcome<JointDef> {
        let base = self.base_def()?;
        let (limit, motor, spring) = (self.limit(), self.motor(), self.spring());
        Ok(match self.kind {
            b2_distanceJoint => self.distance(base).into(),
            b2_motorJoint => self.motor_joint(base).into(),
            b2_prismaticJoint => PrismaticJointDef {
                base,
                limit,
                motor,
                spring,
            }
            .into(),
            b2_revoluteJoint => RevoluteJointDef {
                base,
                limit,
                motor,
                spring,
            }
            .into(),
            b2_weldJoint => WeldJointDef {
                base,
                linear: softness(self.drive.linearHertz, self.drive.linearDampingRatio),
                angular: softness(self.drive.angularHertz, self.drive.angularDampingRatio),
            }
            .into(),
            b2_wheelJoint => WheelJointDef {
                base,
                limit,
                motor,
                spring,
            }
            .into(),
            _ => FilterJointDef { base }.into(),
        })
    }

    /// Without a spring a distance joint is a rod, whatever its limit and motor.
    fn distance(&self, base: JointBaseDef) -> DistanceJointDef {
        let length = self.length.max(MIN_LENGTH);
        if !self.spring.is_on {
            return DistanceJointDef {
                base,
                length,
                limit: None,
                motor: None,
                spring: None,
            };
        }
        DistanceJointDef {
            base,
            length,
            limit: self.limit(),
            motor: self.motor(),
            spring: self.spring(),
        }
    }

    fn motor_joint(&self, base: JointBaseDef) -> MotorJointDef {
        let drive = &self.drive;
        MotorJointDef {
            base,
            linear_velocity: drive.linearVelocity.vec(),
            angular_velocity: drive.angularVelocity,
            max_velocity_force: drive.maxVelocityForce,
            max_velocity_torque: drive.maxVelocityTorque,
            linear_spring: softness(drive.linearHertz, drive.linearDampingRatio),
            angular_spring: softness(drive.angularHertz, drive.angularDampingRatio),
            max_spring_force: drive.maxSpringForce,
            max_spring_torque: drive.maxSpringTorque,
        }
    }
}

/// Returns a spring; 0 Hz is none.
fn softness(hertz: f32, damping_ratio: f32) -> Option<JointSoftness> {
    (hertz != 0.0).then_some(JointSoftness {
        hertz,
        damping_ratio,
    })
}
