//! Manifolds with a chain segment: one-sided, and with the normals of the whole chain.
//!
//! A segment alone would stop a box that slides over its end: the shortest way out of the overlap may point
//! along the surface. So the normal must be one that the chain as a whole has there: the
//! normal of the segment, or, at a corner that bulges outward, one between those of the two
//! neighbors. Such a corner belongs to the segment that starts there; the one that ends there is silent. Any
//! other normal is replaced by that of the segment.

use super::hulls::{Order, clip};
use super::placed::PlacedHull;
use super::record::{FeatureId, Manifold, ManifoldCache, ManifoldPoint};
use super::{circle, hulls, smooth};
use crate::math::{Point, Pose, Vec2, cross, right_perp};
use crate::precise::unit;
use crate::rounded_hull::RoundedHull;
use crate::shape::{ChainSegment, Ellipse, Shape, ShapeView};
use crate::support::Support;
use crate::tolerance::{SMOOTH_CORNER, SPECULATIVE_DISTANCE};

/// Returns the manifold of the segment as A and `other` as B.
pub(super) fn segment_first(
    segment: &ChainSegment,
    other: &Shape,
    b_in_a: &Pose,
    cache: &mut ManifoldCache,
) -> Manifold {
    let chain = ChainPart::new(segment, &Pose::identity());
    match other.view() {
        ShapeView::Hull(hull) => {
            let placed = PlacedHull::new(&hull, b_in_a);
            chain.against_hull(&placed.view(), cache)
        }
        ShapeView::Ellipse(ellipse) => chain.against_ellipse(ellipse, b_in_a, cache),
    }
}

/// Returns the manifold of `other` as A and the segment as B.
pub(super) fn segment_last(
    other: &Shape,
    segment: &ChainSegment,
    b_in_a: &Pose,
    cache: &mut ManifoldCache,
) -> Manifold {
    let chain = ChainPart::new(segment, b_in_a);
    let manifold = match other.view() {
        ShapeView::Hull(hull) => chain.against_hull(&hull, cache),
        ShapeView::Ellipse(ellipse) => chain.against_ellipse(ellipse, &Pose::identity(), cache),
    };
    manifold.swapped()
}

/// Returns the normal that the chain as a whole has where `normal`, a unit vector in the frame of the segment, leads out of
/// its solid side: the same one at an outward corner, else that of the segment. What leads out of the other side is
/// returned as it is.
///
/// The nearest points of a segment and of what slides over its end give a normal along the surface, which would stop it.
#[must_use]
pub fn surface_normal(segment: &ChainSegment, normal: Vec2) -> Vec2 {
    if normal.dot(&segment.normal()) <= 0.0 {
        return normal;
    }
    match ChainPart::new(segment, &Pose::identity()).verdict(&normal) {
        Verdict::Keep | Verdict::Neighbor => normal,
        Verdict::Replace => segment.normal(),
    }
}

/// Whether a normal is one that the chain has.
enum Verdict {
    Keep,
    /// The neighbor after reports this contact.
    Neighbor,
    /// Only the normal of the segment is left.
    Replace,
}

/// Where the middle of a shape is.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// Before the line of the segment.
    Front,
    /// Behind it, but before that of a neighbor around an outward corner: only the corner can touch.
    Corner,
    Behind,
}

/// Segment with its neighbors, in the frame of A.
struct ChainPart {
    ends: [Point; 2],
    normals: [Vec2; 2],
    direction: Vec2,
    before: Neighbor,
    after: Neighbor,
}

/// What continues the chain at an end.
enum Neighbor {
    None,
    /// The corner is flat or hollow.
    Flush,
    /// The corner bulges outward; the normal of the neighbor.
    Bulge(Vec2),
}

impl ChainPart {
    fn new(segment: &ChainSegment, pose: &Pose) -> Self {
        let ends = [pose * segment.a(), pose * segment.b()];
        let normal = pose.rotation * segment.normal();
        let direction = crate::math::left_perp(&normal);
        let neighbor = |edge: Option<Vec2>, turn: fn(&Vec2, &Vec2) -> f32| match edge {
            None => Neighbor::None,
            Some(edge) => match unit(&edge) {
                Some(along) if turn(&direction, &along) > SMOOTH_CORNER => {
                    Neighbor::Bulge(right_perp(&along))
                }
                _ => Neighbor::Flush,
            },
        };
        let before = segment
            .ghost_before()
            .map(|g| pose.rotation * (segment.a() - g));
        let after = segment
            .ghost_after()
            .map(|g| pose.rotation * (g - segment.b()));
        Self {
            ends,
            normals: [normal, -normal],
            before: neighbor(before, |direction, along| cross(along, direction)),
            after: neighbor(after, cross),
            direction,
        }
    }

