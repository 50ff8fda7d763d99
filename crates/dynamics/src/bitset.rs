//! Sets of slots as bits: iteration is in ascending order, independent of the order of insertion.

use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{HashState, LoadError, Persist, Reader, Sink, StateHasher};

/// A growing set of small integers.
#[derive(Debug, Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

clone_fields!(BitSet { words });

/// Bits in a word.
pub(crate) const WORD: usize = 64;

impl BitSet {
    /// Makes room for the integers below `bound`.
    pub(crate) fn grow(&mut self, bound: usize) {
        let words = bound.div_ceil(WORD);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
    }

    /// Adds `index`, growing as needed.
    #[inline]
    pub(crate) fn insert(&mut self, index: u32) {
        let word = index as usize / WORD;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (index as usize % WORD);
    }

    /// Removes `index`; nothing happens if it is not in the set.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) {
        if let Some(word) = self.words.get_mut(index as usize / WORD) {
            *word &= !(1 << (index as usize % WORD));
        }
    }

    /// Returns `true` if `index` is in the set.
    #[inline]
    pub(crate) fn contains(&self, index: u32) -> bool {
        self.words
            .get(index as usize / WORD)
            .is_some_and(|word| word & (1 << (index as usize % WORD)) != 0)
    }

    /// Removes all.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Makes the set equal to `other`.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
    }

    /// Returns the number of members.
    pub(crate) fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns the words: bit `i` of word `w` is the member `64 w + i`.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Iterates over the members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| ones(bits).map(move |bit| (word * WORD) as u32 + bit))
    }
}

/// Iterates over the positions of the ones in `bits`, ascending.
#[inline]
pub(crate) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some(bit)
    })
}

/// Hashes the members only: the number of words depends on earlier members.
impl HashState for BitSet {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { words } = self;
        let used = words.iter().rposition(|&word| word != 0);
        hash.add(&words[..used.map_or(0, |last| last + 1)]);
    }
}

/// As hashed: the words up to the last member.
impl Persist for BitSet {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self { words } = self;
        let used = words.iter().rposition(|&word| word != 0);
        sink.list(&words[..used.map_or(0, |last| last + 1)]);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        reader.read().map(|words| Self { words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_ascending_order() {
        let mut set = BitSet::default();
        for i in [200, 3, 64, 63, 0, 199] {
            set.insert(i);
        }
        set.remove(199);
        set.remove(5000);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 3, 63, 64, 200]);
        assert_eq!(set.len(), 5);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(9999));
    }
}
