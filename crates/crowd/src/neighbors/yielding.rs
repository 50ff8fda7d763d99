//! Yielding: agents with a low preferred speed yield to faster ones.
//!
//! An agent that is held up has zero velocity, so ORCA has nothing to avoid. A slower agent therefore takes the
//! preferred velocity of a faster one for its velocity, the more the lower its own preferred speed is.

use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{Lanes8, Simd};

/// Share of another's preferred speed from which on an agent does not yield.
///
/// Below 1, so that agents with equal preferred speeds use each other's actual velocities, and rounding decides
/// nothing.
const SIMILAR_SPEED: f32 = 0.9;

/// Preferred velocity of an agent, as others read it; 12 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PreferredVelocity {
    velocity: [f32; 2],
    speed: f32,
}

impl PreferredVelocity {
    /// Returns the record of an agent with the preferred velocity `velocity` [m/s].
    pub(crate) fn of(velocity: &Vec2) -> Self {
        Self {
            velocity: [velocity.x, velocity.y],
            speed: velocity.norm(),
        }
    }

    /// Returns the preferred speed [m/s].
    #[inline]
    pub(crate) fn speed(&self) -> f32 {
        self.speed
    }

    /// Returns whether an agent with the preferred speed `own` yields to no agent whose preferred speed is `greatest`
    /// at most [m/s].
    #[inline]
    pub(crate) fn yields_to_none(own: f32, greatest: f32) -> bool {
        own >= SIMILAR_SPEED * greatest
    }

    /// Returns the velocity that an agent with the preferred speed `own` [m/s] expects of another with this preferred
    /// velocity and the actual `velocity` [m/s].
    #[inline]
    pub(crate) fn expected(&self, velocity: [f32; 2], own: f32) -> Vec2 {
        let [x, y] = velocity;
        let bound = SIMILAR_SPEED * self.speed;
        if own >= bound {
            return vec2(x, y);
        }
        let part = (bound - own) / bound;
        vec2(
            x + part * (self.velocity[0] - x),
            y + part * (self.velocity[1] - y),
        )
    }
}

/// Returns the shares that an agent with this weight and right of way takes towards eight others with the weights and
/// rights of way `claims`.
#[inline(always)]
pub(crate) fn shares_by_weight<L: Lanes8>(weight: f32, priority: u8, claims: [L; 2]) -> L {
    let simd = claims[0].simd();
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let (own, right) = (simd.splat(weight), simd.splat(priority.into()));
    let [theirs, their_right] = claims;
    let sum = theirs + own;
    let by_weight = L::select(sum.gt(zero), own / sum, simd.splat(0.5));
    let given = L::select(right.lt(their_right), one, by_weight);
    L::select(right.gt(their_right), zero, given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_simd::{BASELINE8, Baseline8, F32, F32x8};

    #[test]
    fn shares_follow_right_of_way_then_weights() {
        let theirs = [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0];
        let rights = [1.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 0.0];
        let shares = |weight| {
            let claims =
                [theirs, rights].map(|numbers| F32::<Baseline8>::load(BASELINE8, &F32x8(numbers)));
            shares_by_weight(weight, 1, claims).store().0
        };
        assert_eq!(shares(1.0), [1.0, 0.5, 1.0, 0.25, 0.0, 0.5, 1.0, 0.0]);
        assert_eq!(shares(0.0), [0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn slow_agents_expect_preferred_velocities() {
        let hurried = PreferredVelocity::of(&vec2(2.0, 0.0));
        assert_eq!(hurried.expected([0.0, 0.5], 0.0), vec2(2.0, 0.0));
        assert_eq!(hurried.expected([0.0, 0.5], 0.9), vec2(1.0, 0.25));
    }

    #[test]
    fn equally_fast_agents_expect_actual_velocities() {
        let walking = PreferredVelocity::of(&vec2(0.0, 1.0));
        for own in [0.9, 1.0, 5.0] {
            assert_eq!(walking.expected([0.1, 0.2], own), vec2(0.1, 0.2));
            assert!(PreferredVelocity::yields_to_none(own, walking.speed()));
        }
        let standing = PreferredVelocity::of(&Vec2::zeros());
        assert_eq!(standing.expected([0.1, 0.2], 0.0), vec2(0.1, 0.2));
    }
}
