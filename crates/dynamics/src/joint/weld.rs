//! Weld joint: two bodies as one. Parts: point and angle, as a block or each with a spring.

use super::base::{FULL_RATE_ANGLE, JointBase, JointContext, JointStep, RowContext};
use super::error::JointDefError;
use super::kind::{KindJoint, KindRows};
use super::parts::angle::turn_of_step;
use super::parts::block::hold_rows;
use super::parts::drive::PartSet;
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::point::{LeadingTwist, hold_point};
use super::parts::row::{JointRow, Pass, PassSettings, Row};
use super::parts::spring::{SpringRate, Springs};
use super::row_request::{JointCoordinate, RowRequests, request_equality};
use super::shared::{JointBaseDef, JointSoftness};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::{Lanes, Simd};

/// Holds B's frame on A's: position and angle.
#[doc(alias("b2WeldJointDef", "FixedJointBuilder"))]
#[doc(alias = "FixedJoint2D")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct WeldJointDef {
    /// Settings common to all joints.
    pub base: JointBaseDef,
    /// Spring between the anchors; `None` (default) or 0 Hz is rigid.
    pub linear: Option<JointSoftness>,
    /// Spring on the angle; `None` (default) or 0 Hz is rigid.
    pub angular: Option<JointSoftness>,
}

state_record!(WeldJointDef {
    base,
    linear,
    angular,
});

impl WeldJointDef {
    /// Returns a rigid weld at the origins of the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
            linear: None,
            angular: None,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, or negative where it must not be.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        self.linear.map_or(Ok(()), |s| {
            s.validate("linear.hertz", "linear.damping_ratio")
        })?;
        self.angular.map_or(Ok(()), |s| {
            s.validate("angular.hertz", "angular.damping_ratio")
        })
    }
}

/// A weld joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeldJoint {
    pub(super) linear: Option<JointSoftness>,
    pub(super) angular: Option<JointSoftness>,
    /// Angle at the start of the step [rad].
    angle: f32,
    /// Along x and y of the world, and on the angle.
    impulse: [f32; 3],
}

state_record!(WeldJoint {
    linear,
    angular,
    angle,
    impulse,
});

impl WeldJoint {
    /// Returns `true` if its anchors are held together without a spring.
    pub(crate) fn is_pinned(&self) -> bool {
        self.linear.is_none()
    }

    /// Returns the weight of its rows in the coupling of joints: see [`SpringRate::row_weight`].
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        let weight = |s: JointSoftness| SpringRate::row_weight(s.hertz, s.damping_ratio, h);
        let [linear, angular] = [self.linear, self.angular].map(|s| s.map_or(1.0, weight));
        linear.max(angular)
    }
}

impl KindJoint for WeldJoint {
    type Def = WeldJointDef;

    fn new(def: &WeldJointDef) -> Self {
        let mut joint = Self {
            linear: None,
            angular: None,
            angle: 0.0,
            impulse: [0.0; 3],
        };
        joint.configure(def);
        joint
    }

    fn configure(&mut self, def: &WeldJointDef) {
        let soft = |s: &JointSoftness| s.hertz > 0.0;
        self.linear = def.linear.filter(soft);
        self.angular = def.angular.filter(soft);
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        self.impulse.iter_mut()
    }

    /// The springs on the point and on the angle.
    fn parts(&self) -> PartSet {
        PartSet::of([self.linear.is_some(), self.angular.is_some()])
    }

    fn list_rows(&self, requests: &mut RowRequests) -> bool {
        request_equality(requests, JointCoordinate::X, 0.0);
        request_equality(requests, JointCoordinate::Y, 0.0);
        request_equality(requests, JointCoordinate::Angle, 0.0);
        self.parts().is_empty()
    }

    fn prepare(&mut self, base: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.angle = base.angle(context.poses);
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        let [x, y, twist] = self.impulse;
        (Vec2::new(x, y), twist)
    }
}

/// Weld joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeldRows<L> {
    linear: Springs<L>,
    angular: Springs<L>,
    angle: L,
    x: [L; 3],
}

/// Bits of the parts: a spring on the point, and on the angle.
const LINEAR: u32 = 0;
const ANGULAR: u32 = 1;

empty_lanes! { WeldRows { linear, angular, angle, x } }

impl<L: Lanes> KindRows<L> for WeldRows<L> {
    type Joint = WeldJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        self.x.iter_mut()
    }

    fn put(&mut self, lane: usize, joint: &WeldJoint, context: &RowContext<'_>) {
        let rate = |s: JointSoftness| context.rate(s.hertz, s.damping_ratio);
        let [linear, angular] = [joint.linear, joint.angular].map(|s| s.map(rate));
        self.linear.put(lane, linear.unwrap_or_default());
        self.angular.put(lane, angular.unwrap_or_default());
        put(&mut self.angle, lane, joint.angle);
    }

    #[inline(always)]
    fn forget_springs(&mut self, parts: PartSet) {
        let zero = self.angle.simd().zero();
        if parts.has(LINEAR) {
            (self.x[0], self.x[1]) = (zero, zero);
        }
        if parts.has(ANGULAR) {
            self.x[2] = zero;
        }
    }

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        let [x, y, twist] = self.x;
        pair.push(LaneVec { x, y }, ends.arms(pair));
        pair.twist(twist);
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        let parts = settings.parts;
        let arms = ends.arms(pair);
        let gap = ends.present_gap(pair);
        let simd = self.angle.simd();
        let angle = self.angle + turn_of_step(pair);
        let most = simd.splat(FULL_RATE_ANGLE);
        let within = angle.max(-most).min(most);
        if parts.is_empty() {
            let [x, y] = JointRow::on_point(arms);
            let rows = [x, y, JointRow::angular(simd)];
            let c = [gap.x, gap.y, within];
            hold_rows(&rows, pair, c, settings, &mut self.x);
            return;
        }
        let [x, y, mut twist] = self.x;
        let mut push = LaneVec { x, y };
        let has_springs = settings.pass == Pass::Solve;
        let row = if !has_springs {
            LeadingTwist::alone(pair)
        } else if parts.has(LINEAR) {
            self.linear.leading_twist(pair, arms, gap, push)
        } else {
            LeadingTwist::before_hold(pair, arms, gap, settings, push)
        };
        if !parts.has(ANGULAR) {
            row.hold(pair, within, settings, &mut twist);
        } else if has_springs {
            self.angular.drive(row, pair, angle, None, &mut twist);
        }
        if !parts.has(LINEAR) {
            hold_point(pair, arms, gap, settings, &mut push);
        } else if has_springs {
            self.linear.drive_point(pair, arms, gap, None, &mut push);
        }
        self.x = [push.x, push.y, twist];
    }
}
