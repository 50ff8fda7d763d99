//! Friction and rolling resistance of contacts.

use super::block::ContactBlock;
use super::velocities::{
    VelocityPair, apply_angular_impulse, apply_tangent_impulse, inverse_or_zero, tangent_velocity,
};
use cairn2d_simd::{Lanes, Simd};

/// Solves rolling resistance: the impulse is at most the rolling radius times the normal impulse.
#[inline(always)]
pub(super) fn solve_rolling<L: Lanes>(block: &mut ContactBlock<L>, pair: &mut VelocityPair<L>) {
    let [p, q] = &block.points;
    let limit = block.rolling.radius * (p.impulse + q.impulse);
    let old = block.rolling.impulse;
    let mass = inverse_or_zero(block.inv_inertia_a + block.inv_inertia_b);
    let new = old - mass * (pair.b.w - pair.a.w);
    let new = new.min(limit).max(-limit);
    block.rolling.impulse = L::select(rolls(block), new, old);
    apply_rolling_impulse(block, pair, new - old);
}

/// Applies the torque impulse of rolling resistance. Contacts without it must keep their exact bits, even the sign of
/// a zero: a result must not depend on which other contacts share its SIMD block.
#[inline(always)]
pub(super) fn apply_rolling_impulse<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    impulse: L,
) {
    let before = [pair.a.w, pair.b.w];
    apply_angular_impulse(block, pair, impulse);
    pair.a.w = L::select(rolls(block), pair.a.w, before[0]);
    pair.b.w = L::select(rolls(block), pair.b.w, before[1]);
}

/// Returns the contacts that have rolling resistance.
#[inline(always)]
fn rolls<L: Lanes>(block: &ContactBlock<L>) -> L::Mask {
    let radius = block.rolling.radius;
    radius.gt(radius.simd().zero())
}

/// Solves friction within the Coulomb limit, and returns its accumulated impulse \[N s\].
#[inline(always)]
pub(super) fn solve_friction<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    surface_speed: L,
) -> L {
    let slip = tangent_velocity(block, pair) + surface_speed;
    let [p, q] = &block.points;
    let old = block.friction.impulse;
    let target = old - block.friction.mass * slip;
    let new = block.clamp_friction(target, p.impulse + q.impulse);
    apply_tangent_impulse(block, pair, new - old);
    new
}
