//! Which islands are solved as parcels: those that are small, and touch nothing that others move.

use crate::graph::COLORS;
use crate::island::set::NO_ISLAND;
use crate::solver::parcels::{NO_PARCEL, OwnedLists, Parcels};
use crate::world::World;

/// Most bodies of a parcel, and of an island that goes into one.
///
/// The constraints of so many boxes in a pile take some 200 kB, and their bodies 20: they stay in a cache of a core, and
/// there are enough of each color to fill the lanes.
const PARCEL: usize = 512;

/// Bodies from which parcels are made: below, all constraints are in the cache anyway.
const BODIES_FOR_PARCELS: usize = 2 * PARCEL;

/// An island that was not looked at yet.
const UNSEEN: u32 = NO_PARCEL - 1;

impl World {
    /// Sorts bodies that are solved together, and their constraints, into parcels.
    pub(crate) fn fill_parcels(
        &mut self,
        parcels: &mut Parcels,
        bodies: &[u32],
        lists: &[OwnedLists<'_>; COLORS + 1],
    ) {
        parcels.clear();
        if bodies.len() < BODIES_FOR_PARCELS {
            return;
        }
        let mut of_island = core::mem::take(&mut self.scratch.parcel_of_island);
        of_island.clear();
        of_island.resize(self.islands.slots.len(), UNSEEN);
        self.leave_out_islands_that_share(bodies, &mut of_island);
        let count = self.choose_parcels(bodies, &mut of_island);
        if count > 0 {
            let bound = self.bodies.states.len();
            parcels.sort(count, bodies, bound, lists, |slot| {
                match self.bodies.tracks[slot as usize].island {
                    NO_ISLAND => NO_PARCEL,
                    island => of_island[island as usize],
                }
            });
        }
        self.scratch.parcel_of_island = of_island;
    }

    /// Leaves out islands that touch a moving kinematic body or hang on one: it is where the substep has moved it.
    fn leave_out_islands_that_share(&self, bodies: &[u32], of_island: &mut [u32]) {
        for &slot in bodies {
            if self.bodies.is_dynamic(slot) {
                continue;
            }
            let body = &self.bodies.slots[slot];
            let contacts = body.contacts.iter().map(|&contact| {
                let contact = &self.contacts.slots[contact];
                [contact.body_a, contact.body_b]
            });
            let joints = body.joints.iter().map(|&joint| {
                let joint = &self.joints.slots[joint];
                [joint.body_a, joint.body_b]
            });
            for end in contacts.chain(joints).flatten() {
                let island = self.bodies.tracks[end as usize].island;
                if island != NO_ISLAND {
                    of_island[island as usize] = NO_PARCEL;
                }
            }
        }
    }

    /// Fills parcels with islands, in order of their first bodies, which lie near each other. Returns how many.
    fn choose_parcels(&self, bodies: &[u32], of_island: &mut [u32]) -> usize {
        let (mut count, mut filled) = (0, PARCEL);
        for &slot in bodies {
            let island = self.bodies.tracks[slot as usize].island;
            if island == NO_ISLAND || of_island[island as usize] != UNSEEN {
                continue;
            }
            let size = self.islands.slots[island as usize].bodies.len();
            if size > PARCEL {
                of_island[island as usize] = NO_PARCEL;
                continue;
            }
            if filled + size > PARCEL {
                (count, filled) = (count + 1, 0);
            }
            filled += size;
            of_island[island as usize] = count - 1;
        }
        count as usize
    }
}
