//! A joint in the solver: what is common, and one of the kinds.

use super::ask::{Answers, Asks};
use super::base::joint_flags::{LONG_ARM, OWN_SOFTNESS};
use super::base::{JointBase, JointContext};
use super::def::JointDef;
use super::distance::DistanceJoint;
use super::gear::GearJoint;
use super::motor::MotorJoint;
use super::mouse::MouseJoint;
use super::parts::pair::BodyPair;
use super::parts::row::Correction;
use super::prismatic::PrismaticJoint;
use super::pulley::PulleyJoint;
use super::revolute::RevoluteJoint;
use super::weld::WeldJoint;
use super::wheel::WheelJoint;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};
use cairn2d_simd::LINE;

/// The record of a joint: indexed by joint slot, stable while the joint lives.
///
/// Written: by prepare once a step, impulses by every pass. Read: the same.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct JointSim {
    pub(crate) base: JointBase,
    pub(crate) kind: JointKind,
}

impl HashState for JointSim {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { base, kind } = self;
        hash.add(base).add(kind);
    }
}

// All that a bare pin needs in a step lies in one line: there are many, and memory is what preparing and storing them waits
// for. An odd number of lines: of an even one, the lines in use would share half of a cache.
const _: () = {
    assert!(JointBase::HOT == LINE && size_of::<JointSim>() == 3 * LINE);
    assert!(size_of::<JointBase>() + size_of::<u32>() + RevoluteJoint::HOT == 2 * LINE);
};

/// What a joint does.
#[derive(Clone, Debug)]
#[repr(u32)]
pub(crate) enum JointKind {
    /// A slot without a joint, or a filter: no constraint.
    None,
    Revolute(RevoluteJoint),
    Prismatic(PrismaticJoint),
    Distance(DistanceJoint),
    Weld(WeldJoint),
    Wheel(WheelJoint),
    Motor(MotorJoint),
    Mouse(MouseJoint),
    Pulley(PulleyJoint),
    Gear(GearJoint),
}

impl HashState for JointKind {
    fn hash_state(&self, hash: &mut StateHasher) {
        match self {
            Self::None => hash.word(0),
            Self::Revolute(joint) => hash.word(1).add(joint),
            Self::Prismatic(joint) => hash.word(2).add(joint),
            Self::Distance(joint) => hash.word(3).add(joint),
            Self::Weld(joint) => hash.word(4).add(joint),
            Self::Wheel(joint) => hash.word(5).add(joint),
            Self::Motor(joint) => hash.word(6).add(joint),
            Self::Mouse(joint) => hash.word(7).add(joint),
            Self::Pulley(joint) => hash.word(8).add(joint),
            Self::Gear(joint) => hash.word(9).add(joint),
        };
    }
}

/// What the solver asks of every joint before it comes to solve it: a few bytes, instead of a record of several cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JointTraits {
    pub(crate) company: JointCompany,
    /// Whether there is a load that the joint does not hold.
    pub(crate) can_break: bool,
}

impl HashState for JointTraits {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { company, can_break } = self;
        hash.add(company).add(can_break);
    }
}

/// Which joints a joint is solved side by side with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum JointCompany {
    /// Revolute joints that are bare.
    Pins,
    /// Revolute joints with spring, motor or limit, whose bodies are held at short arms.
    Hinges,
    /// The direct solver has it in this step: the passes leave it alone.
    Direct,
    /// None: it is solved by itself.
    #[default]
    Nobody,
}

impl HashState for JointCompany {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(*self as u64);
    }
}

/// Force and torque of a joint on body B [N, N m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointReaction {
    /// Force at B's anchor \[N\].
    pub force: Vec2,
    /// Torque [N m].
    pub torque: f32,
}

impl HashState for JointReaction {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { force, torque } = self;
        hash.add(force).add(torque);
    }
}

impl JointReaction {
    /// No load.
    pub(crate) const NONE: Self = Self {
        force: Vec2::new(0.0, 0.0),
        torque: 0.0,
    };
}

impl JointSim {
    /// Fills slots without a joint.
    pub(crate) const UNUSED: Self = Self {
        base: JointBase::UNUSED,
        kind: JointKind::None,
    };

    /// Makes the joint of `def`, which must be valid, between the bodies in the given slots.
    pub(crate) fn new(def: &JointDef, body_a: u32, body_b: u32) -> Self {
        Self {
            base: JointBase::new(def.base(), body_a, body_b),
            kind: match def {
                JointDef::Revolute(def) => JointKind::Revolute(RevoluteJoint::new(def)),
                JointDef::Prismatic(def) => JointKind::Prismatic(PrismaticJoint::new(def)),
                JointDef::Distance(def) => JointKind::Distance(DistanceJoint::new(def)),
                JointDef::Weld(def) => JointKind::Weld(WeldJoint::new(def)),
                JointDef::Wheel(def) => JointKind::Wheel(WheelJoint::new(def)),
                JointDef::Motor(def) => JointKind::Motor(MotorJoint::new(def)),
                JointDef::Mouse(def) => JointKind::Mouse(MouseJoint::new(def)),
                JointDef::Pulley(def) => JointKind::Pulley(PulleyJoint::new(def)),
                JointDef::Gear(def) => JointKind::Gear(GearJoint::new(def)),
                JointDef::Filter(_) => JointKind::None,
            },
        }
    }

