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
    /// Level of effort it is solved with; 0 is the world's.
    pub(crate) effort: u8,
    /// Looks in a row at which its loads asked for more effort, or, below 0, for less.
    pub(crate) streak: i8,
    /// Whether links were added or removed since its build was last looked at.
    pub(crate) changed: bool,
    /// Most that a link will yield to what rests on it, by its build [m].
    pub(crate) expected_yield: f32,
}

/// All islands, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    pub(crate) slots: Vec<Island>,
    /// Free slots, last freed last.
    free: Vec<u32>,
    /// Slots of islands that are awake.
    pub(crate) awake: BitSet,
    /// Slots of islands that are solved with more effort than the world's.
    pub(crate) strained: BitSet,
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
        island.streak = 0;
        island.expected_yield = 0.0;
        self.set_effort(slot, 0);
        self.awake.remove(slot);
        self.free.push(slot);
    }

    /// Sets the level of effort of an island.
    pub(crate) fn set_effort(&mut self, slot: u32, effort: u8) {
        self.slots[slot as usize].effort = effort;
        if effort > 0 {
            self.strained.insert(slot);
        } else {
            self.strained.remove(slot);
        }
    }

    /// Iterates over the islands that are awake and solved with more effort than the world's.
    pub(crate) fn strained_awake(&self) -> impl Iterator<Item = u32> {
        self.strained
            .iter()
            .filter(|&slot| self.awake.contains(slot))
    }

    /// Has `to` solved with the effort of `from`, if that is more.
    pub(crate) fn follow_effort(&mut self, from: u32, to: u32) {
        let effort = self.slots[from as usize].effort;
        if effort > self.slots[to as usize].effort {
            self.set_effort(to, effort);
        }
    }

    /// Number of islands.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
