//! Prismatic joint: a slider. Parts: axis (a block of across and angle), and along it spring, motor and
//! limit.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::error::JointDefError;
use super::kind::{KindJoint, KindRows};
use super::parts::angle::turn_of_step;
use super::parts::axis::{AxisPart, PresentAxis};
use super::parts::block::{decoupled_row, hold_rows};
use super::parts::drive::{Drive, DriveImpulses, DriveParts, PartSet};
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{JointRow, PassSettings, Row};
use super::row_request::{JointCoordinate, MAX_ROWS, RowRequests, request_equality};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::{Vec2, left_perp};
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

/// A slider: B's anchor moves along the x axis of A's frame, and B does not turn relative to A.
///
/// The translation is the offset of B's anchor from A's along the axis \[m\].
#[doc(alias("b2PrismaticJointDef", "PrismaticJointBuilder"))]
#[doc(alias("SliderJoint2D", "GrooveJoint2D"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PrismaticJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Range of the translation \[m\]. Default none.
    pub limit: Option<Limit>,
    /// Drive, or friction [m/s, N]. Default none.
    pub motor: Option<Motor>,
    /// Spring on the translation \[m\]. Default none.
    pub spring: Option<Spring>,
}

state_record!(PrismaticJointDef {
    base,
    limit,
    motor,
    spring,
});

impl PrismaticJointDef {
    /// Returns a free slider along the x axis of `body_a`, at the origins of the two bodies.
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

/// A prismatic joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrismaticJoint {
    pub(crate) axis: AxisPart,
    pub(super) drive: DriveParts,
    pub(super) drive_impulses: DriveImpulses,
    /// Angle at the start of the step [rad].
    angle: f32,
    /// Last direction of the axis.
    direction: Vec2,
    /// Across, and on the angle.
    guide_impulse: [f32; 2],
}

state_record!(PrismaticJoint {
    axis,
    drive,
    drive_impulses,
    angle,
    direction,
    guide_impulse,
});

impl KindJoint for PrismaticJoint {
    type Def = PrismaticJointDef;

    fn new(def: &PrismaticJointDef) -> Self {
        Self {
            axis: AxisPart::UNPREPARED,
            drive: DriveParts::new(def.limit, def.motor, def.spring),
            drive_impulses: [0.0; 4],
            angle: 0.0,
            direction: Vec2::new(1.0, 0.0),
            guide_impulse: [0.0; 2],
        }
    }

    fn configure(&mut self, def: &PrismaticJointDef) {
        self.drive = DriveParts::new(def.limit, def.motor, def.spring);
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        self.guide_impulse
            .iter_mut()
            .chain(&mut self.drive_impulses)
    }

    fn present(&self) -> [bool; MAX_ROWS] {
        let [spring, motor, lower, upper] = self.drive.present();
        [true, true, spring, motor, lower, upper]
    }

    fn parts(&self) -> PartSet {
        self.drive.part_set()
    }

    fn list_rows(&self, requests: &mut RowRequests) -> bool {
        request_equality(requests, JointCoordinate::Across, 0.0);
        request_equality(requests, JointCoordinate::Angle, 0.0);
        let along = JointCoordinate::Along;
        self.drive.list_rows(requests, (along, along));
        true
    }

    fn set_direction(&mut self, direction: Vec2) {
        self.direction = direction;
    }

    fn prepare(&mut self, base: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.angle = base.angle(context.poses);
        self.axis = AxisPart::new(base, context);
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        let [spring, motor, lower, upper] = self.drive_impulses;
        let along = (spring + (lower - upper)) + motor;
        let [across, twist] = self.guide_impulse;
        let force = along * self.direction + across * left_perp(&self.direction);
        (force, twist)
    }
}

/// Prismatic joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrismaticRows<L> {
    axis: LaneVec<L>,
    drive: Drive<L>,
    angle: L,
    direction: LaneVec<L>,
    x_guides: [L; 2],
}

empty_lanes! { PrismaticRows { axis, drive, angle, direction, x_guides } }

impl<L: Lanes> KindRows<L> for PrismaticRows<L> {
    type Joint = PrismaticJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        self.x_guides.iter_mut().chain(&mut self.drive.x)
    }

    fn put(&mut self, lane: usize, joint: &PrismaticJoint, context: &RowContext<'_>) {
        self.axis.put(lane, joint.axis.start);
        self.drive.put(lane, &joint.drive, context);
        put(&mut self.angle, lane, joint.angle);
    }

    fn store_direction(&self, lane: usize, joint: &mut PrismaticJoint) {
        joint.direction = self.direction.at(lane);
    }

    #[inline(always)]
    fn forget_springs(&mut self, _: PartSet) {
        self.drive.forget_spring();
    }

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let line = PresentAxis::new(self.axis, ends, pair);
        let along = self.drive.unpowered() + self.drive.motor_impulse();
        line.along.push(pair, along);
        line.across.push(pair, self.x_guides[0]);
        pair.twist(self.x_guides[1]);
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let line = PresentAxis::new(self.axis, ends, pair);
        self.direction = line.axis;
        let guides = [line.across, JointRow::angular(self.angle.simd())];
        let (decoupled, shares) = decoupled_row(&line.along, &guides, pair);
        // The guides' own impulses, without their shares of the decoupled row.
        let pushed = self.drive.push();
        let [across, twist] = self.x_guides;
        let mut own = [across - shares[0] * pushed, twist - shares[1] * pushed];
        let rows = (line.along, decoupled, decoupled);
        self.drive.solve(rows, line.translation, pair, settings);
        let c = [line.offset, self.angle + turn_of_step(pair)];
        hold_rows(&guides, pair, c, settings, &mut own);
        let pushed = self.drive.push();
        self.x_guides = [own[0] + shares[0] * pushed, own[1] + shares[1] * pushed];
    }
}
