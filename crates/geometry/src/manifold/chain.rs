//! Manifolds with a chain segment: one-sided, and with the normals of the whole chain.
//!
//! A segment alone would stop a box that slides over its end: the smallest separating translation may point
//! along the surface. So the normal must be a normal of the chain as a whole: that of the
//! segment, or, at a convex corner, one between the normals of the two segments. A convex corner
//! belongs to the segment that starts there; the segment that ends there reports no contact at it. Any other
//! normal is replaced by that of the segment. Past a convex corner it is replaced by the normal of the chain
//! with the shortest way out; the neighbor may have to report it.

use super::corner::{Corner, Way};
use super::hulls::{Order, clip};
use super::placed::PlacedHull;
use super::record::{FeatureId, Manifold, ManifoldCache, ManifoldPoint};
use super::{circle, hulls, smooth};
use crate::double::unit;
use crate::math::{Point, Pose, Vec2, cross, right_perp};
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
/// its solid side: the same one at a convex corner, else that of the segment. A normal that leads out of the other side is
/// returned unchanged.
///
/// The nearest points of a segment and of a shape that slides over its end give a normal along the surface, which would stop it.
#[must_use]
pub fn surface_normal(segment: &ChainSegment, normal: Vec2) -> Vec2 {
    if normal.dot(&segment.normal()) <= 0.0 {
        return normal;
    }
    let chain = ChainPart::new(segment, &Pose::identity());
    match chain.verdict(&normal, || chain.ends[0]) {
        Verdict::Keep | Verdict::Neighbor => normal,
        Verdict::Replace | Verdict::Past(_) => segment.normal(),
    }
}

/// Result of the test of a normal against the chain.
enum Verdict {
    Keep,
    /// The neighbor after reports this contact.
    Neighbor,
    /// Only the normal of the segment is left.
    Replace,
    /// Around an outward corner others are left as well.
    Past(Corner),
}