    /// Takes over all settings of `def`, which must be valid and of the same kind; bodies, impulses and followed
    /// angles stay. A `def` of another kind makes the joint anew.
    pub(crate) fn configure(&mut self, def: &JointDef) {
        let fresh = JointBase::new(def.base(), self.base.body_a, self.base.body_b);
        self.base = JointBase {
            flags: (self.base.flags & !OWN_SOFTNESS) | (fresh.flags & OWN_SOFTNESS),
            substep: self.base.substep,
            way: self.base.way,
            ..fresh
        };
        match (&mut self.kind, def) {
            (JointKind::Revolute(joint), JointDef::Revolute(def)) => joint.configure(def),
            (JointKind::Prismatic(joint), JointDef::Prismatic(def)) => joint.configure(def),
            (JointKind::Distance(joint), JointDef::Distance(def)) => joint.configure(def),
            (JointKind::Weld(joint), JointDef::Weld(def)) => joint.configure(def),
            (JointKind::Wheel(joint), JointDef::Wheel(def)) => joint.configure(def),
            (JointKind::Motor(joint), JointDef::Motor(def)) => joint.configure(def),
            (JointKind::Mouse(joint), JointDef::Mouse(def)) => joint.configure(def),
            (JointKind::Pulley(joint), JointDef::Pulley(def)) => joint.configure(def),
            (JointKind::Gear(joint), JointDef::Gear(def)) => joint.configure(def),
            (kind, def) => *kind = Self::new(def, self.base.body_a, self.base.body_b).kind,
        }
        if !self.is_pinned() {
            self.base.spare_nothing();
        }
    }

    /// Says whether the joint holds its anchors together with the world's stiffness.
    pub(crate) fn is_pinned(&self) -> bool {
        let is_pinned = match &self.kind {
            JointKind::Revolute(_) => true,
            JointKind::Weld(weld) => weld.is_pinned(),
            _ => false,
        };
        is_pinned && self.base.flags & OWN_SOFTNESS == 0
    }

    /// Says whether the joint acts on more than its two bodies, so that it must be solved with the overflow.
    pub(crate) fn needs_overflow(&self) -> bool {
        matches!(self.kind, JointKind::Gear(_))
    }

    /// Lists the rows for the direct solver. Returns false where the joint has parts that it cannot hold.
    pub(crate) fn ask(&self, asks: &mut Asks) -> bool {
        asks.clear();
        if self.base.softness().is_some() {
            return false;
        }
        match &self.kind {
            JointKind::Revolute(joint) => joint.ask(asks),
            JointKind::Prismatic(joint) => joint.ask(asks),
            JointKind::Distance(joint) => joint.ask(asks),
            JointKind::Weld(joint) => return joint.ask(asks),
            JointKind::Wheel(joint) => joint.ask(asks),
            JointKind::None => {}
            JointKind::Motor(_)
            | JointKind::Mouse(_)
            | JointKind::Pulley(_)
            | JointKind::Gear(_) => return false,
        }
        true
    }

    /// Takes over the impulses of the rows, from substeps of `h` [s].
    pub(crate) fn answer(&mut self, answers: &mut Answers<'_>, h: f32) {
        self.base.substep = h;
        match &mut self.kind {
            JointKind::Revolute(joint) => joint.answer(answers),
            JointKind::Prismatic(joint) => joint.answer(answers),
            JointKind::Distance(joint) => joint.answer(answers),
            JointKind::Weld(joint) => joint.answer(answers),
            JointKind::Wheel(joint) => joint.answer(answers),
            JointKind::None
            | JointKind::Motor(_)
            | JointKind::Mouse(_)
            | JointKind::Pulley(_)
            | JointKind::Gear(_) => {}
        }
    }

    /// Sets the impulses to 0; settings and followed angles stay.
    pub(crate) fn forget_impulses(&mut self) {
        let mut no_answers = Answers {
            impulses: &mut core::iter::empty(),
            direction: Vec2::new(1.0, 0.0),
        };
        self.answer(&mut no_answers, 0.0);
        match &mut self.kind {
            JointKind::Motor(joint) => joint.forget_impulses(),
            JointKind::Mouse(joint) => joint.forget_impulses(),
            JointKind::Pulley(joint) => joint.forget_impulses(),
            JointKind::Gear(joint) => joint.forget_impulses(),
            JointKind::None
            | JointKind::Revolute(_)
            | JointKind::Prismatic(_)
            | JointKind::Distance(_)
            | JointKind::Weld(_)
            | JointKind::Wheel(_) => {}
        }
    }

