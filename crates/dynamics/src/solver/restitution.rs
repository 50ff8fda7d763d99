//! Restitution of contacts: in an impact, and as the last pass of a step.
//!
//! Contacts that collide fast at the start of a step bounce before the substeps (see `impacts`). Contacts
//! that begin to collide within them are solved without bounce; afterward each point that approached faster
//! than the threshold, and was pushed, gets the velocity `-e v` of its approach. The points of one contact
//! are solved together, so that a box that lands flat stays level.

use super::block::ContactBlock;
use super::contacts::{NormalRow, Pair, brake, complementary, normal_velocity, push_normal};
use super::context::Context;
use super::states::SharedStates;
use crate::simd::{Kernel, Lanes};

/// Applies restitution after the substeps.
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

/// Returns a mask of the lanes in which a point approached fast and was pushed.
#[inline(always)]
fn bounce_mask<L: Lanes>(block: &ContactBlock<L>, point: usize, context: &Context) -> L::Mask {
    let fast = L::splat(-context.restitution_threshold).gt(block.approach[point]);
    let pushed = block.points[point].total_impulse.gt(L::ZERO);
    let elastic = block.restitution.gt(L::ZERO);
    L::both(L::both(fast, pushed), elastic)
}

/// Returns the normal row of a point with the target velocity `target` [m/s].
#[inline(always)]
fn bounce_row<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    index: usize,
    target: L,
) -> NormalRow<L> {
    let point = &block.points[index];
    NormalRow {
        residual: normal_velocity(block, pair, point) - target,
        inv_mass: block.inv_mass_of(point),
        mass: point.mass,
    }
}

/// Returns the changes of impulse of both points, where they bounce. If only one point bounces, the other
/// keeps its impulse, and the rows are not coupled.
#[inline(always)]
fn impulse_changes<L: Lanes>(
    block: &ContactBlock<L>,
    [first, second]: &[NormalRow<L>; 2],
    [p_bounces, q_bounces]: [L::Mask; 2],
) -> [L; 2] {
    let [p, q] = &block.points;
    let both = L::both(p_bounces, q_bounces);
    let coupling = L::select(both, block.coupling, L::ZERO);
    let (new_p, new_q) = complementary(first, second, coupling, p.impulse, q.impulse);
    [
        L::select(p_bounces, new_p - p.impulse, L::ZERO),
        L::select(q_bounces, new_q - q.impulse, L::ZERO),
    ]
}

#[inline(always)]
fn bounce_block<L: Lanes>(
    block: &mut ContactBlock<L>,
    states: SharedStates<'_>,
    context: &Context,
) {
    let (p_bounces, q_bounces) = (
        bounce_mask(block, 0, context),
        bounce_mask(block, 1, context),
    );
    if !L::any(p_bounces) && !L::any(q_bounces) {
        return;
    }
    let pair = Pair::read(states, block);
    let [p, q] = &block.approach;
    let (to_p, to_q) = (-(block.restitution * *p), -(block.restitution * *q));
    let rows = [
        bounce_row(block, &pair, 0, to_p),
        bounce_row(block, &pair, 1, to_q),
    ];
    let [change_p, change_q] = impulse_changes(block, &rows, [p_bounces, q_bounces]);
    apply_changes(
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
/// The bounce counts in the total, not in the impulse for warm starting: it happens once.
#[inline(always)]
fn apply_changes<L: Lanes>(
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

/// Target velocities of the points of contacts in an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BounceTargets<L: Lanes> {
    /// Normal velocities after the impact [m/s].
    velocities: [L; 2],
    /// Lanes in which the point collides.
    collides: [L::Mask; 2],
}

impl<L: Lanes> BounceTargets<L> {
    /// Returns `true` if any point collides.
    pub(crate) fn has_collision(&self) -> bool {
        L::any(self.collides[0]) || L::any(self.collides[1])
    }

    /// Returns the greatest target velocity [m/s].
    pub(crate) fn fastest(&self) -> f32 {
        let speeds = |i: usize| L::select(self.collides[i], self.velocities[i], L::ZERO);
        let fastest = speeds(0).max(speeds(1));
        fastest.as_slice().iter().copied().fold(0.0, f32::max)
    }
}

/// Which points collide, and with which velocity they separate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BounceRule {
    /// Time within which a point must close its gap to collide \[s\].
    pub(crate) time: f32,
    pub(crate) law: BounceLaw,
}

/// The velocity with which a point separates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BounceLaw {
    /// Points may be above or below the surface. Only points that bounce collide.
    AtSeparation,
    /// Points are at the surface. Points that do not bounce are stopped.
    AtSurface,
}

