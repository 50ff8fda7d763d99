//! Two anchors held together: the point constraint.
//!
//! C = pb - pa, C' = vb + wb x rb - va - wa x ra, and K the symmetric 2 by 2 matrix
//! `(ma + mb) I + ia [ra]^2 + ib [rb]^2` ([Catto09]).

use super::pair::BodyPair;
use super::row::{Pass, PassSettings};
use cairn2d_geometry::math::Vec2;

/// Drives the gap `c` between the points at `arm_a` and `arm_b` to zero: `x` collects the impulse.
#[inline(always)]
pub(crate) fn hold_point(
    pair: &mut BodyPair,
    (arm_a, arm_b): (Vec2, Vec2),
    c: Vec2,
    settings: &PassSettings,
    x: &mut Vec2,
) {
    let softness = &settings.softness;
    let velocity = pair.relative_velocity(arm_a, arm_b);
    let rate = velocity + softness.bias_rate * c + swing(pair, arm_a, arm_b, settings);
    let full = solve_point(pair, arm_a, arm_b, rate);
    let change = -softness.mass_scale * full - softness.impulse_scale * *x;
    *x += change;
    pair.push(change, arm_a, arm_b);
}

/// Returns the velocity that rotation adds to the gap of two points in the substep beyond `h C'`: `r` turns
/// to `r + h w x r - h^2 w^2 r / 2`.
///
/// With it the gap is closed at the end of the substep, not at its start, as by SHAKE, and a pendulum keeps
/// its energy.
#[inline(always)]
pub(crate) fn swing(pair: &BodyPair, arm_a: Vec2, arm_b: Vec2, settings: &PassSettings) -> Vec2 {
    let (wa, wb) = (pair.a.state.angular_velocity, pair.b.state.angular_velocity);
    let most = settings.max_swing_rate_sq;
    match settings.pass {
        Pass::Solve => {
            0.5 * settings.h * ((wa * wa).min(most) * arm_a - (wb * wb).min(most) * arm_b)
        }
        Pass::Relax => Vec2::new(0.0, 0.0),
    }
}

/// Greatest turn in a substep for which the swing is computed [rad].
///
/// The swing grows with the square of the spin and drives it: a bone that flutters under thousands of times
/// its weight would be torn off. A pendulum of 10 cm stays below 0.06 at 240 substeps a second.
const MAX_SWING_TURN: f32 = 0.06;

/// Returns the square of the spin up to which the swing grows [rad^2/s^2].
#[inline(always)]
pub(crate) fn max_swing_rate_sq(h: f32) -> f32 {
    let rate = MAX_SWING_TURN / h;
    rate * rate
}

/// Returns K^-1 `rate`; zero if nothing can move.
#[inline(always)]
pub(crate) fn solve_point(pair: &BodyPair, arm_a: Vec2, arm_b: Vec2, rate: Vec2) -> Vec2 {
    let (a, b) = (&pair.a.mass, &pair.b.mass);
    let mass = a.inv_mass + b.inv_mass;
    let xx = mass + (a.inv_inertia * arm_a.y * arm_a.y + b.inv_inertia * arm_b.y * arm_b.y);
    let yy = mass + (a.inv_inertia * arm_a.x * arm_a.x + b.inv_inertia * arm_b.x * arm_b.x);
    let xy = -(a.inv_inertia * arm_a.x * arm_a.y + b.inv_inertia * arm_b.x * arm_b.y);
    let det = xx * yy - xy * xy;
    let inv_det = if det > 0.0 { 1.0 / det } else { 0.0 };
    inv_det * Vec2::new(yy * rate.x - xy * rate.y, xx * rate.y - xy * rate.x)
}

/// Drives the velocity of B's point relative to A's to `velocity` with at most `max_impulse`: `x` collects
/// the impulse.
#[inline(always)]
pub(crate) fn drive_point_velocity(
    pair: &mut BodyPair,
    (arm_a, arm_b): (Vec2, Vec2),
    velocity: Vec2,
    max_impulse: f32,
    x: &mut Vec2,
) {
    let rate = pair.relative_velocity(arm_a, arm_b) - velocity;
    let old = *x;
    *x = capped(old - solve_point(pair, arm_a, arm_b, rate), max_impulse);
    pair.push(*x - old, arm_a, arm_b);
}

/// Returns `v`, shortened to the length `max` if it is longer.
#[inline(always)]
pub(crate) fn capped(v: Vec2, max: f32) -> Vec2 {
    let length_sq = v.norm_squared();
    if length_sq > max * max {
        v * (max / length_sq.sqrt())
    } else {
        v
    }
}
