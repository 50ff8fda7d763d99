//! Detours: the preferred velocity is redirected where it makes no progress.
//!
//! An agent follows a wall at its preferred speed, on the side to which it slides by itself, or on the side of its
//! bias if it stands squarely before the wall. It keeps that side until it slides on by itself. To avoid other agents
//! it turns its preferred velocity.

use crate::half_plane::HalfPlane;
use crate::lanes::dot;
use crate::store::Side;
use crate::tuning::{
    BIAS_FADE_TIME, DETOUR_PROGRESS, MAX_CORNERS, MAX_TURN, QUEUE_FADE, SQUARE_SINE, TURN_PROGRESS,
    TURN_RATE, WALL_SHARE,
};
use cairn2d_geometry::math::{Vec2, sin_cos};
use cairn2d_simd::{Lanes8, Mask, Simd};

/// Preferred velocity in view of walls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Detour {
    pub(crate) preferred: Vec2,
    pub(crate) side: Side,
}

/// Redirects the preferred velocity along walls.
///
/// The sign of `bias` selects the side if both are equal; with zero the preferred velocity stays. `blocks` returns
/// whether the half-plane at an index is in the way.
pub(crate) fn redirect_along_walls(
    walls: &[HalfPlane],
    wanted: &Vec2,
    bias: f32,
    last: Side,
    blocks: impl Fn(usize, &HalfPlane) -> bool,
) -> Detour {
    let speed_sq = wanted.norm_squared();
    let mut detour = Detour {
        preferred: *wanted,
        side: 0,
    };
    if bias == 0.0 || speed_sq <= 0.0 {
        return detour;
    }
    let mut side = last;
    for _ in 0..MAX_CORNERS {
        let Some(index) = most_violated(walls, &detour.preferred) else {
            break;
        };
        let plane = walls[index];
        if !blocks(index, &plane) {
            break;
        }
        // The allowed side is on the left of the boundary direction, so the boundary runs to the left as seen from
        // there.
        let right = -plane.direction();
        let slide = right.dot(&detour.preferred);
        if side == 0 {
            let square = slide * slide < SQUARE_SINE * SQUARE_SINE * speed_sq;
            let direction = if square { bias } else { slide };
            side = if direction > 0.0 { 1 } else { -1 };
        }
        let gained = slide * f32::from(side);
        let kept = detour.preferred + plane.normal * plane.violation(&detour.preferred);
        let slides_on = gained >= 0.0 && kept.dot(wanted) > DETOUR_PROGRESS * speed_sq;
        let along_sq = speed_sq - plane.offset * plane.offset;
        if slides_on || along_sq <= 0.0 {
            break;
        }
        detour.side = side;
        detour.preferred = plane.foot() + right * (along_sq.sqrt() * f32::from(side));
    }
    detour
}

/// Input of the turns of eight preferred velocities.
pub(crate) struct TurnControl<L> {
    /// Angles of the last step [rad]; positive to the right.
    pub(crate) last: L,
    pub(crate) bias: L,
    pub(crate) step: f32,
    /// The preferred velocities with the turns of the last step, and the parts of them that walls leave [m/s].
    pub(crate) turned: [L; 2],
    pub(crate) free: [L; 2],
    pub(crate) velocity: [L; 2],
}

impl<L: Lanes8> TurnControl<L> {
    /// Returns the turns of the preferred velocities [rad]; `blocked` is the mask of agents with others in the way, `waits`
    /// of those in a queue.
    ///
    /// The turn is the bias while agents are in the way. It grows while they prevent progress even in the turned
    /// direction, and fades when no agent is in the way, or in a queue. A turn into a wall shrinks.
    #[inline(always)]
    pub(crate) fn angles(&self, blocked: L::Mask, waits: L::Mask) -> L {
        let simd = self.bias.simd();
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let (bias, last) = (self.bias.max(-self.bias), self.last.max(-self.last));
        let free_sq = dot(self.free, self.free);
        let least_sq = simd.splat(WALL_SHARE * WALL_SHARE) * dot(self.turned, self.turned);
        let progress = dot(self.velocity, self.free) / free_sq;
        let progress = L::select(free_sq.le(least_sq), one, progress);
        let progress = progress.max(zero).min(one);
        let growth = simd.splat(self.step * TURN_RATE) * (simd.splat(TURN_PROGRESS) - progress);
        let grown = (last + growth)
            .max(bias)
            .min(bias.max(simd.splat(MAX_TURN)));
        let rate = L::select(
            waits,
            simd.splat(QUEUE_FADE),
            bias / simd.splat(BIAS_FADE_TIME),
        );
        let fade = simd.splat(self.step) * rate;
        let faded = (last - fade).max(zero);
        let angle = L::select(blocked.or(last.gt(bias)), grown, faded);
        let angle = L::select(waits, faded, angle);
        let angle = L::select(self.bias.lt(zero), -angle, angle);
        L::select(bias.gt(zero), angle, zero)
    }
}

