//! Prismatic joint: a slider. Parts: axis (a block of across and angle), and along it spring, motor and
//! limit.

use super::base::{JointBase, JointContext};
use super::error::JointDefError;
use super::parts::angle::turn_of_step;
use super::parts::axis::{AxisPart, PresentAxis};
use super::parts::block::{decoupled_row, hold_rows};
use super::parts::drive::{Drive, DrivePart, PartSet};
use super::parts::lane_vec::{LaneVec, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{JointRow, PassSettings, Row};
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, request_equality,
};
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
        validate_parts(
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.as_ref(),
        )
    }
}

/// A prismatic joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrismaticJoint {
    pub(crate) axis: AxisPart,
    drive: DrivePart,
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
    angle,
    direction,
    guide_impulse,
});

impl PrismaticJoint {
    pub(crate) fn new(def: &PrismaticJointDef) -> Self {
        Self {
            axis: AxisPart::UNPREPARED,
            drive: DrivePart::new(def.limit, def.motor, def.spring),
            angle: 0.0,
            direction: Vec2::new(1.0, 0.0),
            guide_impulse: [0.0; 2],
        }
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &PrismaticJointDef) {
        self.drive.configure(def.limit, def.motor, def.spring);
    }

    /// Requests the rows.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) {
        request_equality(requests, JointCoordinate::Across, 0.0);
        request_equality(requests, JointCoordinate::Angle, 0.0);
        self.drive
            .list_rows(requests, (JointCoordinate::Along, JointCoordinate::Along));
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        impulses.extend(self.guide_impulse);
        self.drive.list_impulses(impulses);
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.guide_impulse = [impulses.next(), impulses.next()];
        self.drive.store_impulses(impulses);
        self.direction = impulses.direction;
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        self.angle = base.angle(context.poses);
        self.axis = AxisPart::new(base, context);
        self.drive.prepare(context);
        self.guide_impulse = self.guide_impulse.map(|x| x * context.warm_share);
    }

    /// Returns its optional parts.
    pub(crate) fn parts(&self) -> PartSet {
        self.drive.lane().parts()
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        let across = left_perp(&self.direction);
        let [along, motor] = self.drive.pushes();
        (
            (along + motor) * self.direction + self.guide_impulse[0] * across,
            self.guide_impulse[1],
        )
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

impl<L: Lanes> PrismaticRows<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            axis: LaneVec::zero(simd),
            drive: Drive::empty(simd),
            angle: L::zero(simd),
            direction: LaneVec::zero(simd),
            x_guides: [L::zero(simd); 2],
        }
    }

    /// Fills a lane.
    pub(crate) fn put(&mut self, lane: usize, joint: &PrismaticJoint, h: f32, crowd: u32) {
        self.axis.put(lane, joint.axis.start);
        self.drive.put(lane, &joint.drive.lane(), h, crowd);
        put(&mut self.angle, lane, joint.angle);
        for (x, impulse) in self.x_guides.iter_mut().zip(joint.guide_impulse) {
            put(x, lane, impulse);
        }
    }

    /// Stores the results of a lane.
    pub(crate) fn store(&self, lane: usize, joint: &mut PrismaticJoint) {
        joint.drive.store_lane(self.drive.impulses(lane));
        joint.direction = self.direction.at(lane);
        joint.guide_impulse = self.x_guides.map(|x| x.as_slice()[lane]);
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
        self.x_guides = [L::zero(self.angle.simd()); 2];
    }

    #[inline(always)]
    pub(crate) fn warm_start(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let line = PresentAxis::new(self.axis, ends, pair);
        let along = self.drive.unpowered() + self.drive.motor_impulse();
        line.along.push(pair, along);
        line.across.push(pair, self.x_guides[0]);
        pair.twist(self.x_guides[1]);
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
        let guides = [line.across, JointRow::angular(self.angle.simd())];
        let (decoupled, shares) = decoupled_row(&line.along, &guides, pair, settings);
        // The guides' own impulses, without their shares of the decoupled row.
        let pushed = self.drive.push();
        let [across, twist] = self.x_guides;
        let mut own = [across - shares[0] * pushed, twist - shares[1] * pushed];
        let rows = (line.along, decoupled, decoupled);
        self.drive
            .solve(parts, rows, line.translation, pair, settings);
        let c = [line.offset, self.angle + turn_of_step(pair)];
        hold_rows(&guides, pair, c, settings, &mut own);
        let pushed = self.drive.push();
        self.x_guides = [own[0] + shares[0] * pushed, own[1] + shares[1] * pushed];
    }
}
