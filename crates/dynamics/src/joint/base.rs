//! What all joints have in the solver: bodies, frames, masses, and the gap between the anchors.

use super::parts::pair::{BodyPair, Mover};
use super::parts::row::{Correction, Pass};
use super::shared::{JointBaseDef, JointSoftness};
use crate::body::state::{BodyMass, BodyPose, BodyState};
use crate::id::NO_SLOT;
use crate::softness::{Softness, joint_hertz};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};

/// How much stiffer a limit against something static is than other parts of joints [Hz per Hz]: what it pushes from does not give way,
/// and it does not pull. At 1 a slider under a thousand times its mass went 0.4 mm beyond its limit.
const STOP_STIFFNESS: f32 = 3.0;

/// Inertia that the arm of a joint adds to its body, relative to what that has about its centre, from which on the arm is long. A rod on its end has
/// 3, a limb of a ragdoll less.
const LONG_ARM: f32 = 4.0;

/// What all joints know about a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointContext<'a> {
    /// Substep [s] and its inverse.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Rigid parts of joints with the world's stiffness.
    pub(crate) rigid: Softness,
    /// Limits against something static.
    pub(crate) stop: Softness,
    /// Share of the stored impulses that is applied first: 1, or 0 without warm starting.
    pub(crate) warm_share: f32,
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
}

impl<'a> JointContext<'a> {
    /// Returns the context for substeps of `h` [s] with the softness of rigid parts of joints, and of their limits.
    pub(crate) fn new(
        h: f32,
        [rigid, stop]: [&JointSoftness; 2],
        warm_share: f32,
        poses: &'a [BodyPose],
        masses: &'a [BodyMass],
    ) -> Self {
        Self {
            h,
            inv_h: 1.0 / h,
            rigid: rigid_softness(rigid, h),
            stop: stop_softness(stop, h),
            warm_share,
            poses,
            masses,
        }
    }

    /// Returns the context for a joint whose stored impulses are of substeps of `substep` [s]: forces go on, so
    /// impulses grow with the substeps.
    #[inline(always)]
    pub(crate) fn after(&self, substep: f32) -> Self {
        let growth = if substep > 0.0 { self.h / substep } else { 1.0 };
        Self {
            warm_share: self.warm_share * growth,
            ..*self
        }
    }
}

const NO_MASS: BodyMass = BodyMass {
    inv_mass: 0.0,
    inv_inertia: 0.0,
};

/// Bits of [`JointBase::flags`].
pub(crate) mod joint_flags {
    /// Body A / body B is static: it has no state in the solver.
    pub(crate) const STATIC_A: u32 = 1;
    pub(crate) const STATIC_B: u32 = 2;
    /// The bodies were put apart: they are moved together before the step, and the substeps let the gap be.
    pub(crate) const INITIAL_ERROR: u32 = 4;
    /// The joint has a stiffness of its own.
    pub(crate) const OWN_SOFTNESS: u32 = 8;
    /// A push on the angle moves one of the bodies far: see `JointBase::note_arms`.
    pub(crate) const LONG_ARM: u32 = 16;
    /// A part of the gap does not pull: see `world/tighten.rs`. Not together with `INITIAL_ERROR`.
    pub(crate) const SPARED: u32 = 32;
}

/// A joint frame in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalFrame {
    /// From the body's origin [m].
    pub(crate) anchor: Vec2,
    /// [rad].
    pub(crate) angle: f32,
}

impl HashState for LocalFrame {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { anchor, angle } = self;
        hash.add(anchor).add(angle);
    }
}

/// The part of a joint that does not depend on its kind: a cache line that most joints do without in most steps, then
/// what all are prepared from, side by side with the first fields of the kind.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct JointBase {
    /// Stiffness, where `joint_flags::OWN_SOFTNESS` says so; else the world's counts.
    pub(super) own_softness: JointSoftness,
    /// [N] and [N m].
    pub(crate) break_force: f32,
    pub(crate) break_torque: f32,
    /// Where `INITIAL_ERROR`: the way of B against A with which the step began. Where `SPARED`: the part of the gap that does not pull [m].
    pub(crate) way: Vec2,
    /// Written by prepare, for joints that are solved by themselves.
    pub(crate) step: JointStep,
    /// Body slots, of static bodies too.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// [`joint_flags`], kept right by who changes the kind of a body.
    pub(crate) flags: u32,
    /// Length of the substeps that the impulses were solved in [s]; 0: there are none yet.
    pub(crate) substep: f32,
    pub(crate) frame_a: LocalFrame,
    pub(crate) frame_b: LocalFrame,
}

