//! Revolute joint: a pin. Parts: point, and on the angle spring, motor and limit.

use super::base::{FULL_RATE_ANGLE, JointBase, JointContext, JointStep};
use super::error::JointDefError;
use super::parts::angle::{UnwrappedAngle, turn_of_step};
use super::parts::block::decoupled_row;
use super::parts::drive::{Drive, DriveLane, PartSet};
use super::parts::lane_vec::{LaneVec, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::point::hold_point;
use super::parts::row::{JointRow, PassSettings, Twist};
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, list_drive_impulses, request_drive,
    request_equality,
};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::body::state::BodyPose;
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

/// A pin: B turns about a point of A.
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
        validate_parts(
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.as_ref(),
        )
    }
}

/// A revolute joint in the solver: settings and impulses.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct RevoluteJoint {
    /// Rotation of the bodies at the start of the step, without the angles of the frames.
    pub(crate) turn: UnwrappedAngle,
    /// Impulses of the last substep.
    pub(crate) point_impulse: Vec2,
    pub(crate) twist: TwistImpulses,
    pub(crate) limit: Option<Limit>,
    pub(crate) motor: Option<Motor>,
    pub(crate) spring: Option<Spring>,
}

state_record!(RevoluteJoint {
    turn,
    point_impulse,
    twist,
    limit,
    motor,
    spring,
});

/// Impulses of the parts on the angle [N m s].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TwistImpulses {
    pub(crate) spring: f32,
    pub(crate) motor: f32,
    pub(crate) lower: f32,
    pub(crate) upper: f32,
}

state_record!(TwistImpulses {
    spring,
    motor,
    lower,
    upper,
});

impl TwistImpulses {
    fn sum(&self) -> f32 {
        (self.spring + self.motor) + (self.lower - self.upper)
    }
}

impl RevoluteJoint {
    /// Bytes that a joint without parts on the angle uses.
    pub(crate) const HOT: usize = core::mem::offset_of!(Self, twist);

    pub(crate) fn new(def: &RevoluteJointDef) -> Self {
        Self {
            limit: def.limit,
            motor: def.motor,
            spring: def.spring,
            turn: UnwrappedAngle::START,
            point_impulse: Vec2::new(0.0, 0.0),
            twist: TwistImpulses::default(),
        }
    }

    /// Takes over the settings of `def`; impulses of remaining parts and the unwrapped angle stay.
    pub(crate) fn configure(&mut self, def: &RevoluteJointDef) {
        self.set_parts(def);
        if self.spring.is_none() {
            self.twist.spring = 0.0;
        }
        if self.motor.is_none() {
            self.twist.motor = 0.0;
        }
        if self.limit.is_none() {
            self.twist.lower = 0.0;
            self.twist.upper = 0.0;
        }
    }

    /// Takes over the settings of `def`; all impulses stay.
    pub(crate) fn set_parts(&mut self, def: &RevoluteJointDef) {
        self.limit = def.limit;
        self.motor = def.motor;
        self.spring = def.spring;
    }

    /// Returns `true` if there are parts on the angle.
    pub(crate) fn has_twist(&self) -> bool {
        !self.parts().is_empty()
    }

    /// Returns the parts on the angle.
    pub(crate) fn parts(&self) -> PartSet {
        self.lane(1.0).parts()
    }

    /// Returns the parts on the angle as seen by the lanes, with a share of their impulses.
    fn lane(&self, share: f32) -> DriveLane {
        let TwistImpulses {
            spring,
            motor,
            lower,
            upper,
        } = self.twist;
        DriveLane {
            limit: self.limit,
            motor: self.motor,
            spring: self.spring,
            impulses: [spring, motor, lower, upper].map(|x| share * x),
        }
    }

