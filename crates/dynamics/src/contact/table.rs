//! All contacts of a world: cold records under ids, hot records in arrays beside them.

use crate::bitset::BitSet;
use crate::contact::Contact;
use crate::contact::constraint::ContactConstraint;
use crate::contact::recycle::{RecycleBudget, RecycleKey};
use crate::graph::GraphPlace;
use crate::id::{ContactId, Slots, WorldMark, kind};

/// Contacts by slot; the arrays are as long as the largest slot ever used.
#[derive(Clone, Debug)]
pub(crate) struct ContactTable {
    pub(crate) slots: Slots<kind::Contact, Contact>,
    pub(crate) budgets: Vec<RecycleBudget>,
    pub(crate) keys: Vec<RecycleKey>,
    pub(crate) constraints: Vec<ContactConstraint>,
    /// Contacts with a body that is awake.
    pub(crate) awake: BitSet,
}

impl ContactTable {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            slots: Slots::new(mark),
            budgets: Vec::new(),
            keys: Vec::new(),
            constraints: Vec::new(),
            awake: BitSet::default(),
        }
    }
    /// Returns an id for an impact of two shapes within a step, after which no contact remains: it is stale at once.
    pub(crate) fn transient_id(&mut self, shapes: [u32; 2], bodies: [u32; 2]) -> ContactId {
        let id = self.slots.insert_with(|_| Contact {
            shape_a: shapes[0],
            shape_b: shapes[1],
            body_a: bodies[0],
            body_b: bodies[1],
            places: [0; 2],
            graph: GraphPlace::NONE,
            touching: false,
            sensor: false,
            linked: false,
        });
        self.slots.remove(id.index());
        id
    }

    /// Returns the contact of two shapes among `list`, in either order.
    pub(crate) fn find_pair(&self, list: &[u32], shapes: [u32; 2]) -> Option<u32> {
        list.iter()
            .copied()
            .find(|&contact| self.slots[contact].is_between(shapes))
    }
}
