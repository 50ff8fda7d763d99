//! A joint in the solver: the common part and one of the kinds.

use super::base::joint_flags::{LONG_ARM, OWN_SOFTNESS};
use super::base::{JointBase, JointContext, JointStep};
use super::def::JointDef;
use super::distance::DistanceJoint;
use super::gear::GearJoint;
use super::kind::KindJoint;
use super::motor::MotorJoint;
use super::mouse::MouseJoint;
use super::parts::drive::PartSet;
use super::prismatic::PrismaticJoint;
use super::pulley::PulleyJoint;
use super::revolute::RevoluteJoint;
use super::row_request::{JointImpulses, RowRequests};
use super::rows::{LaneKind, RowKind};
use super::weld::WeldJoint;
use super::wheel::WheelJoint;
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
    /// The joints with which it shares blocks.
    pub(crate) lanes: LaneKind,
}

state_record!(JointTraits {
    class,
    can_break,
    // Follows from the joint: see `JointTable`.
    lanes: derived(LaneKind::default()),
});

/// The solver of a joint. The passes solve the first three: saves tell them apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum JointClass {
    /// Revolute joints without parts on the angle.
    Pins,
    /// Revolute joints with spring, motor or limit and short arms.
    Hinges,
    /// The direct solver in this step: the passes skip it.
    Direct,
    /// All others.
    #[default]
    Scalar,
    /// Relaxed backward in this step: see `solver::crowded`.
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

/// Evaluates an expression for the joint of any kind, another for a slot without one.
macro_rules! of_kind {
    ($kind:expr, $joint:ident => $value:expr, None => $none:expr) => {
        match $kind {
            JointKind::None => $none,
            JointKind::Revolute($joint) => $value,
            JointKind::Prismatic($joint) => $value,
            JointKind::Distance($joint) => $value,
            JointKind::Weld($joint) => $value,
            JointKind::Wheel($joint) => $value,
            JointKind::Motor($joint) => $value,
            JointKind::Mouse($joint) => $value,
            JointKind::Pulley($joint) => $value,
            JointKind::Gear($joint) => $value,
        }
    };
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
        let is_listed = of_kind!(&self.kind, joint => joint.list_rows(requests), None => true);
        is_listed && self.base.softness().is_none()
    }

    /// Calls `visit` for the impulse of each row that the kind may have, in the order of
    /// [`list_rows`](Self::list_rows), and whether it has been requested.
    fn for_each_impulse(&mut self, mut visit: impl FnMut(&mut f32, bool)) {
        of_kind!(&mut self.kind, joint => {
            let present = joint.present();
            joint.impulses().zip(present).for_each(|(x, is_present)| visit(x, is_present));
        }, None => {});
    }

    /// Returns the impulses of the rows that [`list_rows`](Self::list_rows) requests.
    pub(crate) fn requested_impulses(&mut self) -> JointImpulses {
        let mut impulses = JointImpulses::new();
        self.for_each_impulse(|x, is_present| impulses.extend(is_present.then_some(*x)));
        impulses
    }

    /// Stores the impulses of the rows in the last substep, of `h` [s], in the order of the requests, and the direction
    /// from A's anchor to B's for a length, else of the x axis of A's frame.
    pub(crate) fn store_impulses(
        &mut self,
        mut impulses: impl Iterator<Item = f32>,
        direction: Vec2,
        h: f32,
    ) {
        self.base.substep = h;
        self.for_each_impulse(|x, is_present| {
            let next = is_present.then(|| impulses.next()).flatten();
            *x = next.unwrap_or(0.0);
        });
        of_kind!(&mut self.kind, joint => joint.set_direction(direction), None => {});
    }

    /// Sets the impulses to 0; settings and unwrapped angles stay.
    pub(crate) fn forget_impulses(&mut self) {
        self.store_impulses(core::iter::empty(), Vec2::new(1.0, 0.0), 0.0);
    }

    /// Prepares for a step; gears have their own function.
    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) -> JointStep {
        self.base.substep = context.h;
        let (base, step) = (&self.base, self.base.measure(context));
        of_kind!(&mut self.kind, joint => joint.prepare(base, &step, context), None => {});
        step
    }

    /// Returns the reaction in the last substep.
    ///
    /// The torque of a gear is that, or the force, on its first joint's coordinate.
    pub(crate) fn reaction(&self) -> JointReaction {
        let none = (Vec2::new(0.0, 0.0), 0.0);
        let (impulse, twist) = of_kind!(&self.kind, joint => joint.reaction(), None => none);
        let inv_h = self.inv_substep();
        JointReaction {
            force: inv_h * impulse,
            torque: inv_h * twist,
        }
    }

    /// Returns the efforts of spring, motor and limit in the last substep; `None` for a kind without them.
    pub(crate) fn efforts(&self) -> Option<[f32; 3]> {
        let [spring, motor, lower, upper] = match &self.kind {
            JointKind::Revolute(joint) => joint.twist_impulses,
            JointKind::Prismatic(joint) => joint.drive_impulses,
            JointKind::Wheel(joint) => joint.drive_impulses,
            JointKind::Distance(joint) => joint.drive_impulses,
            _ => return None,
        };
        Some([spring, motor, lower - upper].map(|x| self.inv_substep() * x))
    }

    /// Returns the reciprocal of the last substep [1/s]; 0 before the first step.
    fn inv_substep(&self) -> f32 {
        let substep = self.base.substep;
        if substep > 0.0 { 1.0 / substep } else { 0.0 }
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
            lanes: self.lane_kind(),
        }
    }

    /// Returns the joints with which it shares blocks.
    fn lane_kind(&self) -> LaneKind {
        let parts = of_kind!(&self.kind, joint => joint.parts(), None => PartSet::default());
        let rows = match &self.kind {
            JointKind::None | JointKind::Gear(_) => RowKind::None,
            JointKind::Revolute(_) if parts.is_empty() => RowKind::Pin,
            JointKind::Revolute(joint) if self.base.flags & LONG_ARM != 0 || joint.is_driven() => {
                RowKind::LongHinge
            }
            JointKind::Revolute(_) => RowKind::Hinge,
            JointKind::Prismatic(_) => RowKind::Prismatic,
            JointKind::Distance(_) => RowKind::Distance,
            JointKind::Weld(_) => RowKind::Weld,
            JointKind::Wheel(_) => RowKind::Wheel,
            JointKind::Motor(_) => RowKind::Motor,
            JointKind::Mouse(_) => RowKind::Mouse,
            JointKind::Pulley(_) => RowKind::Pulley,
        };
        LaneKind { rows, parts }
    }

    /// Returns `true` if `reaction` exceeds a break limit.
    pub(crate) fn breaks_under(&self, reaction: &JointReaction) -> bool {
        let limit = self.base.break_force;
        reaction.force.norm_squared() > limit * limit
            || reaction.torque.abs() > self.base.break_torque
    }
}
