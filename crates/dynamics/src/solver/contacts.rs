//! Passes over contact constraints: warm start, solve, relax.
//!
//! Symbols: `n` normal, `t` tangent (the normal turned right), `ra rb` arms, `m i` inverse masses, `k`
//! inverse effective mass, `g` residual, `x` impulse. The two points of a contact are solved together as a
//! linear complementarity problem of two unknowns, so that neither has priority: a box that lands flat stays
//! level, and a row of boxes does not lean.

use super::block::{BlockFeatures, BlockLocation, ContactBlock, FixedEnds, PointLanes};
use super::constants::StepConstants;
use super::friction::{apply_rolling_impulse, solve_friction, solve_rolling};
use super::normal::{NormalRow, RowInputs, normal_rows, solve_normal_lcp};
use super::states::{Deltas, SharedStates};
use super::velocities::{
    VelocityPair, apply_normal_impulses, apply_tangent_impulse, inverse_or_zero, tangent_velocity,
};
use crate::joint::parts::row::Pass;
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
                apply_rolling_impulse(block, &mut pair, block.rolling.impulse);
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
    let tangent = solve_friction(block, &mut pair, rows.surface_speed);
    let [p, q] = &block.points;
    let [first, second] = normal_rows::<L, BIAS>(block, &pair, rows);
    let normal = solve_normal_lcp(&first, &second, block.coupling, p.impulse, q.impulse);
    apply_normal_impulses(block, &mut pair, normal.0 - p.impulse, normal.1 - q.impulse);
    ContactSolution {
        pair,
        normal,
        tangent,
    }
}

/// Relaxes friction and normals of contacts with fixed ground as one system: normals, friction that keeps
/// their equations satisfied, and normals again, in case a point began or ceased to push.
///
/// Friction rotates a body, and on two points the normal impulses reverse this rotation; so the effective
/// mass of friction is that of the Schur complement of the pushing points. In sequence, a box one degree
/// below the slope at which it topples was kicked off its upper point in the first step, rattled and fell. In
/// piles rotations continue into the neighbors, and there the rows are solved in sequence, as in the solve
/// pass, where a coupled solve costs more and changes as little.
#[inline(always)]
fn solve_coupled<L: Lanes>(
    block: &ContactBlock<L>,
    mut pair: VelocityPair<L>,
    rows: &RowInputs<'_, L>,
) -> ContactSolution<L> {
    let [mut first, mut second] = normal_rows::<L, false>(block, &pair, rows);
    let slip = tangent_velocity(block, &pair) + rows.surface_speed;
    let old = block.friction.impulse;
    let [p, q] = &block.points;
    let (old_p, old_q, pq) = (p.impulse, q.impulse, block.coupling);
    let arms = block.tangent_arms();
    let (tp, tq) = (
        rotational_coupling(block, p, arms),
        rotational_coupling(block, q, arms),
    );
    let alone = block.inv_mass_along(arms);

    let carried = block.clamp_friction(old, old_p + old_q);
    let released = carried - old;
    first.residual = first.residual + tp * released;
    second.residual = second.residual + tq * released;
    let (new_p, new_q) = solve_normal_lcp(&first, &second, pq, old_p, old_q);
    let slip = slip + alone * released + (tp * (new_p - old_p) + tq * (new_q - old_q));
    let inv_mass = alone - normal_response(&first, &second, pq, [(tp, new_p), (tq, new_q)]);
    // Normal impulses do not reverse a translation along the ground.
    let inv_mass = inv_mass.max(block.inv_mass_a + block.inv_mass_b);
    let target = carried - inverse_or_zero(inv_mass) * slip;
    let tangent = block.clamp_friction(target, new_p + new_q);

    let change = tangent - carried;
    first.residual = first.residual + tp * change;
    second.residual = second.residual + tq * change;
    let normal = solve_normal_lcp(&first, &second, pq, old_p, old_q);
    apply_tangent_impulse(block, &mut pair, tangent - old);
    apply_normal_impulses(block, &mut pair, normal.0 - old_p, normal.1 - old_q);
    ContactSolution {
        pair,
        normal,
        tangent,
    }
}

/// Reduction of the tangent's inverse effective mass by the response of the pushing points \[1/kg\], given
/// the coupling of each point with the tangent, and its impulse.
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
