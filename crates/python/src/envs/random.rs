//! The random generator of NumPy, `numpy.random.Generator(PCG64)`: the same numbers from the same state.
//!
//! Sources: PCG XSL-RR 128/64 (O'Neill 2014); integers by Lemire's method (2019), as in NumPy's `distributions.c`.

/// Multiplier of the linear congruential step.
const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

/// 2^-53: the spacing of uniform numbers below 1.
const SPACING: f64 = 1.0 / 9_007_199_254_740_992.0;

/// State of a generator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random {
    state: u128,
    increment: u128,
    /// The upper half of a 64-bit number whose lower half was used.
    half: Option<u32>,
}

impl Random {
    pub(crate) const fn new(state: u128, increment: u128, half: Option<u32>) -> Self {
        Self {
            state,
            increment,
            half,
        }
    }

    /// State, increment and unused half, as in the state of NumPy's generator.
    pub(crate) const fn parts(&self) -> (u128, u128, Option<u32>) {
        (self.state, self.increment, self.half)
    }

    pub(super) fn next_u64(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(MULTIPLIER)
            .wrapping_add(self.increment);
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let next = self.next_u64();
        self.half = Some((next >> 32) as u32);
        next as u32
    }

    /// `Generator.random()`: uniform in 0 to 1.
    pub(crate) fn random(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * SPACING
    }

    /// `Generator.uniform(low, high)`.
    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random()
    }

    /// `Generator.integers(low, high)` of ranges below 2^32.
    pub(crate) fn integers(&mut self, low: i64, high: i64) -> i64 {
        let count = (high - low) as u64;
        if count <= 1 {
            return low;
        }
        let mut product = u64::from(self.next_u32()) * count;
        if (product as u32) < count as u32 {
            let threshold = (u64::from(u32::MAX) - (count - 1)) % count;
            while u64::from(product as u32) < threshold {
                product = u64::from(self.next_u32()) * count;
            }
        }
        low + (product >> 32) as i64
    }
}