    fn hull(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.ends,
            normals: &self.normals,
            radius: 0.0,
        }
    }

    /// Returns on which side of the chain `center` is, as far as this segment can tell.
    fn side(&self, center: &Point) -> Side {
        if self.normals[0].dot(&(center - self.ends[0])) >= 0.0 {
            return Side::Front;
        }
        let is_before = |neighbor: &Neighbor, end: &Point| match neighbor {
            Neighbor::Bulge(normal) => normal.dot(&(center - end)) >= 0.0,
            _ => false,
        };
        if is_before(&self.before, &self.ends[0]) || is_before(&self.after, &self.ends[1]) {
            Side::Corner
        } else {
            Side::Behind
        }
    }

    fn verdict(&self, normal: &Vec2) -> Verdict {
        let lean = normal.dot(&self.direction);
        let is_front = normal.dot(&self.normals[0]) > -SMOOTH_CORNER;
        if is_front && lean.abs() <= SMOOTH_CORNER {
            return Verdict::Keep;
        }
        let end = if lean < 0.0 {
            &self.before
        } else {
            &self.after
        };
        match end {
            Neighbor::None if is_front => Verdict::Keep,
            Neighbor::Bulge(other) => {
                // From the normal of the earlier segment counter-clockwise to that of the later one.
                let (from, to) = if lean < 0.0 {
                    (other, &self.normals[0])
                } else {
                    (&self.normals[0], other)
                };
                let is_between =
                    cross(from, normal) >= -SMOOTH_CORNER && cross(normal, to) >= -SMOOTH_CORNER;
                match (is_between, lean < 0.0) {
                    (true, true) => Verdict::Keep,
                    (true, false) => Verdict::Neighbor,
                    _ => Verdict::Replace,
                }
            }
            _ => Verdict::Replace,
        }
    }

    /// Returns the manifold with the segment as A.
    fn against_hull(&self, other: &RoundedHull<'_>, cache: &mut ManifoldCache) -> Manifold {
        let center = other
            .vertices
            .iter()
            .fold(Vec2::zeros(), |sum, v| sum + v.coords)
            / other.vertices.len() as f32;
        let side = self.side(&center.into());
        if side == Side::Behind {
            return Manifold::EMPTY;
        }
        let is_circle = other.vertices.len() == 1;
        let manifold = if is_circle {
            circle::circle_last(&self.hull(), other.vertices[0], other.radius)
        } else {
            hulls::collide_hulls(&self.hull(), other, cache)
        };
        if manifold.is_empty() {
            return manifold;
        }
        match self.verdict(&manifold.normal) {
            Verdict::Keep => manifold,
            Verdict::Neighbor => Manifold::EMPTY,
            Verdict::Replace if side == Side::Corner => Manifold::EMPTY,
            Verdict::Replace if is_circle => self.on_face(&other.vertices[0], other.radius),
            Verdict::Replace => clip(&self.hull(), 0, other, f32::INFINITY, Order::AFirst)
                .unwrap_or(Manifold::EMPTY),
        }
    }

    fn against_ellipse(&self, other: &Ellipse, pose: &Pose, cache: &mut ManifoldCache) -> Manifold {
        let side = self.side(&(pose * other.center()));
        if side == Side::Behind {
            return Manifold::EMPTY;
        }
        let manifold = smooth::collide_smooth(&self.hull(), other, pose, cache);
        if manifold.is_empty() {
            return manifold;
        }
        match self.verdict(&manifold.normal) {
            Verdict::Keep => manifold,
            Verdict::Neighbor => Manifold::EMPTY,
            Verdict::Replace if side == Side::Corner => Manifold::EMPTY,
            Verdict::Replace => {
                let down = pose.rotation.inverse() * -self.normals[0];
                self.on_face(&(pose * other.core_support(&down).point), 0.0)
            }
        }
    }

    /// Returns the contact of the face with the disk about `center`, if that is over the face.
    fn on_face(&self, center: &Point, radius: f32) -> Manifold {
        let normal = self.normals[0];
        let along = self.direction.dot(&(center - self.ends[0]));
        let length = self.direction.dot(&(self.ends[1] - self.ends[0]));
        let separation = normal.dot(&(center - self.ends[0])) - radius;
        if along < 0.0 || along > length || separation > SPECULATIVE_DISTANCE {
            return Manifold::EMPTY;
        }
        let mut manifold = Manifold::with_normal(normal);
        let point = center - normal * (radius + 0.5 * separation);
        manifold.push(ManifoldPoint {
            point,
            separation,
            id: FeatureId::default(),
        });
        manifold
    }
}
