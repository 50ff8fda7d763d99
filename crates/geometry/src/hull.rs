//! Convex hull of points, exact.

use crate::math::Point;
use crate::predicate::orientation_of_points;
use crate::sort::sort_compact;
use core::cmp::Ordering;
use smallvec::SmallVec;

/// Points that are sorted without an allocation.
const INLINE_POINTS: usize = 16;

/// Returns the corners of the convex hull of `points`, counter-clockwise, from the leftmost one
/// (the lowest of these).
///
/// Each corner is one of the points and turns strictly left: duplicates and points on an edge are left out,
/// for any order of the input. One corner comes back when all points are the same, two when all lie on one
/// line, none for no points. Points with a coordinate that is not finite are ignored. Method: monotone chain
/// [Andrew79, p. 216] on exact orientation.
#[must_use]
pub fn convex_hull(points: &[Point]) -> Vec<Point> {
    let mut sorted: SmallVec<[Point; INLINE_POINTS]> = points
        .iter()
        .copied()
        .filter(|p| p.x.is_finite() && p.y.is_finite())
        .map(|p| Point::new(p.x + 0.0, p.y + 0.0))
        .collect();
    sort_compact(&mut sorted, left_then_low);
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted.into_vec();
    }
    let mut hull = Vec::with_capacity(sorted.len() + 1);
    half_hull(&mut hull, sorted.iter());
    hull.pop();
    let lower = hull.len();
    half_hull_from(&mut hull, lower, sorted.iter().rev());
    hull.pop();
    hull
}

fn left_then_low(a: &Point, b: &Point) -> Ordering {
    // Negative zeros are gone, so the total order is that of the numbers.
    a.x.total_cmp(&b.x).then_with(|| a.y.total_cmp(&b.y))
}

fn half_hull<'a>(hull: &mut Vec<Point>, points: impl Iterator<Item = &'a Point>) {
    half_hull_from(hull, 0, points);
}

/// Walks along `points` and keeps those of `hull[start..]` that turn left.
fn half_hull_from<'a>(
    hull: &mut Vec<Point>,
    start: usize,
    points: impl Iterator<Item = &'a Point>,
) {
    for p in points {
        while hull.len() >= start + 2
            && orientation_of_points(&hull[hull.len() - 2], &hull[hull.len() - 1], p) <= 0.0
        {
            hull.pop();
        }
        hull.push(*p);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::point;

    #[test]
    fn edge_points_and_duplicates_are_left_out() {
        let mut points = vec![];
        for i in 0..5_u8 {
            for j in 0..5_u8 {
                points.push(point(i.into(), j.into()));
                points.push(point(i.into(), j.into()));
            }
        }
        let corners = [
            point(0.0, 0.0),
            point(4.0, 0.0),
            point(4.0, 4.0),
            point(0.0, 4.0),
        ];
        assert_eq!(convex_hull(&points), corners);
        points.reverse();
        assert_eq!(convex_hull(&points), corners);
    }

    #[test]
    fn flat_input_has_two_ends() {
        let line: Vec<Point> = (0..7_u8)
            .map(|i| point(i.into(), 2.0 * f32::from(i)))
            .collect();
        assert_eq!(convex_hull(&line), [line[0], line[6]]);
        assert_eq!(convex_hull(&[line[2]; 3]), [line[2]]);
        assert!(convex_hull(&[]).is_empty());
    }
}
