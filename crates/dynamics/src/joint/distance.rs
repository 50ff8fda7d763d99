//! Distance joint: a rod, a rope or a spring. Parts on the length: rod, or spring, motor and limit.

use super::base::JointContext;
use super::error::{JointDefError, positive};
use super::parts::drive::{Drive, DriveLane, PartSet};
use super::parts::lane_vec::{LaneVec, put};
use super::parts::pair::{BodyPair, JointArms, JointEnds};
use super::parts::row::{JointRow, PassSettings, Row};
use super::parts::spring::SpringRate;
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, list_drive_impulses, request_drive,
    request_equality,
};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

/// Keeps the distance of two anchors.
///
/// Without parts the distance is `length`, rigidly. A spring, limit or motor replaces the rod: a limit alone
/// is a rope.
#[doc(alias("b2DistanceJointDef", "RopeJointBuilder"))]
#[doc(alias("SpringJointBuilder", "SpringJoint2D"))]
#[doc(alias("DistanceJoint2D", "DampedSpringJoint2D"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DistanceJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Distance of the anchors, more than 0 \[m\]. Default 1.
    pub length: f32,
    /// Range of the distance \[m\]. Default none.
    pub limit: Option<Limit>,
    /// Drive of the distance [m/s, N]. Default none.
    pub motor: Option<Motor>,
    /// Spring that rests at `length + target` \[m\]. Default none.
    pub spring: Option<Spring>,
}

state_record!(DistanceJointDef {
    base,
    length,
    limit,
    motor,
    spring,
});

impl DistanceJointDef {
    /// Returns a rod of 1 m between the origins of the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
            length: 1.0,
            limit: None,
            motor: None,
            spring: None,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative or zero where it must not be, or the limits cross.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        positive("length", self.length)?;
        validate_parts(
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.as_ref(),
        )
    }
}

/// A distance joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceJoint {
    length: f32,
    limit: Option<Limit>,
    motor: Option<Motor>,
    spring: Option<Spring>,
    /// Last unit vector from A's anchor to B's.
    direction: Vec2,
    rod_impulse: f32,
    spring_impulse: f32,
    motor_impulse: f32,
    lower_impulse: f32,
    upper_impulse: f32,
}

state_record!(DistanceJoint {
    length,
    limit,
    motor,
    spring,
    direction,
    rod_impulse,
    spring_impulse,
    motor_impulse,
    lower_impulse,
    upper_impulse,
});

impl DistanceJoint {
    pub(crate) fn new(def: &DistanceJointDef) -> Self {
        Self {
            length: def.length,
            limit: def.limit,
            motor: def.motor,
            spring: def.spring,
            direction: Vec2::new(1.0, 0.0),
            rod_impulse: 0.0,
            spring_impulse: 0.0,
            motor_impulse: 0.0,
            lower_impulse: 0.0,
            upper_impulse: 0.0,
        }
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &DistanceJointDef) {
        self.length = def.length;
        self.limit = def.limit;
        self.motor = def.motor;
        self.spring = def.spring;
    }

    fn is_rod(&self) -> bool {
        self.limit.is_none() && self.motor.is_none() && self.spring.is_none()
    }

    /// Returns its optional parts: none of a rod.
    pub(crate) fn parts(&self) -> PartSet {
        self.lane().parts()
    }

    /// Returns the parts as seen by the lanes.
    fn lane(&self) -> DriveLane {
        let rest = |spring: Spring| Spring {
            target: self.length + spring.target,
            ..spring
        };
        DriveLane {
            limit: self.limit,
            motor: self.motor,
            spring: self.spring.map(rest),
            impulses: [
                self.spring_impulse,
                self.motor_impulse,
                self.lower_impulse,
                self.upper_impulse,
            ],
        }
    }