impl HashState for JointBase {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            own_softness,
            break_force,
            break_torque,
            way,
            // Scratch: prepared anew by each step.
            step: _,
            body_a,
            body_b,
            flags,
            substep,
            frame_a,
            frame_b,
        } = self;
        hash.add(own_softness)
            .add(break_force)
            .add(break_torque)
            .add(way);
        hash.add(body_a).add(body_b).add(flags).add(substep);
        hash.add(frame_a).add(frame_b);
    }
}

impl JointBase {
    /// Where what all joints are prepared from begins.
    pub(crate) const HOT: usize = core::mem::offset_of!(Self, body_a);
}

/// What stays fixed during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointStep {
    /// From the centres of mass to the anchors at the start of the step, in the world [m].
    pub(crate) arm_a: Vec2,
    pub(crate) arm_b: Vec2,
    /// From A's anchor to B's at the start of the step [m].
    pub(crate) gap: Vec2,
    pub(crate) mass_a: BodyMass,
    pub(crate) mass_b: BodyMass,
}

/// Returns the coefficients of rigid parts of the given stiffness for substeps of `h` [s].
fn rigid_softness(softness: &JointSoftness, h: f32) -> Softness {
    Softness::new(joint_hertz(softness.hertz, h), softness.damping_ratio, h)
}

/// Returns those of limits against something static.
fn stop_softness(softness: &JointSoftness, h: f32) -> Softness {
    let hertz = STOP_STIFFNESS * joint_hertz(softness.hertz, h);
    Softness::new(hertz, softness.damping_ratio, h)
}

impl JointBase {
    pub(crate) fn new(def: &JointBaseDef, body_a: u32, body_b: u32) -> Self {
        let local = |frame: &super::shared::JointFrame| LocalFrame {
            anchor: frame.anchor.coords,
            angle: frame.angle,
        };
        Self {
            body_a,
            body_b,
            frame_a: local(&def.frame_a),
            frame_b: local(&def.frame_b),
            flags: def.softness.map_or(0, |_| joint_flags::OWN_SOFTNESS),
            own_softness: def.softness.unwrap_or(Self::UNUSED.own_softness),
            break_force: def.break_force,
            break_torque: def.break_torque,
            ..Self::UNUSED
        }
    }

    /// A slot without a joint.
    pub(crate) const UNUSED: Self = Self {
        body_a: NO_SLOT,
        body_b: NO_SLOT,
        flags: 0,
        frame_a: LocalFrame {
            anchor: Vec2::new(0.0, 0.0),
            angle: 0.0,
        },
        frame_b: LocalFrame {
            anchor: Vec2::new(0.0, 0.0),
            angle: 0.0,
        },
        own_softness: JointSoftness {
            hertz: 0.0,
            damping_ratio: 0.0,
        },
        break_force: f32::INFINITY,
        break_torque: f32::INFINITY,
        substep: 0.0,
        way: Vec2::new(0.0, 0.0),
        step: JointStep {
            arm_a: Vec2::new(0.0, 0.0),
            arm_b: Vec2::new(0.0, 0.0),
            gap: Vec2::new(0.0, 0.0),
            mass_a: NO_MASS,
            mass_b: NO_MASS,
        },
    };

    /// Stiffness of the joint; `None` is the world's.
    pub(crate) fn softness(&self) -> Option<JointSoftness> {
        let is_own = self.flags & joint_flags::OWN_SOFTNESS != 0;
        is_own.then_some(self.own_softness)
    }

    /// Returns the coefficients of rigid parts.
    #[inline(always)]
    pub(crate) fn rigid(&self, context: &JointContext<'_>) -> Softness {
        match self.softness() {
            None => context.rigid,
            Some(own) => rigid_softness(&own, context.h),
        }
    }

    /// Returns the coefficients of limits.
    #[inline(always)]
    fn stop(&self, context: &JointContext<'_>) -> Softness {
        match self.softness() {
            None if self.is_fixed() => context.stop,
            _ => self.rigid(context),
        }
    }

    /// Says whether the joint is one with something static.
    #[inline(always)]
    fn is_fixed(&self) -> bool {
        self.flags & (joint_flags::STATIC_A | joint_flags::STATIC_B) != 0
    }

    /// The part of the gap that does not pull [m].
    pub(crate) fn spared(&self) -> Vec2 {
        if self.flags & joint_flags::SPARED == 0 {
            Vec2::new(0.0, 0.0)
        } else {
            self.way
        }
    }

    /// Has a part of the gap not pull [m].
    pub(crate) fn spare(&mut self, part: Vec2) {
        self.flags |= joint_flags::SPARED;
        self.way = part;
    }

    /// Has all of the gap pull.
    pub(crate) fn spare_nothing(&mut self) {
        self.flags &= !joint_flags::SPARED;
    }

