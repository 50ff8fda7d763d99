//! Recovery from overlaps.

use cairn2d_geometry::math::{Vec2, sin_cos};

/// Returns the speed at which an overlap of `depth` [m] is resolved with the time constant `time` [s], `most` at most [m/s].
#[inline]
pub(crate) fn opening_speed(depth: f32, time: f32, most: f32) -> f32 {
    // A time of zero gives infinity (or NaN for no depth): `min` then selects the speed.
    (depth / time).min(most)
}

/// Returns a unit vector for two agents at one position, from `own` to `other`; opposite for the two.
///
/// It is derived from the ids, since nothing else distinguishes the two.
pub(crate) fn apart(own: u32, other: u32) -> Vec2 {
    let (low, high) = (own.min(other), own.max(other));
    // Golden-ratio hash of the pair: adjacent ids get distant directions.
    let hash = (low.wrapping_mul(0x9E37_79B9) ^ high).wrapping_mul(0x85EB_CA6B);
    let turn = (hash >> 8) as f32 / (1u32 << 24) as f32;
    let (sin, cos) = sin_cos(turn * (2.0 * core::f32::consts::PI));
    if own == low {
        Vec2::new(cos, sin)
    } else {
        Vec2::new(-cos, -sin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_part_at_a_bounded_speed() {
        assert_eq!(opening_speed(0.1, 0.2, 1.0), 0.5);
        assert_eq!(opening_speed(5.0, 0.2, 1.0), 1.0);
        assert_eq!(opening_speed(0.1, 0.0, 1.0), 1.0);
    }

    #[test]
    fn agents_on_one_spot_have_opposite_directions() {
        for (a, b) in [(0, 1), (1, 2), (7, 100_000)] {
            assert_eq!(apart(a, b), -apart(b, a));
            assert!((apart(a, b).norm() - 1.0).abs() < 1e-6);
        }
    }
}
