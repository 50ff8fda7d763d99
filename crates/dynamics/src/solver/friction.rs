//! Friction and rolling resistance of contacts.

use super::block::ContactBlock;
use super::normal::RowInputs;
use super::velocities::{
    VelocityPair, apply_angular_impulse, apply_tangent_impulse, inverse_or_zero, tangent_velocity,
};
use crate::contact::constraint::STICK_RANGE;
use cairn2d_simd::{Lanes, Mask, Simd};

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

/// Applies the torque impulse of rolling resistance. Contacts without it are left alone to the sign of a zero: others
/// of their block must not show in their results.
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

/// Friction of each contact for this substep.
pub(super) struct FrictionRow<L> {
    /// Velocity error along the tangent, with bias \[m/s\].
    pub(super) slip: L,
    /// Share of the accumulated impulse, and of the effective mass.
    share: L,
    /// The accumulated impulse \[N s\].
    pub(super) old: L,
}

impl<L: Lanes> FrictionRow<L> {
    /// Returns the impulse that removes the slip, for an effective mass of `mass`.
    #[inline(always)]
    pub(super) fn target_impulse(&self, mass: L) -> L {
        self.share * (self.old - mass * self.slip)
    }
}

/// Returns the row of friction.
///
/// The solve pass also removes the tangential displacement of the anchors, up to `STICK_RANGE`: with velocity
/// alone, piles creep by the noise of their impulses. A larger displacement means sliding, and is kept.
///
/// The row is as soft as a contact with the ground, so it takes back a share of the accumulated impulse. A
/// rigid row with warm start integrates the displacement: an integral controller. One sweep a substep does
/// not reach along a row of more than some ten bodies, and then the controller excites the sway that it
/// should damp. With `g` for the share of a slow motion of the pile that a row's impulse removes at once, an
/// oscillation grows where `g < bias_rate h / 8`, 0.015. A pyramid of base 100 swayed at 0.1 m/s without end.
#[inline(always)]
pub(super) fn friction_row<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
    rows: &RowInputs<'_, L>,
) -> FrictionRow<L> {
    let simd = block.normal_x.simd();
    let friction = &block.friction;
    let mut slip = tangent_velocity(block, pair) + rows.surface_speed;
    let mut share = simd.splat(1.0);
    if BIAS {
        let (tx, ty) = (block.normal_y, -block.normal_x);
        let softness = &rows.constants.static_contact;
        let half = simd.splat(0.5);
        let [motion_p, motion_q] = rows.motions;
        let (x, y) = (
            half * (motion_p[0] + motion_q[0]),
            half * (motion_p[1] + motion_q[1]),
        );
        let displacement = friction.displacement + (x * tx + y * ty);
        let range = simd.splat(STICK_RANGE);
        let sticks = range.ge(displacement).and(displacement.ge(-range));
        let rate = simd.splat(softness.bias_rate);
        slip = slip + L::select(sticks, rate * displacement, simd.zero());
        share = L::select(sticks, simd.splat(softness.mass_scale), share);
    }
    FrictionRow {
        slip,
        share,
        old: friction.impulse,
    }
}

/// Solves friction without bias, within the Coulomb limit.
#[inline(always)]
pub(super) fn solve_friction<L: Lanes>(block: &mut ContactBlock<L>, pair: &mut VelocityPair<L>) {
    let slip = tangent_velocity(block, pair) + block.surface_speed;
    let [p, q] = &block.points;
    let old = block.friction.impulse;
    let target = old - block.friction.mass * slip;
    let new = block.clamp_friction(target, p.impulse + q.impulse);
    block.friction.impulse = new;
    apply_tangent_impulse(block, pair, new - old);
}
