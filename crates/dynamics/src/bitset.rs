//! Sets of slots as bits: iteration is in ascending order, independent of the order of insertion.

use cairn2d_geometry::clone_fields;
use cairn2d_geometry::{HashState, LoadError, Persist, Reader, Sink, StateHasher};
use core::ops::Range;

/// A growing set of small integers.
///
/// A mask of the parts that have members makes iteration over few members among many integers cheap.
#[derive(Debug, Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
    /// Bit `p`: there are members in part `p`, which are `1 << shift` words.
    parts: u64,
    shift: u32,
}

clone_fields!(BitSet {
    words,
    parts,
    shift
});

/// Bits in a word.
pub(crate) const WORD: usize = 64;

/// Parts of a set.
const PARTS: usize = u64::BITS as usize;

impl BitSet {
    /// Makes room for the integers below `bound`.
    pub(crate) fn grow(&mut self, bound: usize) {
        let words = bound.div_ceil(WORD);
        if words > self.words.len() {
            self.resize(words);
        }
    }

    fn resize(&mut self, words: usize) {
        self.words.resize(words, 0);
        if words > PARTS << self.shift {
            self.divide();
        }
    }

    /// Chooses the length of the parts, and marks those with members.
    fn divide(&mut self) {
        while self.words.len() > PARTS << self.shift {
            self.shift += 1;
        }
        let parts = self.words.chunks(1 << self.shift);
        let is_used = |part: &[u64]| part.iter().any(|&word| word != 0);
        self.parts = (0..)
            .zip(parts)
            .fold(0, |parts, (p, part)| parts | u64::from(is_used(part)) << p);
    }

    /// Adds `index`, growing as needed.
    #[inline]
    pub(crate) fn insert(&mut self, index: u32) {
        let word = index as usize / WORD;
        if word >= self.words.len() {
            self.resize(word + 1);
        }
        self.words[word] |= 1 << (index as usize % WORD);
        self.parts |= 1 << (word >> self.shift);
    }

    /// Removes `index`; nothing happens if it is not in the set.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) {
        let place = index as usize / WORD;
        if let Some(word) = self.words.get_mut(place)
            && *word != 0
        {
            *word &= !(1 << (index as usize % WORD));
            if *word == 0 {
                self.update_part(place >> self.shift);
            }
        }
    }

    /// Unmarks a part whose last member was removed.
    fn update_part(&mut self, part: usize) {
        if self.words[self.words_of(part)]
            .iter()
            .all(|&word| word == 0)
        {
            self.parts &= !(1 << part);
        }
    }

    /// Returns the words of a part.
    fn words_of(&self, part: usize) -> Range<usize> {
        let start = part << self.shift;
        start..(start + (1 << self.shift)).min(self.words.len())
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
        for part in ones(self.parts) {
            let words = self.words_of(part as usize);
            self.words[words].fill(0);
        }
        self.parts = 0;
    }

    /// Makes the set equal to `other`.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.clear();
        self.grow(other.words.len() * WORD);
        for (place, word) in other.used_words() {
            self.words[place] = word;
            self.parts |= 1 << (place >> self.shift);
        }
    }

    /// Returns the number of members.
    pub(crate) fn len(&self) -> usize {
        self.used_words()
            .map(|(_, word)| word.count_ones() as usize)
            .sum()
    }

    /// Returns the word at `place`: bit `i` is the member `64 place + i`.
    #[inline]
    pub(crate) fn word(&self, place: usize) -> u64 {
        self.words.get(place).copied().unwrap_or(0)
    }

    /// Iterates over the words that are not 0, ascending, each with its place.
    pub(crate) fn used_words(&self) -> impl Iterator<Item = (usize, u64)> {
        ones(self.parts).flat_map(|part| {
            let range = self.words_of(part as usize);
            let words = self.words[range.clone()].iter().copied();
            range.zip(words).filter(|&(_, word)| word != 0)
        })
    }

    /// Lists the blocks of `len` words that have members, ascending.
    pub(crate) fn list_blocks(&self, len: usize, blocks: &mut Vec<u32>) {
        blocks.clear();
        for (place, _) in self.used_words() {
            let block = (place / len) as u32;
            if blocks.last() != Some(&block) {
                blocks.push(block);
            }
        }
    }

    /// Iterates over the members, ascending. No chain of iterators: one took five times the instructions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let mut words = self.used_words();
        let (mut place, mut bits) = (0, 0_u64);
        core::iter::from_fn(move || {
            if bits == 0 {
                (place, bits) = words.next()?;
            }
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            Some((place * WORD) as u32 + bit)
        })
    }

    /// Returns the words up to the last member.
    fn saved_words(&self) -> &[u64] {
        let last = self.used_words().last();
        &self.words[..last.map_or(0, |(place, _)| place + 1)]
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
        hash.add(self.saved_words());
    }
}

/// Writes what is hashed: the words up to the last member.
impl Persist for BitSet {
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.list(self.saved_words());
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let words = reader.read()?;
        let mut set = Self {
            words,
            ..Self::default()
        };
        set.divide();
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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

    /// Members far apart, with and without parts of several words, come and go as in a sorted set.
    #[test]
    fn sets_of_any_length_agree_with_a_sorted_set() {
        for bound in [60, 64 * 64, 64 * 64 + 1, 300_000] {
            let (mut set, mut twin) = (BitSet::default(), BTreeSet::new());
            let mut copy = BitSet::default();
            copy.insert(bound / 2);
            let mut number = 1_u32;
            for round in 0..400 {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let index = (number >> 8) % bound;
                if round % 3 == 2 {
                    let first = twin.pop_first().unwrap();
                    set.remove(first);
                    set.remove(index);
                    twin.remove(&index);
                } else {
                    set.insert(index);
                    twin.insert(index);
                }
                assert!(set.iter().eq(twin.iter().copied()), "{bound}");
                assert_eq!(set.parts == 0, twin.is_empty());
                copy.copy_from(&set);
                assert!(copy.iter().eq(twin.iter().copied()), "{bound}");
            }
            let mut blocks = Vec::new();
            set.list_blocks(2, &mut blocks);
            let mut expected: Vec<_> = twin.iter().map(|&i| i / 128).collect();
            expected.dedup();
            assert_eq!(blocks, expected);
            twin.iter().for_each(|&index| set.remove(index));
            assert_eq!(set.parts, 0);
        }
    }
}