    /// Requests the rows.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) {
        let length = JointCoordinate::Length;
        if self.is_rod() {
            request_equality(requests, length, self.length);
            return;
        }
        let rest = |spring: Spring| Spring {
            target: self.length + spring.target,
            ..spring
        };
        request_drive(
            requests,
            (length, length),
            self.limit.as_ref(),
            self.motor.as_ref(),
            self.spring.map(rest).as_ref(),
        );
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        if self.is_rod() {
            impulses.push(self.rod_impulse);
        }
        list_drive_impulses(
            impulses,
            (
                self.limit.is_some(),
                self.motor.is_some(),
                self.spring.is_some(),
            ),
            [
                self.spring_impulse,
                self.motor_impulse,
                self.lower_impulse,
                self.upper_impulse,
            ],
        );
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.rod_impulse = impulses.next_if(self.is_rod());
        self.spring_impulse = impulses.next_if(self.spring.is_some());
        self.motor_impulse = impulses.next_if(self.motor.is_some());
        self.lower_impulse = impulses.next_if(self.limit.is_some());
        self.upper_impulse = impulses.next_if(self.limit.is_some());
        self.direction = impulses.direction;
    }

    /// Returns the weight of its rows in the coupling of joints: see [`SpringRate::row_weight`].
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        match &self.spring {
            Some(spring) if self.limit.is_none() && self.motor.is_none() => {
                SpringRate::row_weight(spring.hertz, spring.damping_ratio, h)
            }
            _ => 1.0,
        }
    }

    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) {
        self.rod_impulse *= context.warm_share_if(self.is_rod());
        self.spring_impulse *= context.warm_share_if(self.spring.is_some());
        self.motor_impulse *= context.warm_share_if(self.motor.is_some());
        self.lower_impulse *= context.warm_share_if(self.limit.is_some());
        self.upper_impulse *= context.warm_share_if(self.limit.is_some());
    }

    fn sum(&self) -> f32 {
        (self.rod_impulse + self.spring_impulse + self.motor_impulse)
            + (self.lower_impulse - self.upper_impulse)
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        (self.sum() * self.direction, 0.0)
    }
}

/// Distance joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceRows<L> {
    length: L,
    /// Last unit vector from A's anchor to B's.
    direction: LaneVec<L>,
    x_rod: L,
    drive: Drive<L>,
}

impl<L: Lanes> DistanceRows<L> {
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            length: L::zero(simd),
            direction: LaneVec::zero(simd),
            x_rod: L::zero(simd),
            drive: Drive::empty(simd),
        }
    }

    /// Fills a lane.
    pub(crate) fn put(&mut self, lane: usize, joint: &DistanceJoint, h: f32, crowd: u32) {
        put(&mut self.length, lane, joint.length);
        self.direction.put(lane, joint.direction);
        put(&mut self.x_rod, lane, joint.rod_impulse);
        if !joint.is_rod() {
            self.drive.put(lane, &joint.lane(), h, crowd);
        }
    }

    /// Stores the results of a lane.
    pub(crate) fn store(&self, lane: usize, joint: &mut DistanceJoint) {
        joint.direction = self.direction.at(lane);
        if joint.is_rod() {
            joint.rod_impulse = self.x_rod.as_slice()[lane];
            return;
        }
        [
            joint.spring_impulse,
            joint.motor_impulse,
            joint.lower_impulse,
            joint.upper_impulse,
        ] = self.drive.impulses(lane);
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
        self.x_rod = L::zero(self.x_rod.simd());
    }

    /// Returns the row on the distance, and the distance. If the anchors coincide, the last direction separates them.
    #[inline(always)]
    fn measure(&mut self, arms: JointArms<L>, gap: LaneVec<L>) -> (JointRow<L>, L) {
        let (direction, distance) = gap.direction_or(self.direction);
        self.direction = direction;
        (JointRow::along(direction, arms), distance)
    }

    #[inline(always)]
    pub(crate) fn warm_start(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
    ) {
        let (row, _) = self.measure(ends.arms(pair), ends.present_gap(pair));
        let sum = if parts.is_empty() {
            self.x_rod
        } else {
            self.drive.unpowered() + self.drive.motor_impulse()
        };
        row.push(pair, sum);
    }

    #[inline(always)]
    pub(crate) fn solve(
        &mut self,
        parts: PartSet,
        ends: &JointEnds<L>,
        pair: &mut BodyPair<L>,
        settings: &PassSettings<L>,
    ) {
        let arms = ends.arms(pair);
        let (row, distance) = self.measure(arms, ends.present_gap(pair));
        if parts.is_empty() {
            row.hold(pair, distance - self.length, settings, &mut self.x_rod);
        } else {
            self.drive
                .solve(parts, (row, row, row), distance, pair, settings);
        }
    }
}
