//! Islands: dynamic bodies that hang together by touching contacts and joints, and so sleep together.
//!
//! Islands persist. A new link merges two (the smaller into the larger); a removed link only counts
//! as a wound, and a wounded island is searched for pieces when it would like to sleep.

use crate::bitset::BitSet;

/// No island: static, kinematic and disabled bodies.
pub(crate) const NO_ISLAND: u32 = u32::MAX;

/// One island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Body slots; each body knows its place here. Empty: the slot is free.
    pub(crate) bodies: Vec<u32>,
    /// Links removed since the island was last known to be in one piece.
    pub(crate) wounds: u32,
    pub(crate) asleep: bool,
}

/// All islands, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    pub(crate) slots: Vec<Island>,
    /// Free slots, last freed last.
    free: Vec<u32>,
    /// Slots of islands that are awake.
    pub(crate) awake: BitSet,
}

impl Islands {
    /// Opens an awake island without bodies.
    pub(crate) fn create(&mut self) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Island::default());
            (self.slots.len() - 1) as u32
        });
        self.awake.insert(slot);
        slot
    }

    /// Frees the slot of an island that has no bodies left; its list keeps its memory.
    pub(crate) fn free(&mut self, slot: u32) {
        let island = &mut self.slots[slot as usize];
        debug_assert!(island.bodies.is_empty());
        island.wounds = 0;
        island.asleep = false;
        self.awake.remove(slot);
        self.free.push(slot);
    }

    /// Number of islands.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
