//! The last pass of a step: gives back the bounce.
//!
//! Overlap and stacks are solved without bounce; then each point that met faster than the threshold, and was
//! really pushed, gets the velocity `-e v` of its approach. Points of one contact are solved together, so
//! that a box that lands flat stays level.

use super::block::ContactBlock;
use super::contacts::{NormalRow, Pair, complementary, normal_velocity, push_normal};
use super::context::Context;
use super::states::SharedStates;
use crate::simd::{Kernel, Lanes};

/// Applies restitution.
pub(crate) struct Restitution<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) context: &'a Context,
    pub(crate) blocks: &'a mut [ContactBlock<L>],
}

impl<L: Lanes> Kernel<L> for Restitution<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for block in self.blocks {
            bounce_block(block, self.states, self.context);
        }
    }
}

/// Says where a point met fast and was pushed.
#[inline(always)]
fn bounces<L: Lanes>(block: &ContactBlock<L>, point: usize, context: &Context) -> L::Mask {
    let fast = L::splat(-context.restitution_threshold).gt(block.approach[point]);
    let pushed = block.points[point].total_impulse.gt(L::ZERO);
    let elastic = block.restitution.gt(L::ZERO);
    L::both(L::both(fast, pushed), elastic)
}

/// The row that asks for the bounce.
#[inline(always)]
fn row<L: Lanes>(block: &ContactBlock<L>, pair: &Pair<L>, index: usize) -> NormalRow<L> {
    let point = &block.points[index];
    NormalRow {
        residual: normal_velocity(block, pair, point) + block.restitution * block.approach[index],
        inv_mass: block.inv_mass_of(point),
        mass: point.mass,
    }
}

#[inline(always)]
fn bounce_block<L: Lanes>(
    block: &mut ContactBlock<L>,
    states: SharedStates<'_>,
    context: &Context,
) {
    let [p, q] = &block.points;
    let (p_bounces, q_bounces) = (bounces(block, 0, context), bounces(block, 1, context));
    if !L::any(p_bounces) && !L::any(q_bounces) {
        return;
    }
    let pair = Pair::read(states, block);
    let (first, second) = (row(block, &pair, 0), row(block, &pair, 1));
    // Where only one point bounces, the other keeps its impulse: rows without coupling.
    let both = L::both(p_bounces, q_bounces);
    let coupling = L::select(both, block.coupling, L::ZERO);
    let (new_p, new_q) = complementary(&first, &second, coupling, p.impulse, q.impulse);
    let change_p = L::select(p_bounces, new_p - p.impulse, L::ZERO);
    let change_q = L::select(q_bounces, new_q - q.impulse, L::ZERO);
    push_bounced(
        block,
        pair,
        states,
        change_p,
        change_q,
        (p_bounces, q_bounces),
    );
}

/// Applies the changes where a point bounces; other lanes keep their bits.
///
/// The bounce counts in the total, not in the impulse that the next step starts from: it happens once.
#[inline(always)]
fn push_bounced<L: Lanes>(
    block: &mut ContactBlock<L>,
    before: Pair<L>,
    states: SharedStates<'_>,
    change_p: L,
    change_q: L,
    (p_bounces, q_bounces): (L::Mask, L::Mask),
) {
    let mut after = before;
    push_normal(block, &mut after, change_p, change_q);
    let mask = (p_bounces, q_bounces);
    after.a = after.a.or_else(before.a, mask);
    after.b = after.b.or_else(before.b, mask);
    after.write(states, block);
    let [p, q] = &mut block.points;
    p.total_impulse = p.total_impulse + change_p;
    q.total_impulse = q.total_impulse + change_q;
}
