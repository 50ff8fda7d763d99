//! Packed pairs, and the set of known pairs: an open-addressing table of keys.

use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{HashState, StateHasher};

/// Two proxies whose boxes overlap, by the numbers given at insertion, `a` < `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The lesser number.
    pub a: u32,
    /// The greater number.
    pub b: u32,
}

impl Pair {
    /// Unpacks what `pair_key` has packed.
    #[inline]
    pub(crate) fn from_key(key: u64) -> Self {
        Self {
            a: (key >> u32::BITS) as u32,
            b: key as u32,
        }
    }
}

/// Slots of the smallest table.
const MIN_SLOTS: usize = 16;

/// Odd number near 2^64 divided by the golden ratio: products spread over the high bits
/// [Knuth98, 6.4].
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Set of non-zero keys, never walked, so that no order comes from the hash.
///
/// Linear probing, at most half full; removal shifts the rest of a run back, so there are no
/// tombstones and a long life under churn costs nothing.
#[derive(Debug, Default)]
pub(crate) struct PairSet {
    /// Keys, 0 where free; the length is a power of two, or 0 before the first key.
    slots: Vec<u64>,
    len: usize,
}

clone_fields!(PairSet { slots, len });

/// Packs two numbers, in either order; never 0 for different ones.
#[inline]
pub(crate) fn pair_key(a: u32, b: u32) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (u64::from(low) << 32) | u64::from(high)
}

impl PairSet {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Memory held \[bytes\].
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        let bits = self.slots.len().trailing_zeros();
        (key.wrapping_mul(SPREAD) >> (u64::BITS - bits)) as usize
    }

    /// Returns where `key` is, or the free slot that ends its run.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut at = self.home(key);
        while self.slots[at] != key && self.slots[at] != 0 {
            at = (at + 1) & last;
        }
        at
    }

    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        !self.slots.is_empty() && self.slots[self.find(key)] == key
    }

    /// Adds `key`, which must not be 0; says whether it is new.
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        debug_assert_ne!(key, 0);
        if self.slots.len() < 2 * (self.len + 1) {
            self.resize((2 * self.slots.len()).max(MIN_SLOTS));
        }
        let at = self.find(key);
        let is_new = self.slots[at] == 0;
        self.slots[at] = key;
        self.len += usize::from(is_new);
        is_new
    }

    /// Removes `key`; says whether it was there.
    pub(crate) fn remove(&mut self, key: u64) -> bool {
        if !self.contains(key) {
            return false;
        }
        let at = self.find(key);
        self.close_gap(at);
        self.len -= 1;
        if self.slots.len() > MIN_SLOTS && 8 * self.len < self.slots.len() {
            self.resize(self.slots.len() / 2);
        }
        true
    }

    /// Moves back whatever the free slot `gap` would hide from its search.
    fn close_gap(&mut self, mut gap: usize) {
        let last = self.slots.len() - 1;
        let mut at = gap;
        loop {
            at = (at + 1) & last;
            let key = self.slots[at];
            if key == 0 {
                break;
            }
            let wanted = at.wrapping_sub(self.home(key)) & last;
            if wanted >= (at.wrapping_sub(gap) & last) {
                self.slots[gap] = key;
                gap = at;
            }
        }
        self.slots[gap] = 0;
    }

    fn resize(&mut self, slots: usize) {
        let old = core::mem::replace(&mut self.slots, vec![0; slots]);
        for key in old.into_iter().filter(|&key| key != 0) {
            let at = self.find(key);
            self.slots[at] = key;
        }
    }
}

/// The keys as a set: where each lies depends on the order of edits, but is never visible.
impl HashState for PairSet {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { slots, len: _ } = self;
        hash.set(slots.iter().copied().filter(|&key| key != 0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn key_is_the_same_in_either_order() {
        assert_eq!(pair_key(7, 3), pair_key(3, 7));
        assert_ne!(pair_key(0, 1), 0);
    }

    #[test]
    fn memory_shrinks_after_a_crowd_has_left() {
        let mut set = PairSet::default();
        for i in 1..10_000 {
            set.insert(i);
        }
        for i in 1..10_000 {
            set.remove(i);
        }
        assert_eq!(set.len(), 0);
        assert!(set.bytes() <= 16 * MIN_SLOTS);
    }

    proptest! {
        #[test]
        fn set_is_a_set(edits in prop::collection::vec((any::<bool>(), 1u64..40), 1..400)) {
            let mut set = PairSet::default();
            let mut twin = BTreeSet::new();
            for (add, small) in edits {
                let key = small << 32;
                let same = if add { set.insert(key) == twin.insert(key) } else { set.remove(key) == twin.remove(&key) };
                prop_assert!(same);
                prop_assert_eq!(set.len(), twin.len());
                for k in 1..40u64 {
                    prop_assert_eq!(set.contains(k << 32), twin.contains(&(k << 32)));
                }
            }
        }
    }
}
