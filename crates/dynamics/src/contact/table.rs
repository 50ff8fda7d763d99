//! All contacts of a world: cold records under ids, hot records in arrays beside them.

use crate::bitset::BitSet;
use crate::contact::Contact;
use crate::contact::constraint::ContactConstraint;
use crate::contact::recycle::{RecycleBudget, RecycleKey};
use crate::id::{Slots, WorldMark, kind};
use cairn2d_geometry::{HashState, StateHasher};

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

/// The hot records of contacts that exist: a new contact resets them.
impl HashState for ContactTable {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slots,
            budgets,
            keys,
            constraints,
            awake,
        } = self;
        hash.add(slots).add(awake);
        for (slot, _) in slots.iter() {
            let slot = slot as usize;
            hash.add(&budgets[slot]).add(&keys[slot]);
            hash.add(&constraints[slot]);
        }
    }
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
}
