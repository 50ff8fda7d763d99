//! Contacts of high mass ratio: where impacts of heavy bodies on light ones are searched.

use crate::bitset::BitSet;
use crate::body::mass_ratio::is_high_mass_ratio;
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use cairn2d_geometry::{HashState, StateHasher};

/// Touching contacts of two dynamic bodies of which one is much heavier, by slot. Most worlds have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct HighRatioContacts {
    slots: BitSet,
    count: usize,
}

impl HashState for HighRatioContacts {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { slots, count } = self;
        hash.add(slots).add(count);
    }
}

impl HighRatioContacts {
    /// Returns `true` if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns `true` if the contact in `slot` has a high mass ratio.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.slots.contains(slot)
    }

    /// Iterates over the contacts, in order of slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.iter()
    }

    /// Adds the contact in `slot`, of the dynamic bodies `ends`, if its mass ratio is high. It must not be
    /// listed yet.
    pub(crate) fn note(&mut self, slot: u32, ends: [u32; 2], bodies: &BodyTable) {
        let [a, b] = ends.map(|body| bodies.masses[body as usize].inv_mass);
        if is_high_mass_ratio(a.min(b), a.max(b)) {
            self.slots.insert(slot);
            self.count += 1;
        }
    }

    /// Removes the contact in `slot`, if it is listed.
    pub(crate) fn remove(&mut self, slot: u32) {
        if self.count > 0 && self.slots.contains(slot) {
            self.slots.remove(slot);
            self.count -= 1;
        }
    }

    /// Updates the contacts of `body`, the mass of which may have changed.
    pub(crate) fn update_body(&mut self, body: u32, bodies: &BodyTable, contacts: &ContactTable) {
        for &contact in &bodies.slots[body].contacts {
            let record = &contacts.slots[contact];
            if record.linked {
                self.remove(contact);
                self.note(contact, [record.body_a, record.body_b], bodies);
            }
        }
    }
}
