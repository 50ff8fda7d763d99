//! Island batches: islands that are solved from the first stage of a step to the last before the next ones
//! begin.
//!
//! The passes of a step read every constraint a dozen times. Where the constraints of all islands do not fit
//! into the cache, each pass waits for memory; those of a few islands do fit. Islands share no moving body,
//! so the order in which they are solved changes nothing, and threads need not wait for each other within a
//! batch.

use super::input::ColorLists;
use crate::graph::{COLORS, ConstraintList};
use crate::sorted::Sorted;
use smallvec::SmallVec;

/// The batch of bodies whose islands are too large, or share a kinematic body with others.
pub(crate) const NO_BATCH: u32 = u32::MAX;

/// Lists of a color, or of the overflow: contacts and joints, each with an owner body.
pub(crate) type OwnedLists<'a> = [&'a ConstraintList; 2];

/// Lists of the colors in use, and of the overflow, which is last.
pub(crate) type UsedLists<'a> = SmallVec<[OwnedLists<'a>; COLORS + 1]>;

/// Bodies and constraints by batch; those that belong to no batch come after the last one. Not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct IslandBatches {
    count: usize,
    /// Number of lists of a batch.
    colors: usize,
    /// Batch by body slot; up to date for awake bodies only.
    of_body: Vec<u32>,
    bodies: Sorted,
    /// By batch, and within it by color, the overflow last.
    contacts: Sorted,
    joints: Sorted,
}

impl IslandBatches {
    /// Number of batches.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Removes all batches.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Sorts bodies and the constraints of each color into `count` batches. `batch_of` returns the batch of a
    /// body, or [`NO_BATCH`]; body slots are below `bound`.
    pub(crate) fn sort(
        &mut self,
        count: usize,
        bodies: &[u32],
        bound: usize,
        colors: &[OwnedLists<'_>],
        batch_of: impl Fn(u32) -> u32,
    ) {
        (self.count, self.colors) = (count, colors.len());
        if self.of_body.len() < bound {
            self.of_body.resize(bound, NO_BATCH);
        }
        for &slot in bodies {
            self.of_body[slot as usize] = batch_of(slot).min(count as u32);
        }
        let of_body = &self.of_body;
        let batch = |owner: u32| of_body.get(owner as usize).map_or(count, |&b| b as usize);
        self.bodies
            .sort(count + 1, || bodies.iter().map(|&slot| (batch(slot), slot)));
        let rows = (count + 1) * colors.len();
        let sorted = [&mut self.contacts, &mut self.joints];
        for (kind, sorted) in sorted.into_iter().enumerate() {
            sorted.sort(rows, || {
                colors.iter().enumerate().flat_map(move |(color, lists)| {
                    let row = move |owner: u32| batch(owner) * colors.len() + color;
                    lists[kind]
                        .iter()
                        .map(move |(slot, owner)| (row(owner), slot))
                })
            });
        }
    }

    /// Returns the body slots of a batch in the order of the input; those of no batch for `count`.
    pub(crate) fn bodies(&self, batch: usize) -> &[u32] {
        self.bodies.row(batch)
    }

    /// Returns the constraints of a batch by color, the overflow last; those of no batch for `count`.
    pub(crate) fn lists(&self, batch: usize) -> SmallVec<[ColorLists<'_>; COLORS + 1]> {
        let rows = batch * self.colors..(batch + 1) * self.colors;
        let lists = rows.map(|row| ColorLists {
            contacts: self.contacts.row(row),
            joints: self.joints.row(row),
        });
        lists.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_go_with_their_owners() {
        let mut lists: Vec<[ConstraintList; 2]> = vec![Default::default(); COLORS + 1];
        // Bodies 0 and 1 in batch 1, 2 in batch 0, 3 in none.
        lists[4][0].push(10, 1);
        lists[4][0].push(11, 3);
        lists[4][1].push(12, 2);
        lists[COLORS][0].push(13, 0);
        let colors: Vec<_> = lists.iter().map(|list| list.each_ref()).collect();
        let batch_of = |slot: u32| [1, 1, 0, NO_BATCH][slot as usize];
        let mut batches = IslandBatches::default();
        batches.sort(2, &[0, 1, 2, 3], 4, &colors, batch_of);
        assert_eq!(batches.bodies(0), [2]);
        assert_eq!(batches.bodies(1), [0, 1]);
        assert_eq!(batches.bodies(2), [3]);
        assert_eq!(batches.lists(0)[4].joints, [12]);
        assert_eq!(batches.lists(1)[4].contacts, [10]);
        assert_eq!(batches.lists(1)[COLORS].contacts, [13]);
        assert_eq!(batches.lists(2)[4].contacts, [11]);
        assert!(batches.lists(0)[4].contacts.is_empty());
    }
}
