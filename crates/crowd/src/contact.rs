//! What keeps two discs apart for the very next step, whatever the others do.
//!
//! Between two agents stands a line across the gap that separates them; each stays on its side
//! [Zhou17]. The line moves with the pair along the gap, as far as either could still stop: standing
//! still is always allowed, so these half-planes never contradict each other while nobody overlaps.
//! Agents that do overlap are parted at a bounded speed in a given time.

use crate::half_plane::HalfPlane;
use cairn2d_geometry::math::{Vec2, sin_cos};

/// How overlaps are undone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recovery {
    /// Time constant [s].
    pub(crate) time: f32,
    /// Greatest speed [m/s].
    pub(crate) speed: f32,
}

/// Limits of one step that decide how fast a gap may be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Step [s].
    pub(crate) step: f32,
    /// Deceleration that the agent has [m/s^2]; infinite without a limit.
    pub(crate) braking: f32,
}

impl Pace {
    /// Returns the speed towards something `gap` away, from which the agent can still stop [m/s].
    ///
    /// It walks `v h` in the step and `v^2 / 2a` while braking; the root of the sum, in the form
    /// that loses no digits when the braking way is short.
    #[inline]
    pub(crate) fn approach(&self, gap: f32) -> f32 {
        if self.braking.is_infinite() {
            return gap / self.step;
        }
        let root = (self.step * self.step + 2.0 * gap / self.braking.max(f32::MIN_POSITIVE)).sqrt();
        2.0 * gap / (self.step + root)
    }
}

/// Two agents about to touch, as the first of them sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Unit vector from A's center to B's.
    pub(crate) towards: Vec2,
    /// Distance between the edges [m]; negative when they overlap.
    pub(crate) gap: f32,
    /// Mean of both velocities along `towards` [m/s].
    pub(crate) drift: f32,
    /// Part of the gap that A may use, and of an overlap that it undoes.
    pub(crate) share: f32,
}

impl Touch {
    /// Returns the half-plane of A.
    #[inline]
    pub(crate) fn half_plane(&self, pace: &Pace, recovery: &Recovery) -> HalfPlane {
        let closing = if self.gap >= 0.0 {
            let (own, other) = (self.share * self.gap, (1.0 - self.share) * self.gap);
            let line = self.drift.clamp(-pace.approach(own), pace.approach(other));
            line + pace.approach(own)
        } else {
            -self.share * recovery.parting(-self.gap)
        };
        HalfPlane::new(-self.towards, -closing)
    }
}

impl Recovery {
    /// Returns the speed at which an overlap of `depth` [m] is undone [m/s].
    #[inline]
    pub(crate) fn parting(&self, depth: f32) -> f32 {
        // A time of zero gives infinity (or NaN for no depth): `min` then takes the speed.
        (depth / self.time).min(self.speed)
    }
}

/// Returns a unit vector for two agents on one spot, from `own` to `other`; opposite for the two.
///
/// Taken from the names, for nothing else tells the two apart.
pub(crate) fn apart(own: u32, other: u32) -> Vec2 {
    let (low, high) = (own.min(other), own.max(other));
    // Golden-ratio hash of the pair: neighbouring names point far apart.
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
    use cairn2d_geometry::math::vec2;
    use proptest::prelude::*;

    const RECOVERY: Recovery = Recovery {
        time: 0.2,
        speed: 1.0,
    };

    proptest! {
        /// Whatever both choose within their half-planes, the gap does not become negative; and
        /// both may stand still.
        #[test]
        fn both_keep_the_gap(
            gap in 0.0f32..3.0, share in 0.0f32..1.0, va in -3.0f32..3.0, vb in -3.0f32..3.0,
            step in 0.005f32..0.5,
        ) {
            let pace = Pace { step, braking: f32::INFINITY };
            let drift = 0.5 * (va + vb);
            let a = Touch { towards: vec2(1.0, 0.0), gap, drift, share };
            let b = Touch { towards: vec2(-1.0, 0.0), gap, drift: -drift, share: 1.0 - share };
            let (pa, pb) = (a.half_plane(&pace, &RECOVERY), b.half_plane(&pace, &RECOVERY));
            prop_assert!(pa.violation(&vec2(0.0, 0.0)) <= 1e-5);
            prop_assert!(pb.violation(&vec2(0.0, 0.0)) <= 1e-5);
            // The fastest that A may go towards B, and B towards A.
            let left = gap - (-pa.offset - pb.offset) * step;
            prop_assert!(left > -1e-5 * (1.0 + gap));
        }

        /// From the approach speed the agent stops within the gap, braking from the next step on.
        #[test]
        fn approach_leaves_room_to_stop(gap in 0.0f32..5.0, braking in 0.5f32..8.0) {
            let pace = Pace { step: 0.1, braking };
            let mut left = gap;
            let mut speed = pace.approach(gap);
            while speed > 0.0 {
                left -= speed * pace.step;
                speed -= braking * pace.step;
            }
            prop_assert!(left > -1e-4);
        }
    }

    #[test]
    fn overlaps_part_at_a_bounded_speed() {
        assert_eq!(RECOVERY.parting(0.1), 0.5);
        assert_eq!(RECOVERY.parting(5.0), 1.0);
        assert_eq!(
            Recovery {
                time: 0.0,
                speed: 1.0
            }
            .parting(0.1),
            1.0
        );
    }

    #[test]
    fn agents_on_one_spot_have_opposite_directions() {
        for (a, b) in [(0, 1), (1, 2), (7, 100_000)] {
            assert_eq!(apart(a, b), -apart(b, a));
            assert!((apart(a, b).norm() - 1.0).abs() < 1e-6);
        }
    }
}
