//! Bounce, contact by contact: of an impact, and as the last pass of a step.
//!
//! What is met fast at the start of a step bounces before the substeps (see `impacts`). What only comes to be met within
//! them is solved without bounce; then each point that met faster than the threshold, and was really pushed, gets
//! the velocity `-e v` of its approach. Points of one contact are solved together, so that a box that lands flat
//! stays level.

use super::block::ContactBlock;
use super::contacts::{NormalRow, Pair, brake, complementary, normal_velocity, push_normal};
use super::context::Context;
use super::states::SharedStates;
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Applies restitution.
pub(crate) struct Restitution<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) context: &'a Context,
    pub(crate) blocks: &'a mut [ContactBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for Restitution<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for block in self.blocks {
            bounce_block(block, self.states, self.context);
        }
    }
}

/// Says where a point met fast and was pushed.
#[inline(always)]
fn bounces<L: Lanes>(block: &ContactBlock<L>, point: usize, context: &Context) -> L::Mask {
    let simd = block.normal_x.simd();
    let fast = simd
        .splat(-context.restitution_threshold)
        .gt(block.approach[point]);
    let pushed = block.points[point].total_impulse.gt(simd.zero());
    let elastic = block.restitution.gt(simd.zero());
    fast.and(pushed).and(elastic)
}

/// The row that asks a point for a normal velocity of `target`.
#[inline(always)]
fn row<L: Lanes>(block: &ContactBlock<L>, pair: &Pair<L>, index: usize, target: L) -> NormalRow<L> {
    let point = &block.points[index];
    NormalRow {
        residual: normal_velocity(block, pair, point) - target,
        inv_mass: block.inv_mass_of(point),
        mass: point.mass,
    }
}

/// Returns how the impulses of both points change, where they bounce. Where only one point does, the other keeps its
/// impulse: rows without coupling.
#[inline(always)]
fn changes<L: Lanes>(
    block: &ContactBlock<L>,
    [first, second]: &[NormalRow<L>; 2],
    [p_bounces, q_bounces]: [L::Mask; 2],
) -> [L; 2] {
    let simd = block.normal_x.simd();
    let [p, q] = &block.points;
    let both = p_bounces.and(q_bounces);
    let coupling = L::select(both, block.coupling, simd.zero());
    let (new_p, new_q) = complementary(first, second, coupling, p.impulse, q.impulse);
    [
        L::select(p_bounces, new_p - p.impulse, simd.zero()),
        L::select(q_bounces, new_q - q.impulse, simd.zero()),
    ]
}

#[inline(always)]
fn bounce_block<L: Lanes>(
    block: &mut ContactBlock<L>,
    states: SharedStates<'_>,
    context: &Context,
) {
    let (p_bounces, q_bounces) = (bounces(block, 0, context), bounces(block, 1, context));
    if !p_bounces.any() && !q_bounces.any() {
        return;
    }
    let pair = Pair::read(states, block);
    let [p, q] = &block.approach;
    let (to_p, to_q) = (-(block.restitution * *p), -(block.restitution * *q));
    let rows = [row(block, &pair, 0, to_p), row(block, &pair, 1, to_q)];
    let [change_p, change_q] = changes(block, &rows, [p_bounces, q_bounces]);
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

/// What the points of each contact are to do in an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce<L: Lanes> {
    /// Normal velocity to part with [m/s].
    target: [L; 2],
    /// Where the point is met fast.
    meets: [L::Mask; 2],
}

impl<L: Lanes> Bounce<L> {
    /// Says whether any point is met fast.
    pub(crate) fn meets(&self) -> bool {
        self.meets[0].any() || self.meets[1].any()
    }

    /// Returns the greatest velocity to part with [m/s].
    pub(crate) fn fastest(&self) -> f32 {
        let simd = self.target[0].simd();
        let speeds = |i: usize| L::select(self.meets[i], self.target[i], simd.zero());
        let fastest = speeds(0).max(speeds(1));
        fastest.as_slice().iter().copied().fold(0.0, f32::max)
    }
}

/// How impacts are solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// Time within which a gap must close to count \[s\].
    pub(crate) dt: f32,
    pub(crate) law: Law,
}

/// Which velocity a point parts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Law {
    /// Points may be above or below the surface; only what bounces counts.
    AtHeight,
    /// Points are at the surface; what does not bounce is stopped.
    AtOnce,
}

