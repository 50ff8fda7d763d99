//! Bodies and constraints sorted by substep level: each level is solved by itself.

use super::parcels::OwnedLists;
use crate::body::table::BodyTable;
use crate::graph::{COLORS, ConstraintGraph, ConstraintList};
use crate::id::NO_SLOT;
use crate::island::set::{IslandSet, NO_ISLAND};

/// The bodies and constraints of one substep level. Filled each step; no part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelBatch {
    pub(crate) bodies: Vec<u32>,
    /// A body of an island is among them. It may have lost all its links, but moves.
    has_islands: bool,
    contacts: [ConstraintList; COLORS + 1],
    joints: [ConstraintList; COLORS + 1],
}

impl LevelBatch {
    fn clear(&mut self) {
        self.bodies.clear();
        self.has_islands = false;
        self.contacts.iter_mut().for_each(ConstraintList::clear);
        self.joints.iter_mut().for_each(ConstraintList::clear);
    }

    /// Returns `true` if there is anything to solve.
    pub(crate) fn is_used(&self) -> bool {
        self.has_islands
    }

    /// The lists by color, the overflow last.
    pub(crate) fn lists(&self) -> [OwnedLists<'_>; COLORS + 1] {
        core::array::from_fn(|color| [&self.contacts[color], &self.joints[color]])
    }
}

/// The lists of the whole graph by color, the overflow last.
pub(crate) fn lists_of(graph: &ConstraintGraph) -> [OwnedLists<'_>; COLORS + 1] {
    core::array::from_fn(|color| {
        let color = &graph.colors[color];
        [&color.contacts, &color.joints]
    })
}

/// Sorts awake bodies and constraints by substep level. Bodies in no island, the kinematic ones, are in all batches.
pub(crate) fn fill_batches(
    batches: &mut [LevelBatch],
    awake: &[u32],
    graph: &ConstraintGraph,
    bodies: &BodyTable,
    islands: &IslandSet,
) {
    let level_of = |slot: u32| {
        let island = bodies.tracks[slot as usize].island;
        (island != NO_ISLAND).then(|| islands.level_in_use(island))
    };
    batches.iter_mut().for_each(LevelBatch::clear);
    for &slot in awake {
        match level_of(slot) {
            Some(level) => {
                batches[level].bodies.push(slot);
                batches[level].has_islands = true;
            }
            None => batches.iter_mut().for_each(|batch| batch.bodies.push(slot)),
        }
    }
    let level = |owner| match owner {
        NO_SLOT => 0,
        body => level_of(body).unwrap_or(0),
    };
    for (place, color) in graph.colors.iter().enumerate() {
        for (slot, owner) in color.contacts.iter() {
            batches[level(owner)].contacts[place].push(slot, owner);
        }
        for (slot, owner) in color.joints.iter() {
            batches[level(owner)].joints[place].push(slot, owner);
        }
    }
}
