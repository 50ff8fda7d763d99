//! Weld joint: two bodies as one. Parts: point and angle, as a block or each with a spring.

use super::base::{FULL_RATE_ANGLE, JointBase, JointContext};
use super::error::JointDefError;
use super::parts::angle::turn_of_step;
use super::parts::block::hold_rows;
use super::parts::pair::BodyPair;
use super::parts::point::hold_point;
use super::parts::row::{JointRow, PassSettings};
use super::parts::spring::SpringRate;
use super::row_request::{
    JointCoordinate, JointImpulses, RowImpulses, RowRequests, request_equality,
};
use super::shared::{JointBaseDef, JointSoftness};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;

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
    linear_rate: SpringRate,
    angular_rate: SpringRate,
    /// Angle at the start of the step [rad].
    angle: f32,
    /// Along x and y of the world, and on the angle.
    impulse: [f32; 3],
}

state_record!(WeldJoint {
    linear,
    angular,
    // Scratch: prepared by each step in which there is a spring.
    linear_rate: derived(SpringRate::default()),
    // Scratch: prepared by each step in which there is a spring.
    angular_rate: derived(SpringRate::default()),
    angle,
    impulse,
});

impl WeldJoint {
    pub(crate) fn new(def: &WeldJointDef) -> Self {
        let mut joint = Self {
            linear: None,
            angular: None,
            linear_rate: SpringRate::default(),
            angular_rate: SpringRate::default(),
            angle: 0.0,
            impulse: [0.0; 3],
        };
        joint.configure(def);
        joint
    }

    /// Takes over the settings of `def`; impulses stay.
    pub(crate) fn configure(&mut self, def: &WeldJointDef) {
        let soft = |s: &JointSoftness| s.hertz > 0.0;
        self.linear = def.linear.filter(soft);
        self.angular = def.angular.filter(soft);
    }

    /// Returns `true` if its anchors are held together without a spring.
    pub(crate) fn is_pinned(&self) -> bool {
        self.linear.is_none()
    }

    /// Requests the rows. Returns `true` if all are rigid.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) -> bool {
        request_equality(requests, JointCoordinate::X, 0.0);
        request_equality(requests, JointCoordinate::Y, 0.0);
        request_equality(requests, JointCoordinate::Angle, 0.0);
        self.linear.is_none() && self.angular.is_none()
    }

    /// Lists the impulses of the rows.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        impulses.extend(self.impulse);
    }

    /// Stores the impulses of the rows.
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>) {
        self.impulse = [impulses.next(), impulses.next(), impulses.next()];
    }

    /// Returns the weight of its rows in the coupling of joints: see [`SpringRate::row_weight`].
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        let weight = |s: JointSoftness| SpringRate::row_weight(s.hertz, s.damping_ratio, h);
        let [linear, angular] = [self.linear, self.angular].map(|s| s.map_or(1.0, weight));
        linear.max(angular)
    }

    /// Sets the impulses of its springs to 0.
    pub(crate) fn forget_springs(&mut self) {
        if self.linear.is_some() {
            (self.impulse[0], self.impulse[1]) = (0.0, 0.0);
        }
        if self.angular.is_some() {
            self.impulse[2] = 0.0;
        }
    }

    pub(crate) fn prepare(&mut self, base: &JointBase, context: &JointContext<'_>) {
        self.angle = base.angle(context.poses);
        let (h, crowd) = (context.h, base.crowd());
        let rate = |s: &JointSoftness| SpringRate::shared(s.hertz, s.damping_ratio, h, crowd);
        self.linear_rate = self.linear.as_ref().map(rate).unwrap_or_default();
        self.angular_rate = self.angular.as_ref().map(rate).unwrap_or_default();
        let share = match self.is_pinned() {
            true => base.carried_share(context, base.step.closing()),
            false => context.warm_share,
        };
        let [x, y, twist] = self.impulse;
        self.impulse = [share * x, share * y, context.warm_share * twist];
    }

    pub(crate) fn warm_start(&self, base: &JointBase, pair: &mut BodyPair) {
        let (arm_a, arm_b) = base.arms(pair);
        let [x, y, twist] = self.impulse;
        pair.push(Vec2::new(x, y), arm_a, arm_b);
        pair.twist(twist);
    }

    pub(crate) fn solve(&mut self, base: &JointBase, pair: &mut BodyPair, settings: &PassSettings) {
        let (arm_a, arm_b) = base.arms(pair);
        let gap = base.present_gap(pair);
        let angle = self.angle + turn_of_step(pair);
        if self.linear.is_none() && self.angular.is_none() {
            let rows = [
                JointRow::along(Vec2::new(1.0, 0.0), arm_a, arm_b),
                JointRow::along(Vec2::new(0.0, 1.0), arm_a, arm_b),
                JointRow::ANGULAR,
            ];
            let c = [gap.x, gap.y, within_full_rate(angle)];
            hold_rows(&rows, pair, c, &settings.softness, &mut self.impulse);
            return;
        }
        let [x, y, mut twist] = self.impulse;
        let mut push = Vec2::new(x, y);
        let (arms, inf) = ((arm_a, arm_b), f32::INFINITY);
        if self.angular.is_some() {
            self.angular_rate.drive(
                &JointRow::ANGULAR,
                pair,
                angle,
                settings.pass,
                inf,
                &mut twist,
            );
        } else {
            let c = within_full_rate(angle);
            JointRow::ANGULAR.hold(pair, (c, 0.0), &settings.softness, &mut twist);
        }
        if self.linear.is_some() {
            self.linear_rate
                .drive_point(pair, arms, gap, settings.pass, inf, &mut push);
        } else {
            hold_point(pair, arms, gap, settings, &mut push);
        }
        self.impulse = [push.x, push.y, twist];
    }

    /// Returns the linear and angular impulse on B of the last substep.
    pub(crate) fn reaction(&self) -> (Vec2, f32) {
        let [x, y, twist] = self.impulse;
        (Vec2::new(x, y), twist)
    }
}

/// Returns an error of the angle, at most [`FULL_RATE_ANGLE`] \[rad\].
#[inline(always)]
fn within_full_rate(angle: f32) -> f32 {
    angle.clamp(-FULL_RATE_ANGLE, FULL_RATE_ANGLE)
}
