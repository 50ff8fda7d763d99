//! All contacts of a world: cold records under ids, hot records in arrays beside them.

use crate::bitset::BitSet;
use crate::contact::Contact;
use crate::contact::key::{ContactKey, ContactWatch};
use crate::contact::patch::ContactPatch;
use crate::id::{Slots, WorldMark, kind};

/// Contacts by slot; the arrays are as long as the largest slot ever used.
#[derive(Clone, Debug)]
pub(crate) struct ContactTable {
    pub(crate) slots: Slots<kind::Contact, Contact>,
    pub(crate) watches: Vec<ContactWatch>,
    pub(crate) keys: Vec<ContactKey>,
    pub(crate) patches: Vec<ContactPatch>,
    /// Contacts with a body that is awake.
    pub(crate) awake: BitSet,
}

impl ContactTable {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            slots: Slots::new(mark),
            watches: Vec::new(),
            keys: Vec::new(),
            patches: Vec::new(),
            awake: BitSet::default(),
        }
    }
}
