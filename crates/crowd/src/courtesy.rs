//! Who makes way for whom without being touched: those who want to go hardly anywhere, for those who do.
//!
//! One who stands looks at others' velocities in vain where it blocks them: held up they do not move, so there is
//! nothing to evade. So it takes those who want to go faster than itself to go as they wish, the more the slower it
//! wants to go itself.

use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{Lanes8, Simd};

/// Part of another's wished speed from which on an agent makes no way by itself.
///
/// Below 1, so that those who all want to go alike look at what they do, and rounding decides nothing.
const ALIKE: f32 = 0.9;

/// What an agent would do alone, as others know of it; 12 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Intent {
    velocity: [f32; 2],
    speed: f32,
}

impl Intent {
    /// Returns the intent of one who would go at `velocity` [m/s].
    pub(crate) fn of(velocity: &Vec2) -> Self {
        Self {
            velocity: [velocity.x, velocity.y],
            speed: velocity.norm(),
        }
    }

    /// Returns the wished speed [m/s].
    #[inline]
    pub(crate) fn speed(&self) -> f32 {
        self.speed
    }

    /// Says whether one who wants to go at `own` makes way for nobody whose wished speed is `greatest` at most [m/s].
    #[inline]
    pub(crate) fn is_hurried(own: f32, greatest: f32) -> bool {
        own >= ALIKE * greatest
    }

    /// Returns the velocity at which one who wants to go at `own` [m/s] takes another with this intent to move,
    /// which moves at `velocity` [m/s].
    #[inline]
    pub(crate) fn expected(&self, velocity: [f32; 2], own: f32) -> Vec2 {
        let [x, y] = velocity;
        let bound = ALIKE * self.speed;
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

/// Returns the parts of the way that an agent with this weight and right of way gives to eight others with their
/// `claims`, weights and rights of way.
#[inline(always)]
pub(crate) fn shares_by_claim<L: Lanes8>(weight: f32, priority: u8, claims: [L; 2]) -> L {
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
    fn weights_decide_among_those_of_one_right_of_way() {
        let theirs = [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0];
        let rights = [1.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 0.0];
        let shares = |weight| {
            let claims =
                [theirs, rights].map(|numbers| F32::<Baseline8>::load(BASELINE8, &F32x8(numbers)));
            shares_by_claim(weight, 1, claims).store().0
        };
        assert_eq!(shares(1.0), [1.0, 0.5, 1.0, 0.25, 0.0, 0.5, 1.0, 0.0]);
        assert_eq!(shares(0.0), [0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn who_wants_to_stand_takes_others_at_their_wish() {
        let hurried = Intent::of(&vec2(2.0, 0.0));
        assert_eq!(hurried.expected([0.0, 0.5], 0.0), vec2(2.0, 0.0));
        assert_eq!(hurried.expected([0.0, 0.5], 0.9), vec2(1.0, 0.25));
    }

    #[test]
    fn who_wants_to_go_as_fast_looks_at_what_others_do() {
        let walking = Intent::of(&vec2(0.0, 1.0));
        for own in [0.9, 1.0, 5.0] {
            assert_eq!(walking.expected([0.1, 0.2], own), vec2(0.1, 0.2));
            assert!(Intent::is_hurried(own, walking.speed()));
        }
        let standing = Intent::of(&Vec2::zeros());
        assert_eq!(standing.expected([0.1, 0.2], 0.0), vec2(0.1, 0.2));
    }
}
