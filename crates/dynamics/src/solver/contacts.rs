//! Passes over contact constraints: warm start, solve, relax.
//!
//! Symbols: `n` normal, `t` tangent (the normal turned right), `ra rb` arms, `m i` inverse masses, `k` inverse effective
//! mass, `g` residual, `x` impulse. The two points of a contact are solved together as a linear complementarity problem
//! of two unknowns, so that neither has priority: a box that lands flat stays level, and a row of boxes does not lean.

use super::block::{BlockFeatures, BlockLocation, ContactBlock, FixedEnds, PointLanes};
use super::constants::StepConstants;
use super::states::{Deltas, SharedStates, Velocities};
use crate::contact::constraint::STICK_RANGE;
use crate::joint::parts::row::Pass;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Applies the impulses of the last substep.
pub(crate) struct WarmStartContacts<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) blocks: &'a [ContactBlock<L>],
    pub(crate) features: &'a [BlockFeatures],
    pub(crate) location: BlockLocation,
}

/// Solves or relaxes contacts.
pub(crate) struct SolveContacts<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) constants: &'a StepConstants,
    pub(crate) pass: Pass,
    pub(crate) blocks: &'a mut [ContactBlock<L>],
    pub(crate) features: &'a [BlockFeatures],
    pub(crate) location: BlockLocation,
}

impl<L: Lanes> Kernel<L::Simd> for WarmStartContacts<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for (block, features) in self.blocks.iter().zip(self.features) {
            self.location.prefetch_ahead(block);
            let mut pair = VelocityPair::read(self.states, block);
            let [p, q] = &block.points;
            apply_normal_impulses(block, &mut pair, p.impulse, q.impulse);
            apply_tangent_impulse(block, &mut pair, block.friction.impulse);
            if features.has_rolling_or_surface_speed {
                apply_angular_impulse(block, &mut pair, block.rolling.impulse);
            }
            pair.write(self.states, block);
        }
    }
}

impl<L: Lanes> Kernel<L::Simd> for SolveContacts<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        match self.pass {
            Pass::Solve => {
                for (block, features) in self.blocks.iter_mut().zip(self.features) {
                    self.location.prefetch_ahead(block);
                    solve_block::<L, true>(block, *features, self.states, self.constants);
                }
            }
            Pass::Relax => {
                for (block, features) in self.blocks.iter_mut().zip(self.features) {
                    self.location.prefetch_ahead(block);
                    solve_block::<L, false>(block, *features, self.states, self.constants);
                }
            }
        }
    }
}

/// Velocities of the two bodies of each contact.
#[derive(Clone, Copy)]
pub(crate) struct VelocityPair<L> {
    pub(crate) a: Velocities<L>,
    pub(crate) b: Velocities<L>,
}

impl<L: Lanes> VelocityPair<L> {
    #[inline(always)]
    pub(crate) fn read(states: SharedStates<'_>, block: &ContactBlock<L>) -> Self {
        let simd = block.normal_x.simd();
        // SAFETY: the places are those of prepare.
        unsafe {
            Self {
                a: states.velocities(simd, &block.body_a),
                b: states.velocities(simd, &block.body_b),
            }
        }
    }

    #[inline(always)]
    pub(crate) fn write(self, states: SharedStates<'_>, block: &ContactBlock<L>) {
        // SAFETY: the places are those of prepare; a color holds no moving body twice.
        unsafe {
            states.set_velocities(&block.body_a, self.a);
            states.set_velocities(&block.body_b, self.b);
        }
    }
}

/// Velocity of B relative to A along the normal at a point.
#[inline(always)]
pub(crate) fn normal_velocity<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
    p: &PointLanes<L>,
) -> L {
    let (rn_a, rn_b) = block.normal_arms(p);
    let (vx, vy) = (pair.b.x - pair.a.x, pair.b.y - pair.a.y);
    (vx * block.normal_x + vy * block.normal_y) + (pair.b.w * rn_b - pair.a.w * rn_a)
}

