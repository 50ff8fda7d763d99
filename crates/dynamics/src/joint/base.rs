//! The kind-independent part of a joint in the solver: bodies, frames, masses, and the gap between the
//! anchors.

use super::parts::angle::{angle_between, nearest_turn};
use super::parts::spring::SpringRate;
use super::shared::{JointBaseDef, JointSoftness};
use crate::body::state::{BodyMass, BodyPose};
use crate::id::NO_SLOT;
use crate::softness::{Softness, joint_hertz};
use crate::tuning::Tuning;
use cairn2d_geometry::math::{Vec2, sin_cos};
use cairn2d_geometry::state_record;

/// Inertia `m r^2` of the arm of a joint, relative to that of its body about the center, from which the arm
/// is long. The end of a rod has 3, a limb of a ragdoll less.
const LONG_ARM_RATIO: f32 = 4.0;

/// Constants of a step for all joints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointContext<'a> {
    /// Substep [s] and its inverse.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Substep to which the world's stored impulses refer [s]: see `StepHistory::last_h`.
    pub(crate) last_h: f32,
    /// Share of the growth of stored impulses that is carried over: see `StepHistory::carried_growth`.
    pub(crate) carried_growth: f32,
    /// Rigid parts of joints with the world's stiffness.
    pub(crate) rigid: Softness,
    /// Share of the stored impulses that the warm start applies: 1, or 0 without warm starting.
    pub(crate) warm_share: f32,
    /// Motors act: not in an impact, which takes no time.
    pub(crate) drives: bool,
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
}

impl<'a> JointContext<'a> {
    /// Returns the context for substeps of `h` [s] after those of `last_h`; `warm_share` is the share of stored impulses that is
    /// applied first.
    pub(crate) fn new(
        [h, last_h]: [f32; 2],
        tuning: &Tuning,
        warm_share: f32,
        poses: &'a [BodyPose],
        masses: &'a [BodyMass],
    ) -> Self {
        let rigid = JointSoftness {
            hertz: tuning.joint_hertz,
            damping_ratio: tuning.joint_damping_ratio,
        };
        Self {
            drives: true,
            h,
            inv_h: 1.0 / h,
            last_h,
            carried_growth: 1.0,
            rigid: rigid_softness(&rigid, [h, last_h]),
            warm_share,
            poses,
            masses,
        }
    }

    /// Returns the context for a joint whose stored impulses belong to substeps of `substep` [s]: forces
    /// stay, so impulses scale with the substep.
    #[inline(always)]
    pub(crate) fn after(&self, substep: f32) -> Self {
        let growth = if substep > 0.0 {
            self.carried_growth * (self.h / substep)
        } else {
            1.0
        };
        Self {
            warm_share: self.warm_share * growth,
            ..*self
        }
    }
}

/// What the rows of a joint need in a step, besides its own record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowContext<'a> {
    pub(crate) base: &'a JointBase,
    /// Substep [s].
    pub(crate) h: f32,
    pub(crate) warm_share: f32,
}

impl RowContext<'_> {
    /// Returns the coefficients of a spring of the joint.
    pub(crate) fn rate(&self, hertz: f32, damping_ratio: f32) -> SpringRate {
        SpringRate::shared(hertz, damping_ratio, self.h, self.base.crowd())
    }
}

/// Bits of [`JointBase::flags`].
pub(crate) mod joint_flags {
    /// Body A / body B is static: it has no state in the solver.
    pub(crate) const STATIC_A: u32 = 1;
    pub(crate) const STATIC_B: u32 = 2;
    /// Created with a gap: depenetration closes it, and the substeps ignore it.
    pub(crate) const INITIAL_ERROR: u32 = 4;
    /// The joint has a stiffness of its own.
    pub(crate) const OWN_SOFTNESS: u32 = 8;
    /// A body has a long arm: see `JointBase::update_long_arm`.
    pub(crate) const LONG_ARM: u32 = 16;
    /// The user has disabled the joint.
    pub(crate) const DISABLED: u32 = 32;
    /// Bits above these: the number of joints at a crowded body of the joint, within a step.
    pub(super) const CROWD_SHIFT: u32 = 16;
    /// Flags that do not depend on the bodies.
    pub(super) const OWN: u32 = OWN_SOFTNESS | LONG_ARM | DISABLED;
}

