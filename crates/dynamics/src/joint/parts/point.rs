//! Two anchors held together: the point constraint.
//!
//! C = pb - pa, C' = vb + wb x rb - va - wa x ra, and K the symmetric 2 by 2 matrix
//! `(ma + mb) I + ia [ra]^2 + ib [rb]^2` ([Catto09]).

use super::pair::BodyPair;
use super::row::PassSettings;
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
    let rate = velocity + softness.bias_rate * c;
    let full = solve_point(pair, arm_a, arm_b, rate);
    let change = -softness.mass_scale * full - softness.impulse_scale * *x;
    *x += change;
    pair.push(change, arm_a, arm_b);
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
