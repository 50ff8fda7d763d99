//! Points at which a body of an open linkage meets a static shape: those of `b2CollideEdge` and `b2CollidePolygon`.
//!
//! The face of one shape is the reference, and the nearest face of the other is clipped to its sides. While the bodies move in a step
//! the face moves with its body, and the points with theirs.

use super::part::Part;
use cairn2d::Shape;
use cairn2d::geometry::{ManifoldCache, collide};
use cairn2d::math::{Pose, Vec2};

/// Radius of the polygons and edges of Box2D [m]: `b2_polygonRadius`.
const POLYGON_RADIUS: f32 = 0.01;

/// Share and distance [m] by which a face of the body must be better than one of the ground.
const PREFERENCE: (f32, f32) = (0.98, 0.001);

/// Least share of a face's length that its neighbor's normal may be off by.
const NONE: f32 = f32::NEG_INFINITY;

/// A side of a shape, with its outward normal.
#[derive(Clone, Copy, Debug)]
struct Face {
    ends: [Vec2; 2],
    normal: Vec2,
}

/// Which shape has the face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Ground,
    Part,
}

/// Normal, points and separations of two shapes that touch. What the ground has is relative to the base of the linkage, what the body
/// has relative to its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manifold {
    owner: Owner,
    /// A point of the face, and its normal.
    face: (Vec2, Vec2),
    points: [Vec2; 2],
    pub(super) count: usize,
    /// Distance that the shapes keep [m].
    radius: f32,
}

/// A point of a manifold: the normal leads from the ground to the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) normal: Vec2,
    pub(super) point: Vec2,
    pub(super) separation: f32,
}

impl Manifold {
    /// Point `at`, with the body where it is now.
    pub(super) fn contact(&self, at: usize, part: &Part) -> Contact {
        let pose = part.pose();
        let (place, normal) = self.face;
        match self.owner {
            Owner::Ground => {
                let point = pose * cairn2d::Point::from(self.points[at]);
                Contact {
                    normal,
                    point: point.coords,
                    separation: (point.coords - place).dot(&normal) - self.radius,
                }
            }
            Owner::Part => {
                let (place, normal) = (pose * cairn2d::Point::from(place), pose.rotation * normal);
                let point = self.points[at];
                Contact {
                    normal: -normal,
                    point,
                    separation: (point - place.coords).dot(&normal) - self.radius,
                }
            }
        }
    }

    /// Middle between the surfaces at point `at`.
    pub(super) fn middle(&self, at: usize, part: &Part) -> Vec2 {
        let contact = self.contact(at, part);
        let depth = 0.5 * (contact.separation + self.radius);
        match self.owner {
            Owner::Ground => contact.point - depth * contact.normal,
            Owner::Part => contact.point + depth * contact.normal,
        }
    }

    /// Finds where two shapes touch; `None` if they do not.
    pub(super) fn find(
        ground: &Shape,
        ground_pose: &Pose,
        shape: &Shape,
        part: &Part,
    ) -> Option<Self> {
        let pose = part.pose();
        let (Some(below), Shape::Polygon(polygon)) = (corners(ground), shape) else {
            return Self::of_engine(ground, ground_pose, shape, &pose);
        };
        let below: Vec<Vec2> = below
            .iter()
            .map(|&corner| placed(ground_pose, corner))
            .collect();
        let above: Vec<Vec2> = polygon
            .vertices()
            .iter()
            .map(|vertex| placed(&pose, vertex.coords))
            .collect();
        let sides = if below.len() == 2 {
            vec![upper_side(&below, &above)]
        } else {
            faces(&below)
        };
        let (side, gap) = furthest(&sides, &above)?;
        let (own, own_gap) = furthest(&faces(&above), &below)?;
        let radius = 2.0 * POLYGON_RADIUS;
        if gap > radius || own_gap > radius {
            return None;
        }
        let (owner, face, other) = if own_gap > PREFERENCE.0 * gap + PREFERENCE.1 {
            (Owner::Part, own, incident(&below, own.normal))
        } else {
            (Owner::Ground, side, incident(&above, side.normal))
        };
        let margin = if below.len() == 2 { 0.0 } else { radius };
        let clipped = clip(other, &face, margin)?;
        let mut found = Self {
            owner,
            face: (face.ends[0], face.normal),
            points: [Vec2::zeros(); 2],
            count: 0,
            radius,
        };
        for point in clipped {
            if (point - face.ends[0]).dot(&face.normal) <= radius {
                found.points[found.count] = point;
                found.count += 1;
            }
        }
        let local = pose.inverse();
        match owner {
            Owner::Ground => found.points = found.points.map(|point| placed(&local, point)),
            Owner::Part => {
                found.face = (placed(&local, face.ends[0]), local.rotation * face.normal);
            }
        }
        (found.count > 0).then_some(found)
    }

