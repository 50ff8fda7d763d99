//! Mouse joint: a soft pull of one point to another. Part: point spring with a bounded force.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::error::{JointDefError, not_negative};
use super::kind::{KindJoint, KindRows};
use super::parts::drive::PartSet;
use super::parts::lane_vec::{LaneVec, empty_lanes, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::{Pass, PassSettings};
use super::parts::spring::{SpringRate, Springs};
use super::shared::{JointBaseDef, JointSoftness};
use crate::id::BodyId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;
use cairn2d_simd::Lanes;

/// Pulls B's anchor to A's with a spring of bounded force.
///
/// To drag a body with a pointer, let A be a static body and move `base.frame_a.anchor` with the pointer.
#[doc(alias("b2MouseJointDef", "TargetJoint2D"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MouseJointDef {
    /// Settings common to all joints; `collide_connected` starts true.
    pub base: JointBaseDef,
    /// Stiffness of the pull. Default 4 Hz, damping ratio 1.
    #[cfg_attr(feature = "serde", serde(default = "MouseJointDef::usual_spring"))]
    pub spring: JointSoftness,
    /// Greatest force \[N\]. Default infinite; a hundred times the body's weight drags it reliably without tearing
    /// joints.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    #[cfg_attr(feature = "serde", serde(default = "super::shared::unbounded"))]
    pub max_force: f32,
}

state_record!(MouseJointDef {
    base,
    spring,
    max_force,
});

impl MouseJointDef {
    const fn usual_spring() -> JointSoftness {
        JointSoftness {
            hertz: 4.0,
            damping_ratio: 1.0,
        }
    }

    /// Returns the pull of the origin of `body_b` to the origin of `body_a`.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        let mut base = JointBaseDef::new(body_a, body_b);
        base.collide_connected = true;
        Self {
            base,
            spring: Self::usual_spring(),
            max_force: f32::INFINITY,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, or negative where it must not be.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()?;
        self.spring
            .validate("spring.hertz", "spring.damping_ratio")?;
        not_negative("max_force", self.max_force)
    }
}

/// A mouse joint in the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MouseJoint {
    spring: JointSoftness,
    max_force: f32,
    impulse: Vec2,
}

state_record!(MouseJoint {
    spring,
    max_force,
    impulse,
});

impl KindJoint for MouseJoint {
    type Def = MouseJointDef;

    fn new(def: &MouseJointDef) -> Self {
        Self {
            spring: def.spring,
            max_force: def.max_force,
            impulse: Vec2::new(0.0, 0.0),
        }
    }

    fn configure(&mut self, def: &MouseJointDef) {
        self.spring = def.spring;
        self.max_force = def.max_force;
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut f32> {
        self.impulse.as_mut_slice().iter_mut()
    }

    fn prepare(&mut self, _: &JointBase, _: &JointStep, context: &JointContext<'_>) {
        self.carry_impulses(context.warm_share);
    }

    fn reaction(&self) -> (Vec2, f32) {
        (self.impulse, 0.0)
    }
}

/// Mouse joints in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MouseRows<L> {
    springs: Springs<L>,
    max_impulse: L,
    x: LaneVec<L>,
}

empty_lanes! { MouseRows { springs, max_impulse, x } }

impl<L: Lanes> KindRows<L> for MouseRows<L> {
    type Joint = MouseJoint;

    #[inline(always)]
    fn impulses(&mut self) -> impl Iterator<Item = &mut L> {
        self.x.each_mut().into_iter()
    }

    fn put(&mut self, lane: usize, joint: &MouseJoint, context: &RowContext<'_>) {
        let spring = &joint.spring;
        let rate = SpringRate::new(spring.hertz, spring.damping_ratio, context.h);
        self.springs.put(lane, rate);
        put(&mut self.max_impulse, lane, context.h * joint.max_force);
    }

    #[inline(always)]
    fn warm_start(&mut self, _: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>) {
        pair.push(self.x, ends.arms(pair));
    }

    #[inline(always)]
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>) {
        if settings.pass == Pass::Solve {
            let (arms, gap, max) = (ends.arms(pair), ends.present_gap(pair), self.max_impulse);
            self.springs
                .drive_point(pair, arms, gap, Some(max), &mut self.x);
        }
    }
}