/// A joint frame in its body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalFrame {
    /// From the body's origin [m].
    pub(crate) anchor: Vec2,
    /// [rad].
    pub(crate) angle: f32,
}

state_record!(LocalFrame { anchor, angle });

/// The kind-independent part of a joint: a cache line that most joints do not use in most steps, then the
/// fields that prepare reads, adjacent to the first fields of the kind.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct JointBase {
    /// Valid with `joint_flags::OWN_SOFTNESS`; else the world's stiffness applies.
    pub(super) own_softness: JointSoftness,
    /// Break limits [N], [N m].
    pub(crate) break_force: f32,
    pub(crate) break_torque: f32,
    /// With `INITIAL_ERROR`: the motion of B relative to A before the substeps \[m\].
    pub(crate) offset: Vec2,
    /// Fills the cache line, so that prepare reads another one.
    pub(super) unused: [u32; 10],
    /// Body slots, of static bodies too.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// [`joint_flags`]; a change of a body's kind must update them.
    pub(crate) flags: u32,
    /// Substep of the stored impulses [s]; 0 before the first step.
    pub(crate) substep: f32,
    pub(crate) frame_a: LocalFrame,
    pub(crate) frame_b: LocalFrame,
}

state_record!(JointBase {
    own_softness,
    break_force,
    break_torque,
    offset,
    // Never read.
    unused: derived([0; 10]),
    body_a,
    body_b,
    flags,
    substep,
    frame_a,
    frame_b,
});

impl JointBase {
    /// Offset of the fields that prepare reads.
    pub(crate) const HOT: usize = core::mem::offset_of!(Self, body_a);
}

/// The anchors of a joint with its bodies at given poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointAnchors {
    /// From the centers of mass to the anchors, in the world [m].
    pub(crate) arm_a: Vec2,
    pub(crate) arm_b: Vec2,
    /// From A's anchor to B's [m].
    pub(crate) gap: Vec2,
}

/// Constants of a joint during a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointStep {
    /// From the centers of mass to the anchors at the start of the step, in the world [m].
    pub(crate) arm_a: Vec2,
    pub(crate) arm_b: Vec2,
    /// From A's anchor to B's at the start of the step, less the rest offset [m].
    pub(crate) gap: Vec2,
    pub(crate) mass_a: BodyMass,
    pub(crate) mass_b: BodyMass,
}

/// Error of an angle up to which it is closed at the full rate [rad]: of welds, and beyond the limits of revolute joints. A
/// larger one is closed at the same speed.
pub(crate) const FULL_RATE_ANGLE: f32 = 0.4;

