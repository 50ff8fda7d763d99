//! Manifolds of two hulls with edges: separating axes, then clipping.
//!
//! In words:
//!
//! 1. Find the face of A and the face of B with the largest separation of the cores. If one is beyond reach,
//!    there is no contact; the next call looks at that face first.
//! 2. The larger of the two is the reference face. The face of the other hull that looks against it most is
//!    the incident face.
//! 3. Clip the incident face to the width of the reference face. Both ends of what is left are contact
//!    points.
//! 4. Where two corners are nearest, no face measures their distance: the clipped face is then
//!    farther away than the cores can be, or empty. Take the distance itself, with one point.

use super::record::{Axis, FeatureId, Manifold, ManifoldCache, ManifoldPoint};
use super::smooth::single_point;
use crate::epa::separation;
use crate::math::{Point, Pose, Vec2, left_perp};
use crate::shape::RoundedHull;
use crate::simplex::SimplexCache;
use crate::support::Support;
use crate::tolerance::{FACE_TOLERANCE, SPECULATIVE_DISTANCE};

/// Returns the manifold of two hulls of two or more vertices each, in one frame.
pub(super) fn collide_hulls(
    a: &RoundedHull<'_>,
    b: &RoundedHull<'_>,
    cache: &mut ManifoldCache,
) -> Manifold {
    let reach = SPECULATIVE_DISTANCE + a.radius + b.radius;
    if is_apart_along(cache.axis, a, b, reach) {
        return Manifold::EMPTY;
    }
    let face_a = farthest_face(a, b);
    if face_a.separation > reach {
        cache.axis = Axis::face_of_a(face_a.index);
        return Manifold::EMPTY;
    }
    let face_b = farthest_face(b, a);
    if face_b.separation > reach {
        cache.axis = Axis::face_of_b(face_b.index);
        return Manifold::EMPTY;
    }
    // The face that was taken last time stays while it is as good, so that ids stay.
    let lead = if cache.axis.in_b().is_some() {
        FACE_TOLERANCE
    } else {
        -FACE_TOLERANCE
    };
    let separation = face_a.separation.max(face_b.separation);
    if face_b.separation + lead > face_a.separation {
        cache.axis = Axis::face_of_b(face_b.index);
        clip(b, face_b.index, a, separation).map_or_else(
            || collide_corners(a, b, &Pose::identity()),
            Manifold::swapped,
        )
    } else {
        cache.axis = Axis::face_of_a(face_a.index);
        clip(a, face_a.index, b, separation)
            .unwrap_or_else(|| collide_corners(a, b, &Pose::identity()))
    }
}

/// Says whether the remembered face separates the cores by more than `reach`.
#[inline]
fn is_apart_along(axis: Axis, a: &RoundedHull<'_>, b: &RoundedHull<'_>, reach: f32) -> bool {
    let (hull, other, index) = match (axis.in_a(), axis.in_b()) {
        (Some(index), _) => (a, b, index),
        (_, Some(index)) => (b, a, index),
        _ => return false,
    };
    index < hull.normals.len() && face_separation(hull, index, other) > reach
}

struct Face {
    index: usize,
    separation: f32,
}

/// Returns the least height of the vertices of `other` over a face.
#[inline]
fn face_separation(hull: &RoundedHull<'_>, index: usize, other: &RoundedHull<'_>) -> f32 {
    let (v, n) = (hull.vertices[index], hull.normals[index]);
    other
        .vertices
        .iter()
        .map(|w| n.dot(&(w - v)))
        .fold(f32::INFINITY, f32::min)
}

/// Returns the face of `hull` that `other` is farthest outside of, or least inside.
#[inline]
fn farthest_face(hull: &RoundedHull<'_>, other: &RoundedHull<'_>) -> Face {
    let mut best = Face {
        index: 0,
        separation: f32::NEG_INFINITY,
    };
    for index in 0..hull.normals.len() {
        let separation = face_separation(hull, index, other);
        if separation > best.separation {
            best = Face { index, separation };
        }
    }
    best
}

