//! Revolute joint: a pin. Parts: point, and on the angle spring, motor and limit.

use super::base::{JointBase, JointContext};
use super::error::JointDefError;
use super::parts::angle::{angle_of_frames, nearest_turn, turn_of_step};
use super::parts::pair::BodyPair;
use super::parts::point::hold_point;
use super::parts::row::{Correction, Row};
use super::parts::spring::SpringRate;
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;

/// A pin: B turns about a point of A.
///
/// The angle is that of B's frame against A's, counter-clockwise [rad]. It does not wrap: after one
/// and a half turns it is 3 pi, so that limits may stand anywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevoluteJointDef {
    /// What all joints have.
    pub base: JointBaseDef,
    /// Range of the angle [rad]. Default none.
    pub limit: Option<Limit>,
    /// Drive, or friction [rad/s, N m]. Default none.
    pub motor: Option<Motor>,
    /// Torsion spring [rad]. Default none.
    pub spring: Option<Spring>,
}

impl RevoluteJointDef {
    /// Returns a free pin at the origins of the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
            limit: None,
            motor: None,
            spring: None,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative where it must not be, or the limits cross.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        validate_parts(
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.as_ref(),
        )
    }
}

/// A revolute joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RevoluteJoint {
    pub(crate) limit: Option<Limit>,
    pub(crate) motor: Option<Motor>,
    pub(crate) spring: Option<Spring>,
    /// Angle at the start of the step, followed over full turns [rad].
    pub(crate) angle: f32,
    spring_rate: SpringRate,
    point_impulse: Vec2,
    spring_impulse: f32,
    motor_impulse: f32,
    lower_impulse: f32,
    upper_impulse: f32,
}

impl RevoluteJoint {
    pub(crate) fn new(def: &RevoluteJointDef) -> Self {
        Self {
            limit: def.limit,
            motor: def.motor,
            spring: def.spring,
            angle: 0.0,
            spring_rate: SpringRate::default(),
            point_impulse: Vec2::new(0.0, 0.0),
            spring_impulse: 0.0,
            motor_impulse: 0.0,
            lower_impulse: 0.0,
            upper_impulse: 0.0,
        }
    }

    /// Takes over the settings of `def`; impulses and the followed angle stay.
    pub(crate) fn configure(&mut self, def: &RevoluteJointDef) {
        self.limit = def.limit;
        self.motor = def.motor;
        self.spring = def.spring;
    }

    fn has_angle_parts(&self) -> bool {
        self.limit.is_some() || self.spring.is_some()
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        let (a, b) = base.poses(context.poses);
        let angle = angle_of_frames(a, b, base.frame_a.angle, base.frame_b.angle);
        self.angle = nearest_turn(angle, self.angle);
        if let Some(spring) = &self.spring {
            self.spring_rate = SpringRate::new(spring.hertz, spring.damping_ratio, context.h);
        }
        let warm = context.warm_share;
        self.point_impulse *= warm;
        let keep = |kept: bool| if kept { warm } else { 0.0 };
        self.spring_impulse *= keep(self.spring.is_some());
        self.motor_impulse *= keep(self.motor.is_some());
        self.lower_impulse *= keep(self.limit.is_some());
        self.upper_impulse *= keep(self.limit.is_some());
    }

    #[inline(always)]
    fn twist(&self) -> f32 {
        (self.spring_impulse + self.motor_impulse) + (self.lower_impulse - self.upper_impulse)
    }

    pub(crate) fn warm_start(&self, base: &JointBase, pair: &mut BodyPair) {
        let (arm_a, arm_b) = base.arms(pair);
        pair.push(self.point_impulse, arm_a, arm_b);
        pair.twist(self.twist());
    }

    pub(crate) fn solve(&mut self, base: &JointBase, pair: &mut BodyPair, how: &Correction) {
        let row = Row::ANGULAR;
        let angle = if self.has_angle_parts() {
            self.angle + turn_of_step(pair)
        } else {
            0.0
        };
        if let Some(spring) = &self.spring {
            let c = angle - spring.target;
            let x = &mut self.spring_impulse;
            self.spring_rate
                .drive(&row, pair, c, how.pass, f32::INFINITY, x);
        }
        if let Some(motor) = &self.motor {
            let max = how.h * motor.max_effort;
            row.motor(pair, motor.speed, max, &mut self.motor_impulse);
        }
        if let Some(limit) = &self.limit {
            row.limit(pair, angle - limit.lower, how, &mut self.lower_impulse);
            row.limit_above(pair, angle - limit.upper, how, &mut self.upper_impulse);
        }
        let gap = base.present_gap(pair);
        let arms = base.arms(pair);
        hold_point(pair, arms, gap, how, &mut self.point_impulse);
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (self.point_impulse, self.twist())
    }
}