/// Returns the coefficients of rigid parts of the given stiffness for substeps of `h` [s] after those of `last_h`.
///
/// Short substeps allow a higher stiffness, but not right after long ones: gaps that were soft would be released stiff, and
/// a bridge swung for ever where steps of 1/60 and 1/30 s took turns.
fn rigid_softness(softness: &JointSoftness, [h, last_h]: [f32; 2]) -> Softness {
    Softness::new(
        joint_hertz(softness.hertz, h.max(last_h)),
        softness.damping_ratio,
        h,
    )
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
        offset: Vec2::new(0.0, 0.0),
        unused: [0; 10],
    };

    /// Returns the joint's own stiffness; `None`: the world's applies.
    pub(crate) fn softness(&self) -> Option<JointSoftness> {
        let is_own = self.flags & joint_flags::OWN_SOFTNESS != 0;
        is_own.then_some(self.own_softness)
    }

    /// Returns the coefficients of rigid parts.
    #[inline(always)]
    pub(crate) fn rigid(&self, context: &JointContext<'_>) -> Softness {
        self.softness().map_or(context.rigid, |own| {
            rigid_softness(&own, [context.h, context.last_h])
        })
    }

    /// Returns `true` unless the user has disabled the joint.
    pub(crate) fn is_enabled(&self) -> bool {
        self.flags & joint_flags::DISABLED == 0
    }

    /// Sets the flags of static bodies and clears those of gaps.
    pub(crate) fn set_static(&mut self, a: bool, b: bool) {
        let flag = |is_static: bool, flag: u32| u32::from(is_static) * flag;
        self.flags = (self.flags & joint_flags::OWN)
            | flag(a, joint_flags::STATIC_A)
            | flag(b, joint_flags::STATIC_B);
    }

    /// Notes that a body of the joint is crowded by `count` joints.
    pub(crate) fn note_crowd(&mut self, count: u32) {
        let count = count.min(u32::from(u16::MAX)).max(self.crowd());
        self.leave_crowd();
        self.flags |= count << joint_flags::CROWD_SHIFT;
    }

    /// Forgets that a body is crowded.
    pub(crate) fn leave_crowd(&mut self) {
        self.flags &= (1 << joint_flags::CROWD_SHIFT) - 1;
    }

    /// Returns the number of joints at the more crowded body of the joint; 0 if neither is crowded.
    #[inline(always)]
    pub(crate) fn crowd(&self) -> u32 {
        self.flags >> joint_flags::CROWD_SHIFT
    }

    /// Updates `joint_flags::LONG_ARM` from the masses and local centers of the bodies.
    pub(crate) fn update_long_arm(&mut self, masses: [(BodyMass, Vec2); 2]) {
        let anchors = [self.frame_a.anchor, self.frame_b.anchor];
        let is_long = |((mass, center), anchor): ((BodyMass, Vec2), Vec2)| {
            mass.inv_inertia * (anchor - center).norm_squared() > LONG_ARM_RATIO * mass.inv_mass
        };
        self.flags &= !joint_flags::LONG_ARM;
        if masses.into_iter().zip(anchors).any(is_long) {
            self.flags |= joint_flags::LONG_ARM;
        }
    }

    /// Returns the body slots; `NO_SLOT` for a static body, which has no state in the solver.
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

    /// Returns the poses of both bodies.
    #[inline(always)]
    pub(crate) fn poses<'a>(&self, poses: &'a [BodyPose]) -> (&'a BodyPose, &'a BodyPose) {
        (&poses[self.body_a as usize], &poses[self.body_b as usize])
    }

    /// Returns the anchors with the bodies at `poses`.
    #[inline(always)]
    pub(crate) fn anchors(&self, poses: &[BodyPose]) -> JointAnchors {
        let (a, b) = self.poses(poses);
        let arm_a = a.rotate(self.frame_a.anchor - a.local_center);
        let arm_b = b.rotate(self.frame_b.anchor - b.local_center);
        JointAnchors {
            arm_a,
            arm_b,
            gap: (b.center - a.center) + (arm_b - arm_a),
        }
    }

    /// Returns the vector from A's anchor to B's [m].
    #[inline(always)]
    pub(crate) fn gap(&self, poses: &[BodyPose]) -> Vec2 {
        self.anchors(poses).gap
    }

    /// Returns the x axis of A's frame, in the world.
    #[inline(always)]
    pub(crate) fn axis(&self, poses: &[BodyPose]) -> Vec2 {
        let (s, c) = sin_cos(self.frame_a.angle);
        self.poses(poses).0.rotate(Vec2::new(c, s))
    }

    /// Returns the angle of B's frame relative to A's, in (-pi, pi] [rad].
    pub(crate) fn angle(&self, poses: &[BodyPose]) -> f32 {
        let (a, b) = self.poses(poses);
        let turn = angle_between(a.rotation, b.rotation);
        nearest_turn(turn + self.frame_b.angle - self.frame_a.angle, 0.0)
    }

    /// Returns the constants of the step.
    #[inline(always)]
    pub(crate) fn measure(&self, context: &JointContext<'_>) -> JointStep {
        let JointAnchors { arm_a, arm_b, gap } = self.anchors(context.poses);
        let gap = if self.flags & joint_flags::INITIAL_ERROR == 0 {
            gap
        } else {
            // The displacements of the bodies include their motion before the substeps.
            -self.offset
        };
        JointStep {
            arm_a,
            arm_b,
            gap,
            mass_a: context.masses[self.body_a as usize],
            mass_b: context.masses[self.body_b as usize],
        }
    }
}
