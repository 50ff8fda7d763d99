//! What all joints have in the solver: bodies, frames, masses, and the gap between the anchors.

use super::parts::pair::{BodyPair, Mover};
use super::parts::row::{Correction, Pass};
use super::shared::{JointBaseDef, JointSoftness};
use crate::body::state::{BodyMass, BodyPose, BodyState};
use crate::simd::NO_SLOT;
use crate::softness::Softness;
use crate::tuning::MAX_HERTZ_SHARE;
use cairn2d_geometry::math::Vec2;

/// Greatest share of the substep rate used as the stiffness of a joint: twice that of a contact, since
/// joints are solved before contacts and do not switch on and off.
const MAX_JOINT_HERTZ_SHARE: f32 = 2.0 * MAX_HERTZ_SHARE;

/// What all joints know about a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointContext<'a> {
    /// Substep [s] and its inverse.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// The world's stiffness of joints.
    pub(crate) softness: JointSoftness,
    /// Share of the stored impulses that is applied first: 1, or 0 without warm starting.
    pub(crate) warm_share: f32,
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
}

/// Bits of [`JointBase::flags`].
pub(crate) mod joint_flags {
    /// Body A / body B is static: it has no state in the solver.
    pub(crate) const STATIC_A: u32 = 1;
    pub(crate) const STATIC_B: u32 = 2;
}

/// A joint frame in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalFrame {
    /// From the body's origin [m].
    pub(crate) anchor: Vec2,
    /// [rad].
    pub(crate) angle: f32,
}

/// The part of a joint that does not depend on its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointBase {
    /// Body slots, of static bodies too.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// [`joint_flags`], kept right by who changes the kind of a body.
    pub(crate) flags: u32,
    pub(crate) frame_a: LocalFrame,
    pub(crate) frame_b: LocalFrame,
    /// `None` is the world's.
    pub(crate) softness: Option<JointSoftness>,
    /// [N] and [N m].
    pub(crate) break_force: f32,
    pub(crate) break_torque: f32,

    // Prepared once a step.
    /// From the centres of mass to the anchors at the start of the step, in the world [m].
    pub(crate) arm_a: Vec2,
    pub(crate) arm_b: Vec2,
    /// From A's anchor to B's at the start of the step [m].
    pub(crate) gap: Vec2,
    pub(crate) mass_a: BodyMass,
    pub(crate) mass_b: BodyMass,
    /// Softness of rigid parts for this substep.
    pub(crate) rigid: Softness,
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
            softness: def.softness,
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
        softness: None,
        break_force: f32::INFINITY,
        break_torque: f32::INFINITY,
        arm_a: Vec2::new(0.0, 0.0),
        arm_b: Vec2::new(0.0, 0.0),
        gap: Vec2::new(0.0, 0.0),
        mass_a: BodyMass {
            inv_mass: 0.0,
            inv_inertia: 0.0,
        },
        mass_b: BodyMass {
            inv_mass: 0.0,
            inv_inertia: 0.0,
        },
        rigid: Softness::RIGID,
    };

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

    /// Computes what stays fixed during a step.
    pub(crate) fn prepare(&mut self, context: &JointContext<'_>) {
        let (a, b) = self.poses(context.poses);
        self.arm_a = a.rotate(self.frame_a.anchor - a.local_center);
        self.arm_b = b.rotate(self.frame_b.anchor - b.local_center);
        self.gap = (b.center - a.center) + (self.arm_b - self.arm_a);
        self.mass_a = context.masses[self.body_a as usize];
        self.mass_b = context.masses[self.body_b as usize];
        let softness = self.softness.unwrap_or(context.softness);
        let hertz = softness.hertz.min(MAX_JOINT_HERTZ_SHARE * context.inv_h);
        self.rigid = Softness::new(hertz, softness.damping_ratio, context.h);
    }

    /// Returns how a pass treats errors of rigid parts.
    #[inline(always)]
    pub(crate) fn correction(&self, context: &JointContext<'_>, pass: Pass) -> Correction {
        Correction {
            pass,
            softness: match pass {
                Pass::Solve => self.rigid,
                Pass::Relax => Softness::RIGID,
            },
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
                mass: self.mass_a,
            },
            b: Mover {
                state: b,
                mass: self.mass_b,
            },
        }
    }

    /// Returns the present arms.
    #[inline(always)]
    pub(crate) fn arms(&self, pair: &BodyPair) -> (Vec2, Vec2) {
        (pair.a.turned(self.arm_a), pair.b.turned(self.arm_b))
    }

    /// Returns the way from A's anchor to B's at present.
    #[inline(always)]
    pub(crate) fn present_gap(&self, pair: &BodyPair) -> Vec2 {
        self.gap + (pair.b.way(self.arm_b) - pair.a.way(self.arm_a))
    }
}