/// Applies the normal impulses `p` and `q` of the two points to the velocities.
#[inline(always)]
pub(crate) fn apply_normal_impulses<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    p: L,
    q: L,
) {
    let (p_a, p_b) = block.normal_arms(&block.points[0]);
    let (q_a, q_b) = block.normal_arms(&block.points[1]);
    let sum = p + q;
    let (x, y) = (sum * block.normal_x, sum * block.normal_y);
    pair.a.x = pair.a.x - block.inv_mass_a * x;
    pair.a.y = pair.a.y - block.inv_mass_a * y;
    pair.a.w = pair.a.w - block.inv_inertia_a * (p_a * p + q_a * q);
    pair.b.x = pair.b.x + block.inv_mass_b * x;
    pair.b.y = pair.b.y + block.inv_mass_b * y;
    pair.b.w = pair.b.w + block.inv_inertia_b * (p_b * p + q_b * q);
}

#[inline(always)]
fn apply_tangent_impulse<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    impulse: L,
) {
    let (arm_a, arm_b) = block.tangent_arms();
    let (x, y) = (impulse * block.normal_y, -(impulse * block.normal_x));
    pair.a.x = pair.a.x - block.inv_mass_a * x;
    pair.a.y = pair.a.y - block.inv_mass_a * y;
    pair.a.w = pair.a.w - block.inv_inertia_a * (arm_a * impulse);
    pair.b.x = pair.b.x + block.inv_mass_b * x;
    pair.b.y = pair.b.y + block.inv_mass_b * y;
    pair.b.w = pair.b.w + block.inv_inertia_b * (arm_b * impulse);
}

#[inline(always)]
fn apply_angular_impulse<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    impulse: L,
) {
    pair.a.w = pair.a.w - block.inv_inertia_a * impulse;
    pair.b.w = pair.b.w + block.inv_inertia_b * impulse;
}

#[inline(always)]
fn solve_block<L: Lanes, const BIAS: bool>(
    block: &mut ContactBlock<L>,
    features: BlockFeatures,
    states: SharedStates<'_>,
    constants: &StepConstants,
) {
    let simd = block.normal_x.simd();
    let mut pair = VelocityPair::read(states, block);
    // SAFETY: the places are those of prepare.
    let (da, db) = unsafe {
        (
            states.deltas::<L>(simd, &block.body_a),
            states.deltas::<L>(simd, &block.body_b),
        )
    };
    let [p, q] = &block.points;
    let motions = [relative_motion(p, &da, &db), relative_motion(q, &da, &db)];
    let mut surface_speed = simd.zero();
    if features.has_rolling_or_surface_speed {
        solve_rolling(block, &mut pair);
        surface_speed = block.surface_speed;
    }
    let rows = RowInputs {
        motions: &motions,
        surface_speed,
        constants,
    };
    let solution = match features.fixed_ends {
        FixedEnds::All if !BIAS => solve_coupled(block, pair, &rows),
        FixedEnds::Some if !BIAS => {
            let others = solve_in_sequence::<L, BIAS>(block, pair, &rows);
            solve_coupled(block, pair, &rows).or_else(others, block.has_fixed_end())
        }
        _ => solve_in_sequence::<L, BIAS>(block, pair, &rows),
    };
    solution.store::<BIAS>(block);
    solution.pair.write(states, block);
}

/// What the rows of a contact are made from besides its block and the velocities.
struct RowInputs<'a, L> {
    /// Of B's points relative to A's since the start of the step \[m\].
    motions: &'a [[L; 2]; 2],
    /// Negative target of the slip \[m/s\].
    surface_speed: L,
    constants: &'a StepConstants,
}

/// The impulses of contacts after a pass, and the velocities of their bodies.
#[derive(Clone, Copy)]
struct ContactSolution<L> {
    pair: VelocityPair<L>,
    normal: (L, L),
    tangent: L,
}