/// Approach speed below which there is no impact within a step [m/s]: slower contacts are left to the next
/// step.
pub(crate) const MIN_APPROACH: f32 = 0.01;

impl BounceRule {
    /// Returns the approach speed below which there is no impact [m/s].
    pub(crate) fn min_approach(&self, context: &Context) -> f32 {
        match self.law {
            BounceLaw::AtSeparation => context.restitution_threshold,
            BounceLaw::AtSurface => MIN_APPROACH,
        }
    }
}

/// Returns the target velocities of the points of contacts, and which of them collide at the present
/// velocities.
pub(crate) fn bounce_targets<L: Lanes>(
    block: &ContactBlock<L>,
    states: SharedStates<'_>,
    context: &Context,
    rule: &BounceRule,
) -> BounceTargets<L> {
    let pair = Pair::read(states, block);
    let of_point = |i: usize| match rule.law {
        BounceLaw::AtSeparation => bounce_at_separation(block, &pair, i, context, rule),
        BounceLaw::AtSurface => bounce_at_surface(block, &pair, i, context, rule),
    };
    let [p, q] = [0, 1].map(of_point);
    BounceTargets {
        velocities: [p.0, q.0],
        collides: [p.1, q.1],
    }
}

/// Returns the velocity with which a point separates at its present separation, and where it collides.
///
/// At the surface it collides with `v_s` and separates with `-e v_s`. At its present separation it approaches
/// with `v`, and the motion between the two costs `v^2 - v_s^2`, down as well as up. So it separates with
/// `w^2 = e^2 v_s^2 + (v^2 - v_s^2)`: the step of the impact neither adds nor removes height. A point that
/// would not come back up to its present separation is left to the substeps, which let it down to the
/// surface.
fn bounce_at_separation<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    index: usize,
    context: &Context,
    rule: &BounceRule,
) -> (L, L::Mask) {
    let point = &block.points[index];
    let (here, at_surface) = (normal_velocity(block, pair, point), block.approach[index]);
    let e = block.restitution;
    let target_sq = here * here - (L::splat(1.0) - e * e) * (at_surface * at_surface);
    let reach = L::splat(-0.5 * rule.time) * (here + at_surface);
    let fast = L::splat(-context.restitution_threshold).gt(at_surface);
    let elastic = L::both(e.gt(L::ZERO), target_sq.gt(L::ZERO));
    let closes = L::both(reach.ge(point.separation), L::ZERO.gt(here));
    let collides = L::both(L::both(fast, elastic), closes);
    (target_sq.max(L::ZERO).sqrt(), collides)
}

/// Returns the velocity with which a point at the surface separates, `-e v` above the threshold, else 0; and
/// where it collides.
fn bounce_at_surface<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    index: usize,
    context: &Context,
    rule: &BounceRule,
) -> (L, L::Mask) {
    let point = &block.points[index];
    let here = normal_velocity(block, pair, point);
    let bounces = L::splat(-context.restitution_threshold).gt(here);
    let e = L::select(bounces, block.restitution, L::ZERO);
    let reach = L::splat(-rule.time) * here;
    let approaches = L::splat(-MIN_APPROACH).gt(here);
    (-(e * here), L::both(approaches, reach.ge(point.separation)))
}

/// Drives contacts to their target velocities, with friction; returns the greatest change of a normal
/// velocity [m/s].
pub(crate) fn solve_bounce<L: Lanes>(
    block: &mut ContactBlock<L>,
    targets: &BounceTargets<L>,
    states: SharedStates<'_>,
) -> f32 {
    let mut pair = Pair::read(states, block);
    brake(block, &mut pair);
    let rows = [0, 1].map(|i| bounce_row(block, &pair, i, targets.velocities[i]));
    let [change_p, change_q] = impulse_changes(block, &rows, targets.collides);
    push_normal(block, &mut pair, change_p, change_q);
    pair.write(states, block);
    let [p, q] = &mut block.points;
    p.impulse = p.impulse + change_p;
    q.impulse = q.impulse + change_q;
    let (by_p, by_q) = (change_p * rows[0].inv_mass, change_q * rows[1].inv_mass);
    let change = by_p.max(-by_p).max(by_q.max(-by_q));
    change.as_slice().iter().copied().fold(0.0, f32::max)
}
