//! The angle of B against A, without jumps.

use super::pair::BodyPair;
use crate::body::state::BodyPose;
use cairn2d_geometry::math::{PI, Vec2, atan2};

/// Returns the turn of B against A since the start of the step, in (-pi, pi] [rad].
#[inline(always)]
pub(crate) fn turn_of_step(pair: &BodyPair) -> f32 {
    let (a, b) = (pair.a.state.delta_rotation, pair.b.state.delta_rotation);
    angle_between(a, b)
}

/// Returns the angle from the rotation `a` to `b`, both cosine and sine, in (-pi, pi] [rad].
#[inline(always)]
pub(crate) fn angle_between(a: Vec2, b: Vec2) -> f32 {
    atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
}

/// Returns the angle of B's frame against A's in (-pi, pi] [rad], given the angles of the frames in their
/// bodies.
pub(crate) fn angle_of_frames(a: &BodyPose, b: &BodyPose, angle_a: f32, angle_b: f32) -> f32 {
    nearest_turn(
        angle_between(a.rotation, b.rotation) + angle_b - angle_a,
        0.0,
    )
}

/// Returns the angle equal to `angle` up to full turns that is nearest to `reference` [rad].
///
/// This is what lets a limit stand anywhere, past half a turn too: the angle is followed from step to step
/// and does not wrap.
pub(crate) fn nearest_turn(angle: f32, reference: f32) -> f32 {
    const TURN: f32 = 2.0 * PI;
    angle + TURN * ((reference - angle) / TURN).round()
}

#[cfg(test)]
mod tests {
    use super::*;

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
