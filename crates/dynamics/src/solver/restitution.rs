//! Restitution, contact by contact: for impacts, and as the last pass of a step.
//!
//! Points that close fast at the start of a step bounce before the substeps (see `impacts`). Points that
//! begin to close within them are solved without bounce; then each point that approached faster than the
//! threshold, and pushed, gets the velocity `-e v` of its approach. Points of one contact are solved
//! together, so that a box that lands flat stays level.

use super::block::ContactBlock;
use super::constants::StepConstants;
use super::friction::solve_friction;
use super::normal::{NormalRow, solve_normal_lcp};
use super::states::SharedStates;
use super::velocities::{VelocityPair, apply_normal_impulses, normal_velocity};
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Applies restitution.
pub(crate) struct Restitution<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) constants: &'a StepConstants,
    pub(crate) blocks: &'a mut [ContactBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for Restitution<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for block in self.blocks {
            bounce_block(block, self.states, self.constants);
        }
    }
}

/// Returns the mask of the lanes where a point approached fast and pushed.
#[inline(always)]
fn bounces<L: Lanes>(block: &ContactBlock<L>, point: usize, constants: &StepConstants) -> L::Mask {
    let simd = block.normal_x.simd();
    let fast = simd
        .splat(-constants.restitution_threshold)
        .gt(block.approach[point]);
    let pushed = block.points[point].total_impulse.gt(simd.zero());
    let elastic = block.restitution.gt(simd.zero());
    fast.and(pushed).and(elastic)
}

/// Returns the row with the target `target` of the normal velocity of a point.
#[inline(always)]
fn bounce_row<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
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

/// Returns the changes of the impulses of both points, where they bounce. Where only one point does, the
/// other keeps its impulse: rows without coupling.
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
    let (new_p, new_q) = solve_normal_lcp(first, second, coupling, p.impulse, q.impulse);
    [
        L::select(p_bounces, new_p - p.impulse, simd.zero()),
        L::select(q_bounces, new_q - q.impulse, simd.zero()),
    ]
}

#[inline(always)]
fn bounce_block<L: Lanes>(
    block: &mut ContactBlock<L>,
    states: SharedStates<'_>,
    constants: &StepConstants,
) {
    let (p_bounces, q_bounces) = (bounces(block, 0, constants), bounces(block, 1, constants));
    if !p_bounces.any() && !q_bounces.any() {
        return;
    }
    let pair = VelocityPair::read(states, block);
    let [p, q] = &block.approach;
    let (to_p, to_q) = (-(block.restitution * *p), -(block.restitution * *q));
    let rows = [
        bounce_row(block, &pair, 0, to_p),
        bounce_row(block, &pair, 1, to_q),
    ];
    let [change_p, change_q] = changes(block, &rows, [p_bounces, q_bounces]);
    apply_bounce(
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
/// A bounce happens once: it adds to the total impulse, not to the impulse of the warm start.
#[inline(always)]
fn apply_bounce<L: Lanes>(
    block: &mut ContactBlock<L>,
    before: VelocityPair<L>,
    states: SharedStates<'_>,
    change_p: L,
    change_q: L,
    (p_bounces, q_bounces): (L::Mask, L::Mask),
) {
    let mut after = before;
    apply_normal_impulses(block, &mut after, change_p, change_q);
    let mask = (p_bounces, q_bounces);
    after.a = after.a.or_else(before.a, mask);
    after.b = after.b.or_else(before.b, mask);
    after.write(states, block);
    let [p, q] = &mut block.points;
    p.total_impulse = p.total_impulse + change_p;
    q.total_impulse = q.total_impulse + change_q;
}

/// The bounce of the points of each contact in an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounce<L: Lanes> {
    /// Normal velocity after the bounce \[m/s\].
    target: [L; 2],
    /// Where the point closes fast.
    closes: [L::Mask; 2],
}

impl<L: Lanes> Bounce<L> {
    /// Returns `true` if any point closes fast.
    pub(crate) fn closes(&self) -> bool {
        self.closes[0].any() || self.closes[1].any()
    }

    /// Returns the greatest normal velocity after the bounce \[m/s\].
    pub(crate) fn fastest(&self) -> f32 {
        let simd = self.target[0].simd();
        let speeds = |i: usize| L::select(self.closes[i], self.target[i], simd.zero());
        let fastest = speeds(0).max(speeds(1));
        fastest.as_slice().iter().copied().fold(0.0, f32::max)
    }
}

/// The rule by which points bounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BounceRule {
    /// Time within which a gap must close \[s\].
    pub(crate) dt: f32,
    pub(crate) law: BounceLaw,
}

