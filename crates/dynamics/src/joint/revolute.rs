//! Revolute joint: a pin. Parts: point, and on the angle spring, motor and limit.

use super::base::{FULL_RATE_ANGLE, JointBase, JointContext, JointStep, RowContext};
use super::error::JointDefError;
use super::kind::{KindJoint, KindRows};
use super::parts::angle::{UnwrappedAngle, turn_of_step};
use super::parts::block::decoupled_row;
use super::parts::drive::{Drive, DriveImpulses, DriveParts, PartSet};
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::point::{LeadingTwist, hold_point};
use super::parts::row::{JointRow, PassSettings, Twist};
use super::row_request::{JointCoordinate, MAX_ROWS, RowRequests, request_equality};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::body::state::BodyPose;
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::{Lanes, Mask, Simd};

/// A pin: B rotates about a point of A.
///
/// The angle is that of B's frame relative to A's, counter-clockwise \[rad\]. It does not wrap: after one and
/// a half turns it is 3 pi, so limits may have any value.
#[doc(alias("b2RevoluteJointDef", "RevoluteJointBuilder"))]
#[doc(alias("HingeJoint2D", "PinJoint2D", "hinge"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RevoluteJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Range of the angle \[rad\]. Default none.
    pub limit: Option<Limit>,
    /// Drive, or friction [rad/s, N m]. Default none.
    pub motor: Option<Motor>,
    /// Torsion spring \[rad\]. Default none.
    pub spring: Option<Spring>,
}

state_record!(RevoluteJointDef {
    base,
    limit,
    motor,
    spring,
});

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
        validate_parts(self.limit, self.motor, self.spring)
    }
}

/// A revolute joint in the solver: settings and impulses.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct RevoluteJoint {
    /// Rotation of the bodies at the start of the step, without the angles of the frames.
    pub(crate) turn: UnwrappedAngle,
    /// Impulses of the last substep, on the point and on the angle.
    pub(crate) point_impulse: Vec2,
    pub(crate) twist_impulses: DriveImpulses,
    pub(crate) drive: DriveParts,
}

state_record!(RevoluteJoint {
    turn,
    point_impulse,
    twist_impulses,
    drive,
});

impl RevoluteJoint {
    /// Bytes that a joint without parts on the angle uses.
    pub(crate) const HOT: usize = core::mem::offset_of!(Self, twist_impulses);

    /// Takes over the settings of `def`; all impulses stay.
    pub(crate) fn set_parts(&mut self, def: &RevoluteJointDef) {
        self.drive = DriveParts::new(def.limit, def.motor, def.spring);
    }

    /// Returns `true` if there are parts on the angle.
    pub(crate) fn has_twist(&self) -> bool {
        !self.parts().is_empty()
    }

    /// Returns `true` if a motor turns it. Such a joint is solved as if its arms were long: sweeps that turn a rod and then
    /// push its end back let it go 25 % faster than its motor.
    pub(crate) fn is_driven(&self) -> bool {
        self.drive.motor.is_some_and(|motor| motor.speed != 0.0)
    }

    /// Updates the unwrapped angle.
    #[inline]
    pub(crate) fn update_angle(&mut self, base: &JointBase, poses: &[BodyPose]) {
        let (a, b) = base.poses(poses);
        self.turn
            .update(a, b, base.frame_b.angle - base.frame_a.angle);
    }

    /// Returns the angle of the frames at the start of the step [rad].
    #[inline]
    pub(crate) fn angle(&self, base: &JointBase) -> f32 {
        self.turn.angle() + (base.frame_b.angle - base.frame_a.angle)
    }
}

impl KindJoint for RevoluteJoint {
    type Def = RevoluteJointDef;

    fn new(def: &RevoluteJointDef) -> Self {
        Self {
            turn: UnwrappedAngle::START,
            point_impulse: Vec2::new(0.0, 0.0),
            twist_impulses: [0.0; 4],
            drive: DriveParts::new(def.limit, def.motor, def.spring),
        }
    }

    fn configure(&mut self, def: &RevoluteJointDef) {
        self.set_parts(def);
        let present = self.drive.present();
        for (x, is_present) in self.twist_impulses.iter_mut().zip(present) {
            if !is_present {
                *x = 0.0;
            }
        }
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        // Arrays: chains of iterators take more instructions, and there are many of these joints.
        let [x, y]: &mut [f32; 2] = self.point_impulse.as_mut();
        let [spring, motor, lower, upper] = &mut self.twist_impulses;
        [x, y, spring, motor, lower, upper].into_iter()
    }

    fn present(&self) -> [bool; MAX_ROWS] {
        let [spring, motor, lower, upper] = self.drive.present();
        [true, true, spring, motor, lower, upper]
    }

    fn parts(&self) -> PartSet {
        self.drive.part_set()
    }

    fn list_rows(&self, requests: &mut RowRequests) -> bool {
        request_equality(requests, JointCoordinate::X, 0.0);
        request_equality(requests, JointCoordinate::Y, 0.0);
        let angle = JointCoordinate::Angle;
        self.drive.list_rows(requests, (angle, angle));
        true
    }

