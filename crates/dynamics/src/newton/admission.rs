//! Islands that Newton's method can solve: all constraints are rows, and the factor is not too large.

use super::{IslandLists, NewtonTables};
use crate::body::state::state_flags;
use crate::contact::constraint::constraint_flags;
use crate::joint::base::joint_flags;
use crate::joint::row_request::RowRequests;

/// Most bodies of an island.
const MAX_BODIES: usize = 1024;

impl IslandLists {
    /// Returns `true` if the listed island has no constraint: a lone body in the air.
    pub(super) fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.joints.is_empty()
    }

    /// Returns `true` if the listed island is small enough and rows express all its constraints.
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
        self.bodies.len() <= MAX_BODIES
            && (self.joints.is_empty() || !self.contacts.iter().any(is_initial))
            && self.joints.iter().all(&mut has_rows)
            && (self.bodies.iter())
                .all(|&body| tables.bodies.states[body as usize].flags & locked == 0)
    }
}