/// Returns the wall that a velocity violates most, if any; the first of equal ones.
fn most_violated(walls: &[HalfPlane], velocity: &Vec2) -> Option<usize> {
    let (mut worst, mut found) = (0.0, None);
    for (index, wall) in walls.iter().enumerate() {
        let violation = wall.violation(velocity);
        if violation > worst {
            (worst, found) = (violation, Some(index));
        }
    }
    found
}

/// Returns the part of a velocity that walls leave.
pub(crate) fn along_walls(walls: &[HalfPlane], preferred: &Vec2) -> Vec2 {
    let mut free = *preferred;
    for _ in 0..MAX_CORNERS {
        let Some(index) = most_violated(walls, &free) else {
            break;
        };
        let plane = walls[index];
        free += plane.normal * plane.violation(&free);
    }
    free
}

/// Returns `v` rotated by `angle` [rad], to the right if positive.
#[inline]
pub(crate) fn turned(v: &Vec2, angle: f32) -> Vec2 {
    if angle == 0.0 {
        return *v;
    }
    let (sin, cos) = sin_cos(angle);
    Vec2::new(cos * v.x + sin * v.y, cos * v.y - sin * v.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;
    use cairn2d_simd::{BASELINE8, Baseline8, F32, LANES};

    /// Redirects an upward preferred velocity before walls.
    fn before(walls: &[HalfPlane], wanted: Vec2, bias: f32, last: Side) -> Detour {
        redirect_along_walls(walls, &wanted, bias, last, |_, _| true)
    }

    const UP: Vec2 = Vec2::new(0.0, 1.0);

    fn wall_ahead(room: f32) -> HalfPlane {
        HalfPlane::new(-UP, -room)
    }

    #[test]
    fn squarely_before_a_wall_the_bias_decides() {
        let right = before(&[wall_ahead(0.0)], UP, 0.3, 0);
        assert_eq!((right.preferred, right.side), (vec2(1.0, 0.0), 1));
        let left = before(&[wall_ahead(0.0)], UP, -0.3, 0);
        assert_eq!((left.preferred, left.side), (vec2(-1.0, 0.0), -1));
        assert_eq!(before(&[wall_ahead(0.0)], UP, 0.0, 0).preferred, UP);
    }

    #[test]
    fn an_agent_that_slides_keeps_its_preferred_velocity() {
        let wanted = vec2(-0.8, 0.6);
        let detour = before(&[wall_ahead(0.0)], wanted, 0.3, 0);
        assert_eq!((detour.preferred, detour.side), (wanted, 0));
    }

    #[test]
    fn the_side_is_kept_past_the_middle() {
        let detour = before(&[wall_ahead(0.0)], vec2(-0.8, 0.6), 0.3, 1);
        assert!((detour.preferred - vec2(1.0, 0.0)).norm() < 1e-6);
    }

    #[test]
    fn a_wall_far_enough_off_is_no_reason_to_turn() {
        let detour = before(&[wall_ahead(0.6)], UP, 0.3, 0);
        assert_eq!(detour.preferred, UP);
        assert_eq!(before(&[wall_ahead(1.1)], UP, 0.3, 1).side, 0);
    }

    #[test]
    fn in_a_corner_it_follows_the_second_wall() {
        let right_wall = HalfPlane::new(vec2(-1.0, 0.0), 0.0);
        let detour = before(&[wall_ahead(0.0), right_wall], UP, 0.3, 0);
        assert!((detour.preferred - vec2(0.0, -1.0)).norm() < 1e-6);
    }

    #[test]
    fn a_turn_grows_behind_others_and_shrinks_before_a_wall() {
        let turned = turned(&UP, 0.8);
        let angle = |free: Vec2, velocity: Vec2| {
            let splat = |v: Vec2| [BASELINE8.splat(v.x), BASELINE8.splat(v.y)];
            let control = TurnControl {
                last: BASELINE8.splat(0.8),
                bias: BASELINE8.splat(0.3),
                step: 0.1,
                turned: splat(turned),
                free: splat(free),
                velocity: splat(velocity),
            };
            let mask = |count| F32::<Baseline8>::mask_first(BASELINE8, count);
            control.angles(mask(LANES), mask(0)).store().0[0]
        };
        assert!(angle(turned, Vec2::zeros()) > 0.8);
        assert!(angle(turned, turned) < 0.8);
        let wall = HalfPlane::new(-turned, 0.0);
        assert!(angle(along_walls(&[wall], &turned), Vec2::zeros()) < 0.8);
    }
}