impl<L: Lanes> ContactSolution<L> {
    /// Returns `self` where the mask is true, else `other`.
    #[inline(always)]
    fn or_else(self, other: Self, mask: L::Mask) -> Self {
        let (p, q) = self.normal;
        let (other_p, other_q) = other.normal;
        Self {
            pair: VelocityPair {
                a: self.pair.a.or_else(other.pair.a, (mask, mask)),
                b: self.pair.b.or_else(other.pair.b, (mask, mask)),
            },
            normal: (L::select(mask, p, other_p), L::select(mask, q, other_q)),
            tangent: L::select(mask, self.tangent, other.tangent),
        }
    }

    #[inline(always)]
    fn store<const BIAS: bool>(&self, block: &mut ContactBlock<L>) {
        block.friction.impulse = self.tangent;
        let [p, q] = &mut block.points;
        (p.impulse, q.impulse) = self.normal;
        if !BIAS {
            p.total_impulse = p.total_impulse + p.impulse;
            q.total_impulse = q.total_impulse + q.impulse;
        }
    }
}

/// Solves friction, then the normals of both points: Gauss-Seidel.
#[inline(always)]
fn solve_in_sequence<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    mut pair: VelocityPair<L>,
    rows: &RowInputs<'_, L>,
) -> ContactSolution<L> {
    let friction = friction_row::<L, BIAS>(block, &pair, rows);
    let [p, q] = &block.points;
    let target = friction.target_impulse(block.friction.mass);
    let tangent = block.clamp_friction(target, p.impulse + q.impulse);
    apply_tangent_impulse(block, &mut pair, tangent - friction.old);
    let [first, second] = normal_rows::<L, BIAS>(block, &pair, rows);
    let normal = solve_normal_lcp(&first, &second, block.coupling, p.impulse, q.impulse);
    apply_normal_impulses(block, &mut pair, normal.0 - p.impulse, normal.1 - q.impulse);
    ContactSolution {
        pair,
        normal,
        tangent,
    }
}

/// Relaxes friction and normals of contacts with fixed ground as one system: normals, friction that keeps their
/// equations satisfied, and normals again, in case a point began or ceased to push.
///
/// Friction rotates a body, and on two points the normal impulses reverse this rotation; so the effective mass of friction
/// is that of the Schur complement of the pushing points. In sequence, a box one degree below the slope at which it
/// topples was kicked off its upper point in the first step, rattled and fell. In piles rotations continue into the
/// neighbors, and there the rows are solved in sequence, as in the solve pass, where a coupled solve costs more and
/// changes as little.
#[inline(always)]
fn solve_coupled<L: Lanes>(
    block: &ContactBlock<L>,
    mut pair: VelocityPair<L>,
    rows: &RowInputs<'_, L>,
) -> ContactSolution<L> {
    let [mut first, mut second] = normal_rows::<L, false>(block, &pair, rows);
    let friction = friction_row::<L, false>(block, &pair, rows);
    let [p, q] = &block.points;
    let (old_p, old_q, pq) = (p.impulse, q.impulse, block.coupling);
    let arms = block.tangent_arms();
    let (tp, tq) = (
        rotational_coupling(block, p, arms),
        rotational_coupling(block, q, arms),
    );
    let alone = block.inv_mass_along(arms);

    let carried = block.clamp_friction(friction.old, old_p + old_q);
    let released = carried - friction.old;
    first.residual = first.residual + tp * released;
    second.residual = second.residual + tq * released;
    let (new_p, new_q) = solve_normal_lcp(&first, &second, pq, old_p, old_q);
    let slip = friction.slip + alone * released + (tp * (new_p - old_p) + tq * (new_q - old_q));
    let inv_mass = alone - normal_response(&first, &second, pq, [(tp, new_p), (tq, new_q)]);
    // Normal impulses do not reverse a translation along the ground.
    let inv_mass = inv_mass.max(block.inv_mass_a + block.inv_mass_b);
    let target = carried - inverse_or_zero(inv_mass) * slip;
    let tangent = block.clamp_friction(target, new_p + new_q);

    let change = tangent - carried;
    first.residual = first.residual + tp * change;
    second.residual = second.residual + tq * change;
    let normal = solve_normal_lcp(&first, &second, pq, old_p, old_q);
    apply_tangent_impulse(block, &mut pair, tangent - friction.old);
    apply_normal_impulses(block, &mut pair, normal.0 - old_p, normal.1 - old_q);
    ContactSolution {
        pair,
        normal,
        tangent,
    }
}

