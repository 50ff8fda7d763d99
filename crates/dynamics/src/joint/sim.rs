//! A joint in the solver: what is common, and one of the kinds.

use super::base::{JointBase, JointContext};
use super::parts::pair::BodyPair;
use super::parts::row::Pass;
use super::revolute::RevoluteJoint;
use super::{JointDef, JointDefError};
use cairn2d_geometry::math::Vec2;

/// The record of a joint: indexed by joint slot, stable while the joint lives.
///
/// Written: by prepare once a step, impulses by every pass. Read: the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointSim {
    pub(crate) base: JointBase,
    pub(crate) kind: JointKind,
}

/// What a joint does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JointKind {
    /// A slot without a joint.
    Unused,
    Revolute(RevoluteJoint),
}

/// Force and torque of a joint on body B [N, N m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointReaction {
    /// Force at B's anchor [N].
    pub force: Vec2,
    /// Torque [N m].
    pub torque: f32,
}

impl JointSim {
    /// Fills slots without a joint.
    pub(crate) const UNUSED: Self = Self {
        base: JointBase::UNUSED,
        kind: JointKind::Unused,
    };

    /// Makes the joint of `def`, which must be valid, between the bodies in the given slots.
    pub(crate) fn new(def: &JointDef, body_a: u32, body_b: u32) -> Self {
        Self {
            base: JointBase::new(def.base(), body_a, body_b),
            kind: match def {
                JointDef::Revolute(def) => JointKind::Revolute(RevoluteJoint::new(def)),
            },
        }
    }

    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) {
        self.base.prepare(context);
        match &mut self.kind {
            JointKind::Unused => {}
            JointKind::Revolute(joint) => joint.prepare(&self.base, context),
        }
    }

    #[inline(always)]
    pub(crate) fn warm_start(&self, pair: &mut BodyPair) {
        match &self.kind {
            JointKind::Unused => {}
            JointKind::Revolute(joint) => joint.warm_start(&self.base, pair),
        }
    }

    #[inline(always)]
    pub(crate) fn solve(&mut self, pair: &mut BodyPair, context: &JointContext<'_>, pass: Pass) {
        let how = self.base.correction(context, pass);
        match &mut self.kind {
            JointKind::Unused => {}
            JointKind::Revolute(joint) => joint.solve(&self.base, pair, &how),
        }
    }

    /// Returns the reaction in the last substep, of inverse length `inv_h` [1/s].
    pub(crate) fn reaction(&self, inv_h: f32) -> JointReaction {
        let (impulse, twist) = match &self.kind {
            JointKind::Unused => (Vec2::new(0.0, 0.0), 0.0),
            JointKind::Revolute(joint) => joint.reaction(),
        };
        JointReaction {
            force: inv_h * impulse,
            torque: inv_h * twist,
        }
    }

    /// Says whether `reaction` is more than the joint holds.
    pub(crate) fn breaks_under(&self, reaction: &JointReaction) -> bool {
        let limit = self.base.break_force;
        reaction.force.norm_squared() > limit * limit
            || reaction.torque.abs() > self.base.break_torque
    }
}

impl JointDef {
    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative where it must not be, limits cross, or both bodies are the same.
    pub fn validate(&self) -> Result<(), JointDefError> {
        match self {
            Self::Revolute(def) => def.validate(),
        }
    }
}
