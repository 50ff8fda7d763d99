//! A joint in the solver: the common part and one of the kinds.

use super::base::joint_flags::{LONG_ARM, OWN_SOFTNESS};
use super::base::{JointBase, JointContext};
use super::def::JointDef;
use super::distance::DistanceJoint;
use super::gear::GearJoint;
use super::motor::MotorJoint;
use super::mouse::MouseJoint;
use super::parts::pair::BodyPair;
use super::parts::row::{Pass, PassSettings};
use super::prismatic::PrismaticJoint;
use super::pulley::PulleyJoint;
use super::revolute::RevoluteJoint;
use super::row_request::{JointImpulses, RowImpulses, RowRequests};
use super::weld::WeldJoint;
use super::wheel::WheelJoint;
use crate::softness::Softness;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{state_choice, state_record, state_variants};
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

state_record!(JointSim { base, kind });

// A revolute joint without parts on the angle uses one cache line in a step: there are many, and prepare and
// store are bound by memory. The number of lines is odd: with an even one, the used lines would share half of
// the cache sets.
const _: () = {
    assert!(JointBase::HOT == LINE && size_of::<JointSim>() == 3 * LINE);
    assert!(size_of::<JointBase>() + size_of::<u32>() + RevoluteJoint::HOT == 2 * LINE);
};

/// The kind of a joint, with its settings and impulses.
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

state_variants!(JointKind {
    None = 0,
    Revolute(joint) = 1,
    Prismatic(joint) = 2,
    Distance(joint) = 3,
    Weld(joint) = 4,
    Wheel(joint) = 5,
    Motor(joint) = 6,
    Mouse(joint) = 7,
    Pulley(joint) = 8,
    Gear(joint) = 9,
});

/// Properties by which the solver sorts joints: a few bytes instead of a record of several cache lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct JointTraits {
    pub(crate) class: JointClass,
    /// Whether the joint has a break limit.
    pub(crate) can_break: bool,
    /// Whether a joint of the class `Scalar` is solved in lanes of springs all the same.
    pub(crate) is_spring: bool,
}

state_record!(JointTraits {
    class,
    can_break,
    // Follows from the joint: see `JointTable`.
    is_spring: derived(false),
});

/// The solver of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum JointClass {
    /// Lanes of revolute joints without parts on the angle.
    Pins,
    /// Lanes of revolute joints with spring, motor or limit and short arms.
    Hinges,
    /// The direct solver in this step: the passes skip it.
    Direct,
    /// One by one.
    #[default]
    Scalar,
    /// One by one, and relaxed backward, in this step: see `solver::crowded`.
    Crowded,
}

state_choice!(JointClass {
    Pins,
    Hinges,
    Direct,
    Scalar,
    Crowded,
});

/// Force and torque of a joint on body B.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct JointReaction {
    /// Force at B's anchor \[N\].
    pub force: Vec2,
    /// Torque [N m].
    pub torque: f32,
}