    /// Points of the engine, for shapes that are no polygons.
    fn of_engine(ground: &Shape, ground_pose: &Pose, shape: &Shape, pose: &Pose) -> Option<Self> {
        let found = collide(
            ground,
            shape,
            &(ground_pose.inverse() * pose),
            &mut ManifoldCache::default(),
        );
        let normal = ground_pose.rotation * found.normal;
        let local = pose.inverse();
        let mut points = [Vec2::zeros(); 2];
        let mut place = Vec2::zeros();
        let mut count = 0;
        for point in found
            .points()
            .iter()
            .filter(|point| point.separation <= 0.0)
        {
            let middle = (ground_pose * point.point).coords;
            let half = 0.5 * point.separation * normal;
            place = middle - half;
            points[count] = placed(&local, middle + half);
            count += 1;
        }
        (count > 0).then_some(Self {
            owner: Owner::Ground,
            face: (place, normal),
            points,
            count,
            radius: 0.0,
        })
    }
}

fn placed(pose: &Pose, point: Vec2) -> Vec2 {
    (pose * cairn2d::Point::from(point)).coords
}

/// Corners of a polygon or an edge, counterclockwise.
fn corners(shape: &Shape) -> Option<Vec<Vec2>> {
    match shape {
        Shape::Capsule(edge) => Some(vec![edge.a().coords, edge.b().coords]),
        Shape::Segment(edge) => Some(vec![edge.a().coords, edge.b().coords]),
        Shape::Polygon(polygon) => Some(polygon.vertices().iter().map(|v| v.coords).collect()),
        _ => None,
    }
}

/// Sides of a polygon.
fn faces(corners: &[Vec2]) -> Vec<Face> {
    let next = corners.iter().cycle().skip(1);
    let face = |(&from, &to): (&Vec2, &Vec2)| {
        let along = (to - from).normalize();
        Face {
            ends: [from, to],
            normal: Vec2::new(along.y, -along.x),
        }
    };
    corners.iter().zip(next).map(face).collect()
}

/// The side of an edge on which the middle of a polygon is.
fn upper_side(edge: &[Vec2], polygon: &[Vec2]) -> Face {
    let middle = polygon.iter().sum::<Vec2>() / polygon.len() as f32;
    let [right, left] = [[edge[0], edge[1]], [edge[1], edge[0]]].map(|ends| faces(&ends)[0]);
    if (middle - edge[0]).dot(&right.normal) >= 0.0 {
        right
    } else {
        left
    }
}

/// The face from which the corners of the other shape are furthest, and how far the nearest of them is.
fn furthest(faces: &[Face], others: &[Vec2]) -> Option<(Face, f32)> {
    let gap = |face: &Face| {
        let depths = others
            .iter()
            .map(|other| (other - face.ends[0]).dot(&face.normal));
        depths.fold(f32::INFINITY, f32::min)
    };
    let mut best: Option<(Face, f32)> = None;
    for face in faces {
        let gap = gap(face);
        if gap > best.map_or(NONE, |(_, most)| most) {
            best = Some((*face, gap));
        }
    }
    best
}

/// The face that looks most against a direction.
fn incident(corners: &[Vec2], direction: Vec2) -> [Vec2; 2] {
    if let [a, b] = corners {
        return [*a, *b];
    }
    let mut best = ([Vec2::zeros(); 2], f32::INFINITY);
    for face in faces(corners) {
        let along = face.normal.dot(&direction);
        if along < best.1 {
            best = (face.ends, along);
        }
    }
    best.0
}

/// The part of a segment between the sides of a face, which are `margin` further out; `None` if there is none.
///
/// A corner that is cut off comes last, as in Box2D: iterations solve one point after the other.
fn clip(segment: [Vec2; 2], face: &Face, margin: f32) -> Option<[Vec2; 2]> {
    let along = (face.ends[1] - face.ends[0]).normalize();
    let [from, to] = [-along, along];
    let kept = cut(segment, from, face.ends[0].dot(&from) + margin)?;
    cut(kept, to, face.ends[1].dot(&to) + margin)
}

/// The part of a segment up to `most` along a direction.
fn cut([a, b]: [Vec2; 2], direction: Vec2, most: f32) -> Option<[Vec2; 2]> {
    let beyond = [a, b].map(|end| end.dot(&direction) - most);
    let middle = || a + beyond[0] / (beyond[0] - beyond[1]) * (b - a);
    match beyond.map(|distance| distance <= 0.0) {
        [true, true] => Some([a, b]),
        [true, false] => Some([a, middle()]),
        [false, true] => Some([b, middle()]),
        [false, false] => None,
    }
}