/// The velocity of a point after the bounce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BounceLaw {
    /// Points may be above or below the surface; points without bounce are left to the substeps.
    AtStepStart,
    /// Points are at the surface; points without bounce are stopped.
    AtSurface,
}

/// Approach speed from which there is an impact within a step \[m/s\]. Slower ones are left to the next step.
pub(crate) const MIN_APPROACH: f32 = 0.01;

impl BounceRule {
    /// Returns the approach speed from which there is an impact \[m/s\].
    pub(crate) fn min_approach(&self, constants: &StepConstants) -> f32 {
        match self.law {
            BounceLaw::AtStepStart => constants.restitution_threshold,
            BounceLaw::AtSurface => MIN_APPROACH,
        }
    }
}

/// Returns the bounce of each contact at the present velocities.
pub(crate) fn bounce_of<L: Lanes>(
    block: &ContactBlock<L>,
    states: SharedStates<'_>,
    constants: &StepConstants,
    rule: &BounceRule,
) -> Bounce<L> {
    let pair = VelocityPair::read(states, block);
    let of_point = |i: usize| match rule.law {
        BounceLaw::AtStepStart => bounce_at_step_start(block, &pair, i, constants, rule),
        BounceLaw::AtSurface => bounce_at_surface(block, &pair, i, constants, rule),
    };
    let [p, q] = [0, 1].map(of_point);
    Bounce {
        target: [p.0, q.0],
        closes: [p.1, q.1],
    }
}

/// Returns the velocity of a point after the bounce, as if it bounced at its present height, and the mask of
/// the lanes where it closes fast.
///
/// At the surface it arrives with `v_s` and leaves with `-e v_s`. At its present separation it has the
/// velocity `v`, and `v^2 - v_s^2` is the change over the distance to the surface, down as well as up again.
/// So it leaves with `w^2 = e^2 v_s^2 + (v^2 - v_s^2)`, and the step of the impact neither takes nor gives
/// height. Points that would not return to this height are left to the substeps, which let them down to the
/// surface.
fn bounce_at_step_start<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
    index: usize,
    constants: &StepConstants,
    rule: &BounceRule,
) -> (L, L::Mask) {
    let simd = block.normal_x.simd();
    let point = &block.points[index];
    let (here, at_surface) = (normal_velocity(block, pair, point), block.approach[index]);
    let e = block.restitution;
    let parts_sq = here * here - (simd.splat(1.0) - e * e) * (at_surface * at_surface);
    let reach = simd.splat(-0.5 * rule.dt) * (here + at_surface);
    let fast = simd.splat(-constants.restitution_threshold).gt(at_surface);
    let elastic = e.gt(simd.zero()).and(parts_sq.gt(simd.zero()));
    let closes = reach.ge(point.separation).and(simd.zero().gt(here));
    let meets = fast.and(elastic).and(closes);
    (parts_sq.max(simd.zero()).sqrt(), meets)
}

/// Returns the velocity of a point at the surface after the bounce, `-e v` above the threshold, else 0, and
/// the mask of the lanes where it closes.
fn bounce_at_surface<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
    index: usize,
    constants: &StepConstants,
    rule: &BounceRule,
) -> (L, L::Mask) {
    let simd = block.normal_x.simd();
    let point = &block.points[index];
    let here = normal_velocity(block, pair, point);
    let bounces = simd.splat(-constants.restitution_threshold).gt(here);
    let e = L::select(bounces, block.restitution, simd.zero());
    let reach = simd.splat(-rule.dt) * here;
    let comes = simd.splat(-MIN_APPROACH).gt(here);
    (-(e * here), comes.and(reach.ge(point.separation)))
}

/// Solves each contact for its bounce, with friction; returns the greatest change of a normal velocity
/// \[m/s\].
pub(crate) fn solve_bounce<L: Lanes>(
    block: &mut ContactBlock<L>,
    bounce: &Bounce<L>,
    states: SharedStates<'_>,
) -> f32 {
    let mut pair = VelocityPair::read(states, block);
    solve_friction(block, &mut pair);
    let rows = [0, 1].map(|i| bounce_row(block, &pair, i, bounce.target[i]));
    let [change_p, change_q] = changes(block, &rows, bounce.closes);
    apply_normal_impulses(block, &mut pair, change_p, change_q);
    pair.write(states, block);
    let [p, q] = &mut block.points;
    p.impulse = p.impulse + change_p;
    q.impulse = q.impulse + change_q;
    let (by_p, by_q) = (change_p * rows[0].inv_mass, change_q * rows[1].inv_mass);
    let change = by_p.max(-by_p).max(by_q.max(-by_q));
    change.as_slice().iter().copied().fold(0.0, f32::max)
}
