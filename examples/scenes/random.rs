//! Numbers that look random and are the same on every machine.

/// Generator of pseudo-random numbers, started by a seed: SplitMix64 \[Steele14\].
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the generator with the given seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in `low` to `high`, the latter excluded, except by rounding.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        // The upper 24 bits: as many as an `f32` holds.
        let share = (self.next() >> 40) as f32 / (1_u64 << 24) as f32;
        low + (high - low) * share
    }

    /// Returns an integer in 0 to `count`, the latter excluded.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn below(&mut self, count: u32) -> u32 {
        assert!(count > 0, "count is 0: there is no number below it");
        (self.next() % u64::from(count)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_repeat() {
        let mut a = Random::new(7);
        let mut b = a.clone();
        for _ in 0..1000 {
            let x = a.range(-2.0, 3.0);
            assert!((-2.0..=3.0).contains(&x));
            assert_eq!(x, b.range(-2.0, 3.0));
            assert!(a.below(5) < 5);
            let _ = b.below(5);
        }
    }
}
