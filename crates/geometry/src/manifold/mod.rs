//! Contact points and normal of two shapes that touch or are about to.

mod record;
mod placed;
mod edges;
mod circle;
mod corner;
mod smooth;
mod hulls;
mod boxes;
mod chain;

pub use chain::surface_normal;
pub use record::{FeatureId, Manifold, ManifoldCache, ManifoldPoint};

use crate::math::Pose;
use crate::rounded_hull::RoundedHull;
use crate::shape::{Shape, ShapeView, part_near};
use edges::{Lanes, Line};
use placed::PlacedHull;

/// Returns the manifold of `a` and `b`, which is placed by `b_in_a`; everything is in the frame of
/// `a`.
///
/// The normal points from A to B. There are up to two points, as far as the surfaces are no more
/// than [`SPECULATIVE_DISTANCE`](crate::tolerance::SPECULATIVE_DISTANCE) apart; the least separation is the signed distance of the
/// shapes. A chain segment gives points only on its solid side, and only with normals that the whole
/// chain has; two chain segments give none, nor do two half-spaces. `cache` makes the next call for the same pair faster and
/// its choice among equals steady.
#[must_use]
pub fn collide(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut ManifoldCache) -> Manifold {
    use Shape::{Capsule, ChainSegment, Circle, HalfSpace, Polygon, Segment};
    // One arm per common pair: dispatch on a view of each shape took a quarter of the time.
    match (a, b) {
        (Polygon(p), Polygon(q)) => match (p.as_rectangle(), q.as_rectangle()) {
            (Some(box_p), Some(box_q)) => {
                boxes::collide_boxes((p, box_p), (q, box_q), b_in_a, cache)
            }
            _ => collide_edges(&p.as_hull(), &q.as_hull(), b_in_a, cache),
        },
        (Polygon(p), Circle(q)) => {
            circle::circle_last(&p.as_hull(), b_in_a * q.center(), q.radius())
        }
        (Capsule(p), Capsule(q)) => {
            hulls::collide_hulls(&p.into(), &Line::from(q).placed(b_in_a), cache)
        }
        (Segment(p), Capsule(q)) => {
            hulls::collide_hulls(&p.into(), &Line::from(q).placed(b_in_a), cache)
        }
        (ChainSegment(_), ChainSegment(_)) | (HalfSpace(_), HalfSpace(_)) => Manifold::EMPTY,
        (HalfSpace(_), _) | (_, HalfSpace(_)) => collide_half_space(a, b, b_in_a, cache),
        (ChainSegment(segment), _) => chain::segment_first(segment, b, b_in_a, cache),
        (_, ChainSegment(segment)) => chain::segment_last(a, segment, b_in_a, cache),
        _ => collide_solid(a, b, b_in_a, cache),
    }
}

/// Returns the manifold of two shapes, one of them a half-space: that of its part near the other.
#[inline(never)]
fn collide_half_space(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut ManifoldCache) -> Manifold {
    let part_a = part_near(a, b, b_in_a).map(Shape::HalfSpace);
    let part_b = part_near(b, a, &b_in_a.inverse()).map(Shape::HalfSpace);
    match (part_a.as_ref().unwrap_or(a), part_b.as_ref().unwrap_or(b)) {
        (Shape::ChainSegment(segment), b) => chain::segment_first(segment, b, b_in_a, cache),
        (a, Shape::ChainSegment(segment)) => chain::segment_last(a, segment, b_in_a, cache),
        (a, b) => collide_solid(a, b, b_in_a, cache),
    }
}

/// Returns the manifold without regard to the sidedness of chain segments.
fn collide_solid(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut ManifoldCache) -> Manifold {
    match (a.view(), b.view()) {
        (ShapeView::Hull(hull_a), ShapeView::Hull(hull_b)) => {
            if hull_b.vertices.len() == 1 {
                circle::circle_last(&hull_a, b_in_a * hull_b.vertices[0], hull_b.radius)
            } else {
                collide_edges(&hull_a, &hull_b, b_in_a, cache)
            }
        }
        _ => smooth::collide_smooth(a, b, b_in_a, cache),
    }
}

/// Returns the manifold of a hull and one with edges.
#[inline]
fn collide_edges(
    a: &RoundedHull<'_>,
    b: &RoundedHull<'_>,
    b_in_a: &Pose,
    cache: &mut ManifoldCache,
) -> Manifold {
    if a.vertices.len() == 1 {
        return circle::circle_first(a.vertices[0], a.radius, b, b_in_a);
    }
    if let (Some(a), Some(b)) = (Line::new(a), Line::new(b)) {
        return hulls::collide_hulls(&a, &b.placed(b_in_a), cache);
    }
    match a.vertices.len().max(b.vertices.len()) {
        0..=4 => collide_lanes::<4>(a, b, b_in_a, cache),
        5..=8 => collide_lanes::<8>(a, b, b_in_a, cache),
        _ => hulls::collide_hulls(a, &PlacedHull::new(b, b_in_a).view(), cache),
    }
}

/// Returns the manifold of two hulls of no more than `LANES` vertices.
#[inline]
fn collide_lanes<const LANES: usize>(
    a: &RoundedHull<'_>,
    b: &RoundedHull<'_>,
    b_in_a: &Pose,
    cache: &mut ManifoldCache,
) -> Manifold {
    let (a, b) = (Lanes::<LANES>::new(a), Lanes::<LANES>::new(b));
    hulls::collide_hulls(&a, &b.placed(b_in_a), cache)
}
