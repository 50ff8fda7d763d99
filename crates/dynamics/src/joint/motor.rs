//! Motor joint: drives a body to a velocity, a pose, or both, with bounded force and torque. Parts: point
//! motor, angle motor, point spring, angle spring.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::error::{JointDefError, not_negative, speed};
use super::kind::{KindJoint, KindRows};
use super::parts::angle::{nearest_turn, turn_of_step};
use super::parts::drive::PartSet;
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::point::{LeadingTwist, drive_point_velocity};
use super::parts::row::{Pass, PassSettings, Row, Twist};
use super::parts::spring::{SpringRate, Springs};
use super::row_request::MAX_ROWS;
use super::shared::{JointBaseDef, JointSoftness};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::{Lanes, Simd};

/// Drives B relative to A to a velocity, to a pose, or to both.
///
/// The force and torque toward the velocity are bounded; a velocity of 0 is dry friction, as for a body on a table seen
/// from above. Springs of bounded force and torque pull toward the pose in which the frames coincide.
#[doc(alias("b2MotorJointDef", "RelativeJoint2D"))]
#[doc(alias = "FrictionJoint2D")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MotorJointDef {
    /// Settings common to all joints; `collide_connected` starts true. The target pose is the one in which `frame_b`
    /// is at `frame_a`.
    pub base: JointBaseDef,
    /// Velocity of B's anchor relative to the point of A that is there, in the world [m/s]. Each component is at most
    /// [`MAX_DRIVE_SPEED`](crate::MAX_DRIVE_SPEED) in either direction.
    #[cfg_attr(feature = "serde", serde(default))]
    pub linear_velocity: Vec2,
    /// Angular velocity of B relative to A [rad/s], at most [`MAX_DRIVE_SPEED`](crate::MAX_DRIVE_SPEED) in either
    /// direction.
    #[cfg_attr(feature = "serde", serde(default))]
    pub angular_velocity: f32,
    /// Greatest force that drives the velocity \[N\]. Default 0: not driven.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    #[cfg_attr(feature = "serde", serde(default))]
    pub max_velocity_force: f32,
    /// Greatest torque that drives the angular velocity [N m]. Default 0: not driven.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    #[cfg_attr(feature = "serde", serde(default))]
    pub max_velocity_torque: f32,
    /// Spring that pulls B's anchor to A's. Default none.
    pub linear_spring: Option<JointSoftness>,
    /// Spring that turns B's frame toward A's. Default none.
    pub angular_spring: Option<JointSoftness>,
    /// Greatest force of the spring \[N\]. Default infinite.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    #[cfg_attr(feature = "serde", serde(default = "super::shared::unbounded"))]
    pub max_spring_force: f32,
    /// Greatest torque of the spring [N m]. Default infinite.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    #[cfg_attr(feature = "serde", serde(default = "super::shared::unbounded"))]
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
        Self {
            linear_velocity: def.linear_velocity,
            angular_velocity: def.angular_velocity,
            max_velocity_force: def.max_velocity_force,
            max_velocity_torque: def.max_velocity_torque,
            linear_spring: def.linear_spring,
            angular_spring: def.angular_spring,
            max_spring_force: def.max_spring_force,
            max_spring_torque: def.max_spring_torque,
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
}

impl KindJoint for MotorJoint {
    type Def = MotorJointDef;

    fn new(def: &MotorJointDef) -> Self {
        Self {
            drives: MotorDrives::of(def),
            angle: 0.0,
            velocity_impulse: Vec2::new(0.0, 0.0),
            velocity_twist: 0.0,
            spring_impulse: Vec2::new(0.0, 0.0),
            spring_twist: 0.0,
        }
    }

    fn configure(&mut self, def: &MotorJointDef) {
        self.drives = MotorDrives::of(def);
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        let velocity = self.velocity_impulse.as_mut_slice().iter_mut();
        let spring = self.spring_impulse.as_mut_slice().iter_mut();
        velocity
            .chain([&mut self.velocity_twist])
            .chain(spring)
            .chain([&mut self.spring_twist])
    }

