//! Triangles cut off a loop one by one.

use super::border::{Border, DecomposeError};
use super::bridge::bridged_loop;
use crate::math::Point;
use crate::predicate::orientation_of_points;

/// Returns triangles, as indices of corners, that cover the region.
///
/// An ear is a corner whose triangle holds no other corner of the loop; a loop of more than three
/// corners has at least two [Meisters75, p. 648]. Orientation is exact, so one is always found.
pub(super) fn cut_ears(border: &Border) -> Result<Vec<[usize; 3]>, DecomposeError> {
    let mut corners = bridged_loop(border)?;
    let mut triangles = Vec::with_capacity(corners.len());
    let mut at = 0;
    let mut refused = 0;
    while corners.len() > 2 {
        let count = corners.len();
        // If every ear has corners on its border, the corners that a bridge duplicated are allowed there.
        let mode = if refused < count {
            Test::Closed
        } else {
            Test::Open
        };
        if refused > 2 * count {
            return Err(DecomposeError::NotSimple {
                loop_index: 0,
                first: corners[0],
                second: corners[1],
            });
        }
        at %= count;
        let ear = [
            corners[(at + count - 1) % count],
            corners[at],
            corners[(at + 1) % count],
        ];
        let [p, q, r] = ear.map(|i| border.points[i]);
        let turn = orientation_of_points(&p, &q, &r);
        if turn == 0.0 && is_between(&q, &p, &r) {
            // Straight on: the corner cuts off no area, but its neighbors' triangles must not hold it.
            corners.remove(at);
            refused = 0;
        } else if turn > 0.0 && is_free(border, &corners, &ear, mode) {
            triangles.push(ear);
            corners.remove(at);
            refused = 0;
        } else {
            at += 1;
            refused += 1;
        }
    }
    Ok(triangles)
}

/// Corners that prevent an ear.
#[derive(Clone, Copy, PartialEq)]
enum Test {
    /// Corners inside and on its border.
    Closed,
    /// Corners inside.
    Open,
}

/// Returns `true` if `q`, on the line through `p` and `r`, does not lie beyond them.
fn is_between(q: &Point, p: &Point, r: &Point) -> bool {
    crate::intersection::is_in_box(
        &crate::double::to_f64(q),
        &crate::double::to_f64(p),
        &crate::double::to_f64(r),
    )
}

/// Returns `true` if no other corner of the loop lies in the triangle.
fn is_free(border: &Border, corners: &[usize], ear: &[usize; 3], test: Test) -> bool {
    let [p, q, r] = ear.map(|i| border.points[i]);
    corners.iter().all(|&i| {
        let c = border.points[i];
        if c == p || c == q || c == r {
            return true;
        }
        let least = [(p, q), (q, r), (r, p)]
            .iter()
            .map(|(a, b)| orientation_of_points(a, b, &c))
            .fold(f64::INFINITY, f64::min);
        if test == Test::Closed {
            least < 0.0
        } else {
            least <= 0.0
        }
    })
}
