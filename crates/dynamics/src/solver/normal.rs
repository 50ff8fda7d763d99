//! Normal rows of contacts: two points, solved together.

use super::block::{ContactBlock, PointLanes};
use super::constants::StepConstants;
use super::velocities::{VelocityPair, normal_velocity};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_simd::{Lanes, Mask, Simd};

/// Input of the rows of a contact, besides its block and the velocities.
pub(super) struct RowInputs<'a, L> {
    /// Of B's points relative to A's since the start of the step \[m\].
    pub(super) motions: &'a [[L; 2]; 2],
    /// Negative target of the slip \[m/s\].
    pub(super) surface_speed: L,
    pub(super) constants: &'a StepConstants,
}

/// One point's row for this substep: `residual + k (change of impulse) >= 0`.
pub(crate) struct NormalRow<L> {
    /// Velocity error, with bias and compliance [m/s].
    pub(crate) residual: L,
    /// Inverse effective mass, compliance included [1/kg], and its inverse.
    pub(crate) inv_mass: L,
    pub(crate) mass: L,
}

/// Softness of each contact: bias speed per overlap \[1/s\], share of the effective mass, and compliance
/// relative to the inverse effective mass, `(1 - mass_scale) / mass_scale`.
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
/// A landing body closes its gap exactly, so without this margin rounding would decide whether the contact is rigid
/// or soft, and a small pyramid that lands 10 000 km from the origin would fall asleep one step later than at the
/// origin.
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
pub(super) fn normal_rows<L: Lanes, const BIAS: bool>(
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
/// Tried in order: both rows push; only the first; only the second, or none. One of these cases is the
/// solution, as K is positive definite.
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
