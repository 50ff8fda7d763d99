//! Restitution of contacts: in an impact, and as the last pass of a step.
//!
//! Contacts that collide fast at the start of a step bounce before the substeps (see `impacts`). Contacts
//! that begin to collide within them are solved without bounce; afterward each point that approached faster
//! than the threshold, and was pushed, gets the velocity `-e v` of its approach. The points of one contact
//! are solved together, so that a box that lands flat stays level.

use super::block::ContactBlock;
use super::constants::StepConstants;
use super::friction::solve_friction;
use super::normal::{NormalRow, solve_normal_lcp};
use super::states::SharedStates;
use super::velocities::{VelocityPair, apply_normal_impulses, normal_velocity, tangent_velocity};
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Applies restitution after the substeps.
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

/// Returns a mask of the lanes in which a point approached fast and was pushed.
#[inline(always)]
fn bounce_mask<L: Lanes>(
    block: &ContactBlock<L>,
    point: usize,
    constants: &StepConstants,
) -> L::Mask {
    let simd = block.normal_x.simd();
    let fast = simd
        .splat(-constants.restitution_threshold)
        .gt(block.approach[point]);
    let pushed = block.points[point].total_impulse.gt(simd.zero());
    let elastic = block.restitution.gt(simd.zero());
    fast.and(pushed).and(elastic)
}

/// Returns the normal row of a point with the target velocity `target` [m/s].
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

/// Returns the changes of impulse of both points, where they bounce. If only one point bounces, the other
/// keeps its impulse, and the rows are not coupled.
#[inline(always)]
fn impulse_changes<L: Lanes>(
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
    let (p_bounces, q_bounces) = (
        bounce_mask(block, 0, constants),
        bounce_mask(block, 1, constants),
    );
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
        self.collides[0].any() || self.collides[1].any()
    }

    /// Stops the points that collide, without a bounce.
    pub(crate) fn stop(&mut self) {
        let simd = self.velocities[0].simd();
        self.velocities = [simd.zero(); 2];
    }

    /// Returns the greatest target velocity [m/s].
    pub(crate) fn fastest(&self) -> f32 {
        let simd = self.velocities[0].simd();
        let speeds = |i: usize| L::select(self.collides[i], self.velocities[i], simd.zero());
        let fastest = speeds(0).max(speeds(1));
        fastest.as_slice().iter().copied().fold(0.0, f32::max)
    }
}

/// Rule for the points that bounce, and for their separation velocity.
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
    pub(crate) fn min_approach(&self, constants: &StepConstants) -> f32 {
        match self.law {
            BounceLaw::AtSeparation => constants.restitution_threshold,
            BounceLaw::AtSurface => MIN_APPROACH,
        }
    }
}

/// Returns the target velocities of the points of contacts, and which of them collide at the present
/// velocities.
pub(crate) fn bounce_targets<L: Lanes>(
    block: &ContactBlock<L>,
    states: SharedStates<'_>,
    constants: &StepConstants,
    rule: &BounceRule,
) -> BounceTargets<L> {
    let pair = VelocityPair::read(states, block);
    let of_point = |i: usize| match rule.law {
        BounceLaw::AtSeparation => bounce_at_separation(block, &pair, i, constants, rule),
        BounceLaw::AtSurface => bounce_at_surface(block, &pair, i, constants, rule),
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
    pair: &VelocityPair<L>,
    index: usize,
    constants: &StepConstants,
    rule: &BounceRule,
) -> (L, L::Mask) {
    let simd = block.normal_x.simd();
    let point = &block.points[index];
    let (here, at_surface) = (normal_velocity(block, pair, point), block.approach[index]);
    let e = block.restitution;
    let target_sq = here * here - (simd.splat(1.0) - e * e) * (at_surface * at_surface);
    let reach = simd.splat(-0.5 * rule.time) * (here + at_surface);
    let fast = simd.splat(-constants.restitution_threshold).gt(at_surface);
    let elastic = e.gt(simd.zero()).and(target_sq.gt(simd.zero()));
    let closes = reach.ge(point.separation).and(simd.zero().gt(here));
    let collides = fast.and(elastic).and(closes);
    (target_sq.max(simd.zero()).sqrt(), collides)
}

/// Returns the velocity with which a point at the surface separates, `-e v` above the threshold, else 0; and
/// where it collides.
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
    let reach = simd.splat(-rule.time) * here;
    let approaches = simd.splat(-MIN_APPROACH).gt(here);
    (-(e * here), approaches.and(reach.ge(point.separation)))
}

/// Returns the velocities on which the impulses of contacts act: along the normal at both points, and the slip
/// \[m/s\].
pub(crate) fn contact_velocities<L: Lanes>(
    block: &ContactBlock<L>,
    states: SharedStates<'_>,
) -> [L; 3] {
    let pair = VelocityPair::read(states, block);
    let [p, q] = &block.points;
    [
        normal_velocity(block, &pair, p),
        normal_velocity(block, &pair, q),
        tangent_velocity(block, &pair) + block.surface_speed,
    ]
}

/// Drives contacts to their target velocities, with friction; returns the greatest change of a normal
/// velocity [m/s].
pub(crate) fn solve_bounce<L: Lanes>(
    block: &mut ContactBlock<L>,
    targets: &BounceTargets<L>,
    states: SharedStates<'_>,
) -> f32 {
    let mut pair = VelocityPair::read(states, block);
    block.friction.impulse = solve_friction(block, &mut pair, block.surface_speed);
    let rows = [0, 1].map(|i| bounce_row(block, &pair, i, targets.velocities[i]));
    let [change_p, change_q] = impulse_changes(block, &rows, targets.collides);
    apply_normal_impulses(block, &mut pair, change_p, change_q);
    pair.write(states, block);
    let [p, q] = &mut block.points;
    p.impulse = p.impulse + change_p;
    q.impulse = q.impulse + change_q;
    let (by_p, by_q) = (change_p * rows[0].inv_mass, change_q * rows[1].inv_mass);
    let change = by_p.max(-by_p).max(by_q.max(-by_q));
    change.as_slice().iter().copied().fold(0.0, f32::max)
}