/// Reduction of the tangent's inverse effective mass by the response of the pushing points \[1/kg\], given the coupling
/// of each point with the tangent, and its impulse.
#[inline(always)]
fn normal_response<L: Lanes>(
    first: &NormalRow<L>,
    second: &NormalRow<L>,
    coupling: L,
    [(tp, p), (tq, q)]: [(L, L); 2],
) -> L {
    let simd = coupling.simd();
    let (pp, qq) = (tp * tp, tq * tq);
    let det = first.inv_mass * second.inv_mass - coupling * coupling;
    let by_both =
        (pp * second.inv_mass + qq * first.inv_mass) - simd.splat(2.0) * (tp * tq * coupling);
    let by_p = L::select(p.gt(simd.zero()), pp * first.mass, simd.zero());
    let by_q = L::select(q.gt(simd.zero()), qq * second.mass, simd.zero());
    let both_push = p.gt(simd.zero()).and(q.gt(simd.zero()));
    L::select(both_push, by_both / det, by_p + by_q)
}

/// Inverse effective mass that couples the normal of a point with the tangent \[1/kg\]: by rotation only.
#[inline(always)]
fn rotational_coupling<L: Lanes>(block: &ContactBlock<L>, p: &PointLanes<L>, arms: (L, L)) -> L {
    let (p_a, p_b) = block.normal_arms(p);
    block.inv_inertia_a * (arms.0 * p_a) + block.inv_inertia_b * (arms.1 * p_b)
}

/// Returns 1 / `x`, and 0 where `x` is not positive.
#[inline(always)]
pub(crate) fn inverse_or_zero<L: Lanes>(x: L) -> L {
    let simd = x.simd();
    L::select(x.gt(simd.zero()), simd.splat(1.0) / x, simd.zero())
}

/// Solves rolling resistance: the impulse is at most the rolling radius times the normal impulse.
#[inline(always)]
fn solve_rolling<L: Lanes>(block: &mut ContactBlock<L>, pair: &mut VelocityPair<L>) {
    let [p, q] = &block.points;
    let limit = block.rolling.radius * (p.impulse + q.impulse);
    let old = block.rolling.impulse;
    let mass = inverse_or_zero(block.inv_inertia_a + block.inv_inertia_b);
    let new = old - mass * (pair.b.w - pair.a.w);
    let new = new.min(limit).max(-limit);
    block.rolling.impulse = new;
    apply_angular_impulse(block, pair, new - old);
}

/// Friction of each contact for this substep.
struct FrictionRow<L> {
    /// Velocity error along the tangent, with bias \[m/s\].
    slip: L,
    /// Share of the accumulated impulse, and of the effective mass.
    share: L,
    /// The accumulated impulse \[N s\].
    old: L,
}

impl<L: Lanes> FrictionRow<L> {
    /// Returns the impulse that removes the slip, for an effective mass of `mass`.
    #[inline(always)]
    fn target_impulse(&self, mass: L) -> L {
        self.share * (self.old - mass * self.slip)
    }
}

