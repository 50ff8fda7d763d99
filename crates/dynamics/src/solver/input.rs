//! The input of the solver.

use super::batches::IslandBatches;
use super::shared_world::SolverWorld;
use crate::joint::sim::JointTraits;
use crate::workers::StepWorkers;
use cairn2d_geometry::state_choice;

/// The input of a step.
pub(crate) struct SolveInput<'a> {
    pub(crate) world: SolverWorld<'a>,
    /// Length of the step \[s\], more than 0.
    pub(crate) dt: f32,
    /// Number of substeps, at least 1.
    pub(crate) substeps: u32,
    /// Length of the world's substeps in the last step \[s\]: that of stored impulses, unless the contact
    /// stores another.
    pub(crate) last_h: f32,
    /// Share of the growth of stored impulses of joints that is carried over.
    pub(crate) carried_growth: f32,
    /// Slots of awake kinematic and dynamic bodies, and their order.
    pub(crate) awake: &'a [u32],
    pub(crate) order: BodyOrder,
    /// By joint slot.
    pub(crate) joint_traits: &'a [JointTraits],
    /// Constraints by color, of the colors in use: no two of one color share a body that is not static. The overflow is
    /// last: its constraints are solved one by one, in order.
    pub(crate) lists: &'a [ColorLists<'a>],
    /// The same constraints and bodies by island batch; no batch in small worlds.
    pub(crate) batches: &'a IslandBatches,
    pub(crate) warm_start: WarmStarting,
    /// Without restitution in the world, no contact is searched for impacts.
    pub(crate) bouncing: Bouncing,
    pub(crate) workers: &'a StepWorkers<'a>,
}

/// The input of an impact within a step. The constraints of its world are those of the impact: first the
/// colliding contacts, then the constraints through which it may propagate.
pub(crate) struct ImpactInput<'a> {
    pub(crate) world: SolverWorld<'a>,
    /// Length of the step, and its remaining part \[s\].
    pub(crate) dt: f32,
    pub(crate) rest: f32,
    pub(crate) substeps: u32,
    /// Number of colliding contacts.
    pub(crate) struck: u32,
    /// Slots of the joints that hold within the impact.
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

impl ColorLists<'_> {
    /// Returns `true` if the color has no constraints.
    pub(crate) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }
}

/// Whether a step starts from the impulses of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WarmStarting {
    #[default]
    On,
    Off,
}

/// The order of the awake bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BodyOrder {
    /// By slot.
    #[default]
    Slots,
    /// Spatial order: neighbors follow each other, and so do the constraints of a color.
    Places,
}

/// Whether there are contacts with restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bouncing {
    #[default]
    Never,
    Perhaps,
}

state_choice!(Bouncing { Never, Perhaps });
