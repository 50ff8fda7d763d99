//! Records of a table that may have changed since the base of deltas.

use crate::clone_fields;
use core::ops::Range;

/// Slots in a word of [`WrittenSlots`].
pub(super) const WORD: usize = u64::BITS as usize;

/// Slots of a table whose records may have been written since the base of deltas: never too few.
///
/// Each access that can write a record notes its slot first. So a delta compares only these records with the base.
#[derive(Debug, Default)]
pub struct WrittenSlots {
    words: Vec<u64>,
}

clone_fields!(WrittenSlots { words });

impl WrittenSlots {
    /// Notes that the record in `slot` may be written.
    #[inline]
    pub fn note(&mut self, slot: usize) {
        let word = slot / WORD;
        if word >= self.words.len() {
            self.grow(word + 1);
        }
        self.words[word] |= 1 << (slot % WORD);
    }

    /// Notes that the records in `slots` may be written.
    pub fn note_all(&mut self, slots: Range<usize>) {
        slots.for_each(|slot| self.note(slot));
    }

    #[cold]
    fn grow(&mut self, words: usize) {
        self.words.resize(words, 0);
    }

    /// Forgets all: the present records are those of the base.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Returns which of the 64 slots from `64 * word` on are noted, one bit each.
    #[inline]
    #[must_use]
    pub fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or(0)
    }

    /// Returns which of the 64 words from `64 * word` on have a noted slot, one bit each.
    #[must_use]
    pub fn words_with_any(&self, word: usize) -> u64 {
        let first = word * WORD;
        (0..WORD).fold(0, |bits, i| {
            bits | u64::from(self.word(first + i) != 0) << i
        })
    }

    /// Number of noted slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Returns `true` if no slot is noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noted_slots_are_found_by_word_and_by_group_of_words() {
        let mut written = WrittenSlots::default();
        assert!(written.is_empty());
        written.note(3);
        written.note_all(130..132);
        assert_eq!([0, 1, 2, 99].map(|word| written.word(word)), [8, 0, 12, 0]);
        assert_eq!([0, 1].map(|word| written.words_with_any(word)), [5, 0]);
        assert_eq!(written.len(), 3);
        written.clear();
        assert!(written.is_empty());
    }
}
