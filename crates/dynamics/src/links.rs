//! Links: the contacts and joints of the constraint graph, as edges between bodies.

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::graph::{ConstraintKind, GraphPlace};
use crate::island::set::NO_ISLAND;
use crate::joint::table::JointTable;

/// An edge from one body to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLink {
    pub(crate) other: u32,
    pub(crate) kind: ConstraintKind,
}

/// The tables from which links follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkTables<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) contacts: &'a ContactTable,
    pub(crate) joints: &'a JointTable,
}

impl<'a> LinkTables<'a> {
    /// Iterates over the links of a body that are in the constraint graph: contacts, then joints.
    pub(crate) fn links_of(self, body: u32) -> impl Iterator<Item = BodyLink> + 'a {
        let record = &self.bodies.slots[body];
        let link = move |[a, b]: [u32; 2], kind| BodyLink {
            other: if a == body { b } else { a },
            kind,
        };
        let contacts = record
            .contacts
            .iter()
            .map(move |&contact| &self.contacts.slots[contact]);
        let contacts = contacts.filter(|contact| contact.graph != GraphPlace::NONE);
        let joints = record
            .joints
            .iter()
            .map(move |&joint| &self.joints.slots[joint]);
        let joints = joints.filter(|joint| joint.graph != GraphPlace::NONE);
        contacts
            .map(move |contact| link([contact.body_a, contact.body_b], ConstraintKind::Contact))
            .chain(
                joints.map(move |joint| link([joint.body_a, joint.body_b], ConstraintKind::Joint)),
            )
    }
}

/// Returns the body at which a loop over the contacts of the bodies of an island visits a contact, so that it
/// visits each once: B, unless B is in no island.
pub(crate) fn visiting_body(table: &BodyTable, [a, b]: [u32; 2]) -> u32 {
    if table.tracks[b as usize].island == NO_ISLAND {
        a
    } else {
        b
    }
}

/// No level: not reached yet, or not connected to the seeds.
const UNREACHED: u32 = u32::MAX;

/// A body that a walk has reached for the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReachedBody {
    pub(crate) slot: u32,
    /// Number of links to the nearest seed.
    pub(crate) level: u32,
    pub(crate) kind: ConstraintKind,
}

/// Breadth-first walk over the links of an island. Scratch memory: results do not depend on the contents
/// before.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkWalk {
    /// Level of each body, by its index in the island.
    levels: Vec<u32>,
    /// Bodies in the order in which they are reached.
    queue: Vec<u32>,
}

impl LinkWalk {
    /// Starts a walk over an island with this number of bodies.
    pub(crate) fn start(&mut self, bodies: usize) {
        self.queue.clear();
        self.levels.clear();
        self.levels.resize(bodies, UNREACHED);
    }

    /// Adds a body of the island as a seed, which a link of this kind has reached. Returns it unless it is
    /// one already.
    pub(crate) fn add_seed(
        &mut self,
        bodies: &BodyTable,
        slot: u32,
        kind: ConstraintKind,
    ) -> Option<ReachedBody> {
        self.reach(
            bodies,
            ReachedBody {
                slot,
                level: 0,
                kind,
            },
        )
    }

    /// Walks on from the seeds, and reports each further body of the island once, in order of level.
    pub(crate) fn run(&mut self, tables: LinkTables<'_>, mut visit: impl FnMut(ReachedBody)) {
        let mut next = 0;
        while let Some(&slot) = self.queue.get(next) {
            next += 1;
            let place = tables.bodies.slots[slot].island_place as usize;
            let level = self.levels[place] + 1;
            for link in tables.links_of(slot) {
                let reached = ReachedBody {
                    slot: link.other,
                    level,
                    kind: link.kind,
                };
                if let Some(reached) = self.reach(tables.bodies, reached) {
                    visit(reached);
                }
            }
        }
    }

    fn reach(&mut self, bodies: &BodyTable, reached: ReachedBody) -> Option<ReachedBody> {
        let slot = reached.slot;
        let place = bodies.slots[slot].island_place as usize;
        let is_in_island = bodies.tracks[slot as usize].island != NO_ISLAND;
        if !is_in_island || self.levels[place] != UNREACHED {
            return None;
        }
        self.levels[place] = reached.level;
        self.queue.push(slot);
        Some(reached)
    }
}