/// Approach that counts as an impact in the midst of a step [m/s]: what comes slower is left to the next step.
pub(crate) const MIN_APPROACH: f32 = 0.01;

impl Aim {
    /// Returns the approach from which on there is an impact [m/s].
    pub(crate) fn least_approach(&self, context: &Context) -> f32 {
        match self.law {
            Law::AtHeight => context.restitution_threshold,
            Law::AtOnce => MIN_APPROACH,
        }
    }
}

/// Returns what the points of each contact are to do, being met at the present velocities or not.
pub(crate) fn bounce_of<L: Lanes>(
    block: &ContactBlock<L>,
    states: SharedStates<'_>,
    context: &Context,
    aim: &Aim,
) -> Bounce<L> {
    let pair = Pair::read(states, block);
    let of_point = |i: usize| match aim.law {
        Law::AtHeight => bounce_at_height(block, &pair, i, context, aim),
        Law::AtOnce => bounce_at_once(block, &pair, i, context, aim),
    };
    let [p, q] = [0, 1].map(of_point);
    Bounce {
        target: [p.0, q.0],
        meets: [p.1, q.1],
    }
}

/// Returns the velocity with which a point parts from here, and where it is met fast.
///
/// At the surface it is met with `v_s` and parts with `-e v_s`. Here, at the separation that it has now, it comes with
/// `v`; and `v^2 - v_s^2` is what the way from here costs, down as well as up again. So it parts with
/// `w^2 = e^2 v_s^2 + (v^2 - v_s^2)`: the step in which the impact falls takes no height and gives none. What would not come
/// up again to here is left to the substeps, which let it down to the surface.
fn bounce_at_height<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    index: usize,
    context: &Context,
    aim: &Aim,
) -> (L, L::Mask) {
    let simd = block.normal_x.simd();
    let point = &block.points[index];
    let (here, at_surface) = (normal_velocity(block, pair, point), block.approach[index]);
    let e = block.restitution;
    let parts_sq = here * here - (simd.splat(1.0) - e * e) * (at_surface * at_surface);
    let reach = simd.splat(-0.5 * aim.dt) * (here + at_surface);
    let fast = simd.splat(-context.restitution_threshold).gt(at_surface);
    let elastic = e.gt(simd.zero()).and(parts_sq.gt(simd.zero()));
    let closes = reach.ge(point.separation).and(simd.zero().gt(here));
    let meets = fast.and(elastic).and(closes);
    (parts_sq.max(simd.zero()).sqrt(), meets)
}

/// Returns the velocity with which a point at the surface parts, and where it is met: `-e v` above the threshold, else 0.
fn bounce_at_once<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    index: usize,
    context: &Context,
    aim: &Aim,
) -> (L, L::Mask) {
    let simd = block.normal_x.simd();
    let point = &block.points[index];
    let here = normal_velocity(block, pair, point);
    let bounces = simd.splat(-context.restitution_threshold).gt(here);
    let e = L::select(bounces, block.restitution, simd.zero());
    let reach = simd.splat(-aim.dt) * here;
    let comes = simd.splat(-MIN_APPROACH).gt(here);
    (-(e * here), comes.and(reach.ge(point.separation)))
}

/// Drives each contact to its bounce, with friction; returns the greatest change of a normal velocity [m/s].
pub(crate) fn solve_bounce<L: Lanes>(
    block: &mut ContactBlock<L>,
    bounce: &Bounce<L>,
    states: SharedStates<'_>,
) -> f32 {
    let mut pair = Pair::read(states, block);
    brake(block, &mut pair);
    let rows = [0, 1].map(|i| row(block, &pair, i, bounce.target[i]));
    let [change_p, change_q] = changes(block, &rows, bounce.meets);
    push_normal(block, &mut pair, change_p, change_q);
    pair.write(states, block);
    let [p, q] = &mut block.points;
    p.impulse = p.impulse + change_p;
    q.impulse = q.impulse + change_q;
    let (by_p, by_q) = (change_p * rows[0].inv_mass, change_q * rows[1].inv_mass);
    let change = by_p.max(-by_p).max(by_q.max(-by_q));
    change.as_slice().iter().copied().fold(0.0, f32::max)
}
