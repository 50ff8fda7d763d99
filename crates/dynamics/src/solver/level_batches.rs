//! Bodies and constraints sorted by substep level: each level is solved by itself.

use super::batches::OwnedLists;
use crate::body::table::BodyTable;
use crate::graph::{COLORS, ConstraintGraph, ConstraintList};
use crate::id::NO_SLOT;
use crate::island::set::{IslandSet, NO_ISLAND};
use crate::island::substep_level::SUBSTEP_LEVELS;

/// The bodies and constraints of one substep level.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelBatch {
    pub(crate) bodies: Vec<u32>,
    contacts: [ConstraintList; COLORS + 1],
    joints: [ConstraintList; COLORS + 1],
}

impl LevelBatch {
    fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.iter_mut().for_each(ConstraintList::clear);
        self.joints.iter_mut().for_each(ConstraintList::clear);
    }

    /// The lists by color, the overflow last.
    pub(crate) fn lists(&self) -> [OwnedLists<'_>; COLORS + 1] {
        core::array::from_fn(|color| [&self.contacts[color], &self.joints[color]])
    }
}

/// The batches of a step. Filled each step; no part of the state.
///
/// Levels take batches from a pool, in order: a level that is rarely used keeps no lists of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelBatches {
    pool: Vec<LevelBatch>,
    /// By level: its index in the pool.
    places: [Option<usize>; SUBSTEP_LEVELS.len()],
}

impl LevelBatches {
    /// Returns the batch of a level, if it is used.
    pub(crate) fn of_level(&self, level: usize) -> Option<&LevelBatch> {
        self.places[level].map(|place| &self.pool[place])
    }

    fn of_level_mut(&mut self, level: usize) -> &mut LevelBatch {
        &mut self.pool[self.places[level].expect("a level that is used")]
    }

    /// Gives a batch to each level that is used.
    fn start(&mut self, is_used: &[bool; SUBSTEP_LEVELS.len()]) {
        self.pool.iter_mut().for_each(LevelBatch::clear);
        let mut count = 0;
        for (place, &is_used) in self.places.iter_mut().zip(is_used) {
            *place = is_used.then_some(count);
            count += usize::from(is_used);
        }
        if self.pool.len() < count {
            self.pool.resize_with(count, LevelBatch::default);
        }
    }

    /// Sorts awake bodies and constraints by substep level. Bodies in no island, the kinematic ones, are in
    /// all batches.
    ///
    /// A level is used if a body of an island has it: that may have lost all its links, but moves. The
    /// world's level is always used.
    pub(crate) fn fill(
        &mut self,
        awake: &[u32],
        graph: &ConstraintGraph,
        bodies: &BodyTable,
        islands: &IslandSet,
    ) {
        let level_of = |slot: u32| {
            let island = bodies.tracks[slot as usize].island;
            (island != NO_ISLAND).then(|| islands.level_in_use(island))
        };
        let mut is_used = [false; SUBSTEP_LEVELS.len()];
        is_used[0] = true;
        for level in awake.iter().filter_map(|&slot| level_of(slot)) {
            is_used[level] = true;
        }
        self.start(&is_used);
        for &slot in awake {
            match level_of(slot) {
                Some(level) => self.of_level_mut(level).bodies.push(slot),
                None => self
                    .pool
                    .iter_mut()
                    .for_each(|batch| batch.bodies.push(slot)),
            }
        }
        let level = |owner| match owner {
            NO_SLOT => 0,
            body => level_of(body).unwrap_or(0),
        };
        for (place, color) in graph.colors.iter().enumerate() {
            for (slot, owner) in color.contacts.iter() {
                self.of_level_mut(level(owner)).contacts[place].push(slot, owner);
            }
            for (slot, owner) in color.joints.iter() {
                self.of_level_mut(level(owner)).joints[place].push(slot, owner);
            }
        }
    }
}

/// The lists of the whole graph by color, the overflow last.
pub(crate) fn lists_of(graph: &ConstraintGraph) -> [OwnedLists<'_>; COLORS + 1] {
    core::array::from_fn(|color| {
        let color = &graph.colors[color];
        [&color.contacts, &color.joints]
    })
}
