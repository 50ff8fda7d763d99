//! Manifolds of two hulls with edges: separating axes, then clipping.
//!
//! In words:
//!
//! 1. Find the face of A and the face of B with the largest separation of the cores. If one is beyond reach,
//!    there is no contact; the next call tests that face first.
//! 2. The larger of the two is the reference face. The face of the other hull that looks against it most is
//!    the incident face.
//! 3. Clip the incident face to the width of the reference face. Both ends of the clipped face are contact
//!    points.
//! 4. Where two corners are nearest, no face measures their distance: the clipped face is then
//!    farther away than the cores can be, or empty. Take the distance itself, with one point.

use super::edges::Edges;
use super::record::{CachedAxis, FeatureId, Manifold, ManifoldCache, ManifoldPoint};
use super::smooth::single_point;
use crate::epa::separation;
use crate::math::{Point, Pose, Vec2, left_perp};
use crate::rounded_hull::RoundedHull;
use crate::simplex::SimplexCache;
use crate::support::Support;
use crate::tolerance::{FACE_TOLERANCE, SPECULATIVE_DISTANCE};

/// Returns the manifold of two hulls of two or more vertices each, in one frame.
pub(super) fn collide_hulls<H: Edges>(a: &H, b: &H, cache: &mut ManifoldCache) -> Manifold {
    let radius_sum = a.radius() + b.radius();
    let reach = SPECULATIVE_DISTANCE + radius_sum;
    if let Some(separation) = separation_along(cache.axis, a, b)
        && separation > reach
    {
        return Manifold::of_separated(separation - radius_sum);
    }
    let face_a = a.farthest_face(b);
    if face_a.separation > reach {
        cache.axis = CachedAxis::face_of_a(face_a.index);
        return Manifold::of_separated(face_a.separation - radius_sum);
    }
    let face_b = b.farthest_face(a);
    if face_b.separation > reach {
        cache.axis = CachedAxis::face_of_b(face_b.index);
        return Manifold::of_separated(face_b.separation - radius_sum);
    }
    // The face that was taken last time stays while it is as good, so that ids stay.
    let lead = if cache.axis.in_b().is_some() {
        FACE_TOLERANCE
    } else {
        -FACE_TOLERANCE
    };
    let separation = face_a.separation.max(face_b.separation);
    // Choosing references, and not code to run: which one it is cannot be predicted.
    let is_b = face_b.separation + lead > face_a.separation;
    let (reference, incident, face, order) = if is_b {
        (b, a, face_b.index, Order::BFirst)
    } else {
        (a, b, face_a.index, Order::AFirst)
    };
    cache.axis = match order {
        Order::AFirst => CachedAxis::face_of_a(face),
        Order::BFirst => CachedAxis::face_of_b(face),
    };
    clip(reference, face, incident, separation, order)
        .or_else(|pair| {
            touching_corners(reference, face, incident, (pair, separation), order)
                .or_else(|()| nearest_corners(reference, incident, pair, order))
        })
        .unwrap_or_else(|()| corners_of(a, b))
}

/// Returns by how much the remembered face separates the cores, if there is one.
#[inline]
fn separation_along<H: Edges>(axis: CachedAxis, a: &H, b: &H) -> Option<f32> {
    let (hull, other, index) = match (axis.in_a(), axis.in_b()) {
        (Some(index), _) => (a, b, index),
        (_, Some(index)) => (b, a, index),
        _ => return None,
    };
    (index < hull.count()).then(|| hull.face_separation(index, other))
}

/// The hull with the reference face.
#[derive(Clone, Copy)]
pub(super) enum Order {
    AFirst,
    BFirst,
}

impl Order {
    /// Returns the normal from A to B, out of that of the reference face.
    #[inline]
    fn normal(self, normal: Vec2) -> Vec2 {
        match self {
            Self::AFirst => normal,
            Self::BFirst => -normal,
        }
    }

