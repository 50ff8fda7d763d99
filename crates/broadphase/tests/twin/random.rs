//! Repeatable random numbers and boxes.

use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::point;

/// Xorshift generator [Marsaglia03].
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A whole number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) as usize) % n
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.next() >> 40) as f32 / (1 << 24) as f32)
    }

    /// A box of a random sort in a world that is `side` wide, around (`center`, `center`).
    pub(crate) fn aabb(&mut self, side: f32, center: f32) -> Aabb {
        let (x, y) = (
            center + self.between(-side, side),
            center + self.between(-side, side),
        );
        let (w, h) = match self.below(20) {
            0 => (self.between(0.0, side), self.between(0.0, side)),
            1 => (self.between(0.0, 1.0e-3), self.between(0.0, 1.0e-3)),
            2 => (0.0, 0.0),
            3 => (self.between(0.0, side), 0.0),
            4 => {
                return Aabb {
                    min: point(center, center),
                    max: point(center + 1.0, center + 1.0),
                };
            }
            5 => {
                return Aabb {
                    min: point(x * 1.0e6, y),
                    max: point(x * 1.0e6, y + 1.0e30),
                };
            }
            _ => (self.between(0.2, 1.5), self.between(0.2, 1.5)),
        };
        Aabb {
            min: point(x, y),
            max: point(x + w, y + h),
        }
    }
}