state_record!(JointReaction { force, torque });

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

    /// Returns the joint of `def`, which must be valid, between the bodies in the given slots.
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

    /// Takes over all settings of `def`, which must be valid and of the same kind; bodies, impulses and
    /// unwrapped angles stay. A `def` of another kind creates the joint anew.
    pub(crate) fn configure(&mut self, def: &JointDef) {
        self.configure_base(def);
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
    }

    fn configure_base(&mut self, def: &JointDef) {
        let fresh = JointBase::new(def.base(), self.base.body_a, self.base.body_b);
        self.base = JointBase {
            flags: (self.base.flags & !OWN_SOFTNESS) | (fresh.flags & OWN_SOFTNESS),
            substep: self.base.substep,
            offset: self.base.offset,
            ..fresh
        };
    }

    /// Takes over all settings of `def`, from which the joint was made: a joint that was read from a save keeps the
    /// bits of all impulses, also of parts that it lacks.
    pub(crate) fn restore_settings(&mut self, def: &JointDef) {
        match (&mut self.kind, def) {
            (JointKind::Revolute(joint), JointDef::Revolute(settings)) => {
                joint.set_parts(settings);
                self.configure_base(def);
            }
            _ => self.configure(def),
        }
    }

    /// Returns `true` for a revolute joint with a motor.
    pub(crate) fn has_motor(&self) -> bool {
        matches!(&self.kind, JointKind::Revolute(joint) if joint.motor.is_some())
    }

    /// Returns `true` if the joint holds its anchors together with the world's stiffness.
    pub(crate) fn is_pinned(&self) -> bool {
        let is_pinned = match &self.kind {
            JointKind::Revolute(_) => true,
            JointKind::Weld(weld) => weld.is_pinned(),
            _ => false,
        };
        is_pinned && self.base.flags & OWN_SOFTNESS == 0
    }

    /// Returns `true` if the joint acts on more than its two bodies, so it must be solved with the overflow.
    pub(crate) fn needs_overflow(&self) -> bool {
        matches!(self.kind, JointKind::Gear(_))
    }

    /// Returns `true` if the joint is of the kind of `def`.
    pub(crate) fn is_of(&self, def: &JointDef) -> bool {
        let new = Self::new(def, self.base.body_a, self.base.body_b);
        core::mem::discriminant(&new.kind) == core::mem::discriminant(&self.kind)
    }

    /// Requests the rows for the direct solver. Returns `false` if the joint has parts that it cannot solve.
    pub(crate) fn list_rows(&self, requests: &mut RowRequests) -> bool {
        requests.clear();
        match &self.kind {
            JointKind::Revolute(joint) => joint.list_rows(requests),
            JointKind::Prismatic(joint) => joint.list_rows(requests),
            JointKind::Distance(joint) => joint.list_rows(requests),
            JointKind::Weld(joint) => {
                return joint.list_rows(requests) && self.base.softness().is_none();
            }
            JointKind::Wheel(joint) => joint.list_rows(requests),
            JointKind::None => {}
            JointKind::Motor(_)
            | JointKind::Mouse(_)
            | JointKind::Pulley(_)
            | JointKind::Gear(_) => return false,
        }
        self.base.softness().is_none()
    }

    /// Lists the impulses of the rows that [`list_rows`](Self::list_rows) requests.
    pub(crate) fn list_impulses(&self, impulses: &mut JointImpulses) {
        impulses.clear();
        match &self.kind {
            JointKind::Revolute(joint) => joint.list_impulses(impulses),
            JointKind::Prismatic(joint) => joint.list_impulses(impulses),
            JointKind::Distance(joint) => joint.list_impulses(impulses),
            JointKind::Weld(joint) => joint.list_impulses(impulses),
            JointKind::Wheel(joint) => joint.list_impulses(impulses),
            JointKind::None
            | JointKind::Motor(_)
            | JointKind::Mouse(_)
            | JointKind::Pulley(_)
            | JointKind::Gear(_) => {}
        }
    }

    /// Stores the impulses of the rows, from substeps of `h` [s].
    pub(crate) fn store_impulses(&mut self, impulses: &mut RowImpulses<'_>, h: f32) {
        self.base.substep = h;
        match &mut self.kind {
            JointKind::Revolute(joint) => joint.store_impulses(impulses),
            JointKind::Prismatic(joint) => joint.store_impulses(impulses),
            JointKind::Distance(joint) => joint.store_impulses(impulses),
            JointKind::Weld(joint) => joint.store_impulses(impulses),
            JointKind::Wheel(joint) => joint.store_impulses(impulses),
            JointKind::None
            | JointKind::Motor(_)
            | JointKind::Mouse(_)
            | JointKind::Pulley(_)
            | JointKind::Gear(_) => {}
        }
    }

    /// Sets the impulses to 0; settings and unwrapped angles stay.
    pub(crate) fn forget_impulses(&mut self) {
        let mut no_impulses = RowImpulses {
            impulses: &mut core::iter::empty(),
            direction: Vec2::new(1.0, 0.0),
        };
        self.store_impulses(&mut no_impulses, 0.0);
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

    /// Prepares for a step. Gears and lanes of revolute joints have their own functions.
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
            JointKind::Distance(joint) => joint.prepare(base, context),
            JointKind::Weld(joint) => joint.prepare(base, context),
            JointKind::Wheel(joint) => joint.prepare(base, context),
            JointKind::Motor(joint) => joint.prepare(base, context),
            JointKind::Mouse(joint) => joint.prepare(context),
            JointKind::Pulley(joint) => joint.prepare(base, context),
        }
    }

    /// Returns the settings of a pass.
    #[inline(always)]
    pub(crate) fn pass_settings(&self, context: &JointContext<'_>, pass: Pass) -> PassSettings {
        let closing = if self.is_pinned() {
            self.base.step.closing()
        } else {
            1.0
        };
        self.base.pass_settings(context, pass, closing)
    }

    /// Returns the settings of a pass for a joint of a crowded body: the first pass adds no velocity for errors.
    pub(crate) fn crowded_settings(&self, context: &JointContext<'_>, pass: Pass) -> PassSettings {
        let mut settings = self.pass_settings(context, pass);
        settings.softness.bias_rate = 0.0;
        settings.stop.bias_rate = 0.0;
        settings.max_swing_rate_sq = 0.0;
        settings
    }

    /// Returns the bodies with the velocities that close the errors of the joint at the usual rate.
    pub(crate) fn correction(&self, context: &JointContext<'_>, pair: &BodyPair) -> BodyPair {
        let usual = self.pass_settings(context, Pass::Solve);
        let whole = |softness: Softness| Softness {
            bias_rate: softness.bias_rate,
            ..Softness::RIGID
        };
        let settings = PassSettings {
            pass: Pass::Relax,
            softness: whole(usual.softness),
            stop: whole(usual.stop),
            drives: false,
            ..usual
        };
        let mut pair = *pair;
        for body in [&mut pair.a, &mut pair.b] {
            body.state.velocity = Vec2::new(0.0, 0.0);
            body.state.angular_velocity = 0.0;
        }
        let mut joint = self.clone();
        joint.forget_impulses();
        joint.solve(&mut pair, &settings);
        pair
    }

    /// Sets the impulses of springs to 0.
    pub(crate) fn forget_springs(&mut self) {
        match &mut self.kind {
            JointKind::Revolute(joint) => joint.twist.spring = 0.0,
            JointKind::Prismatic(joint) => joint.forget_spring(),
            JointKind::Distance(joint) => joint.forget_spring(),
            JointKind::Weld(joint) => joint.forget_springs(),
            JointKind::Wheel(joint) => joint.forget_spring(),
            JointKind::Motor(joint) => joint.forget_springs(),
            JointKind::None | JointKind::Mouse(_) | JointKind::Pulley(_) | JointKind::Gear(_) => {}
        }
    }

    /// Applies the stored impulses. Gears and lanes of revolute joints have their own functions.
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

    /// Solves or relaxes. Gears and lanes of revolute joints have their own functions.
    #[inline(always)]
    pub(crate) fn solve(&mut self, pair: &mut BodyPair, settings: &PassSettings) {
        let base = &self.base;
        match &mut self.kind {
            JointKind::None | JointKind::Gear(_) => {}
            JointKind::Revolute(joint) => joint.solve(base, pair, settings),
            JointKind::Prismatic(joint) => joint.solve(base, pair, settings),
            JointKind::Distance(joint) => joint.solve(base, pair, settings),
            JointKind::Weld(joint) => joint.solve(base, pair, settings),
            JointKind::Wheel(joint) => joint.solve(base, pair, settings),
            JointKind::Motor(joint) => joint.solve(base, pair, settings),
            JointKind::Mouse(joint) => joint.solve(base, pair, settings),
            JointKind::Pulley(joint) => joint.solve(base, pair, settings),
        }
    }

    /// Returns the reaction in the last substep.
    ///
    /// The torque of a gear is that, or the force, on its first joint's coordinate.
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

    /// Returns the traits. They depend on settings and masses only; within a step the class may be `Direct`
    /// instead.
    pub(crate) fn traits(&self) -> JointTraits {
        let can_break = self.base.break_force.is_finite() || self.base.break_torque.is_finite();
        JointTraits {
            class: match &self.kind {
                JointKind::Revolute(joint) if !joint.has_twist() => JointClass::Pins,
                JointKind::Revolute(_) if self.base.flags & LONG_ARM == 0 => JointClass::Hinges,
                _ => JointClass::Scalar,
            },
            can_break,
            is_spring: self.is_spring() && !can_break,
        }
    }

    /// Returns `true` for a distance joint with a spring and nothing else.
    fn is_spring(&self) -> bool {
        matches!(&self.kind, JointKind::Distance(joint) if joint.spring_lane().is_some())
    }

    /// Returns `true` if `reaction` exceeds a break limit.
    pub(crate) fn breaks_under(&self, reaction: &JointReaction) -> bool {
        let limit = self.base.break_force;
        reaction.force.norm_squared() > limit * limit
            || reaction.torque.abs() > self.base.break_torque
    }
}