    /// Names a point by a corner of the reference hull and one of the other.
    #[inline]
    fn id(self, corner: usize, other: usize) -> FeatureId {
        match self {
            Self::AFirst => FeatureId::new(corner, other),
            Self::BFirst => FeatureId::new(other, corner),
        }
    }
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

/// Corner of the reference hull and corner of the incident hull.
pub(super) type CornerPair = [usize; 2];

/// Returns the manifold; an error where no part of the incident face over the
/// reference face is as near as `least`, the separation of the cores: the two corners that seem to be
/// nearest instead.
pub(super) fn clip<H: Edges>(
    reference: &H,
    face: usize,
    incident: &H,
    least: f32,
    order: Order,
) -> Result<Manifold, CornerPair> {
    let normal = reference.normal(face);
    let next = next_index(face, reference.count());
    let origin = reference.vertex(face);
    let tangent = left_perp(&normal);
    let length = (reference.vertex(next) - origin).dot(&tangent);

    let (low, high) = incident_edge(incident, &origin, &normal, &tangent);
    if high.along < 0.0 {
        return Err([face, high.vertex]);
    }
    if low.along > length {
        return Err([next, low.vertex]);
    }
    let ends = [
        clipped(low, &high, 0.0_f32.max(low.along)),
        clipped(high, &low, length.min(high.along)),
    ];
    if ends[0].height.min(ends[1].height) > least + FACE_TOLERANCE {
        let is_low = low.height < high.height;
        return Err(if is_low {
            [face, low.vertex]
        } else {
            [next, high.vertex]
        });
    }
    let radii = reference.radius() + incident.radius();
    let point = |end: &End, corner: usize| {
        let middle = 0.5 * (end.height + reference.radius() - incident.radius());
        ManifoldPoint {
            point: origin + tangent * end.along + normal * middle,
            separation: end.height - radii,
            id: order.id(corner, end.vertex),
        }
    };
    let points = [point(&ends[0], face), point(&ends[1], next)];
    Ok(Manifold::of_near(order.normal(normal), points))
}

/// Returns the manifold of two corners on one spot, along the normal of the reference face, if it is as good as any.
///
/// The line between them points anywhere then; of the directions in which the corners do lie before each other the
/// outermost are normals of faces.
fn touching_corners<H: Edges>(
    reference: &H,
    face: usize,
    incident: &H,
    ([corner, other], separation): (CornerPair, f32),
    order: Order,
) -> Result<Manifold, ()> {
    let (v, w) = (reference.vertex(corner), incident.vertex(other));
    let (offset, normal) = (w - v, reference.normal(face));
    let is_one_spot = offset.norm_squared() < FACE_TOLERANCE * FACE_TOLERANCE;
    if !is_one_spot || separation < -FACE_TOLERANCE {
        return Err(());
    }
    let height = offset.dot(&normal);
    let mut manifold = Manifold::with_normal(order.normal(normal));
    let middle = 0.5 * (height + reference.radius() - incident.radius());
    manifold.push(ManifoldPoint {
        point: v + normal * middle,
        separation: height - reference.radius() - incident.radius(),
        id: order.id(corner, other),
    });
    Ok(manifold)
}

/// Returns the manifold of two corners, if they are the nearest points of the cores: if each hull is behind
/// its corner along the line between them.
fn nearest_corners<H: Edges>(
    reference: &H,
    incident: &H,
    [corner, other]: CornerPair,
    order: Order,
) -> Result<Manifold, ()> {
    let (v, w) = (reference.vertex(corner), incident.vertex(other));
    let offset = w - v;
    let distance = offset.norm();
    if distance < FACE_TOLERANCE {
        return Err(());
    }
    let normal = offset / distance;
    // Half of the tolerance of the face choice: the corners are as near as any other pair.
    let slack = 0.5 * FACE_TOLERANCE;
    let is_behind = reference.reach(&normal) <= normal.dot(&v.coords) + slack
        && -incident.reach(&-normal) >= normal.dot(&w.coords) - slack;
    if !is_behind {
        return Err(());
    }
    let separation = distance - reference.radius() - incident.radius();
    if separation > SPECULATIVE_DISTANCE {
        return Ok(Manifold::of_separated(separation));
    }
    let mut manifold = Manifold::with_normal(order.normal(normal));
    let point = v + normal * (reference.radius() + 0.5 * separation);
    manifold.push(ManifoldPoint {
        point,
        separation,
        id: order.id(corner, other),
    });
    Ok(manifold)
}

#[inline]
fn next_index(index: usize, count: usize) -> usize {
    if index + 1 == count { 0 } else { index + 1 }
}

/// Returns the ends of the face of `hull` that looks against `normal` most, ordered along `tangent`.
#[inline]
fn incident_edge<H: Edges>(hull: &H, origin: &Point, normal: &Vec2, tangent: &Vec2) -> (End, End) {
    let face = hull.facing(normal);
    let end = |vertex: usize| {
        let offset = hull.vertex(vertex) - origin;
        End {
            along: offset.dot(tangent),
            height: offset.dot(normal),
            vertex,
        }
    };
    let (p, q) = (end(face), end(next_index(face, hull.count())));
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

#[cold]
fn corners_of<H: Edges>(a: &H, b: &H) -> Manifold {
    a.with_slices(|a| b.with_slices(|b| collide_corners(a, b, &Pose::identity())))
}

/// Returns the manifold of two nearest corners.
#[cold]
pub(super) fn collide_corners(a: &RoundedHull<'_>, b: &RoundedHull<'_>, b_in_a: &Pose) -> Manifold {
    let gap = separation(a, b, b_in_a, &mut SimplexCache::default());
    let normal = crate::double::to_f32(&gap.normal);
    let corner_a = usize::from(a.core_support(&normal).index);
    let corner_b = usize::from(b.core_support(&(b_in_a.rotation.inverse() * -normal)).index);
    single_point(&gap, FeatureId::new(corner_a, corner_b))
}