/// End of the incident edge, measured on the reference face.
#[derive(Clone, Copy)]
struct End {
    /// Distance along the face from its first vertex.
    along: f32,
    /// Height over the face.
    height: f32,
    vertex: usize,
}

/// Returns the manifold with `reference` as A, or `None` where no part of the incident face over the
/// reference face is as near as `least`, the separation of the cores.
pub(super) fn clip(
    reference: &RoundedHull<'_>,
    face: usize,
    incident: &RoundedHull<'_>,
    least: f32,
) -> Option<Manifold> {
    let normal = reference.normals[face];
    let next = next_index(face, reference.vertices.len());
    let origin = reference.vertices[face];
    let tangent = left_perp(&normal);
    let length = (reference.vertices[next] - origin).dot(&tangent);

    let (low, high) = incident_edge(incident, &origin, &normal, &tangent);
    if high.along < 0.0 || low.along > length {
        return None;
    }
    let ends = [
        clipped(low, &high, 0.0_f32.max(low.along)),
        clipped(high, &low, length.min(high.along)),
    ];
    if ends[0].height.min(ends[1].height) > least + FACE_TOLERANCE {
        return None;
    }
    let mut manifold = Manifold::with_normal(normal);
    let radii = reference.radius + incident.radius;
    for (end, corner) in ends.into_iter().zip([face, next]) {
        let separation = end.height - radii;
        if separation <= SPECULATIVE_DISTANCE {
            let middle = 0.5 * (end.height + reference.radius - incident.radius);
            manifold.push(ManifoldPoint {
                point: origin + tangent * end.along + normal * middle,
                separation,
                id: FeatureId::new(corner, end.vertex),
            });
        }
    }
    if manifold.is_empty() {
        Some(Manifold::EMPTY)
    } else {
        Some(manifold)
    }
}

#[inline]
fn next_index(index: usize, count: usize) -> usize {
    if index + 1 == count { 0 } else { index + 1 }
}

/// Returns the ends of the face of `hull` that looks against `normal` most, ordered along `tangent`.
#[inline]
fn incident_edge(
    hull: &RoundedHull<'_>,
    origin: &Point,
    normal: &Vec2,
    tangent: &Vec2,
) -> (End, End) {
    let mut face = (f32::INFINITY, 0);
    for (i, n) in hull.normals.iter().enumerate() {
        let facing = n.dot(normal);
        if facing < face.0 {
            face = (facing, i);
        }
    }
    let end = |vertex: usize| {
        let offset = hull.vertices[vertex] - origin;
        End {
            along: offset.dot(tangent),
            height: offset.dot(normal),
            vertex,
        }
    };
    let (p, q) = (end(face.1), end(next_index(face.1, hull.vertices.len())));
    if p.along <= q.along { (p, q) } else { (q, p) }
}

/// Returns the point at `along` of the edge from `end` to `other`, named after `end`.
#[inline]
fn clipped(end: End, other: &End, along: f32) -> End {
    let span = other.along - end.along;
    if along == end.along || span == 0.0 {
        return end;
    }
    let weight = (along - end.along) / span;
    End {
        along,
        height: end.height + weight * (other.height - end.height),
        ..end
    }
}

/// Returns the manifold of two nearest corners.
#[cold]
pub(super) fn collide_corners(a: &RoundedHull<'_>, b: &RoundedHull<'_>, b_in_a: &Pose) -> Manifold {
    let gap = separation(a, b, b_in_a, &mut SimplexCache::default());
    let normal = crate::precise::narrow(&gap.normal);
    let corner_a = usize::from(a.core_support(&normal).index);
    let corner_b = usize::from(b.core_support(&(b_in_a.rotation.inverse() * -normal)).index);
    single_point(&gap, FeatureId::new(corner_a, corner_b))
}
