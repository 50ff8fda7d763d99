//! Motor joint: drives a body to a velocity, a pose, or both, with bounded force and torque. Parts: point
//! motor, angle motor, point spring, angle spring.

use super::base::{JointBase, JointContext};
use super::error::{JointDefError, not_negative, speed};
use super::parts::angle::{nearest_turn, turn_of_step};
use super::parts::drive::PartSet;
use super::parts::lane_vec::{LaneVec, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::point::drive_point_velocity;
use super::parts::row::{Pass, PassSettings, Row, Twist};
use super::parts::spring::{SpringRate, Springs};
use super::shared::{JointBaseDef, JointSoftness};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

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

    /// Returns its drives: springs on the angle and on the point, torque and force.
    pub(crate) fn parts(&self) -> PartSet {
        let drives = &self.drives;
        PartSet::of([
            drives.angular_spring.is_some(),
            drives.linear_spring.is_some(),
            drives.max_velocity_torque > 0.0,
            drives.max_velocity_force > 0.0,
        ])
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

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (
            self.velocity_impulse + self.spring_impulse,
            self.velocity_twist + self.spring_twist,
        )
    }
}

/// Bits of the drives.
const ANGULAR_SPRING: u32 = 0;
const LINEAR_SPRING: u32 = 1;
const TORQUE: u32 = 2;
const FORCE: u32 = 3;

/// Motor joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorRows<L> {
    /// Angle at the start of the step.
    angle: L,
    angular_springs: Springs<L>,
    linear_springs: Springs<L>,
    max_spring_twist: L,
    max_spring_impulse: L,
    spin: L,
    velocity: LaneVec<L>,
    max_twist: L,
    max_impulse: L,
    x_spring_twist: L,
    x_spring: LaneVec<L>,
    x_twist: L,
    x_velocity: LaneVec<L>,
}

impl<L: Lanes> MotorRows<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        let (zero, none) = (L::zero(simd), LaneVec::zero(simd));
        Self {
            angle: zero,
            angular_springs: Springs::zero(simd),
            linear_springs: Springs::zero(simd),
            max_spring_twist: zero,
            max_spring_impulse: zero,
            spin: zero,
            velocity: none,
            max_twist: zero,
            max_impulse: zero,
            x_spring_twist: zero,
            x_spring: none,
            x_twist: zero,
            x_velocity: none,
        }
    }

    /// Fills a lane.
    pub(crate) fn put(&mut self, lane: usize, joint: &MotorJoint, h: f32, crowd: u32) {
        let drives = &joint.drives;
        let rate = |s: &JointSoftness| SpringRate::shared(s.hertz, s.damping_ratio, h, crowd);
        put(&mut self.angle, lane, joint.angle);
        if let Some(spring) = &drives.angular_spring {
            self.angular_springs.put(lane, rate(spring));
        }
        if let Some(spring) = &drives.linear_spring {
            self.linear_springs.put(lane, rate(spring));
        }
        put(
            &mut self.max_spring_twist,
            lane,
            h * drives.max_spring_torque,
        );
        put(
            &mut self.max_spring_impulse,
            lane,
            h * drives.max_spring_force,
        );
        put(&mut self.spin, lane, drives.angular_velocity);
        self.velocity.put(lane, drives.linear_velocity);
        put(&mut self.max_twist, lane, h * drives.max_velocity_torque);
        put(&mut self.max_impulse, lane, h * drives.max_velocity_force);
        put(&mut self.x_spring_twist, lane, joint.spring_twist);
        self.x_spring.put(lane, joint.spring_impulse);
        put(&mut self.x_twist, lane, joint.velocity_twist);
        self.x_velocity.put(lane, joint.velocity_impulse);
    }

    /// Stores the results of a lane.
    pub(crate) fn store(&self, lane: usize, joint: &mut MotorJoint) {
        joint.spring_twist = self.x_spring_twist.as_slice()[lane];
        joint.spring_impulse = self.x_spring.at(lane);
        joint.velocity_twist = self.x_twist.as_slice()[lane];
        joint.velocity_impulse = self.x_velocity.at(lane);
    }

    /// Sets the impulses of the springs to 0.
    #[inline(always)]
    pub(crate) fn forget_springs(&mut self) {
        let simd = self.angle.simd();
        self.x_spring_twist = L::zero(simd);
        self.x_spring = LaneVec::zero(simd);
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        self.forget_springs();
        let simd = self.angle.simd();
        self.x_twist = L::zero(simd);
        self.x_velocity = LaneVec::zero(simd);
    }

    #[inline(always)]
    pub(crate) fn warm_start(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        // At two points the forces would exert a torque on the pair.
        pair.push(self.x_velocity + self.x_spring, ends.arms_to_b(pair));
        pair.twist(self.x_twist + self.x_spring_twist);
    }

    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let arms = ends.arms_to_b(pair);
        let has_springs = settings.pass == Pass::Solve;
        if has_springs && parts.has(ANGULAR_SPRING) {
            let c = self.angle + turn_of_step(pair);
            let (max, x) = (Some(self.max_spring_twist), &mut self.x_spring_twist);
            self.angular_springs.drive(Twist, pair, c, max, x);
        }
        if has_springs && parts.has(LINEAR_SPRING) {
            let gap = ends.present_gap(pair);
            let (max, x) = (Some(self.max_spring_impulse), &mut self.x_spring);
            self.linear_springs.drive_point(pair, arms, gap, max, x);
        }
        if settings.drives && parts.has(TORQUE) {
            Twist.motor(pair, self.spin, self.max_twist, &mut self.x_twist);
        }
        if settings.drives && parts.has(FORCE) {
            let (max, x) = (self.max_impulse, &mut self.x_velocity);
            drive_point_velocity(pair, arms, self.velocity, max, x);
        }
    }
}
