//! Fingerprints of state: a hash that is the same on every machine, and the types that can be hashed.

use crate::math::{Point, Rotation, Vec2, WorldPoint};
use smallvec::{Array, SmallVec};

/// Odd number near 2^64 divided by the golden ratio: products spread over the high bits [Knuth98, 6.4].
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Fowler, Noll and Vo's start for 64 bits [FNV].
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Hashes words in the order in which they come; the same on every machine and in every build.
///
/// It is made to compare states, not to resist attacks. Each step is a bijection of the hash so far and of
/// the word. So two sequences that differ in a single word never have equal hashes.
///
/// FNV works byte by byte in the same manner, which takes eight multiplications where this takes one. Rust's usual hasher
/// starts from a random key and promises nothing from version to version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHasher(u64);

/// Something whose state can be hashed.
///
/// Implementations destructure `self` without `..`, so that a new field does not compile until someone has decided
/// whether it is state.
pub trait HashState {
    /// Adds everything that later steps read.
    fn hash_state(&self, hash: &mut StateHasher);
}

impl Default for StateHasher {
    fn default() -> Self {
        Self::new()
    }
}

impl StateHasher {
    /// Returns the hash of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(START)
    }

    /// Adds a word.
    #[inline]
    pub fn word(&mut self, word: u64) -> &mut Self {
        let product = (self.0 ^ word).wrapping_mul(SPREAD);
        // The product carries upward only; the next one starts from bits that saw the whole word.
        self.0 = product ^ (product >> 32);
        self
    }

    /// Adds two numbers as one word.
    #[inline]
    pub fn pair(&mut self, a: f32, b: f32) -> &mut Self {
        self.word(u64::from(a.to_bits()) << 32 | u64::from(b.to_bits()))
    }

    /// Adds a state.
    #[inline]
    pub fn add<T: HashState + ?Sized>(&mut self, state: &T) -> &mut Self {
        state.hash_state(self);
        self
    }

    /// Adds the members of a set, which come in no particular order.
    pub fn set(&mut self, members: impl Iterator<Item = u64>) -> &mut Self {
        let (mut count, mut sum) = (0_u64, 0_u64);
        for member in members {
            count += 1;
            sum = sum.wrapping_add(Self::new().word(member).finish());
        }
        self.word(count).word(sum)
    }

    /// Returns the hash of all added data.
    #[must_use]
    pub const fn finish(&self) -> u64 {
        self.0
    }
}

impl HashState for bool {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(u64::from(*self));
    }
}

impl HashState for u8 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(u64::from(*self));
    }
}

impl HashState for u16 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(u64::from(*self));
    }
}

impl HashState for u32 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(u64::from(*self));
    }
}

impl HashState for u64 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(*self);
    }
}

impl HashState for usize {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(*self as u64);
    }
}

impl HashState for i8 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(self.cast_unsigned().into());
    }
}

impl HashState for i32 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(self.cast_unsigned().into());
    }
}

impl HashState for f32 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(self.to_bits().into());
    }
}

impl HashState for f64 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(self.to_bits());
    }
}

impl HashState for Vec2 {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.pair(self.x, self.y);
    }
}

impl HashState for Point {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.pair(self.x, self.y);
    }
}

impl HashState for Rotation {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.pair(self.re, self.im);
    }
}

impl HashState for WorldPoint {
    #[inline]
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { x, y } = self;
        hash.add(x).add(y);
    }
}

impl<T: HashState> HashState for Option<T> {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&self.is_some());
        if let Some(state) = self {
            hash.add(state);
        }
    }
}

impl<A: HashState, B: HashState> HashState for (A, B) {
    fn hash_state(&self, hash: &mut StateHasher) {
        let (a, b) = self;
        hash.add(a).add(b);
    }
}

/// Without the length, which is part of the type.
impl<T: HashState, const N: usize> HashState for [T; N] {
    fn hash_state(&self, hash: &mut StateHasher) {
        for state in self {
            hash.add(state);
        }
    }
}

/// The length, then the states: lists that follow each other do not run into each other.
impl<T: HashState> HashState for [T] {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&self.len());
        for state in self {
            hash.add(state);
        }
    }
}

impl<T: HashState> HashState for Vec<T> {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(self.as_slice());
    }
}

impl<A: Array<Item: HashState>> HashState for SmallVec<A> {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(self.as_slice());
    }
}

impl<T: HashState> HashState for Box<T> {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&**self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec2;

    fn hash<T: HashState + ?Sized>(state: &T) -> u64 {
        StateHasher::new().add(state).finish()
    }

    #[test]
    fn hash_is_pinned() {
        // Written down once: machines, builds and versions of Rust must agree on it.
        let state: [(u32, f32); 2] = [(7, 1.5), (9, -0.0)];
        let mut hasher = StateHasher::new();
        for (number, x) in state {
            hasher.add(&number).add(&x);
        }
        assert_eq!(hasher.finish(), 0x1384_8857_98b7_b792);
    }

    #[test]
    fn every_bit_of_a_word_counts() {
        let zero = hash(&0_u64);
        for bit in 0..u64::BITS {
            assert_ne!(hash(&(1_u64 << bit)), zero, "bit {bit}");
        }
    }

    #[test]
    fn order_lengths_and_signs_of_zero_count() {
        assert_ne!(hash(&[1_u32, 2]), hash(&[2_u32, 1]));
        assert_ne!(hash(&vec2(1.0, 2.0)), hash(&vec2(2.0, 1.0)));
        assert_ne!(hash(&0.0_f32), hash(&-0.0_f32));
        let lists = |a: &[u32], b: &[u32]| StateHasher::new().add(a).add(b).finish();
        assert_ne!(lists(&[1], &[2, 3]), lists(&[1, 2], &[3]));
        assert_ne!(hash(&None::<u32>), hash(&Some(0_u32)));
    }

    #[test]
    fn sets_do_not_depend_on_order() {
        let of = |members: &[u64]| StateHasher::new().set(members.iter().copied()).finish();
        assert_eq!(of(&[3, 1, 2]), of(&[1, 2, 3]));
        assert_ne!(of(&[1, 2]), of(&[1, 3]));
        assert_ne!(of(&[]), of(&[0]));
    }
}
