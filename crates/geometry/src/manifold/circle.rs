//! Manifolds of a circle and another rounded hull.

use super::record::{FeatureId, Manifold, ManifoldPoint};
use crate::math::{Point, Pose, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::tolerance::SPECULATIVE_DISTANCE;

/// Returns the manifold of `hull` as A and the circle as B.
pub(super) fn circle_last(hull: &RoundedHull<'_>, center: Point, radius: f32) -> Manifold {
    let nearest = nearest_feature(hull, &center);
    let separation = nearest.distance - hull.radius - radius;
    if separation > SPECULATIVE_DISTANCE {
        return Manifold::of_separated(separation);
    }
    let mut manifold = Manifold::with_normal(nearest.normal);
    // Half way between the surface of the circle and that of the hull, from the circle inward.
    let point = center - nearest.normal * (radius + 0.5 * separation);
    manifold.push(ManifoldPoint {
        point,
        separation,
        id: FeatureId::new(nearest.vertex, 0),
    });
    manifold
}

/// Returns the manifold of the circle as A and `hull`, placed by `b_in_a`, as B.
///
/// Asked in the frame of the hull: far away, its corners would be rounded onto each other.
pub(super) fn circle_first(
    center: Point,
    radius: f32,
    hull: &RoundedHull<'_>,
    b_in_a: &Pose,
) -> Manifold {
    let center = b_in_a.inverse_transform_point(&center);
    let mut manifold = circle_last(hull, center, radius).swapped();
    manifold.normal = b_in_a.rotation * manifold.normal;
    for p in manifold.points_mut() {
        p.point = b_in_a * p.point;
    }
    manifold
}

struct Nearest {
    /// Unit, from the core toward the point.
    normal: Vec2,
    /// Signed distance of the point from the core.
    distance: f32,
    /// Vertex that the feature starts with.
    vertex: usize,
}

/// Returns the vertex or edge of the core that is nearest to `point`.
fn nearest_feature(hull: &RoundedHull<'_>, point: &Point) -> Nearest {
    let count = hull.vertices.len();
    let mut face = (f32::NEG_INFINITY, 0);
    for (i, (v, n)) in hull.vertices.iter().zip(hull.normals).enumerate() {
        let height = n.dot(&(point - v));
        if height > face.0 {
            face = (height, i);
        }
    }
    let (height, index) = face;
    if count > 2 && height <= 0.0 {
        return Nearest {
            normal: hull.normals[index],
            distance: height,
            vertex: index,
        };
    }
    let Some(vertex) = nearest_vertex(hull, point, index) else {
        return Nearest {
            normal: hull.normals[index],
            distance: height,
            vertex: index,
        };
    };
    let offset = point - hull.vertices[vertex];
    let distance_sq = offset.norm_squared();
    let distance = distance_sq.sqrt();
    // On the vertex: along the edge normal, or up if there is no edge. So near that the square has lost
    // digits counts as on it: the quotient would not be of unit length.
    let fallback = hull.normals.get(index).copied().unwrap_or_else(Vec2::y);
    let normal = if distance_sq >= f32::MIN_POSITIVE {
        offset / distance
    } else {
        fallback
    };
    Nearest {
        normal,
        distance,
        vertex,
    }
}

/// Returns the vertex that is nearest to a point outside of the edge `index` by the most, or `None`
/// where that edge is nearer.
fn nearest_vertex(hull: &RoundedHull<'_>, point: &Point, index: usize) -> Option<usize> {
    let count = hull.vertices.len();
    if count == 1 {
        return Some(0);
    }
    let after = |i: usize| if i + 1 == count { 0 } else { i + 1 };
    let before = |i: usize| if i == 0 { count - 1 } else { i - 1 };
    let end = after(index);
    if beyond(hull, point, index, end) <= 0.0 {
        last_vertex(hull, point, index, before)
    } else if beyond(hull, point, end, index) <= 0.0 {
        last_vertex(hull, point, end, after)
    } else {
        None
    }
}

/// Returns how far a point is along the edge from one vertex toward another, times its length.
#[inline]
fn beyond(hull: &RoundedHull<'_>, point: &Point, from: usize, to: usize) -> f32 {
    let (v, w) = (hull.vertices[from], hull.vertices[to]);
    (w - v).dot(&(point - v))
}

/// Walks on from a vertex as long as the point is beyond the next edge as well; `None` if it is over one.
///
/// Among nearly parallel edges rounding may have picked a neighbor of the right one.
#[inline]
fn last_vertex(
    hull: &RoundedHull<'_>,
    point: &Point,
    mut vertex: usize,
    step: impl Fn(usize) -> usize,
) -> Option<usize> {
    for _ in 0..hull.vertices.len() {
        let next = step(vertex);
        if beyond(hull, point, vertex, next) <= 0.0 {
            break;
        }
        if beyond(hull, point, next, vertex) > 0.0 {
            // Over the neighbor edge after all, at the same height except for rounding.
            return None;
        }
        vertex = next;
    }
    Some(vertex)
}
