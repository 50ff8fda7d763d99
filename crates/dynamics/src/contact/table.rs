//! All contacts of a world: cold records under ids, hot records in arrays beside them.

use crate::bitset::BitSet;
use crate::contact::Contact;
use crate::contact::constraint::ContactConstraint;
use crate::contact::recycle::{RecycleBudget, RecycleKey};
use crate::id::{Slots, WorldMark, kind};

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
}
