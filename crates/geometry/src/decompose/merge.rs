//! Triangles merged to convex pieces.

use crate::math::Point;
use crate::predicate::orientation_of_points;
use std::collections::BTreeMap;

/// Returns convex pieces, as indices of corners, that cover the area of the triangles.
///
/// Removes each inner edge whose removal leaves both of its ends convex, in order of the
/// triangles: the same input gives the same pieces.
pub(super) fn merge_triangles(points: &[Point], triangles: &[[usize; 3]]) -> Vec<Vec<usize>> {
    let mut pieces: Vec<Vec<usize>> = triangles.iter().map(|t| t.to_vec()).collect();
    // Piece of each directed edge.
    let mut owner: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        for i in 0..3 {
            owner.insert((piece[i], piece[(i + 1) % 3]), index);
        }
    }
    let inner: Vec<(usize, usize)> = owner
        .keys()
        .copied()
        .filter(|&(a, b)| a < b && owner.contains_key(&(b, a)))
        .collect();
    for (a, b) in inner {
        let (Some(&left), Some(&right)) = (owner.get(&(a, b)), owner.get(&(b, a))) else {
            continue;
        };
        if left == right {
            continue;
        }
        let Some(merged) = joined(points, &pieces[left], &pieces[right], a, b) else {
            continue;
        };
        owner.remove(&(a, b));
        owner.remove(&(b, a));
        for i in 0..merged.len() {
            owner.insert((merged[i], merged[(i + 1) % merged.len()]), left);
        }
        pieces[left] = merged;
        pieces[right].clear();
    }
    pieces.retain(|piece| !piece.is_empty());
    for piece in &mut pieces {
        drop_straight_corners(points, piece);
    }
    pieces
}

/// Returns the two pieces on the sides of the edge from `a` to `b` as one, if that is convex.
fn joined(
    points: &[Point],
    left: &[usize],
    right: &[usize],
    a: usize,
    b: usize,
) -> Option<Vec<usize>> {
    let from = |piece: &[usize], start: usize| {
        let at = piece.iter().position(|&i| i == start).unwrap_or(0);
        let mut turned = piece.to_vec();
        turned.rotate_left(at);
        turned
    };
    // From b around the left piece to a, then around the right one back to b.
    let (around_left, around_right) = (from(left, b), from(right, a));
    let mut merged = around_left;
    merged.extend_from_slice(&around_right[1..around_right.len() - 1]);
    let count = merged.len();
    let is_convex = [a, b].iter().all(|corner| {
        let at = merged.iter().position(|i| i == corner).unwrap_or(0);
        let [p, q, r] = [(at + count - 1) % count, at, (at + 1) % count].map(|i| merged[i]);
        orientation_of_points(&points[p], &points[q], &points[r]) >= 0.0
    });
    is_convex.then_some(merged)
}

fn drop_straight_corners(points: &[Point], piece: &mut Vec<usize>) {
    let count = piece.len();
    let kept: Vec<usize> = (0..count)
        .filter(|&i| {
            let [p, q, r] = [(i + count - 1) % count, i, (i + 1) % count].map(|j| piece[j]);
            orientation_of_points(&points[p], &points[q], &points[r]) != 0.0
        })
        .map(|i| piece[i])
        .collect();
    *piece = kept;
}
