//! The free slots of a table. The lowest one is used first.
//!
//! So the next slots follow from the objects that exist, not from the order in which others were removed: a level
//! that is cleared and built again by the same calls gets the same slots and takes the same course. The alternative,
//! a stack of free slots, reuses memory that is still in the cache, but its order depends on the history of the
//! table.

use crate::bitset::BitSet;
use cairn2d_geometry::{HashState, LoadError, Reader, Sink, StateHasher, clone_fields};

/// A set of free slots.
#[derive(Debug, Default)]
pub(crate) struct FreeSlots {
    set: BitSet,
    len: usize,
}

clone_fields!(FreeSlots { set, len });

impl FreeSlots {
    /// Number of free slots.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Takes the lowest free slot out, if there is one.
    #[inline]
    pub(crate) fn take_lowest(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let slot = self.set.iter().next()?;
        self.set.remove(slot);
        self.len -= 1;
        Some(slot)
    }

    /// Adds a slot that is not in the set.
    #[inline]
    pub(crate) fn add(&mut self, slot: u32) {
        debug_assert!(!self.set.contains(slot), "slot {slot} is free already");
        self.set.insert(slot);
        self.len += 1;
    }

    /// Returns `true` if these are the slots below `bound` that `is_free` names.
    pub(crate) fn are(&self, bound: usize, is_free: impl Fn(u32) -> bool) -> bool {
        let expected = (0..bound as u32).filter(|&slot| is_free(slot));
        self.set.len() == self.len && self.set.iter().eq(expected)
    }
}

impl HashState for FreeSlots {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            set,
            // The number of its members.
            len: _,
        } = self;
        hash.add(set);
    }
}

/// As a list in a save.
impl FreeSlots {
    /// Writes the field `free`: the slots in ascending order.
    pub(crate) fn write_field<S: Sink>(&self, sink: &mut S) {
        sink.made_list("free", self.len, self.set.iter());
    }

    /// Reads the free slots of a table of `bound` slots, in any order: older versions wrote them as they were freed.
    ///
    /// # Errors
    /// If the table does not have such a slot, or a slot is listed twice.
    pub(crate) fn read_below(reader: &mut Reader<'_>, bound: usize) -> Result<Self, LoadError> {
        let list: Vec<u32> = reader.read()?;
        let mut free = Self::default();
        for slot in list {
            let is_new = (slot as usize) < bound && !free.set.contains(slot);
            reader.in_range("free slot", is_new)?;
            free.add(slot);
        }
        Ok(free)
    }

    /// Returns `true` if `slot` is free.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.set.contains(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_slot_comes_first_whatever_the_order_of_removal() {
        let mut free = FreeSlots::default();
        for slot in [5000, 3, 64, 0, 63] {
            free.add(slot);
        }
        assert_eq!(free.take_lowest(), Some(0));
        free.add(2);
        let rest: Vec<_> = core::iter::from_fn(|| free.take_lowest()).collect();
        assert_eq!(rest, [2, 3, 63, 64, 5000]);
        assert_eq!((free.len(), free.take_lowest()), (0, None));
    }
}
