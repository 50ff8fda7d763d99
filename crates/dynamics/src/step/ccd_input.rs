//! What earlier stages of the step found out for continuous collision.

use crate::bitset::BitSet;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;

/// Number of bodies that move further than their half thickness in a step, up to which all of them are swept
/// against dynamic bodies, bullets or not: a shot, or some debris.
///
/// Each costs a microsecond. In a rain of thousands nobody sees a drop pass another one.
pub(crate) const MAX_SWEPT_AGAINST_DYNAMIC: usize = 64;

/// The bodies to sweep. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct CcdInput {
    /// Slots of the bodies to sweep, ascending.
    pub(crate) swept: Vec<u32>,
    /// Number of these that moved further than their half thickness.
    pub(crate) far: usize,
    /// Swept bodies whose ends moved by rotation further than their half thickness; empty if there are too
    /// many.
    pub(crate) spinning: BitSet,
    /// Bodies with contacts with these.
    pub(crate) beside_spinning: BitSet,
}

impl CcdInput {
    /// Clears the lists of swept bodies.
    pub(crate) fn clear(&mut self) {
        self.swept.clear();
        self.far = 0;
    }

    /// Stores which bodies spin fast and which ones touch them. Stores none if there are so many that nobody
    /// sees what they pass.
    pub(crate) fn set_spinning(
        &mut self,
        spinning: impl Iterator<Item = u32> + Clone,
        bodies: &BodyTable,
        contacts: &ContactTable,
    ) {
        let none = BitSet::default();
        self.spinning.copy_from(&none);
        self.beside_spinning.copy_from(&none);
        if spinning.clone().count() > MAX_SWEPT_AGAINST_DYNAMIC {
            return;
        }
        for slot in spinning {
            self.spinning.insert(slot);
            for &contact in &bodies.slots[slot].contacts {
                self.beside_spinning
                    .insert(contacts.other_body(contact, slot));
            }
        }
    }
}
