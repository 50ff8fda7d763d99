//! The tables that continuous collision reads and writes.

use super::budget::{MAX_FAR_PAIRS, MAX_SPINNING, Need, keep_first, keep_first_of_pairs};
use super::substep_events::RecentImpact;
use crate::bitset::BitSet;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::event::Events;
use crate::hook::PairHook;
use crate::ignored_pairs::IgnoredPairs;
use crate::joint::table::JointTable;
use crate::mechanisms::Mechanism;
use crate::pair_rules::PairRules;
use crate::profile::Counters;
use crate::shape::table::ShapeTable;
use crate::solver::Solver;
use crate::step_context::StepContext;
use cairn2d_broadphase::{BroadPhase, ProxyId};
use cairn2d_geometry::Aabb;

/// Input of continuous collision from earlier stages of the step. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct CcdInput {
    /// Slots of the bodies to sweep, ascending.
    pub(crate) swept: Vec<u32>,
    /// Least need at which a body is swept against dynamic bodies.
    pub(super) least_far: Need,
    /// Swept bodies whose ends moved by rotation further than their half thickness, the fastest ones.
    pub(super) spinning: BitSet,
    /// Bodies with contacts with spinning bodies.
    pub(super) beside_spinning: BitSet,
    /// Whether impacts of bounce candidates are solved at their time in this step.
    pub(super) substep_bounces: bool,
    /// Scratch.
    pub(super) needs: Vec<Need>,
}

impl CcdInput {
    /// Clears the lists of swept bodies.
    pub(crate) fn clear(&mut self) {
        self.swept.clear();
        self.least_far = Need::ANY;
    }

    /// Limits the sweeps against dynamic bodies to those of `far`, bodies that moved further than their half
    /// thickness, that moved furthest.
    pub(crate) fn set_far(&mut self, far: impl Iterator<Item = u32>, bodies: &BodyTable) {
        self.needs.clear();
        self.needs
            .extend(far.map(|slot| Need::of_travel(bodies, slot)));
        self.least_far = keep_first_of_pairs(&mut self.needs, MAX_FAR_PAIRS);
    }

    /// Stores the bodies that spin fastest and the bodies that touch them.
    pub(crate) fn set_spinning(
        &mut self,
        ctx: &StepContext<'_>,
        spinning: impl Iterator<Item = u32>,
        bodies: &BodyTable,
        contacts: &ContactTable,
    ) {
        self.spinning.clear();
        self.beside_spinning.clear();
        if !ctx.uses(Mechanism::SpinSweeps) {
            return;
        }
        self.needs.clear();
        self.needs
            .extend(spinning.map(|slot| Need::of_rotation(bodies, slot)));
        keep_first(&mut self.needs, MAX_SPINNING);
        for &Need { slot, .. } in &self.needs {
            self.spinning.insert(slot);
            for &contact in &bodies.slots[slot].contacts {
                self.beside_spinning
                    .insert(contacts.other_body(contact, slot));
            }
        }
    }
}

/// The tables of the stage.
pub(crate) struct CcdTables<'a> {
    pub(crate) ctx: StepContext<'a>,
    pub(crate) input: &'a CcdInput,
    pub(crate) bodies: &'a mut BodyTable,
    pub(crate) shapes: &'a mut ShapeTable,
    pub(crate) contacts: &'a mut ContactTable,
    pub(crate) joints: &'a mut JointTable,
    pub(crate) broad: &'a BroadPhase,
    pub(crate) ignores: &'a IgnoredPairs,
    pub(crate) filter: Option<PairHook<'a>>,
    pub(crate) solver: &'a mut Solver,
    /// New fat boxes for the broad phase.
    pub(crate) grown: &'a mut Vec<(ProxyId, Aabb)>,
    pub(crate) recent_impacts: &'a mut Vec<RecentImpact>,
    pub(crate) events: &'a mut Events,
    pub(crate) counters: &'a mut Counters,
}

impl CcdTables<'_> {
    /// Returns the tables that sweeps read.
    pub(super) fn scene(&self) -> CcdScene<'_> {
        CcdScene {
            ctx: self.ctx,
            input: self.input,
            bodies: self.bodies,
            shapes: self.shapes,
            contacts: self.contacts,
            broad: self.broad,
            rules: PairRules {
                bodies: self.bodies,
                shapes: &self.shapes.slots,
                joints: &self.joints.slots,
                ignores: self.ignores,
                filter: self.filter,
            },
        }
    }
}

/// Read-only input of sweeps, shared by the workers.
#[derive(Clone, Copy)]
pub(super) struct CcdScene<'a> {
    pub(super) ctx: StepContext<'a>,
    pub(super) input: &'a CcdInput,
    pub(super) bodies: &'a BodyTable,
    pub(super) shapes: &'a ShapeTable,
    pub(super) contacts: &'a ContactTable,
    pub(super) broad: &'a BroadPhase,
    pub(super) rules: PairRules<'a>,
}
