//! Two or three rows solved as a block.

use super::pair::BodyPair;
use super::row::{JointRow, PassSettings, Row};
use cairn2d_simd::{Lanes, Simd};

/// Drives the errors `c` of `rows` to zero: `x` collects the impulses.
#[inline(always)]
pub(crate) fn hold_rows<L: Lanes, const N: usize>(
    rows: &[JointRow<L>; N],
    pair: &mut BodyPair<L>,
    c: [L; N],
    settings: &PassSettings<L>,
    x: &mut [L; N],
) {
    let mut rate = c;
    for (rate, row) in rate.iter_mut().zip(rows) {
        let velocity = row.velocity(pair);
        *rate = if settings.corrects {
            velocity + settings.softness.bias_rate * *rate
        } else {
            velocity
        };
    }
    let full = solve_symmetric(couplings(rows, pair), rate);
    for ((row, full), x) in rows.iter().zip(full).zip(x) {
        let change = if settings.corrects {
            settings.softness.softened(-full, *x)
        } else {
            -full
        };
        *x = *x + change;
        row.push(pair, change);
    }
}

/// Returns the couplings of all rows with each other.
#[inline(always)]
fn couplings<L: Lanes, const N: usize>(rows: &[JointRow<L>; N], pair: &BodyPair<L>) -> [[L; N]; N] {
    let mut k = [[pair.a.inv_mass; N]; N];
    for (entries, row) in k.iter_mut().zip(rows) {
        for (entry, other) in entries.iter_mut().zip(rows) {
            *entry = row.coupling(other, pair);
        }
    }
    k
}

/// Returns `row` plus shares of `guides` such that an impulse along it does not move the guides, and the
/// shares.
///
/// Solved with its own mass, a row at a long arm mostly turns its body and yields as if the body were light;
/// the guides take back the turn, sweep by sweep, and yield by the torque of the load. The decoupled row
/// avoids both.
#[inline(always)]
pub(crate) fn decoupled_row<L: Lanes, const N: usize>(
    row: &JointRow<L>,
    guides: &[JointRow<L>; N],
    pair: &BodyPair<L>,
) -> (JointRow<L>, [L; N]) {
    let simd = pair.a.inv_mass.simd();
    let mut coupling = [simd.zero(); N];
    for (coupling, guide) in coupling.iter_mut().zip(guides) {
        *coupling = -guide.coupling(row, pair);
    }
    let shares = solve_symmetric(couplings(guides, pair), coupling);
    let mut decoupled = *row;
    for (guide, share) in guides.iter().zip(&shares) {
        decoupled = decoupled.plus(guide, *share);
    }
    (decoupled, shares)
}

/// Pivot that counts as zero, relative to the diagonal of its row: the rest is rounding of an `f32`.
pub(super) const MIN_BLOCK_PIVOT_SHARE: f32 = 1.0e-6;

/// Returns K^-1 `b` for a symmetric K without negative eigenvalue, by LDL^T; unknowns of rows that nothing
/// can move are zero.
#[inline(always)]
fn solve_symmetric<L: Lanes, const N: usize>(mut k: [[L; N]; N], mut b: [L; N]) -> [L; N] {
    let simd = b[0].simd();
    let (zero, one) = (simd.zero(), simd.splat(1.0));
    let mut inverse = [zero; N];
    let mut least = [zero; N];
    for i in 0..N {
        least[i] = k[i][i] * simd.splat(MIN_BLOCK_PIVOT_SHARE);
    }
    for i in 0..N {
        inverse[i] = L::select(k[i][i].gt(least[i]), one / k[i][i], zero);
        for j in i + 1..N {
            let factor = k[j][i] * inverse[i];
            let pivot = k[i];
            for (entry, above) in k[j][i + 1..].iter_mut().zip(&pivot[i + 1..]) {
                *entry = *entry - factor * *above;
            }
            b[j] = b[j] - factor * b[i];
        }
    }
    for i in (0..N).rev() {
        for l in i + 1..N {
            b[i] = b[i] - k[i][l] * b[l];
        }
        b[i] = b[i] * inverse[i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_simd::Single;

    fn solve<const N: usize>(k: [[f32; N]; N], b: [f32; N]) -> [f32; N] {
        let wide = |value| Single::BASELINE.splat(value);
        solve_symmetric(k.map(|row| row.map(wide)), b.map(wide)).map(|x| x.as_slice()[0])
    }

    #[test]
    fn planted_solution_is_found() {
        let k = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 2.0]];
        let x = [1.0_f32, -2.0, 0.5];
        let b: [f32; 3] = core::array::from_fn(|i| (0..3).map(|j| k[i][j] * x[j]).sum());
        for (found, planted) in solve(k, b).into_iter().zip(x) {
            assert!((found - planted).abs() < 1.0e-5);
        }
    }

    #[test]
    fn immovable_row_gets_no_impulse() {
        assert_eq!(solve([[2.0, 0.0], [0.0, 0.0]], [4.0, 1.0]), [2.0, 0.0]);
    }
}
