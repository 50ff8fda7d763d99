//! Wheel joint: suspension and axle. Parts: axis (across), along it spring and limit, and on the angle a
//! motor.

use super::base::{JointBase, JointContext};
use super::error::JointDefError;
use super::parts::axis::AxisPart;
use super::parts::axis::PresentAxis;
use super::parts::drive::{Drive, DrivePart, PartSet};
use super::parts::lane_vec::{LaneVec, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{PassSettings, Row, Twist};
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, request_equality,
};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::{Vec2, left_perp};
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

/// A wheel on a suspension: B's anchor moves along the x axis of A's frame, and B turns freely.
#[doc(alias("b2WheelJointDef", "WheelJoint2D"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WheelJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Range of the translation along the axis \[m\]. Default none.
    pub limit: Option<Limit>,
    /// Drive of the wheel's spin [rad/s, N m]. Default none.
    pub motor: Option<Motor>,
    /// Suspension \[m\]. Default 1 Hz, damping ratio 0.7; `None` lets the wheel slide.
    pub spring: Option<Spring>,
}

state_record!(WheelJointDef {
    base,
    limit,
    motor,
    spring,
});

impl WheelJointDef {
    /// Returns a sprung wheel `body_b` on `body_a`, at the origins of the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
            limit: None,
            motor: None,
            spring: Some(Spring::new(1.0, 0.7)),
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

/// A wheel joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelJoint {
    axis: AxisPart,
    drive: DrivePart,
    /// Last direction of the axis.
    direction: Vec2,
    across_impulse: f32,
}

state_record!(WheelJoint {
    axis,
    drive,
    direction,
    across_impulse,
});

impl WheelJoint {
    pub(crate) fn new(def: &WheelJointDef) -> Self {
        Self {
            axis: AxisPart::UNPREPARED,
            drive: DrivePart::new(def.limit, def.motor, def.spring),
            direction: Vec2::new(1.0, 0.0),
            across_impulse: 0.0,
        }
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &WheelJointDef) {
        self.drive.configure(def.limit, def.motor, def.spring);
    }

    /// Requests the rows.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) {
        request_equality(requests, JointCoordinate::Across, 0.0);
        self.drive
            .list_rows(requests, (JointCoordinate::Along, JointCoordinate::Angle));
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        impulses.push(self.across_impulse);
        self.drive.list_impulses(impulses);
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.across_impulse = impulses.next();
        self.drive.store_impulses(impulses);
        self.direction = impulses.direction;
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        self.axis = AxisPart::new(base, context);
        self.drive.prepare(context);
        self.across_impulse *= context.warm_share;
    }

    /// Returns its optional parts.
    pub(crate) fn parts(&self) -> PartSet {
        self.drive.lane().parts()
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        let across = left_perp(&self.direction);
        let [along, motor] = self.drive.pushes();
        (along * self.direction + self.across_impulse * across, motor)
    }
}

/// Wheel joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelRows<L> {
    axis: LaneVec<L>,
    drive: Drive<L>,
    direction: LaneVec<L>,
    x_across: L,
}

impl<L: Lanes> WheelRows<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            axis: LaneVec::zero(simd),
            drive: Drive::empty(simd),
            direction: LaneVec::zero(simd),
            x_across: L::zero(simd),
        }
    }

    /// Fills a lane.
    pub(crate) fn put(&mut self, lane: usize, joint: &WheelJoint, h: f32, crowd: u32) {
        self.axis.put(lane, joint.axis.start);
        self.drive.put(lane, &joint.drive.lane(), h, crowd);
        put(&mut self.x_across, lane, joint.across_impulse);
    }

    /// Stores the results of a lane.
    pub(crate) fn store(&self, lane: usize, joint: &mut WheelJoint) {
        joint.drive.store_lane(self.drive.impulses(lane));
        joint.direction = self.direction.at(lane);
        joint.across_impulse = self.x_across.as_slice()[lane];
    }

    /// Sets the impulse of the spring to 0.
    #[inline(always)]
    pub(crate) fn forget_springs(&mut self) {
        self.drive.forget_spring();
    }

    /// Sets the impulses to 0.
    #[inline(always)]
    pub(crate) fn forget_impulses(&mut self) {
        self.drive.forget_impulses();
        self.x_across = L::zero(self.x_across.simd());
    }

    #[inline(always)]
    pub(crate) fn warm_start(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let line = PresentAxis::new(self.axis, ends, pair);
        line.along.push(pair, self.drive.unpowered());
        line.across.push(pair, self.x_across);
        pair.twist(self.drive.motor_impulse());
    }

    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let line = PresentAxis::new(self.axis, ends, pair);
        self.direction = line.axis;
        let rows = (line.along, Twist, line.along);
        self.drive
            .solve(parts, rows, line.translation, pair, settings);
        line.across
            .hold(pair, line.offset, settings, &mut self.x_across);
    }
}
