//! Two or three rows solved as a block.

use super::pair::BodyPair;
use super::row::{JointRow, PassSettings};
use crate::softness::Softness;

/// Drives the errors `c` of `rows` to zero: `x` collects the impulses.
#[inline(always)]
pub(crate) fn hold_rows<const N: usize>(
    rows: &[JointRow; N],
    pair: &mut BodyPair,
    c: [f32; N],
    softness: &Softness,
    x: &mut [f32; N],
) {
    let rate: [f32; N] =
        core::array::from_fn(|i| rows[i].velocity(pair) + softness.bias_rate * c[i]);
    let k: [[f32; N]; N] =
        core::array::from_fn(|i| core::array::from_fn(|j| rows[i].coupling(&rows[j], pair)));
    let full = solve_symmetric(k, rate);
    for i in 0..N {
        let change = -softness.mass_scale * full[i] - softness.impulse_scale * x[i];
        x[i] += change;
        rows[i].push(pair, change);
    }
}

/// Returns `row` plus shares of `guides` such that an impulse along it does not move the guides, and the
/// shares.
///
/// Solved with its own mass, a row at a long arm mostly turns its body and yields as if the body were light;
/// the guides take back the turn, sweep by sweep, and yield by the torque of the load. The decoupled row
/// avoids both.
#[inline(always)]
pub(crate) fn decoupled_row<const N: usize>(
    row: &JointRow,
    guides: &[JointRow; N],
    pair: &BodyPair,
    settings: &PassSettings,
) -> (JointRow, [f32; N]) {
    if !settings.decouples_drives {
        return (*row, [0.0; N]);
    }
    let k: [[f32; N]; N] =
        core::array::from_fn(|i| core::array::from_fn(|j| guides[i].coupling(&guides[j], pair)));
    let coupling = core::array::from_fn(|i| -guides[i].coupling(row, pair));
    let shares = solve_symmetric(k, coupling);
    let mut decoupled = *row;
    for (guide, share) in guides.iter().zip(shares) {
        decoupled.add(guide, share);
    }
    (decoupled, shares)
}

/// Pivot that counts as zero, relative to the diagonal of its row: the rest is rounding of an `f32`.
const MIN_BLOCK_PIVOT_SHARE: f32 = 1.0e-6;

/// Returns K^-1 `b` for a symmetric K without negative eigenvalue, by LDL^T; unknowns of rows that nothing
/// can move are zero.
#[inline(always)]
fn solve_symmetric<const N: usize>(mut k: [[f32; N]; N], mut b: [f32; N]) -> [f32; N] {
    let mut inverse = [0.0; N];
    let diagonal: [f32; N] = core::array::from_fn(|i| k[i][i]);
    for i in 0..N {
        if k[i][i] > MIN_BLOCK_PIVOT_SHARE * diagonal[i] {
            inverse[i] = 1.0 / k[i][i];
        }
        for j in i + 1..N {
            let factor = k[j][i] * inverse[i];
            let pivot_row = k[i];
            for (entry, above) in k[j].iter_mut().zip(pivot_row).skip(i + 1) {
                *entry -= factor * above;
            }
            b[j] -= factor * b[i];
        }
    }
    for i in (0..N).rev() {
        for l in i + 1..N {
            b[i] -= k[i][l] * b[l];
        }
        b[i] *= inverse[i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_solution_is_found() {
        let k = [[4.0, 1.0, -0.5], [1.0, 3.0, 0.25], [-0.5, 0.25, 2.0]];
        let x = [1.0, -2.0, 0.5];
        let b = core::array::from_fn(|i| (0..3).map(|j| k[i][j] * x[j]).sum());
        for (found, planted) in solve_symmetric(k, b).into_iter().zip(x) {
            assert!((found - planted).abs() < 1.0e-5);
        }
    }

    #[test]
    fn immovable_row_gets_no_impulse() {
        assert_eq!(
            solve_symmetric([[2.0, 0.0], [0.0, 0.0]], [4.0, 1.0]),
            [2.0, 0.0]
        );
    }
}