    /// Notes which bodies are static.
    pub(crate) fn set_static(&mut self, a: bool, b: bool) {
        let flag = |is_static: bool, flag: u32| u32::from(is_static) * flag;
        self.flags = (self.flags & (joint_flags::OWN_SOFTNESS | joint_flags::LONG_ARM))
            | flag(a, joint_flags::STATIC_A)
            | flag(b, joint_flags::STATIC_B);
    }

    /// Notes whether one of the bodies, with the given masses and centres, is held at a long arm.
    pub(crate) fn note_arms(&mut self, ends: [(BodyMass, Vec2); 2]) {
        let anchors = [self.frame_a.anchor, self.frame_b.anchor];
        let is_long = |((mass, center), anchor): ((BodyMass, Vec2), Vec2)| {
            mass.inv_inertia * (anchor - center).norm_squared() > LONG_ARM * mass.inv_mass
        };
        self.flags &= !joint_flags::LONG_ARM;
        if ends.into_iter().zip(anchors).any(is_long) {
            self.flags |= joint_flags::LONG_ARM;
        }
    }

    /// Body slots for states: `NO_SLOT` where static.
    #[inline(always)]
    pub(crate) fn moving_slots(&self) -> (u32, u32) {
        let slot = |flag, body| {
            if self.flags & flag != 0 {
                NO_SLOT
            } else {
                body
            }
        };
        (
            slot(joint_flags::STATIC_A, self.body_a),
            slot(joint_flags::STATIC_B, self.body_b),
        )
    }

    /// The poses of the two bodies.
    #[inline(always)]
    pub(crate) fn poses<'a>(&self, poses: &'a [BodyPose]) -> (&'a BodyPose, &'a BodyPose) {
        (&poses[self.body_a as usize], &poses[self.body_b as usize])
    }

    /// Returns the ways from the centres of mass to the anchors, in the world [m].
    #[inline(always)]
    fn arms_at(&self, poses: &[BodyPose]) -> (Vec2, Vec2) {
        let (a, b) = self.poses(poses);
        let arm_a = a.rotate(self.frame_a.anchor - a.local_center);
        let arm_b = b.rotate(self.frame_b.anchor - b.local_center);
        (arm_a, arm_b)
    }

    /// Returns the way from A's anchor to B's [m].
    #[inline(always)]
    pub(crate) fn gap(&self, poses: &[BodyPose]) -> Vec2 {
        let (a, b) = self.poses(poses);
        let (arm_a, arm_b) = self.arms_at(poses);
        (b.center - a.center) + (arm_b - arm_a)
    }

    /// Computes what stays fixed during a step.
    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) {
        self.step = self.measure(context);
    }

    /// Returns what stays fixed during a step.
    #[inline(always)]
    pub(crate) fn measure(&self, context: &JointContext<'_>) -> JointStep {
        let (arm_a, arm_b) = self.arms_at(context.poses);
        let gap = match self.flags & (joint_flags::INITIAL_ERROR | joint_flags::SPARED) {
            0 => self.gap(context.poses),
            joint_flags::SPARED => self.gap(context.poses) - self.way,
            // Less what the bodies' ways begin with.
            _ => -self.way,
        };
        JointStep {
            arm_a,
            arm_b,
            gap,
            mass_a: context.masses[self.body_a as usize],
            mass_b: context.masses[self.body_b as usize],
        }
    }

    /// Returns how a pass treats errors of rigid parts.
    #[inline(always)]
    pub(crate) fn correction(&self, context: &JointContext<'_>, pass: Pass) -> Correction {
        let [softness, stop] = match pass {
            Pass::Solve => [self.rigid(context), self.stop(context)],
            Pass::Relax => [Softness::RIGID; 2],
        };
        Correction {
            pass,
            softness,
            stop,
            h: context.h,
            inv_h: context.inv_h,
        }
    }

    /// Returns the two bodies with the given states.
    #[inline(always)]
    pub(crate) fn pair(&self, a: BodyState, b: BodyState) -> BodyPair {
        BodyPair {
            a: Mover {
                state: a,
                mass: self.step.mass_a,
            },
            b: Mover {
                state: b,
                mass: self.step.mass_b,
            },
        }
    }

    /// Returns the present arms.
    #[inline(always)]
    pub(crate) fn arms(&self, pair: &BodyPair) -> (Vec2, Vec2) {
        (
            pair.a.turned(self.step.arm_a),
            pair.b.turned(self.step.arm_b),
        )
    }

    /// Returns the way from A's anchor to B's at present.
    #[inline(always)]
    pub(crate) fn present_gap(&self, pair: &BodyPair) -> Vec2 {
        self.step.gap + (pair.b.way(self.step.arm_b) - pair.a.way(self.step.arm_a))
    }
}