    fn present(&self) -> [bool; MAX_ROWS] {
        let linear = self.drives.linear_spring.is_some();
        let angular = self.drives.angular_spring.is_some();
        [true, true, true, linear, linear, angular]
    }

    /// Springs on the angle and on the point, torque and force.
    fn parts(&self) -> PartSet {
        let drives = &self.drives;
        PartSet::of([
            drives.angular_spring.is_some(),
            drives.linear_spring.is_some(),
            drives.max_velocity_torque > 0.0,
            drives.max_velocity_force > 0.0,
        ])
    }

    fn prepare(&mut self, base: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.angle = nearest_turn(base.angle(context.poses), self.angle);
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        let twist = self.velocity_twist + self.spring_twist;
        (self.velocity_impulse + self.spring_impulse, twist)
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
    x_velocity: LaneVec<L>,
    x_twist: L,
    x_spring: LaneVec<L>,
    x_spring_twist: L,
}

empty_lanes! { MotorRows {
    angle, angular_springs, linear_springs, max_spring_twist, max_spring_impulse, spin, velocity,
    max_twist, max_impulse, x_velocity, x_twist, x_spring, x_spring_twist
} }

impl<L: Lanes> KindRows<L> for MotorRows<L> {
    type Joint = MotorJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        let [x, y] = self.x_velocity.each_mut();
        let [spring_x, spring_y] = self.x_spring.each_mut();
        let (twist, spring_twist) = (&mut self.x_twist, &mut self.x_spring_twist);
        [x, y, twist, spring_x, spring_y, spring_twist].into_iter()
    }

    fn put(&mut self, lane: usize, joint: &MotorJoint, context: &RowContext<'_>) {
        let (drives, h) = (&joint.drives, context.h);
        if let Some(spring) = drives.angular_spring {
            let rate = context.rate(spring.hertz, spring.damping_ratio);
            self.angular_springs.put(lane, rate);
        }
        if let Some(spring) = drives.linear_spring {
            let rate = context.rate(spring.hertz, spring.damping_ratio);
            self.linear_springs.put(lane, rate);
        }
        for (lanes, value) in [
            (&mut self.angle, joint.angle),
            (&mut self.max_spring_twist, h * drives.max_spring_torque),
            (&mut self.max_spring_impulse, h * drives.max_spring_force),
            (&mut self.spin, drives.angular_velocity),
            (&mut self.max_twist, h * drives.max_velocity_torque),
            (&mut self.max_impulse, h * drives.max_velocity_force),
        ] {
            put(lanes, lane, value);
        }
        self.velocity.put(lane, drives.linear_velocity);
    }

    #[inline(always)]
    fn forget_springs(&mut self, _: PartSet) {
        let zero = self.angle.simd().zero();
        self.x_spring_twist = zero;
        self.x_spring = LaneVec { x: zero, y: zero };
    }

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        // At two points the forces would exert a torque on the pair.
        pair.push(self.x_velocity + self.x_spring, ends.arms_to_b(pair));
        pair.twist(self.x_twist + self.x_spring_twist);
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let (arms, parts) = (ends.arms_to_b(pair), settings.parts);
        let has_springs = settings.pass == Pass::Solve;
        if has_springs && parts.has(ANGULAR_SPRING) {
            let c = self.angle + turn_of_step(pair);
            let (max, x) = (Some(self.max_spring_twist), &mut self.x_spring_twist);
            let row = if parts.has(LINEAR_SPRING) {
                let gap = ends.present_gap(pair);
                self.linear_springs
                    .leading_twist(pair, arms, gap, self.x_spring)
            } else {
                LeadingTwist::alone(pair)
            };
            self.angular_springs.drive(row, pair, c, max, x);
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