/// Returns the row of friction.
///
/// The solve pass also removes the tangential displacement of the anchors, up to `STICK_RANGE`: with velocity alone,
/// piles creep by the noise of their impulses. A larger displacement means sliding, and is kept.
///
/// The row is as soft as a contact with the ground, so it takes back a share of the accumulated impulse. A rigid row
/// with warm start integrates the displacement: an integral controller. One sweep a substep does not reach along a
/// row of more than some ten bodies, and then the controller excites the sway that it should damp. With `g` for the
/// share of a slow motion of the pile that a row's impulse removes at once, an oscillation grows where
/// `g < bias_rate h / 8`, 0.015. A pyramid of base 100 swayed at 0.1 m/s for ever.
#[inline(always)]
fn friction_row<L: Lanes, const BIAS: bool>(
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
pub(crate) fn solve_friction<L: Lanes>(block: &mut ContactBlock<L>, pair: &mut VelocityPair<L>) {
    let slip = tangent_velocity(block, pair) + block.surface_speed;
    let [p, q] = &block.points;
    let old = block.friction.impulse;
    let target = old - block.friction.mass * slip;
    let new = block.clamp_friction(target, p.impulse + q.impulse);
    block.friction.impulse = new;
    apply_tangent_impulse(block, pair, new - old);
}

/// Velocity of B relative to A along the tangent, midway between the points.
#[inline(always)]
fn tangent_velocity<L: Lanes>(block: &ContactBlock<L>, pair: &VelocityPair<L>) -> L {
    let (arm_a, arm_b) = block.tangent_arms();
    let (tx, ty) = (block.normal_y, -block.normal_x);
    let (vx, vy) = (pair.b.x - pair.a.x, pair.b.y - pair.a.y);
    let spin = pair.b.w * arm_b - pair.a.w * arm_a;
    (vx * tx + vy * ty) + spin
}

/// Motion of B's point relative to A's since the start of the step.
///
/// Uses the change of the arms, `(cos - 1, sin)` times the arm, not the arms: small numbers stay exact.
#[inline(always)]
fn relative_motion<L: Lanes>(p: &PointLanes<L>, da: &Deltas<L>, db: &Deltas<L>) -> [L; 2] {
    let simd = da.c.simd();
    let one = simd.splat(1.0);
    let (ca, cb) = (da.c - one, db.c - one);
    let ax = da.x + (ca * p.arm_a_x - da.s * p.arm_a_y);
    let ay = da.y + (da.s * p.arm_a_x + ca * p.arm_a_y);
    let bx = db.x + (cb * p.arm_b_x - db.s * p.arm_b_y);
    let by = db.y + (db.s * p.arm_b_x + cb * p.arm_b_y);
    [bx - ax, by - ay]
}

/// One point's row for this substep: `residual + k (change of impulse) >= 0`.
pub(crate) struct NormalRow<L> {
    /// Velocity error, with bias and compliance [m/s].
    pub(crate) residual: L,
    /// Inverse effective mass, compliance included [1/kg], and its inverse.
    pub(crate) inv_mass: L,
    pub(crate) mass: L,
}

/// Softness of each contact: bias speed per overlap \[1/s\], share of the effective mass, and compliance relative to
/// the inverse effective mass, `(1 - mass_scale) / mass_scale`.
struct ContactSoftness<L> {
    bias_rate: L,
    mass_scale: L,
    compliance: L,
}

impl<L: Lanes> ContactSoftness<L> {
    #[inline(always)]
    fn of(block: &ContactBlock<L>, constants: &StepConstants) -> Self {
        let simd = block.normal_x.simd();
        let (moving, fixed) = (&constants.contact, &constants.static_contact);
        let both = block.both_move();
        // Not a closure for the three: it would be compiled without the instruction set.
        Self {
            bias_rate: L::select(
                both,
                simd.splat(moving.bias_rate),
                simd.splat(fixed.bias_rate),
            ),
            mass_scale: L::select(
                both,
                simd.splat(moving.mass_scale),
                simd.splat(fixed.mass_scale),
            ),
            compliance: L::select(
                both,
                simd.splat(moving.compliance()),
                simd.splat(fixed.compliance()),
            ),
        }
    }
}

/// Gap up to which a point counts as touching \[m\]: well above rounding, too small to see.
///
/// A landing body closes its gap exactly, so without this margin rounding would decide whether the contact is rigid or
/// soft. A small pyramid that lands slept a step later ten thousand kilometers away.
const TOUCH_GAP: f32 = 0.002 * LINEAR_SLOP;

#[inline(always)]
fn normal_row<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    p: &PointLanes<L>,
    pair: &VelocityPair<L>,
    [motion_x, motion_y]: [L; 2],
    constants: &StepConstants,
) -> NormalRow<L> {
    let simd = block.normal_x.simd();
    let separation = p.separation + (motion_x * block.normal_x + motion_y * block.normal_y);
    let velocity = normal_velocity(block, pair, p);
    // The gap may close within the substep.
    let closing = separation * simd.splat(constants.inv_h);
    let inv_mass = block.inv_mass_of(p);
    if BIAS {
        let apart = separation.gt(simd.splat(TOUCH_GAP));
        let softness = ContactSoftness::of(block, constants);
        let push = (softness.bias_rate * separation).max(simd.splat(-constants.push_speed));
        let bias = L::select(apart, closing, push);
        let compliance = L::select(apart, simd.zero(), softness.compliance);
        let scale = L::select(apart, simd.splat(1.0), softness.mass_scale);
        let soft = compliance * inv_mass;
        NormalRow {
            residual: (velocity + bias) + soft * p.impulse,
            inv_mass: inv_mass + soft,
            mass: p.mass * scale,
        }
    } else {
        NormalRow {
            residual: velocity + closing.max(simd.zero()),
            inv_mass,
            mass: p.mass,
        }
    }
}

