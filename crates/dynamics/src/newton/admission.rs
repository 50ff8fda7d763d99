//! Islands that Newton's method can solve: all constraints are rows, and the factor is not too large.

use super::{IslandLists, NewtonTables};
use crate::body::state::state_flags;
use crate::contact::constraint::constraint_flags;
use crate::joint::base::joint_flags;
use crate::joint::row_request::RowRequests;

/// Most bodies of an island.
const MAX_BODIES: usize = 1024;

/// Constraints per body up to which the factor of an island with contacts has little fill-in, and bodies of
/// broader ones. The active contacts of a heap change in each iteration, and each change needs a new factor.
const MAX_BREADTH: f32 = 1.5;
const MAX_BROAD_BODIES: usize = 32;

/// The same breadth of islands with joints: a bridge with a crowd on it.
const MAX_JOINTED_BREADTH: f32 = 2.0;

impl IslandLists {
    /// Returns `true` if the listed island has no constraint: a lone body in the air.
    pub(super) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }

    /// Returns `true` if the listed island is small and narrow enough.
    pub(super) fn is_narrow(&self) -> bool {
        let bodies = self.bodies.len();
        let links = self.contacts.len() + self.joints.len();
        let max_breadth = if self.joints.is_empty() {
            MAX_BREADTH
        } else {
            MAX_JOINTED_BREADTH
        };
        let is_broad = !self.contacts.is_empty()
            && links as f32 > max_breadth * bodies as f32
            && bodies > MAX_BROAD_BODIES;
        bodies <= MAX_BODIES && !is_broad
    }

    /// Returns `true` if rows express all constraints of the listed island.
    pub(super) fn is_solvable(&self, tables: &NewtonTables<'_>) -> bool {
        let locked = state_flags::LOCK_X | state_flags::LOCK_Y;
        let mut requests = RowRequests::new();
        let mut has_rows = |&joint: &u32| {
            let sim = &tables.joints.sims[joint as usize];
            sim.list_rows(&mut requests) && sim.base.flags & joint_flags::INITIAL_ERROR == 0
        };
        // Depenetration moves bodies against their joints.
        let is_initial = |&contact: &u32| {
            let flags = tables.contacts.constraints[contact as usize].flags;
            flags & constraint_flags::INITIAL_ERROR != 0
        };
        (self.joints.is_empty() || !self.contacts.iter().any(is_initial))
            && self.joints.iter().all(&mut has_rows)
            && (self.bodies.iter())
                .all(|&body| tables.bodies.states[body as usize].flags & locked == 0)
    }
}
