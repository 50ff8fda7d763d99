//! Motor joint: drives a body to a velocity, a pose, or both, with bounded force and torque. Parts: point
//! motor, angle motor, point spring, angle spring.

use super::base::{JointBase, JointContext};
use super::error::{JointDefError, not_negative, speed};
use super::parts::angle::{nearest_turn, turn_of_step};
use super::parts::pair::BodyPair;
use super::parts::point::drive_point_velocity;
use super::parts::row::{JointRow, PassSettings};
use super::parts::spring::SpringRate;
use super::shared::{JointBaseDef, JointSoftness};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;

/// Drives B relative to A: to a velocity with bounded force and torque (velocity 0: dry friction, as of a
/// body on a table seen from above), and to the pose where the frames coincide, with springs of bounded force
/// and torque.
#[doc(alias("b2MotorJointDef", "RelativeJoint2D"))]
#[doc(alias = "FrictionJoint2D")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MotorJointDef {
    /// Settings common to all joints; `collide_connected` starts true. The target pose is `frame_a`, for `frame_b`.
    pub base: JointBaseDef,
    /// Velocity of B's anchor relative to the point of A that is there, in the world [m/s]. Each component is at most
    /// [`MAX_DRIVE_SPEED`](crate::MAX_DRIVE_SPEED) in either direction.
    pub linear_velocity: Vec2,
    /// Angular velocity of B relative to A [rad/s], at most [`MAX_DRIVE_SPEED`](crate::MAX_DRIVE_SPEED) in either
    /// direction.
    pub angular_velocity: f32,
    /// Greatest force for the velocity \[N\]. Default 0: not driven.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_velocity_force: f32,
    /// Greatest torque for the spin [N m]. Default 0: not driven.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_velocity_torque: f32,
    /// Spring that pulls B's anchor to A's. Default none.
    pub linear_spring: Option<JointSoftness>,
    /// Spring that turns B's frame into A's. Default none.
    pub angular_spring: Option<JointSoftness>,
    /// Greatest force of the spring \[N\]. Default infinite.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_spring_force: f32,
    /// Greatest torque of the spring [N m]. Default infinite.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_spring_torque: f32,
}

// As `base` and `MotorDrives`.
state_record!(MotorJointDef {
    base,
    linear_velocity,
    angular_velocity,
    max_velocity_force,
    max_velocity_torque,
    linear_spring,
    angular_spring,
    max_spring_force,
    max_spring_torque,
});

impl MotorJointDef {
    /// Returns a joint that drives nothing yet.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        let mut base = JointBaseDef::new(body_a, body_b);
        base.collide_connected = true;
        Self {
            base,
            linear_velocity: Vec2::new(0.0, 0.0),
            angular_velocity: 0.0,
            max_velocity_force: 0.0,
            max_velocity_torque: 0.0,
            linear_spring: None,
            angular_spring: None,
            max_spring_force: f32::INFINITY,
            max_spring_torque: f32::INFINITY,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, or negative where it must not be.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        speed("linear_velocity.x", self.linear_velocity.x)?;
        speed("linear_velocity.y", self.linear_velocity.y)?;
        speed("angular_velocity", self.angular_velocity)?;
        not_negative("max_velocity_force", self.max_velocity_force)?;
        not_negative("max_velocity_torque", self.max_velocity_torque)?;
        self.linear_spring.map_or(Ok(()), |s| {
            s.validate("linear_spring.hertz", "linear_spring.damping_ratio")
        })?;
        self.angular_spring.map_or(Ok(()), |s| {
            s.validate("angular_spring.hertz", "angular_spring.damping_ratio")
        })?;
        not_negative("max_spring_force", self.max_spring_force)?;
        not_negative("max_spring_torque", self.max_spring_torque)
    }
}

/// The settings of a motor joint that the solver reads: the drives of B and their greatest forces.
#[derive(Clone, Copy, Debug)]
pub(super) struct MotorDrives {
    linear_velocity: Vec2,
    angular_velocity: f32,
    max_velocity_force: f32,
    max_velocity_torque: f32,
    pub(super) linear_spring: Option<JointSoftness>,
    pub(super) angular_spring: Option<JointSoftness>,
    pub(super) max_spring_force: f32,
    pub(super) max_spring_torque: f32,
}

impl MotorDrives {
    fn of(def: &MotorJointDef) -> Self {
        let MotorJointDef {
            base: _,
            linear_velocity,
            angular_velocity,
            max_velocity_force,
            max_velocity_torque,
            linear_spring,
            angular_spring,
            max_spring_force,
            max_spring_torque,
        } = *def;
        Self {
            linear_velocity,
            angular_velocity,
            max_velocity_force,
            max_velocity_torque,
            linear_spring,
            angular_spring,
            max_spring_force,
            max_spring_torque,
        }
    }
}