    /// Prepares for a step; gears, and revolute joints that have company, have their own way.
    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) {
        if let JointKind::Gear(_) = self.kind {
            return;
        }
        let context = &context.after(self.base.substep);
        self.base.substep = context.h;
        self.base.prepare(context);
        let base = &self.base;
        match &mut self.kind {
            JointKind::None | JointKind::Gear(_) => {}
            JointKind::Revolute(joint) => joint.prepare(base, context),
            JointKind::Prismatic(joint) => joint.prepare(base, context),
            JointKind::Distance(joint) => joint.prepare(context),
            JointKind::Weld(joint) => joint.prepare(base, context),
            JointKind::Wheel(joint) => joint.prepare(base, context),
            JointKind::Motor(joint) => joint.prepare(base, context),
            JointKind::Mouse(joint) => joint.prepare(context),
            JointKind::Pulley(joint) => joint.prepare(base, context),
        }
    }

    /// Applies the impulses of the substep before. Gears, and revolute joints that have company, have their own way.
    #[inline(always)]
    pub(crate) fn warm_start(&mut self, pair: &mut BodyPair) {
        let base = &self.base;
        match &mut self.kind {
            JointKind::None | JointKind::Gear(_) => {}
            JointKind::Revolute(joint) => joint.warm_start(base, pair),
            JointKind::Prismatic(joint) => joint.warm_start(base, pair),
            JointKind::Distance(joint) => joint.warm_start(base, pair),
            JointKind::Weld(joint) => joint.warm_start(base, pair),
            JointKind::Wheel(joint) => joint.warm_start(base, pair),
            JointKind::Motor(joint) => joint.warm_start(base, pair),
            JointKind::Mouse(joint) => joint.warm_start(base, pair),
            JointKind::Pulley(joint) => joint.warm_start(base, pair),
        }
    }

    /// Solves or relaxes. Gears, and revolute joints that have company, have their own way.
    #[inline(always)]
    pub(crate) fn solve(&mut self, pair: &mut BodyPair, how: &Correction) {
        let base = &self.base;
        match &mut self.kind {
            JointKind::None | JointKind::Gear(_) => {}
            JointKind::Revolute(joint) => joint.solve(base, pair, how),
            JointKind::Prismatic(joint) => joint.solve(base, pair, how),
            JointKind::Distance(joint) => joint.solve(base, pair, how),
            JointKind::Weld(joint) => joint.solve(base, pair, how),
            JointKind::Wheel(joint) => joint.solve(base, pair, how),
            JointKind::Motor(joint) => joint.solve(base, pair, how),
            JointKind::Mouse(joint) => joint.solve(base, pair, how),
            JointKind::Pulley(joint) => joint.solve(base, pair, how),
        }
    }

    /// Returns the reaction in the last substep.
    ///
    /// A gear gives the torque or force on its first joint's coordinate as torque.
    pub(crate) fn reaction(&self) -> JointReaction {
        let (impulse, twist) = match &self.kind {
            JointKind::None => (Vec2::new(0.0, 0.0), 0.0),
            JointKind::Revolute(joint) => joint.reaction(),
            JointKind::Prismatic(joint) => joint.reaction(),
            JointKind::Distance(joint) => joint.reaction(),
            JointKind::Weld(joint) => joint.reaction(),
            JointKind::Wheel(joint) => joint.reaction(),
            JointKind::Motor(joint) => joint.reaction(),
            JointKind::Mouse(joint) => joint.reaction(),
            JointKind::Pulley(joint) => joint.reaction(),
            JointKind::Gear(joint) => (Vec2::new(0.0, 0.0), joint.impulse()),
        };
        let substep = self.base.substep;
        let inv_h = if substep > 0.0 { 1.0 / substep } else { 0.0 };
        JointReaction {
            force: inv_h * impulse,
            torque: inv_h * twist,
        }
    }

    /// Returns what is asked of all joints; it changes with the settings and masses only, but for
    /// joints that are solved directly, within a step.
    pub(crate) fn traits(&self) -> JointTraits {
        JointTraits {
            company: match &self.kind {
                JointKind::Revolute(joint) if !joint.has_twist() => JointCompany::Pins,
                JointKind::Revolute(_) if self.base.flags & LONG_ARM == 0 => JointCompany::Hinges,
                _ => JointCompany::Nobody,
            },
            can_break: self.base.break_force.is_finite() || self.base.break_torque.is_finite(),
        }
    }

    /// Says whether `reaction` is more than the joint holds.
    pub(crate) fn breaks_under(&self, reaction: &JointReaction) -> bool {
        let limit = self.base.break_force;
        reaction.force.norm_squared() > limit * limit
            || reaction.torque.abs() > self.base.break_torque
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::BodyId;
    use crate::joint::{JointSoftness, RevoluteJointDef};

    #[test]
    fn joint_that_gets_a_softness_of_its_own_is_spared_nothing() {
        let mut def = RevoluteJointDef::new(BodyId::from_bits(0), BodyId::from_bits(1));
        let mut sim = JointSim::new(&def.into(), 0, 1);
        let part = Vec2::new(0.01, 0.0);
        sim.base.spare(part);
        sim.configure(&def.into());
        assert_eq!(sim.base.spared(), part);
        def.base.softness = Some(JointSoftness {
            hertz: 5.0,
            damping_ratio: 1.0,
        });
        sim.configure(&def.into());
        assert_eq!(sim.base.spared(), Vec2::zeros());
    }
}
