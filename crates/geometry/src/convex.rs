//! Convex outlines made of convex outlines: sum, difference, intersection, offset.

use crate::double::{DPose, DVec, cross64, narrow_point, normalize64, perp64, to_f64};
use crate::math::{Point, Pose};
use crate::outline::cleaned_outline;

/// Returns the Minkowski sum of two convex outlines, counter-clockwise: all sums of a point of `a` and one of
/// `b`. Both must be convex and counter-clockwise; segments and points are.
#[must_use]
pub fn minkowski_sum(a: &[Point], b: &[Point]) -> Vec<Point> {
    let (a, b) = (from_lowest(a), from_lowest(b));
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    // Both start at their lowest corner, so their edges are sorted by angle: merge them.
    while i < a.len() || j < b.len() {
        sum.push(narrow_point(&(a[i % a.len()] + b[j % b.len()])));
        let edge_a = a[(i + 1) % a.len()] - a[i % a.len()];
        let edge_b = b[(j + 1) % b.len()] - b[j % b.len()];
        let turn = cross64(&edge_a, &edge_b);
        let is_a = j >= b.len() || (i < a.len() && turn > 0.0);
        let is_b = i >= a.len() || (j < b.len() && turn < 0.0);
        if is_a || !is_b {
            i += 1;
        }
        if is_b || !is_a {
            j += 1;
        }
    }
    cleaned_outline(&sum)
}

/// Returns the Minkowski difference of two convex outlines: all `b - a` with `b` placed by `b_in_a`.
/// It contains the origin where the shapes overlap.
#[must_use]
pub fn minkowski_difference(a: &[Point], b: &[Point], b_in_a: &Pose) -> Vec<Point> {
    let placed: Vec<Point> = b.iter().map(|p| b_in_a * p).collect();
    let mirrored: Vec<Point> = a.iter().map(|p| -p).collect();
    minkowski_sum(&placed, &mirrored)
}

/// Returns the corners from the lowest (then leftmost) on, in double precision.
fn from_lowest(outline: &[Point]) -> Vec<DVec> {
    let lowest = (0..outline.len())
        .min_by(|&i, &j| {
            let (p, q) = (outline[i], outline[j]);
            p.y.total_cmp(&q.y).then(p.x.total_cmp(&q.x))
        })
        .unwrap_or(0);
    (0..outline.len())
        .map(|i| to_f64(&outline[(lowest + i) % outline.len()]))
        .collect()
}

/// Returns the common part of two convex outlines, counter-clockwise, in the frame of `a`; empty where they
/// share no area. Source: [SutherlandHodgman74, sec. 2].
#[must_use]
pub fn convex_intersection(a: &[Point], b: &[Point], b_in_a: &Pose) -> Vec<Point> {
    let pose = DPose::new(b_in_a);
    let mut part: Vec<DVec> = b.iter().map(|p| pose.apply(&to_f64(p))).collect();
    for (i, p) in a.iter().enumerate() {
        let (p, q) = (to_f64(p), to_f64(&a[(i + 1) % a.len()]));
        let height = |r: &DVec| cross64(&(q - p), &(r - p));
        let mut clipped = Vec::with_capacity(part.len() + 1);
        for (j, r) in part.iter().enumerate() {
            let s = part[(j + 1) % part.len()];
            let (from, to) = (height(r), height(&s));
            if from >= 0.0 {
                clipped.push(*r);
            }
            if (from > 0.0 && to < 0.0) || (from < 0.0 && to > 0.0) {
                clipped.push(r + (s - r) * (from / (from - to)));
            }
        }
        part = clipped;
    }
    let corners: Vec<Point> = part.iter().map(narrow_point).collect();
    cleaned_outline(&corners)
}

/// Returns the convex outline with every edge moved out by `distance` \[m\] and the corners kept sharp.
///
/// For rounded corners see [`Polygon::rounded_hull`](crate::Polygon::rounded_hull). Fewer than 3 corners come back as they are.
#[must_use]
pub fn offset_outline(outline: &[Point], distance: f32) -> Vec<Point> {
    let count = outline.len();
    if count < 3 {
        return outline.to_vec();
    }
    let distance = f64::from(distance);
    let outward = |i: usize| {
        let edge = to_f64(&outline[(i + 1) % count]) - to_f64(&outline[i]);
        normalize64(&-perp64(&edge)).unwrap_or_default()
    };
    (0..count)
        .map(|i| {
            let (m, n) = (outward((i + count - 1) % count), outward(i));
            // The miter is along the sum of both normals, and as long as makes both heights right.
            let miter = (m + n) / (1.0 + m.dot(&n));
            narrow_point(&(to_f64(&outline[i]) + miter * distance))
        })
        .collect()
}