    /// Requests the rows.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) {
        request_equality(requests, JointCoordinate::X, 0.0);
        request_equality(requests, JointCoordinate::Y, 0.0);
        let (limit, motor, spring) = (&self.limit, &self.motor, &self.spring);
        let angle = (JointCoordinate::Angle, JointCoordinate::Angle);
        request_drive(
            requests,
            angle,
            limit.as_ref(),
            motor.as_ref(),
            spring.as_ref(),
        );
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        impulses.extend([self.point_impulse.x, self.point_impulse.y]);
        let twist = &self.twist;
        list_drive_impulses(
            impulses,
            (
                self.limit.is_some(),
                self.motor.is_some(),
                self.spring.is_some(),
            ),
            [twist.spring, twist.motor, twist.lower, twist.upper],
        );
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.point_impulse = Vec2::new(impulses.next(), impulses.next());
        self.twist = TwistImpulses {
            spring: impulses.next_if(self.spring.is_some()),
            motor: impulses.next_if(self.motor.is_some()),
            lower: impulses.next_if(self.limit.is_some()),
            upper: impulses.next_if(self.limit.is_some()),
        };
    }

    /// Updates the unwrapped angle.
    #[inline]
    pub(crate) fn update_angle(&mut self, base: &JointBase, poses: &[BodyPose]) {
        let (a, b) = base.poses(poses);
        self.turn
            .update(a, b, base.frame_b.angle - base.frame_a.angle);
    }

    /// Prepares for a step; the impulses on the angle are left as they are: see [`HingeRows::put`].
    pub(crate) fn prepare(
        &mut self,
        base: &JointBase,
        step: &JointStep,
        context: &JointContext<'_>,
    ) {
        self.update_angle(base, context.poses);
        self.point_impulse *= base.carried_share(context, step.closing());
    }

    /// Returns the angle of the frames at the start of the step [rad].
    #[inline]
    pub(crate) fn angle(&self, base: &JointBase) -> f32 {
        self.turn.angle() + (base.frame_b.angle - base.frame_a.angle)
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (self.point_impulse, self.twist.sum())
    }
}

/// Revolute joints without parts on the angle, in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PinRows<L> {
    x: LaneVec<L>,
}

impl<L: Lanes> PinRows<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            x: LaneVec::zero(simd),
        }
    }

    /// Fills a lane.
    pub(crate) fn put(&mut self, lane: usize, joint: &RevoluteJoint) {
        self.x.put(lane, joint.point_impulse);
    }

    /// Stores the results of a lane.
    pub(crate) fn store(&self, lane: usize, joint: &mut RevoluteJoint) {
        joint.point_impulse = self.x.at(lane);
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        self.x = LaneVec::zero(self.x.x.simd());
    }

    #[inline(always)]
    pub(crate) fn warm_start(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        pair.push(self.x, ends.arms(pair));
    }

    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
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

impl<L: Lanes> HingeRows<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            pin: PinRows::empty(simd),
            angle: L::zero(simd),
            drive: Drive::empty(simd),
        }
    }

    /// Fills a lane.
    pub(crate) fn put(
        &mut self,
        lane: usize,
        joint: &RevoluteJoint,
        base: &JointBase,
        context: &JointContext<'_>,
    ) {
        self.pin.put(lane, joint);
        put(&mut self.angle, lane, joint.angle(base));
        let drive = joint.lane(context.warm_share);
        self.drive.put(lane, &drive, context.h, base.crowd());
    }

    /// Stores the results of a lane.
    pub(crate) fn store(&self, lane: usize, joint: &mut RevoluteJoint) {
        self.pin.store(lane, joint);
        let [spring, motor, lower, upper] = self.drive.impulses(lane);
        joint.twist = TwistImpulses {
            spring,
            motor,
            lower,
            upper,
        };
    }

    /// Sets the impulse of the spring to 0.
    #[inline(always)]
    pub(crate) fn forget_springs(&mut self) {
        self.drive.forget_spring();
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        self.pin.forget_impulses();
        self.drive.forget_impulses();
    }

    #[inline(always)]
    pub(crate) fn warm_start(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        self.pin.warm_start(ends, pair);
        pair.twist(self.drive.unpowered() + self.drive.motor_impulse());
    }

    /// Solves the parts on the angle, then the point.
    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let angle = self.angle + turn_of_step(pair);
        let soft = on_angle(settings);
        let rows = (Twist, Twist, Twist);
        self.drive.solve(parts, rows, angle, pair, &soft);
        self.pin.solve(ends, pair, settings);
    }

    /// Solves joints with a long arm. An impulse on the angle turns a body about its center, and the point would have to
    /// undo the motion of the anchor. So motor and limit act decoupled from the point; see [`decoupled_row`].
    #[inline(always)]
    pub(crate) fn solve_long(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let point = JointRow::on_point(ends.arms(pair));
        let angular = JointRow::angular(self.angle.simd());
        let (decoupled, [x, y]) = decoupled_row(&angular, &point, pair, settings);
        let shares = LaneVec { x, y };
        // The point's own impulse, without its shares of the decoupled row.
        self.pin.x = self.pin.x - shares * self.drive.push();
        let angle = self.angle + turn_of_step(pair);
        let rows = (Twist, decoupled, decoupled);
        let soft = on_angle(settings);
        self.drive.solve(parts, rows, angle, pair, &soft);
        self.pin.solve(ends, pair, settings);
        self.pin.x = self.pin.x + shares * self.drive.push();
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
