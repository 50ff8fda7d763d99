//! Orientation of three points, exact in sign.

use crate::double::{DVec, to_f64};
use crate::math::Point;

/// Half the spacing of `f64` at 1: the largest relative error of one rounding.
const ROUND: f64 = f64::EPSILON / 2.0;
/// Bound of the error of the plain determinant, relative to the sum of its two products
/// [Shewchuk97, sec. 4].
const PLAIN_BOUND: f64 = (3.0 + 16.0 * ROUND) * ROUND;
/// 2^27 + 1: splits an `f64` into two halves of 26 bits [Dekker71, sec. 5].
const SPLITTER: f64 = 134_217_729.0;

/// Returns twice the signed area of the triangle `a b c`: positive where it runs counter-clockwise,
/// negative where it runs clockwise and exactly zero where the points are on one line.
///
/// The sign is exact for all finite coordinates below 1e150; the size is good to `f64` rounding.
/// Source: [Shewchuk97, sec. 4].
#[must_use]
#[inline]
pub fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let plain = left - right;
    if plain.abs() > PLAIN_BOUND * (left.abs() + right.abs()) {
        return plain;
    }
    exact_orientation(a, b, c)
}

/// Returns the [`orientation`] of three `f32` points.
#[must_use]
#[inline]
pub fn orientation_of_points(a: &Point, b: &Point, c: &Point) -> f64 {
    orientation_of(&to_f64(a), &to_f64(b), &to_f64(c))
}

/// Returns the [`orientation`] of three vectors.
pub(crate) fn orientation_of(a: &DVec, b: &DVec, c: &DVec) -> f64 {
    orientation([a.x, a.y], [b.x, b.y], [c.x, c.y])
}

#[cold]
fn exact_orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    // The six products of the expanded determinant, each as an exact sum of two numbers.
    let products = [
        two_product(a[0], b[1]),
        two_product(-a[1], b[0]),
        two_product(b[0], c[1]),
        two_product(-b[1], c[0]),
        two_product(c[0], a[1]),
        two_product(-c[1], a[0]),
    ];
    let mut sum = [0.0; 12];
    let mut len = 0;
    for (high, low) in products {
        for term in [low, high] {
            grow(&mut sum, len, term);
            len += 1;
        }
    }
    // Non-overlapping, in increasing size: the last one that is not zero decides the sign.
    sum.iter().sum()
}

/// Adds `term` to the expansion in `sum[..len]`, exactly; the result has one number more.
fn grow(sum: &mut [f64; 12], len: usize, term: f64) {
    let mut carry = term;
    for slot in &mut sum[..len] {
        let (high, low) = two_sum(carry, *slot);
        *slot = low;
        carry = high;
    }
    sum[len] = carry;
}

/// Returns `a + b` rounded, and the error of the rounding.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// Returns `a * b` rounded, and the error of the rounding.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let rest = product - a_high * b_high - a_low * b_high - a_high * b_low;
    (product, a_low * b_low - rest)
}

fn split(a: f64) -> (f64, f64) {
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_collinear_points_get_the_right_sign() {
        // c = a + (1 + 2^-52) (b - a) nudged: the plain determinant rounds to zero or flips.
        let a = [12.0, 12.0];
        let b = [24.0, 24.0];
        let ulp = f64::EPSILON * 0.5;
        assert!(orientation([0.5, 0.5 + ulp], a, b) > 0.0);
        assert!(orientation([0.5 + ulp, 0.5], a, b) < 0.0);
        assert_eq!(orientation([0.5, 0.5], a, b), 0.0);
    }

    #[test]
    fn cyclic_order_does_not_matter() {
        let (a, b, c) = ([0.1, 0.2], [1e8 + 0.3, 7.0], [-3.0, 1e-9]);
        let sign = orientation(a, b, c).signum();
        assert_eq!(sign, orientation(b, c, a).signum());
        assert_eq!(sign, -orientation(b, a, c).signum());
    }
}
