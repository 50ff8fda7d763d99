//! Parcels: islands that are solved from the first stage of a step to the last before the next ones are begun.
//!
//! The passes of a step read every constraint a dozen times. Where the constraints of all islands do not fit into the
//! cache, each pass waits for memory; those of a few islands do. Islands share no moving body, so that the order
//! in which they are solved changes nothing, and no thread has to wait for another one within a parcel.

use super::input::ColorLists;
use crate::graph::{COLORS, ConstraintList};
use crate::sorted::Sorted;

/// A parcel that is none: of bodies whose islands are too large, or share a body with others.
pub(crate) const NO_PARCEL: u32 = u32::MAX;

/// Lists of a color, or of the overflow: contacts and joints.
pub(crate) type OwnedLists<'a> = [&'a ConstraintList; 2];

/// What is in which parcel; after the parcels comes the rest. Memory only: no state of the simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parcels {
    count: usize,
    /// By body slot; only those of awake bodies are of this step.
    of_body: Vec<u32>,
    bodies: Sorted,
    /// By parcel, and within it by color, the overflow last.
    contacts: Sorted,
    joints: Sorted,
}

impl Parcels {
    /// Number of parcels, without the rest.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// Sorts bodies and the constraints of each color into `count` parcels. `parcel_of` tells that of a body, or
    /// [`NO_PARCEL`]; body slots are below `bound`.
    pub(crate) fn sort(
        &mut self,
        count: usize,
        bodies: &[u32],
        bound: usize,
        colors: &[OwnedLists<'_>; COLORS + 1],
        parcel_of: impl Fn(u32) -> u32,
    ) {
        self.count = count;
        if self.of_body.len() < bound {
            self.of_body.resize(bound, NO_PARCEL);
        }
        for &slot in bodies {
            self.of_body[slot as usize] = parcel_of(slot).min(count as u32);
        }
        let of_body = &self.of_body;
        let parcel = |owner: u32| of_body.get(owner as usize).map_or(count, |&p| p as usize);
        self.bodies.sort(count + 1, || {
            bodies.iter().map(|&slot| (parcel(slot), slot))
        });
        let rows = (count + 1) * (COLORS + 1);
        for (kind, sorted) in [&mut self.contacts, &mut self.joints]
            .into_iter()
            .enumerate()
        {
            sorted.sort(rows, || {
                colors.iter().enumerate().flat_map(move |(color, lists)| {
                    let row = move |owner: u32| parcel(owner) * (COLORS + 1) + color;
                    lists[kind]
                        .iter()
                        .map(move |(slot, owner)| (row(owner), slot))
                })
            });
        }
    }

    /// Returns the body slots of a parcel, in the order in which they were given; of the rest for `count`.
    pub(crate) fn bodies(&self, parcel: usize) -> &[u32] {
        self.bodies.row(parcel)
    }

    /// Returns the constraints of a parcel by color, the overflow last; of the rest for `count`.
    pub(crate) fn lists(&self, parcel: usize) -> [ColorLists<'_>; COLORS + 1] {
        core::array::from_fn(|color| {
            let row = parcel * (COLORS + 1) + color;
            ColorLists {
                contacts: self.contacts.row(row),
                joints: self.joints.row(row),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_go_with_their_owners() {
        let mut lists: Vec<[ConstraintList; 2]> = vec![Default::default(); COLORS + 1];
        // Bodies 0 and 1 in parcel 1, 2 in parcel 0, 3 in none.
        lists[4][0].push(10, 1);
        lists[4][0].push(11, 3);
        lists[4][1].push(12, 2);
        lists[COLORS][0].push(13, 0);
        let colors = core::array::from_fn(|color| {
            let [contacts, joints] = &lists[color];
            [contacts, joints]
        });
        let parcel_of = |slot: u32| [1, 1, 0, NO_PARCEL][slot as usize];
        let mut parcels = Parcels::default();
        parcels.sort(2, &[0, 1, 2, 3], 4, &colors, parcel_of);
        assert_eq!(parcels.bodies(0), [2]);
        assert_eq!(parcels.bodies(1), [0, 1]);
        assert_eq!(parcels.bodies(2), [3]);
        assert_eq!(parcels.lists(0)[4].joints, [12]);
        assert_eq!(parcels.lists(1)[4].contacts, [10]);
        assert_eq!(parcels.lists(1)[COLORS].contacts, [13]);
        assert_eq!(parcels.lists(2)[4].contacts, [11]);
        assert!(parcels.lists(0)[4].contacts.is_empty());
    }
}
