//! Holes joined to the outline by bridges, so that one loop remains.

use super::border::{Border, DecomposeError};
use crate::double::to_f64;
use crate::intersection::{Meeting, intersect, is_in_box};
use crate::predicate::orientation_of_points;

/// Returns one loop around the whole region: along the outline, over a bridge to each hole, around it and
/// back.
///
/// Each hole is joined from its rightmost corner to the nearest corner with a free line to it. Holes farther
/// right come first, so there always is one.
pub(super) fn bridged_loop(border: &Border) -> Result<Vec<usize>, DecomposeError> {
    let mut outline = border.loops[0].clone();
    let mut holes: Vec<usize> = (1..border.loops.len()).collect();
    let rightmost = |hole: usize| {
        let corners = &border.loops[hole];
        let right = |&i: &usize, &j: &usize| {
            border.points[corners[i]]
                .x
                .total_cmp(&border.points[corners[j]].x)
        };
        (0..corners.len()).max_by(right).unwrap_or(0)
    };
    holes.sort_by(|&g, &h| {
        let x = |hole: usize| border.points[border.loops[hole][rightmost(hole)]].x;
        x(h).total_cmp(&x(g))
    });
    for (done, &hole) in holes.iter().enumerate() {
        let start = rightmost(hole);
        let waiting = &holes[done..];
        let Some(at) = visible_corner(border, &outline, hole, start, waiting) else {
            return Err(DecomposeError::NotNested {
                first: 0,
                second: hole,
            });
        };
        let corners = &border.loops[hole];
        let around = (0..=corners.len()).map(|i| corners[(start + i) % corners.len()]);
        let detour: Vec<usize> = around.chain([outline[at]]).collect();
        outline.splice(at + 1..at + 1, detour);
    }
    Ok(outline)
}

/// Returns the place in `outline` of the nearest corner with a free line to corner `start` of `hole`.
fn visible_corner(
    border: &Border,
    outline: &[usize],
    hole: usize,
    start: usize,
    waiting: &[usize],
) -> Option<usize> {
    let corners = &border.loops[hole];
    let from = corners[start];
    let distance_sq = |at: &usize| {
        (to_f64(&border.points[outline[*at]]) - to_f64(&border.points[from])).norm_squared()
    };
    let mut order: Vec<usize> = (0..outline.len()).collect();
    order.sort_by(|i, j| distance_sq(i).total_cmp(&distance_sq(j)));
    order.into_iter().find(|&at| {
        is_in_corner(border, outline, at, from)
            && is_in_corner(border, corners, start, outline[at])
            && is_clear(border, outline, from, outline[at])
            && waiting
                .iter()
                .all(|&h| is_clear(border, &border.loops[h], from, outline[at]))
    })
}

/// Returns `true` if the direction to `target` leads into the region at corner `at` of a loop.
fn is_in_corner(border: &Border, corners: &[usize], at: usize, target: usize) -> bool {
    let count = corners.len();
    let p = |i: usize| &border.points[corners[i % count]];
    let (before, here, after) = (p(at + count - 1), p(at), p(at + 1));
    let target = &border.points[target];
    let (from_before, to_after) = (
        orientation_of_points(before, here, target) > 0.0,
        orientation_of_points(here, after, target) > 0.0,
    );
    if orientation_of_points(before, here, after) >= 0.0 {
        from_before && to_after
    } else {
        from_before || to_after
    }
}

/// Returns `true` if the segment between two corners meets no edge of a loop but at its own ends.
fn is_clear(border: &Border, corners: &[usize], from: usize, to: usize) -> bool {
    let point = |i: usize| border.points[i];
    let (p, q) = (to_f64(&point(from)), to_f64(&point(to)));
    (0..corners.len()).all(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        let (r, s) = (to_f64(&point(a)), to_f64(&point(b)));
        match intersect(&p, &q, &r, &s) {
            Meeting::None => true,
            Meeting::Touching(t) => {
                // At an end of the bridge, and then only with an end of the edge.
                (t == p || t == q) && (t == r || t == s) && !passes_end(&p, &q, &r, &s)
            }
            Meeting::Crossing | Meeting::Overlapping => false,
        }
    })
}

/// Returns `true` if an end of the edge `r s` lies inside the segment `p q`.
fn passes_end(
    p: &crate::double::DVec,
    q: &crate::double::DVec,
    r: &crate::double::DVec,
    s: &crate::double::DVec,
) -> bool {
    [r, s].into_iter().any(|end| {
        end != p
            && end != q
            && crate::predicate::orientation_of(p, q, end) == 0.0
            && is_in_box(end, p, q)
    })
}