/// Place of the middle of a shape.
#[derive(Clone, Copy, PartialEq)]
enum ChainSide {
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

/// The continuation of the chain at an end.
enum Neighbor {
    None,
    /// The corner is flat or hollow.
    Flush,
    /// The corner bulges outward; the normal of the neighbor.
    Bulge(Vec2),
    /// The corner of a line that is solid from both sides is hollow; the normal of the neighbor.
    Hollow(Vec2),
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
                Some(along)
                    if segment.is_two_sided() && turn(&direction, &along) < -SMOOTH_CORNER =>
                {
                    Neighbor::Hollow(right_perp(&along))
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

    /// Returns on which side of the chain `center` is, according to this segment.
    fn side(&self, center: &Point) -> ChainSide {
        if self.normals[0].dot(&(center - self.ends[0])) >= 0.0 {
            // Behind the neighbor at a hollow corner: on the other side of a line that is solid from both.
            let is_behind = |neighbor: &Neighbor, end: &Point| match neighbor {
                Neighbor::Hollow(normal) => normal.dot(&(center - end)) < 0.0,
                _ => false,
            };
            let is_beyond =
                is_behind(&self.before, &self.ends[0]) || is_behind(&self.after, &self.ends[1]);
            return if is_beyond {
                ChainSide::Behind
            } else {
                ChainSide::Front
            };
        }
        let is_before = |neighbor: &Neighbor, end: &Point| match neighbor {
            Neighbor::Bulge(normal) => normal.dot(&(center - end)) >= 0.0,
            _ => false,
        };
        if is_before(&self.before, &self.ends[0]) || is_before(&self.after, &self.ends[1]) {
            ChainSide::Corner
        } else {
            ChainSide::Behind
        }
    }

    /// Returns whether the chain has a normal, for a contact at `at`: the end to which a normal that leads backward
    /// belongs depends on this place.
    fn verdict(&self, normal: &Vec2, at: impl Fn() -> Point) -> Verdict {
        let lean = normal.dot(&self.direction);
        let is_front = normal.dot(&self.normals[0]) > -SMOOTH_CORNER;
        if is_front && lean.abs() <= SMOOTH_CORNER {
            return Verdict::Keep;
        }
        let is_before = if is_front {
            lean < 0.0
        } else {
            let [start, end] = self.ends.map(|end| self.direction.dot(&(at() - end)));
            start + end < 0.0
        };
        let end = if is_before { &self.before } else { &self.after };
        match end {
            Neighbor::None if is_front => Verdict::Keep,
            // From the normal of the earlier segment counter-clockwise to that of the later one.
            Neighbor::Bulge(other) if is_before => {
                let corner = Corner {
                    at: self.ends[0],
                    normals: [*other, self.normals[0]],
                    neighbor: 0,
                };
                if corner.has(normal) {
                    Verdict::Keep
                } else {
                    Verdict::Past(corner)
                }
            }
            Neighbor::Bulge(other) => {
                let corner = Corner {
                    at: self.ends[1],
                    normals: [self.normals[0], *other],
                    neighbor: 1,
                };
                if corner.has(normal) {
                    Verdict::Neighbor
                } else {
                    Verdict::Past(corner)
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
        if side == ChainSide::Behind {
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
        match self.verdict(&manifold.normal, || deepest(&manifold)) {
            Verdict::Keep => manifold,
            Verdict::Neighbor => Manifold::EMPTY,
            // Apart, or with only the rounding in: the neighbor is nearer.
            Verdict::Past(_) if is_circle || gap_of(&manifold) > -other.radius => Manifold::EMPTY,
            Verdict::Past(corner) => match corner.way_of_hull(other) {
                Way::Own if side == ChainSide::Front => self.clip_face(other),
                Way::Between { face, .. } if corner.neighbor == 0 => {
                    clip(other, face, &self.hull(), f32::INFINITY, Order::BFirst)
                        .unwrap_or(Manifold::EMPTY)
                }
                _ => Manifold::EMPTY,
            },
            Verdict::Replace if side == ChainSide::Corner => Manifold::EMPTY,
            Verdict::Replace if is_circle => self.on_face(&other.vertices[0], other.radius),
            Verdict::Replace => self.clip_face(other),
        }
    }

    fn against_ellipse(&self, other: &Ellipse, pose: &Pose, cache: &mut ManifoldCache) -> Manifold {
        let side = self.side(&(pose * other.center()));
        if side == ChainSide::Behind {
            return Manifold::EMPTY;
        }
        let manifold = smooth::collide_smooth(&self.hull(), other, pose, cache);
        if manifold.is_empty() {
            return manifold;
        }
        let lowest = |normal: &Vec2| {
            let down = pose.rotation.inverse() * -normal;
            pose * other.core_support(&down).point
        };
        match self.verdict(&manifold.normal, || deepest(&manifold)) {
            Verdict::Keep => manifold,
            Verdict::Neighbor => Manifold::EMPTY,
            Verdict::Past(_) if gap_of(&manifold) > 0.0 => Manifold::EMPTY,
            Verdict::Past(corner) => {
                let start = |normal: &Vec2| normal.dot(&(lowest(normal) - corner.at));
                match corner.way_of_smooth(start) {
                    Way::Own if side == ChainSide::Front => {
                        self.on_face(&lowest(&self.normals[0]), 0.0)
                    }
                    Way::Between { normal, .. } if corner.neighbor == 0 => {
                        at_corner(&corner.at, normal, start(&normal))
                    }
                    _ => Manifold::EMPTY,
                }
            }
            Verdict::Replace if side == ChainSide::Corner => Manifold::EMPTY,
            Verdict::Replace => self.on_face(&lowest(&self.normals[0]), 0.0),
        }
    }

    /// Returns the contact of the face with a hull, however deep.
    fn clip_face(&self, other: &RoundedHull<'_>) -> Manifold {
        clip(&self.hull(), 0, other, f32::INFINITY, Order::AFirst).unwrap_or(Manifold::EMPTY)
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

/// Returns the least separation of a manifold that is not empty [m].
fn gap_of(manifold: &Manifold) -> f32 {
    manifold.min_separation().unwrap_or(f32::INFINITY)
}

/// Returns the place of the deepest point of a manifold that is not empty [m].
fn deepest(manifold: &Manifold) -> Point {
    let points = manifold.points().iter();
    let deepest = points.min_by(|a, b| a.separation.total_cmp(&b.separation));
    deepest.map_or(Point::origin(), |point| point.point)
}

/// Returns the contact of a corner with a shape at the distance `separation` along a normal \[m\].
fn at_corner(corner: &Point, normal: Vec2, separation: f32) -> Manifold {
    let mut manifold = Manifold::with_normal(normal);
    manifold.push(ManifoldPoint {
        point: corner + normal * (0.5 * separation),
        separation,
        id: FeatureId::default(),
    });
    manifold
}
