//! The conditions of a scene: size, gravity, rate of steps, and the number of unrelated bodies.

use fastrand::Rng;

/// Gravity under standard conditions [m/s^2].
const STANDARD_GRAVITY: f32 = 10.0;

/// Bodies that a crowded world has beside those of the scene.
const NEIGHBORS: usize = 1000;

/// Scales of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Length of a standard meter in meters.
    pub scale: f32,
    /// [m/s^2]
    pub gravity: f32,
    /// Steps per second [1/s].
    pub rate: f32,
    /// Number of unrelated bodies.
    pub neighbors: usize,
}

impl Conditions {
    /// One meter, 10 m/s^2, 60 steps a second, no other bodies.
    pub const STANDARD: Self = Self {
        scale: 1.0,
        gravity: STANDARD_GRAVITY,
        rate: 60.0,
        neighbors: 0,
    };

    /// Draws conditions: standard ones for even seeds.
    pub(crate) fn of_seed(seed: u64, rng: &mut Rng) -> Self {
        if seed.is_multiple_of(2) {
            return Self::STANDARD;
        }
        let mut pick = |of: &[f32]| of[rng.usize(..of.len())];
        Self {
            scale: pick(&[0.1, 1.0, 1.0, 10.0]),
            gravity: pick(&[1.6, 10.0, 10.0, 25.0]),
            rate: pick(&[30.0, 60.0, 120.0, 240.0]),
            neighbors: if rng.u32(..8) == 0 { NEIGHBORS } else { 0 },
        }
    }

    /// Speed of a standard meter per second [m/s].
    pub(crate) fn speed_unit(&self) -> f32 {
        (self.scale * self.gravity / STANDARD_GRAVITY).sqrt()
    }

    /// Duration of a standard second \[s\].
    pub(crate) fn time_unit(&self) -> f32 {
        self.scale / self.speed_unit()
    }

    /// Length of a step \[s\].
    pub(crate) fn dt(&self) -> f32 {
        1.0 / self.rate
    }
}

/// Draws the numbers of a scene.
pub(crate) struct Draw {
    pub(crate) rng: Rng,
    pub(crate) conditions: Conditions,
    pub(crate) mechanisms: cairn2d::Mechanisms,
}

impl Draw {
    /// Returns a number from `low` to `high`.
    pub(crate) fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.rng.f32()
    }

    /// Returns an integer from `low` to `high`, both included.
    pub(crate) fn count(&mut self, low: usize, high: usize) -> usize {
        self.rng.usize(low..=high)
    }

    /// Returns `true` with a probability of `share`.
    pub(crate) fn chance(&mut self, share: f32) -> bool {
        self.rng.f32() < share
    }

    /// Returns one of some values.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    /// Returns 1 or -1.
    pub(crate) fn sign(&mut self) -> f32 {
        if self.rng.bool() { 1.0 } else { -1.0 }
    }
}
