//! The angle of B relative to A, without jumps.

use super::pair::BodyPair;
use crate::body::state::BodyPose;
use cairn2d_geometry::math::{PI, Vec2, atan2};
use cairn2d_geometry::state_record;
use cairn2d_simd::{Lanes, Mask, Simd};

/// Greatest |tan(angle / 2)| for which the series of the arc tangent is used; its error, t^11 / 11, is below
/// the rounding of an `f32`. Turns of more than 0.4 rad a step are rare and use the library function.
const SERIES_TANGENT: f32 = 0.2;

/// Returns the rotation of B relative to A since the start of the step, in (-pi, pi] [rad].
#[inline(always)]
pub(crate) fn turn_of_step<L: Lanes>(pair: &BodyPair<L>) -> L {
    let (a, b) = (&pair.a.d, &pair.b.d);
    turn_between([a.c, a.s], [b.c, b.s])
}

/// Returns the angle from the rotation `a` to `b`, both cosine and sine, in (-pi, pi] [rad]; fast for
/// small angles.
#[inline(always)]
pub(crate) fn turn_between<L: Lanes>(a: [L; 2], b: [L; 2]) -> L {
    let simd = a[0].simd();
    let c = a[0] * b[0] + a[1] * b[1];
    let s = a[0] * b[1] - a[1] * b[0];
    let t = s / (simd.splat(1.0) + c);
    let t2 = t * t;
    // 2 atan t = 2 (t - t^3 / 3 + t^5 / 5 - t^7 / 7 + t^9 / 9 ..)
    let (p9, p7) = (simd.splat(1.0 / 9.0), simd.splat(-1.0 / 7.0));
    let (p5, p3) = (simd.splat(1.0 / 5.0), simd.splat(-1.0 / 3.0));
    let series = ((p9 * t2 + p7) * t2 + p5) * t2 + p3;
    let mut angle = simd.splat(2.0) * (t + t * (t2 * series));
    let small = simd
        .splat(SERIES_TANGENT * SERIES_TANGENT)
        .ge(t2)
        .and(c.gt(simd.zero()));
    if !small.all() {
        let mut exact = simd.zero();
        let lanes = exact.as_mut_slice().iter_mut();
        for (lane, (s, c)) in lanes.zip(s.as_slice().iter().zip(c.as_slice())) {
            *lane = atan2(*s, *c);
        }
        angle = L::select(small, angle, exact);
    }
    angle
}

/// Returns the angle from the rotation `a` to `b`, both cosine and sine, in (-pi, pi] [rad].
#[inline(always)]
pub(crate) fn angle_between(a: Vec2, b: Vec2) -> f32 {
    atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
}

/// The unwrapped rotation of B relative to A: full turns are counted.
///
/// Limits can be beyond half a turn, as the angle is tracked from step to step and does not wrap. An update
/// takes two comparisons and no arc tangent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnwrappedAngle {
    /// Cosine and sine; both zero before the first step.
    last: Vec2,
    /// Full turns to add to the arc tangent.
    turns: f32,
}

state_record!(UnwrappedAngle { last, turns });

impl UnwrappedAngle {
    pub(crate) const START: Self = Self {
        last: Vec2::new(0.0, 0.0),
        turns: 0.0,
    };

    /// Updates to the present rotations of the bodies, by less than half a turn. The first update chooses the
    /// turns such that the angle plus `offset` is in (-pi, pi].
    #[inline]
    pub(crate) fn update(&mut self, a: &BodyPose, b: &BodyPose, offset: f32) {
        let (a, b) = (a.rotation, b.rotation);
        let now = Vec2::new(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x);
        let last = self.last;
        if last == Vec2::zeros() {
            self.turns = -((atan2(now.y, now.x) + offset) / FULL_TURN).round();
        } else {
            let left = last.x * now.y - last.y * now.x > 0.0;
            if left && last.y >= 0.0 && now.y < 0.0 {
                self.turns += 1.0;
            } else if !left && last.y < 0.0 && now.y >= 0.0 {
                self.turns -= 1.0;
            }
        }
        self.last = now;
    }

    /// Returns the angle [rad].
    pub(crate) fn angle(&self) -> f32 {
        // Before the first update the arc tangent of (0, 0) is zero.
        atan2(self.last.y, self.last.x) + FULL_TURN * self.turns
    }
}

/// A full turn [rad].
const FULL_TURN: f32 = 2.0 * PI;

/// Returns the angle equal to `angle` up to full turns that is nearest to `reference` [rad].
pub(crate) fn nearest_turn(angle: f32, reference: f32) -> f32 {
    angle + FULL_TURN * ((reference - angle) / FULL_TURN).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::sin_cos;
    use cairn2d_simd::Portable;

    #[test]
    fn turns_of_any_size_are_measured() {
        for i in -310..=310 {
            let (planted, start) = (0.01 * i as f32, 0.3);
            let rotation = |angle: f32| {
                let (s, c) = sin_cos(angle);
                [c, s].map(|value| Portable::<1>::BASELINE.splat(value))
            };
            let turn = turn_between(rotation(start), rotation(start + planted));
            let error = turn.as_slice()[0] - planted;
            assert!(
                error.abs() < 4.0 * f32::EPSILON * planted.abs().max(0.3),
                "{planted}"
            );
        }
    }

    #[test]
    fn unwrapped_angle_does_not_wrap() {
        let pose = |angle: f32| {
            let (s, c) = sin_cos(angle);
            BodyPose {
                rotation: Vec2::new(c, s),
                ..BodyPose::IDENTITY
            }
        };
        for (rate, offset) in [(0.7, 0.0), (-0.9, 0.0), (2.9, 1.0), (-3.0, 2.5)] {
            let mut unwrapped = UnwrappedAngle::START;
            for i in 0..50 {
                let planted = rate * i as f32;
                unwrapped.update(&pose(0.4), &pose(0.4 + planted), offset);
                let error = (unwrapped.angle() - planted).abs();
                assert!(error < 1.0e-4, "{planted}: {}", unwrapped.angle());
            }
        }
    }

    #[test]
    fn unwrapped_angle_starts_within_half_a_turn() {
        let mut unwrapped = UnwrappedAngle::START;
        let turned = BodyPose {
            rotation: Vec2::new(-1.0, 1.0e-3),
            ..BodyPose::IDENTITY
        };
        unwrapped.update(&BodyPose::IDENTITY, &turned, 3.0);
        assert!((unwrapped.angle() + 3.0).abs() < PI);
    }

    #[test]
    fn nearest_turn_follows_its_reference() {
        for (angle, reference, expected) in [
            (0.1, 0.0, 0.1),
            (-3.0, 3.0, -3.0 + 2.0 * PI),
            (3.0, -3.0, 3.0 - 2.0 * PI),
            (0.5, 20.0, 0.5 + 6.0 * PI),
        ] {
            assert!((nearest_turn(angle, reference) - expected).abs() < 1.0e-5);
        }
    }
}