#[inline(always)]
fn normal_rows<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
    rows: &RowInputs<'_, L>,
) -> [NormalRow<L>; 2] {
    let [p, q] = &block.points;
    let [motion_p, motion_q] = rows.motions;
    // Not a closure: it would be compiled without the instruction set.
    [
        normal_row::<L, BIAS>(block, p, pair, *motion_p, rows.constants),
        normal_row::<L, BIAS>(block, q, pair, *motion_q, rows.constants),
    ]
}

/// Returns the impulses that solve two coupled rows, neither negative:
/// `w = residual + K (x - old) >= 0`, `x >= 0`, `x . w = 0`.
///
/// Tried in order: both rows push; only the first; only the second, or none. One of these cases is the solution, as K
/// is positive definite.
#[inline(always)]
pub(crate) fn solve_normal_lcp<L: Lanes>(
    first: &NormalRow<L>,
    second: &NormalRow<L>,
    coupling: L,
    old_p: L,
    old_q: L,
) -> (L, L) {
    let simd = coupling.simd();
    let (g_p, g_q) = (first.residual, second.residual);
    let det = first.inv_mass * second.inv_mass - coupling * coupling;
    let inv_det = simd.splat(1.0) / det;
    let both_p = old_p + (coupling * g_q - second.inv_mass * g_p) * inv_det;
    let both_q = old_q + (coupling * g_p - first.inv_mass * g_q) * inv_det;
    let both = both_p.ge(simd.zero()).and(both_q.ge(simd.zero()));

    // With the other point's impulse gone, the residual changes by -coupling * old.
    let only_p = (old_p - (g_p - coupling * old_q) * first.mass).max(simd.zero());
    let only_q = (old_q - (g_q - coupling * old_p) * second.mass).max(simd.zero());
    let w_q = g_q + (coupling * (only_p - old_p) - second.inv_mass * old_q);
    let first_only = w_q.ge(simd.zero());
    let single_p = L::select(first_only, only_p, simd.zero());
    let single_q = L::select(first_only, simd.zero(), only_q);
    (
        L::select(both, both_p, single_p),
        L::select(both, both_q, single_q),
    )
}
