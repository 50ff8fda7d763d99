//! Distance joint: a rod, a rope or a spring. Parts on the length: rod, or spring, motor and limit.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::error::{JointDefError, positive};
use super::kind::{KindJoint, KindRows};
use super::parts::drive::{Drive, DriveImpulses, DriveParts, PartSet};
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointArms, JointEnds};
use super::parts::row::{JointRow, PassSettings, Row};
use super::parts::spring::SpringRate;
use super::row_request::{JointCoordinate, MAX_ROWS, RowRequests, request_equality};
use super::shared::{JointBaseDef, Limit, Motor, Spring, validate_parts};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;
use core::iter;

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
    #[cfg_attr(feature = "serde", serde(default = "super::shared::one"))]
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
        validate_parts(self.limit, self.motor, self.spring)
    }
}

/// A distance joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceJoint {
    length: f32,
    drive: DriveParts,
    /// Last unit vector from A's anchor to B's.
    direction: Vec2,
    rod_impulse: f32,
    pub(super) drive_impulses: DriveImpulses,
}

state_record!(DistanceJoint {
    length,
    drive,
    direction,
    rod_impulse,
    drive_impulses,
});

impl DistanceJoint {
    fn is_rod(&self) -> bool {
        self.parts().is_empty()
    }

    /// Returns the parts on the distance: the spring rests at the length plus its target.
    fn parts_on_distance(&self) -> DriveParts {
        let rest = |spring: Spring| Spring {
            target: self.length + spring.target,
            ..spring
        };
        // No distance is below zero, and near zero the direction turns at once: a limit there would hold a body that
        // passes its anchor. A motor needs it, to stop at the anchor.
        let reach = |limit: Limit| Limit {
            lower: if limit.lower > 0.0 || self.drive.motor.is_some() {
                limit.lower
            } else {
                -f32::MAX.sqrt()
            },
            ..limit
        };
        DriveParts {
            limit: self.drive.limit.map(reach),
            spring: self.drive.spring.map(rest),
            ..self.drive
        }
    }

    /// Returns the weight of its rows in the coupling of joints: see [`SpringRate::row_weight`].
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        match &self.drive.spring {
            Some(spring) if self.drive.limit.is_none() && self.drive.motor.is_none() => {
                SpringRate::row_weight(spring.hertz, spring.damping_ratio, h)
            }
            _ => 1.0,
        }
    }
}

impl KindJoint for DistanceJoint {
    type Def = DistanceJointDef;

    fn new(def: &DistanceJointDef) -> Self {
        Self {
            length: def.length,
            drive: DriveParts::new(def.limit, def.motor, def.spring),
            direction: Vec2::new(1.0, 0.0),
            rod_impulse: 0.0,
            drive_impulses: [0.0; 4],
        }
    }

    fn configure(&mut self, def: &DistanceJointDef) {
        self.length = def.length;
        self.drive = DriveParts::new(def.limit, def.motor, def.spring);
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        iter::once(&mut self.rod_impulse).chain(&mut self.drive_impulses)
    }

    fn present(&self) -> [bool; MAX_ROWS] {
        let [spring, motor, lower, upper] = self.drive.present();
        [self.is_rod(), spring, motor, lower, upper, false]
    }

    /// A rod has none.
    fn parts(&self) -> PartSet {
        self.drive.part_set()
    }

    fn list_rows(&self, requests: &mut RowRequests) -> bool {
        let length = JointCoordinate::Length;
        if self.is_rod() {
            request_equality(requests, length, self.length);
        }
        self.parts_on_distance()
            .list_rows(requests, (length, length));
        true
    }

    fn set_direction(&mut self, direction: Vec2) {
        self.direction = direction;
    }

    fn prepare(&mut self, _: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        let [spring, motor, lower, upper] = self.drive_impulses;
        let sum = (self.rod_impulse + spring + motor) + (lower - upper);
        (sum * self.direction, 0.0)
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

empty_lanes! { DistanceRows { length, direction, x_rod, drive } }

impl<L: Lanes> DistanceRows<L> {
    /// Returns the row on the distance, and the distance. If the anchors coincide, the last direction separates them.
    #[inline(always)]
    fn measure(&mut self, arms: JointArms<L>, gap: LaneVec<L>) -> (JointRow<L>, L) {
        let (direction, distance) = gap.direction_or(self.direction);
        self.direction = direction;
        (JointRow::along(direction, arms), distance)
    }
}

impl<L: Lanes> KindRows<L> for DistanceRows<L> {
    type Joint = DistanceJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        iter::once(&mut self.x_rod).chain(&mut self.drive.x)
    }

    fn put(&mut self, lane: usize, joint: &DistanceJoint, context: &RowContext<'_>) {
        put(&mut self.length, lane, joint.length);
        self.direction.put(lane, joint.direction);
        self.drive.put(lane, &joint.parts_on_distance(), context);
    }

    fn store_direction(&self, lane: usize, joint: &mut DistanceJoint) {
        joint.direction = self.direction.at(lane);
    }

    #[inline(always)]
    fn forget_springs(&mut self, _: PartSet) {
        self.drive.forget_spring();
    }

    #[inline(always)]
    fn warm_start(&mut self, parts: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let (row, _) = self.measure(ends.arms(pair), ends.present_gap(pair));
        let sum = if parts.is_empty() {
            self.x_rod
        } else {
            self.drive.unpowered() + self.drive.motor_impulse()
        };
        row.push(pair, sum);
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let arms = ends.arms(pair);
        let (row, distance) = self.measure(arms, ends.present_gap(pair));
        if settings.parts.is_empty() {
            row.hold(pair, distance - self.length, settings, &mut self.x_rod);
        } else {
            self.drive.solve((row, row, row), distance, pair, settings);
        }
    }
}
