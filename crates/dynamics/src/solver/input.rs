//! What a step of the solver is given, and what it counts.

use crate::body::state::{BodyMass, BodyMotion, BodyPose};
use crate::body::states::BodyStates;
use crate::contact::constraint::ContactConstraint;
use crate::joint::JointSoftness;
use crate::joint::sim::{JointSim, JointTraits};
use crate::solver::batches::IslandBatches;
use crate::tuning::Tuning;
use crate::workers::StepWorkers;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};

/// Everything that a step of the solver reads and writes.
pub(crate) struct SolveInput<'a> {
    /// Length of the step [s], more than 0.
    pub(crate) dt: f32,
    /// Number of substeps, at least 1.
    pub(crate) substeps: u32,
    /// Length of the world's substeps in the step before [s]: what stored impulses are of, unless the contact notes
    /// another.
    pub(crate) last_h: f32,
    /// What contacts note as the length of their substeps [s], 0 for the world's; `None`: what they noted still holds.
    pub(crate) noted_substep: Option<f32>,
    /// Greatest share of the substep rate used as the stiffness of contacts.
    pub(crate) contact_share: f32,
    /// [m/s^2]
    pub(crate) gravity: Vec2,
    pub(crate) tuning: &'a Tuning,
    /// Softness of what joints hold together; `tuning` has that of their limits.
    pub(crate) joint_softness: JointSoftness,
    /// By body slot. On entry velocities at the start of the step and identity ways; on exit the new
    /// velocities and the ways of the whole step.
    pub(crate) states: &'a mut BodyStates,
    /// By body slot.
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
    pub(crate) motions: &'a [BodyMotion],
    /// Slots of awake kinematic and dynamic bodies, and the order in which they come.
    pub(crate) awake: &'a [u32],
    pub(crate) order: BodyOrder,
    /// By contact slot; impulses are updated.
    pub(crate) constraints: &'a mut [ContactConstraint],
    /// By joint slot; impulses are updated.
    pub(crate) joints: &'a mut [JointSim],
    /// By joint slot.
    pub(crate) joint_traits: &'a [JointTraits],
    /// Constraints by color: no two of one color share a body that is not static. Last come those that fit no color; they are
    /// solved one by one, in order, before the colors.
    pub(crate) lists: &'a [ColorLists<'a>],
    /// The same constraints and bodies by island batch; no batch if there is nothing to gain.
    pub(crate) batches: &'a IslandBatches,
    pub(crate) warm_start: WarmStarting,
    /// Whether any contact may bounce: where none does, none is looked at for it.
    pub(crate) bouncing: Bouncing,
    /// Who works.
    pub(crate) workers: &'a StepWorkers<'a>,
}

/// Everything that an impact in the midst of a step reads and writes.
pub(crate) struct ImpactInput<'a> {
    /// Length of the step, and what is left of it [s].
    pub(crate) dt: f32,
    pub(crate) rest: f32,
    pub(crate) substeps: u32,
    /// [m/s^2]
    pub(crate) gravity: Vec2,
    pub(crate) tuning: &'a Tuning,
    /// By body slot: velocities at the impact.
    pub(crate) states: &'a mut BodyStates,
    /// By body slot.
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
    pub(crate) motions: &'a [BodyMotion],
    /// The contacts that are struck, then those that it may be passed on through.
    pub(crate) constraints: &'a mut [ContactConstraint],
    /// How many are struck.
    pub(crate) struck: u32,
    /// By joint slot.
    pub(crate) joints: &'a mut [JointSim],
    /// Those that hold within the impact.
    pub(crate) joint_slots: &'a [u32],
}

/// The constraints of one color.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ColorLists<'a> {
    /// Contact slots.
    pub(crate) contacts: &'a [u32],
    /// Joint slots.
    pub(crate) joints: &'a [u32],
}

/// Whether the impulses of the last step are the first guess of this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WarmStarting {
    #[default]
    On,
    Off,
}

/// In which order bodies come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BodyOrder {
    /// That of their slots.
    #[default]
    Slots,
    /// Those that lie near each other follow each other, and so do the constraints of a color.
    Places,
}

/// Whether there are contacts with restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bouncing {
    #[default]
    Never,
    Perhaps,
}

impl HashState for Bouncing {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(*self as u64);
    }
}

/// What a step of the solver did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SolveStats {
    /// Bodies integrated.
    pub(crate) bodies: u32,
    /// Contacts and joints in colors.
    pub(crate) contacts: u32,
    pub(crate) joints: u32,
    /// Contacts and joints solved one by one.
    pub(crate) overflow_contacts: u32,
    pub(crate) overflow_joints: u32,
    /// Joints that broke: the length of [`Solver::broken`](super::Solver::broken).
    pub(crate) broken_joints: u32,
    /// Times that a contact bounced before the substeps.
    pub(crate) bounces: u32,
}