    /// The impulses on the angle are left as they are: see [`HingeRows::put`].
    fn prepare(&mut self, base: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.update_angle(base, context.poses);
        self.point_impulse *= context.warm_share;
    }

    fn reaction(&self) -> (Vec2, f32) {
        let [spring, motor, lower, upper] = self.twist_impulses;
        (self.point_impulse, (spring + motor) + (lower - upper))
    }
}

/// Revolute joints without parts on the angle, in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PinRows<L> {
    x: LaneVec<L>,
}

empty_lanes! { PinRows { x } }

impl<L: Lanes> KindRows<L> for PinRows<L> {
    type Joint = RevoluteJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        self.x.each_mut().into_iter()
    }

    fn put(&mut self, _: usize, _: &RevoluteJoint, _: &RowContext<'_>) {}

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        pair.push(self.x, ends.arms(pair));
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let (arms, gap) = (ends.arms(pair), ends.present_gap(pair));
        hold_point(pair, arms, gap, settings, &mut self.x);
    }
}

/// Revolute joints with parts on the angle, in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingeRows<L> {
    pin: PinRows<L>,
    /// Angle at the start of the step.
    angle: L,
    drive: Drive<L>,
}

empty_lanes! { HingeRows { pin, angle, drive } }

impl<L: Lanes> KindRows<L> for HingeRows<L> {
    type Joint = RevoluteJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        let [x, y] = self.pin.x.each_mut();
        let [spring, motor, lower, upper] = &mut self.drive.x;
        [x, y, spring, motor, lower, upper].into_iter()
    }

    fn put(&mut self, lane: usize, joint: &RevoluteJoint, context: &RowContext<'_>) {
        put(&mut self.angle, lane, joint.angle(context.base));
        self.drive.put(lane, &joint.drive, context);
        for x in &mut self.drive.x {
            x.as_mut_slice()[lane] *= context.warm_share;
        }
    }

    #[inline(always)]
    fn forget_springs(&mut self, _: PartSet) {
        self.drive.forget_spring();
    }

    #[inline(always)]
    fn warm_start(&mut self, parts: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        self.pin.warm_start(parts, ends, pair);
        pair.twist(self.drive.unpowered() + self.drive.motor_impulse());
    }

    /// Solves the parts on the angle, then the point.
    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let angle = self.angle + turn_of_step(pair);
        let rows = (self.spring_row(ends, pair, settings), Twist, Twist);
        self.drive.solve(rows, angle, pair, &on_angle(settings));
        self.pin.solve(ends, pair, settings);
    }
}

impl<L: Lanes> HingeRows<L> {
    /// Returns the row of the springs. The soft ones do not pay for the answer of the point.
    #[inline(always)]
    fn spring_row(
        &self,
        ends: &JointEnds<L>,
        pair: &BodyPair<L>,
        settings: &PassSettings<L>,
    ) -> LeadingTwist<L> {
        let alone = LeadingTwist::alone(pair);
        let stiff = self.drive.springs.are_stiff();
        if !settings.parts.has_spring() || !stiff.any() {
            return alone;
        }
        let (arms, gap) = (ends.arms(pair), ends.present_gap(pair));
        let lead = LeadingTwist::before_hold(pair, arms, gap, settings, self.pin.x);
        alone.or(stiff, lead)
    }

    /// Solves joints with a long arm. An impulse on the angle turns a body about its center, and the point would have to
    /// undo the motion of the anchor. So motor and limit act decoupled from the point; see [`decoupled_row`]. Not the limit
    /// of a joint that a motor turns: in chains of them, decoupled limits threw the links at up to twice the speed.
    #[inline(always)]
    pub(crate) fn solve_long(
        &mut self,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let simd = self.angle.simd();
        let point = JointRow::on_point(ends.arms(pair));
        let angular = JointRow::angular(simd);
        let (motor, [x, y]) = decoupled_row(&angular, &point, pair);
        let of_motor = LaneVec { x, y };
        let is_driven = self.drive.speed.max(-self.drive.speed).gt(simd.zero());
        let of_limit = of_motor * L::select(is_driven, simd.zero(), simd.splat(1.0));
        let limit = angular
            .plus(&point[0], of_limit.x)
            .plus(&point[1], of_limit.y);
        let shares =
            |drive: &Drive<L>| of_motor * drive.motor_impulse() + of_limit * drive.limit_impulse();
        // The point's own impulse, without its shares of the decoupled rows.
        self.pin.x = self.pin.x - shares(&self.drive);
        let angle = self.angle + turn_of_step(pair);
        let spring = self.spring_row(ends, pair, settings);
        self.drive
            .solve((spring, motor, limit), angle, pair, &on_angle(settings));
        self.pin.solve(ends, pair, settings);
        self.pin.x = self.pin.x + shares(&self.drive);
    }
}

/// Limits on an angle close a large error slowly.
#[inline(always)]
fn on_angle<L: Lanes>(settings: &PassSettings<L>) -> PassSettings<L> {
    PassSettings {
        full_rate_error: FULL_RATE_ANGLE,
        ..*settings
    }
}
