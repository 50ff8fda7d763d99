//! The world as the solver accesses it: exclusive at the entry, then shared by the workers of all stages.

use super::breaking::JointLoads;
use super::constants::StepConstants;
use super::integrate::IntegrationStep;
use super::states::SharedStates;
use crate::body::state::{BodyMass, BodyMotion, BodyPose};
use crate::body::states::BodyStates;
use crate::contact::constraint::ContactConstraint;
use crate::id::NO_SLOT;
use crate::joint::base::JointContext;
use crate::joint::sim::JointSim;
use crate::shared::SharedSlice;
use crate::tuning::Tuning;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{Lanes, prefetch};

/// The records of bodies and constraints that the solver reads and writes.
pub(crate) struct SolverWorld<'a> {
    /// \[m/s^2\]
    pub(crate) gravity: Vec2,
    pub(crate) tuning: &'a Tuning,
    /// By body slot. On entry: velocities at the start of the step, motions as far as depenetration moved the
    /// bodies. On exit: the new velocities and the motions of the whole step.
    pub(crate) states: &'a mut BodyStates,
    /// By body slot.
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
    pub(crate) motions: &'a [BodyMotion],
    /// By contact slot; impulses are updated.
    pub(crate) constraints: &'a mut [ContactConstraint],
    /// By joint slot; impulses are updated.
    pub(crate) joints: &'a mut [JointSim],
}

/// The same records as all workers share them, and the constants of the step.
///
/// A copy of references and constants: stages take it by reference, so a change of one field makes a new
/// view.
#[derive(Clone, Copy)]
pub(crate) struct SharedWorld<'a> {
    pub(crate) constants: StepConstants,
    pub(crate) joint_context: JointContext<'a>,
    pub(crate) integration: IntegrationStep,
    pub(crate) states: SharedStates<'a>,
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
    pub(crate) motions: &'a [BodyMotion],
    pub(crate) constraints: SharedSlice<'a, ContactConstraint>,
    pub(crate) joints: SharedSlice<'a, JointSim>,
    /// Sums of the loads of joints that can break; `None` without such joints.
    pub(crate) joint_loads: Option<JointLoads<'a>>,
}

impl<'a> SharedWorld<'a> {
    /// Returns the view for a step. `warm_share` is the share of stored impulses that is applied first.
    pub(crate) fn new(world: SolverWorld<'a>, constants: StepConstants, warm_share: f32) -> Self {
        let (poses, masses) = (world.poses, world.masses);
        let lengths = [constants.h, constants.last_h];
        Self {
            constants,
            joint_context: JointContext::new(lengths, world.tuning, warm_share, poses, masses),
            integration: IntegrationStep::new(constants.dt, constants.h, world.gravity),
            states: SharedStates::new(world.states),
            poses,
            masses,
            motions: world.motions,
            constraints: SharedSlice::new(world.constraints),
            joints: SharedSlice::new(world.joints),
            joint_loads: None,
        }
    }

    /// Returns the constraint of a contact.
    ///
    /// # Safety
    /// No one writes the constraint while the result lives.
    #[inline(always)]
    pub(crate) unsafe fn constraint(&self, contact: u32) -> &'a ContactConstraint {
        // SAFETY: in bounds; the caller excludes writers.
        unsafe { &*self.constraints.address(contact) }
    }

    /// Prefetches the constraints of block `block` of the list `contacts`.
    #[inline(always)]
    pub(crate) fn prefetch_constraints<L: Lanes>(&self, contacts: &[u32], block: usize) {
        for &contact in contacts.iter().skip(block * L::WIDTH).take(L::WIDTH) {
            if contact != NO_SLOT {
                prefetch::<2, _>(self.constraints.address(contact));
            }
        }
    }
}
