//! Wheel joint: suspension and axle. Parts: axis (across), along it spring and limit, and on the angle a
//! motor.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::error::JointDefError;
use super::kind::{KindJoint, KindRows};
use super::parts::axis::{AxisPart, PresentAxis};
use super::parts::drive::{Drive, DriveImpulses, DriveParts, PartSet};
use super::parts::lane_vec::{LaneVec, empty_lanes};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{PassSettings, Row, Twist};
use super::row_request::{JointCoordinate, MAX_ROWS, RowRequests, request_equality};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::{Vec2, left_perp};
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;
use core::iter;

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
        validate_parts(self.limit, self.motor, self.spring)
    }
}

/// A wheel joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelJoint {
    axis: AxisPart,
    pub(super) drive: DriveParts,
    pub(super) drive_impulses: DriveImpulses,
    /// Last direction of the axis.
    direction: Vec2,
    across_impulse: f32,
}

state_record!(WheelJoint {
    axis,
    drive,
    drive_impulses,
    direction,
    across_impulse,
});

impl KindJoint for WheelJoint {
    type Def = WheelJointDef;

    fn new(def: &WheelJointDef) -> Self {
        Self {
            axis: AxisPart::UNPREPARED,
            drive: DriveParts::new(def.limit, def.motor, def.spring),
            drive_impulses: [0.0; 4],
            direction: Vec2::new(1.0, 0.0),
            across_impulse: 0.0,
        }
    }

    fn configure(&mut self, def: &WheelJointDef) {
        self.drive = DriveParts::new(def.limit, def.motor, def.spring);
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        iter::once(&mut self.across_impulse).chain(&mut self.drive_impulses)
    }

    fn present(&self) -> [bool; MAX_ROWS] {
        let [spring, motor, lower, upper] = self.drive.present();
        [true, spring, motor, lower, upper, false]
    }

    fn parts(&self) -> PartSet {
        self.drive.part_set()
    }

    fn list_rows(&self, requests: &mut RowRequests) -> bool {
        request_equality(requests, JointCoordinate::Across, 0.0);
        let coordinates = (JointCoordinate::Along, JointCoordinate::Angle);
        self.drive.list_rows(requests, coordinates);
        true
    }

    fn set_direction(&mut self, direction: Vec2) {
        self.direction = direction;
    }

    fn prepare(&mut self, base: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.axis = AxisPart::new(base, context);
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        let [spring, motor, lower, upper] = self.drive_impulses;
        let along = spring + (lower - upper);
        let across = self.across_impulse * left_perp(&self.direction);
        (along * self.direction + across, motor)
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

empty_lanes! { WheelRows { axis, drive, direction, x_across } }

impl<L: Lanes> KindRows<L> for WheelRows<L> {
    type Joint = WheelJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        iter::once(&mut self.x_across).chain(&mut self.drive.x)
    }

    fn put(&mut self, lane: usize, joint: &WheelJoint, context: &RowContext<'_>) {
        self.axis.put(lane, joint.axis.start);
        self.drive.put(lane, &joint.drive, context);
    }

    fn store_direction(&self, lane: usize, joint: &mut WheelJoint) {
        joint.direction = self.direction.at(lane);
    }

    #[inline(always)]
    fn forget_springs(&mut self, _: PartSet) {
        self.drive.forget_spring();
    }

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let line = PresentAxis::new(self.axis, ends, pair);
        line.along.push(pair, self.drive.unpowered());
        line.across.push(pair, self.x_across);
        pair.twist(self.drive.motor_impulse());
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let line = PresentAxis::new(self.axis, ends, pair);
        self.direction = line.axis;
        let rows = (line.along, Twist, line.along);
        self.drive.solve(rows, line.translation, pair, settings);
        line.across
            .hold(pair, line.offset, settings, &mut self.x_across);
    }
}
