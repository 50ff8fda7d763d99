//! Closed outlines that need not be convex: area, winding, checks and clean-up.

use crate::double::{DVec, cross64, narrow_point, to_f64};
use crate::intersection::{Meeting, intersect, is_in_box};
use crate::math::Point;
use crate::predicate::{orientation_of, orientation_of_points};

/// Directions in which the corners of an outline turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Convexity {
    /// All turn to the same side.
    Strict,
    /// All turn to the same side or go straight on.
    Weak,
    /// Some turn left and some right, or the outline winds around more than once.
    Not,
}

/// Properties of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PolygonReport {
    /// Area, positive where the outline runs counter-clockwise \[m^2\].
    pub signed_area: f64,
    /// Whether all corners turn to one side.
    pub convexity: Convexity,
    /// First pair of neighbors at the same place, by the index of the earlier one.
    pub same_point: Option<usize>,
    /// First two edges, by the index of their first corner, that meet where they should not.
    pub crossing: Option<[usize; 2]>,
}

impl PolygonReport {
    /// Returns `true` if the outline has at least three corners, no equal neighbors and no edges that meet
    /// but at their common corner.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.same_point.is_none() && self.crossing.is_none() && self.signed_area != 0.0
    }
}

/// Returns the area inside `outline`, positive where it runs counter-clockwise \[m^2\].
#[must_use]
pub fn signed_area(outline: &[Point]) -> f32 {
    moments(outline).0 as f32
}

/// Returns the center of area of `outline`; the mean of its corners where it encloses none, the origin
/// without corners \[m\].
#[must_use]
pub fn centroid(outline: &[Point]) -> Point {
    narrow_point(&moments(outline).1)
}

/// Returns signed area and center of area.
fn moments(outline: &[Point]) -> (f64, DVec) {
    let count = outline.len();
    if count == 0 {
        return (0.0, DVec::zeros());
    }
    // From a corner, not from the mean: with one far corner, the mean is far from all the others.
    let corner = to_f64(&outline[0]);
    let (mut area, mut first) = (0.0, DVec::zeros());
    for i in 0..count {
        let (p, q) = (
            to_f64(&outline[i]) - corner,
            to_f64(&outline[(i + 1) % count]) - corner,
        );
        let triangle = 0.5 * cross64(&p, &q);
        area += triangle;
        first += (p + q) * (triangle / 3.0);
    }
    if area == 0.0 {
        return (0.0, outline.iter().map(to_f64).sum::<DVec>() / count as f64);
    }
    (area, corner + first / area)
}

/// Returns `true` if `point` is inside `outline` by the even-odd rule, or on its border. Exact.
#[must_use]
pub fn outline_contains(outline: &[Point], point: &Point) -> bool {
    let p = to_f64(point);
    let mut is_inside = false;
    for (i, a) in outline.iter().enumerate() {
        let (a, b) = (to_f64(a), to_f64(&outline[(i + 1) % outline.len()]));
        let side = orientation_of(&a, &b, &p);
        if side == 0.0 && is_in_box(&p, &a, &b) {
            return true;
        }
        // Half open in height, so that a corner at the height of the point counts once.
        if (a.y <= p.y) != (b.y <= p.y) && (side > 0.0) == (b.y > a.y) {
            is_inside = !is_inside;
        }
    }
    is_inside
}

/// Reports area, convexity, equal neighbors and crossings of `outline`; exact except for the rounding of the area. The
/// time is proportional to the square of the count.
#[must_use]
pub fn check_outline(outline: &[Point]) -> PolygonReport {
    let count = outline.len();
    let same_point = (0..count).find(|&i| outline[i] == outline[(i + 1) % count] && count > 1);
    PolygonReport {
        signed_area: moments(outline).0,
        convexity: convexity(outline),
        same_point,
        crossing: crossing_edges(outline),
    }
}

fn convexity(outline: &[Point]) -> Convexity {
    let count = outline.len();
    if count < 3 {
        return Convexity::Not;
    }
    let (mut left, mut right, mut straight) = (0, 0, 0);
    for i in 0..count {
        let (p, q, r) = (
            &outline[i],
            &outline[(i + 1) % count],
            &outline[(i + 2) % count],
        );
        let turn = orientation_of_points(p, q, r);
        if turn > 0.0 {
            left += 1;
        } else if turn < 0.0 {
            right += 1;
        } else {
            straight += 1;
        }
    }
    if (left > 0) == (right > 0) || winds_again(outline) {
        Convexity::Not
    } else if straight > 0 {
        Convexity::Weak
    } else {
        Convexity::Strict
    }
}

/// Returns `true` if the outline changes its horizontal direction more than twice.
fn winds_again(outline: &[Point]) -> bool {
    let count = outline.len();
    let mut changes = 0;
    let mut last = 0.0_f32;
    for i in 0..2 * count {
        let step = outline[(i + 1) % count].x - outline[i % count].x;
        if step != 0.0 {
            // The first round finds the direction that the second starts with.
            if i >= count && step.signum() != last {
                changes += 1;
            }
            last = step.signum();
        }
    }
    changes > 2
}

fn crossing_edges(outline: &[Point]) -> Option<[usize; 2]> {
    let count = outline.len();
    let edge = |i: usize| (to_f64(&outline[i]), to_f64(&outline[(i + 1) % count]));
    for i in 0..count {
        for j in i + 1..count {
            let ((a, b), (c, d)) = (edge(i), edge(j));
            let meeting = intersect(&a, &b, &c, &d);
            let is_next = j == i + 1 || (i == 0 && j == count - 1);
            let is_fine = match meeting {
                Meeting::None => true,
                Meeting::Touching(_) => is_next,
                Meeting::Crossing | Meeting::Overlapping => false,
            };
            if !is_fine {
                return Some([i, j]);
            }
        }
    }
    None
}

/// Returns `outline` counter-clockwise, without equal neighbors, corners that go straight on, and
/// spikes without area. Keeps the order and starts with the first corner that is kept; empty where no area is
/// left.
#[must_use]
pub fn cleaned_outline(outline: &[Point]) -> Vec<Point> {
    let mut corners: Vec<Point> = outline.to_vec();
    let mut i = 0;
    let mut kept = 0;
    while kept < corners.len() && corners.len() > 2 {
        let count = corners.len();
        i %= count;
        let (p, q, r) = (
            corners[(i + count - 1) % count],
            corners[i],
            corners[(i + 1) % count],
        );
        if orientation_of_points(&p, &q, &r) == 0.0 {
            corners.remove(i);
            // The corner before may now go straight on.
            i = (i + count - 1) % count;
            if i == count - 1 {
                i = corners.len().saturating_sub(1);
            }
            kept = 0;
        } else {
            kept += 1;
            i += 1;
        }
    }
    if corners.len() < 3 {
        return Vec::new();
    }
    if moments(&corners).0 < 0.0 {
        corners.reverse();
    }
    corners
}
