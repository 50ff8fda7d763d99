//! Selection of island batches: small islands that touch no body that another island moves.

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::island::set::{IslandSet, NO_ISLAND};
use crate::joint::table::JointTable;
use crate::solver::batches::{IslandBatches, NO_BATCH, OwnedLists};

/// Most bodies of a batch, and of an island in one.
///
/// The constraints of this many boxes in a pile take 200 kB and their bodies 20 kB, which fits into the cache of a
/// core; and there are enough of each color to fill the lanes.
const BATCH_BODIES: usize = 512;

/// Bodies from which batches are made: fewer have their constraints in the cache anyway.
const MIN_BODIES: usize = 2 * BATCH_BODIES;

/// An island that was not visited yet.
const UNSEEN: u32 = NO_BATCH - 1;

/// The batches of a solve, and the batch of each island. Memory only: no part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct BatchPlan {
    pub(crate) batches: IslandBatches,
    /// By island slot.
    of_island: Vec<u32>,
}

impl BatchPlan {
    /// Sorts `solved` bodies and their constraints into batches.
    pub(crate) fn fill(
        &mut self,
        solved: &[u32],
        lists: &[OwnedLists<'_>],
        bodies: &BodyTable,
        contacts: &ContactTable,
        joints: &JointTable,
        islands: &IslandSet,
    ) {
        self.batches.clear();
        if solved.len() < MIN_BODIES {
            return;
        }
        self.of_island.clear();
        self.of_island.resize(islands.slots.len(), UNSEEN);
        self.exclude_islands_at_kinematic_bodies(solved, bodies, contacts, joints);
        let count = self.assign_islands(solved, bodies, islands);
        if count > 0 {
            let of_island = &self.of_island;
            self.batches.sort(
                count,
                solved,
                bodies.states.len(),
                lists,
                |slot| match bodies.tracks[slot as usize].island {
                    NO_ISLAND => NO_BATCH,
                    island => of_island[island as usize],
                },
            );
        }
    }

    /// Excludes islands that touch a moving kinematic body or are jointed to one: it is where the current substep has
    /// moved it, and batches are at different substeps.
    fn exclude_islands_at_kinematic_bodies(
        &mut self,
        solved: &[u32],
        bodies: &BodyTable,
        contacts: &ContactTable,
        joints: &JointTable,
    ) {
        for &slot in solved {
            if bodies.is_dynamic(slot) {
                continue;
            }
            let body = &bodies.slots[slot];
            let contacts = body.contacts.iter().map(|&contact| {
                let contact = &contacts.slots[contact];
                [contact.body_a, contact.body_b]
            });
            let joints = body.joints.iter().map(|&joint| {
                let joint = &joints.slots[joint];
                [joint.body_a, joint.body_b]
            });
            for end in contacts.chain(joints).flatten() {
                let island = bodies.tracks[end as usize].island;
                if island != NO_ISLAND {
                    self.of_island[island as usize] = NO_BATCH;
                }
            }
        }
    }

    /// Fills batches with islands in order of their first bodies, which are near each other in memory. Returns the
    /// number of batches.
    fn assign_islands(&mut self, solved: &[u32], bodies: &BodyTable, islands: &IslandSet) -> usize {
        let (mut count, mut filled) = (0, BATCH_BODIES);
        for &slot in solved {
            let island = bodies.tracks[slot as usize].island;
            if island == NO_ISLAND || self.of_island[island as usize] != UNSEEN {
                continue;
            }
            let size = islands.slots[island as usize].bodies.len();
            if size > BATCH_BODIES {
                self.of_island[island as usize] = NO_BATCH;
                continue;
            }
            if filled + size > BATCH_BODIES {
                (count, filled) = (count + 1, 0);
            }
            filled += size;
            self.of_island[island as usize] = count - 1;
        }
        count as usize
    }
}