state_record!(MotorDrives {
    linear_velocity,
    angular_velocity,
    max_velocity_force,
    max_velocity_torque,
    linear_spring,
    angular_spring,
    max_spring_force,
    max_spring_torque,
});

/// A motor joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorJoint {
    pub(super) drives: MotorDrives,
    /// Angle at the start of the step, unwrapped [rad].
    pub(super) angle: f32,
    velocity_impulse: Vec2,
    velocity_twist: f32,
    spring_impulse: Vec2,
    spring_twist: f32,
}

state_record!(MotorJoint {
    drives,
    angle,
    velocity_impulse,
    velocity_twist,
    spring_impulse,
    spring_twist,
});

/// Returns the coefficients of a spring.
fn rate(spring: &JointSoftness, settings: &PassSettings) -> SpringRate {
    let (hertz, ratio) = (spring.hertz, spring.damping_ratio);
    SpringRate::shared(hertz, ratio, settings.h, settings.crowd)
}

/// Returns the arms of A and B. Both forces act at B's anchor, wherever it is: at two points they would exert a torque
/// on the pair.
fn arms(base: &JointBase, pair: &BodyPair) -> (Vec2, Vec2) {
    let (arm_a, arm_b) = base.arms(pair);
    (arm_a + base.present_gap(pair), arm_b)
}

impl MotorJoint {
    pub(crate) fn new(def: &MotorJointDef) -> Self {
        Self {
            drives: MotorDrives::of(def),
            angle: 0.0,
            velocity_impulse: Vec2::new(0.0, 0.0),
            velocity_twist: 0.0,
            spring_impulse: Vec2::new(0.0, 0.0),
            spring_twist: 0.0,
        }
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &MotorJointDef) {
        self.drives = MotorDrives::of(def);
    }

    /// Returns the weight of its rows in the coupling of joints: see [`SpringRate::row_weight`].
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        let drives = &self.drives;
        if drives.max_velocity_force > 0.0 || drives.max_velocity_torque > 0.0 {
            return 1.0;
        }
        let weight = |s: JointSoftness| SpringRate::row_weight(s.hertz, s.damping_ratio, h);
        let springs = [drives.linear_spring, drives.angular_spring];
        let [linear, angular] = springs.map(|s| s.map_or(0.0, weight));
        linear.max(angular)
    }

    /// Sets the impulses of its springs to 0.
    pub(crate) fn forget_springs(&mut self) {
        self.spring_impulse = Vec2::new(0.0, 0.0);
        self.spring_twist = 0.0;
    }

    /// Sets the impulses to 0.
    pub(crate) fn forget_impulses(&mut self) {
        self.velocity_impulse = Vec2::new(0.0, 0.0);
        self.velocity_twist = 0.0;
        self.spring_impulse = Vec2::new(0.0, 0.0);
        self.spring_twist = 0.0;
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        self.angle = nearest_turn(base.angle(context.poses), self.angle);
        self.velocity_impulse *= context.warm_share;
        self.velocity_twist *= context.warm_share;
        self.spring_impulse *= context.warm_share_if(self.drives.linear_spring.is_some());
        self.spring_twist *= context.warm_share_if(self.drives.angular_spring.is_some());
    }

    pub(crate) fn warm_start(&self, base: &JointBase, pair: &mut BodyPair) {
        let (arm_a, arm_b) = arms(base, pair);
        let (push, twist) = self.reaction();
        pair.push(push, arm_a, arm_b);
        pair.twist(twist);
    }

    pub(crate) fn solve(&mut self, base: &JointBase, pair: &mut BodyPair, settings: &PassSettings) {
        let drives = &self.drives;
        let (arms, h) = (arms(base, pair), settings.h);
        if let Some(spring) = &drives.angular_spring {
            let c = self.angle + turn_of_step(pair);
            let (max, x) = (h * drives.max_spring_torque, &mut self.spring_twist);
            rate(spring, settings).drive(&JointRow::ANGULAR, pair, c, settings.pass, max, x);
        }
        if let Some(spring) = &drives.linear_spring {
            let gap = base.present_gap(pair);
            let (max, x) = (h * drives.max_spring_force, &mut self.spring_impulse);
            rate(spring, settings).drive_point(pair, arms, gap, settings.pass, max, x);
        }
        if settings.drives && drives.max_velocity_torque > 0.0 {
            let (max, x) = (h * drives.max_velocity_torque, &mut self.velocity_twist);
            JointRow::ANGULAR.motor(pair, drives.angular_velocity, max, x);
        }
        if settings.drives && drives.max_velocity_force > 0.0 {
            let (max, x) = (h * drives.max_velocity_force, &mut self.velocity_impulse);
            drive_point_velocity(pair, arms, drives.linear_velocity, max, x);
        }
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (
            self.velocity_impulse + self.spring_impulse,
            self.velocity_twist + self.spring_twist,
        )
    }
}
