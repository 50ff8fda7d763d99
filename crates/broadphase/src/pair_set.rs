//! Packed pairs, and the set of known pairs.

use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{HashState, StateHasher};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Two proxies whose boxes overlap, by the numbers given at insertion, `a` < `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The smaller number.
    pub a: u32,
    /// The larger number.
    pub b: u32,
}

impl Pair {
    /// Unpacks a key of `pair_key`.
    #[inline]
    pub(crate) fn from_key(key: u64) -> Self {
        Self {
            a: (key >> u32::BITS) as u32,
            b: key as u32,
        }
    }
}

/// Keys for which a table has room before it shrinks.
const MIN_KEYS: usize = 16;

/// Odd number near 2^64 divided by the golden ratio: products spread over all bits [Knuth98, 6.4].
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hash of a key: both halves of a wide product. It depends on nothing but the key.
#[derive(Clone, Copy, Debug, Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are hashed as one number");
    }

    #[inline]
    fn write_u64(&mut self, key: u64) {
        let product = u128::from(key) * u128::from(SPREAD);
        self.0 = product as u64 ^ (product >> u64::BITS) as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Set of keys, only walked for sums in which the order does not count.
#[derive(Debug, Default)]
pub(crate) struct PairSet {
    keys: HashSet<u64, BuildHasherDefault<PairHasher>>,
}

clone_fields!(PairSet { keys });

/// Packs two numbers, in either order; never 0 for different ones.
#[inline]
pub(crate) fn pair_key(a: u32, b: u32) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (u64::from(low) << 32) | u64::from(high)
}

impl PairSet {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Memory held \[bytes\]: a key and a byte for each slot, of which seven eighths may be in use.
    pub(crate) fn bytes(&self) -> usize {
        let slots = self.keys.capacity() * 8 / 7;
        slots * (size_of::<u64>() + 1)
    }

    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.keys.contains(&key)
    }

    /// Adds `key`; returns `true` if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        self.keys.insert(key)
    }

    /// Removes `key`; returns `true` if it was there.
    pub(crate) fn remove(&mut self, key: u64) -> bool {
        let was_there = self.keys.remove(&key);
        let (len, room) = (self.keys.len(), self.keys.capacity());
        if room > MIN_KEYS && 8 * len < room {
            self.keys.shrink_to((2 * len).max(MIN_KEYS));
        }
        was_there
    }
}

/// The keys as a set: their order depends on the edits, but is never visible.
impl HashState for PairSet {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { keys } = self;
        hash.set(keys.iter().copied());
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
        assert!(set.bytes() <= 64 * MIN_KEYS);
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
