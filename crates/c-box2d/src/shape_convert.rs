//! Shapes of C as the engine's, and back.

use crate::abi::{Fault, Outcome, Zeroed};
use crate::types::*;
use cairn2d::geometry::math::cross;
use cairn2d::{Capsule, ChainSegment, Circle, Point, Polygon, Segment, Shape, math};
use core::ffi::c_int;

/// Most corners of a polygon.
pub(crate) const MAX_VERTICES: usize = 8;

/// Length below which a capsule is made a circle, in meters.
pub(crate) const LINEAR_SLOP: f32 = 0.005;

/// How far corners may be from those of a rectangle, relative to its size: some roundings.
const RECTANGLE_TOLERANCE: f32 = 1.0e-6;

pub(crate) fn circle(circle: &b2Circle) -> Outcome<Circle> {
    Ok(Circle::try_new(circle.center.point(), circle.radius)?)
}

/// A capsule without length is a circle.
pub(crate) fn capsule(capsule: &b2Capsule) -> Outcome<Shape> {
    let (a, b) = (capsule.center1.point(), capsule.center2.point());
    if (b - a).norm() <= LINEAR_SLOP * crate::math::length_units() {
        return Ok(Circle::try_new(a + 0.5 * (b - a), capsule.radius)?.into());
    }
    Ok(Capsule::try_new(a, b, capsule.radius)?.into())
}

pub(crate) fn segment(segment: &b2Segment) -> Outcome<Segment> {
    Ok(Segment::try_new(
        segment.point1.point(),
        segment.point2.point(),
    )?)
}

/// Both solid on the right side, looking from the first point to the second. A ghost at the end itself is none.
pub(crate) fn chain_segment(chain: &b2ChainSegment) -> Outcome<ChainSegment> {
    let ends = [chain.segment.point1.point(), chain.segment.point2.point()];
    let ghost = |ghost: b2Vec2, end: Point| (ghost.point() != end).then(|| ghost.point());
    Ok(ChainSegment::try_new(
        ghost(chain.ghost1, ends[0]),
        ends[0],
        ends[1],
        ghost(chain.ghost2, ends[1]),
    )?)
}

/// Returns the corners of a polygon, or a fault if their count is a lie.
pub(crate) fn corners(vertices: &[b2Vec2; MAX_VERTICES], count: c_int) -> Outcome<Vec<Point>> {
    let length = usize::try_from(count).ok().filter(|&n| n <= MAX_VERTICES);
    let length = length.ok_or(Fault::Count(count))?;
    Ok(vertices[..length].iter().map(|v| v.point()).collect())
}

/// A rectangle becomes the engine's rectangle, for which contacts are faster.
pub(crate) fn polygon(polygon: &b2Polygon) -> Outcome<Polygon> {
    let corners = corners(&polygon.vertices, polygon.count)?;
    if let Some(rectangle) = rectangle(&corners, polygon.radius) {
        return Ok(rectangle);
    }
    Ok(Polygon::try_rounded_hull(&corners, polygon.radius)?)
}

/// Returns the rectangle with these corners, if they are its.
fn rectangle(corners: &[Point], radius: f32) -> Option<Polygon> {
    let &[a, b, c, d] = corners else {
        return None;
    };
    let (width, height) = (b - a, c - b);
    let size = width.norm().max(height.norm());
    let skew = ((a.coords + c.coords) - (b.coords + d.coords)).norm();
    let is_square = width.dot(&height).abs() <= RECTANGLE_TOLERANCE * size * size;
    if !(is_square && skew <= RECTANGLE_TOLERANCE * size && cross(&width, &height) > 0.0) {
        return None;
    }
    let half = [0.5 * width.norm(), 0.5 * height.norm()];
    let center = Point::from(0.25 * (a.coords + b.coords + c.coords + d.coords));
    let is_upright = width.y == 0.0 && height.x == 0.0;
    if is_upright && center == Point::origin() {
        return Polygon::try_rounded_rectangle(half[0], half[1], radius).ok();
    }
    if radius > 0.0 {
        return None;
    }
    let angle = math::atan2(width.y, width.x);
    Polygon::try_offset_rectangle(half[0], half[1], center, angle).ok()
}

pub(crate) const fn kind(shape: &Shape) -> b2ShapeType {
    match shape {
        Shape::Circle(_) => b2_circleShape,
        Shape::Capsule(_) => b2_capsuleShape,
        Shape::Segment(_) => b2_segmentShape,
        Shape::ChainSegment(_) => b2_chainSegmentShape,
        _ => b2_polygonShape,
    }
}

impl From<&Circle> for b2Circle {
    fn from(circle: &Circle) -> Self {
        Self {
            center: circle.center().into(),
            radius: circle.radius(),
        }
    }
}

impl From<&Capsule> for b2Capsule {
    fn from(capsule: &Capsule) -> Self {
        Self {
            center1: capsule.a().into(),
            center2: capsule.b().into(),
            radius: capsule.radius(),
        }
    }
}

impl From<&Segment> for b2Segment {
    fn from(segment: &Segment) -> Self {
        Self {
            point1: segment.a().into(),
            point2: segment.b().into(),
        }
    }
}

impl From<&ChainSegment> for b2ChainSegment {
    fn from(chain: &ChainSegment) -> Self {
        Self {
            ghost1: chain.ghost_before().unwrap_or_else(|| chain.a()).into(),
            segment: b2Segment {
                point1: chain.a().into(),
                point2: chain.b().into(),
            },
            ghost2: chain.ghost_after().unwrap_or_else(|| chain.b()).into(),
            chainId: 0,
        }
    }
}

impl From<&Polygon> for b2Polygon {
    fn from(polygon: &Polygon) -> Self {
        let mut vertices = [b2Vec2::ZERO; MAX_VERTICES];
        let mut normals = vertices;
        let count = polygon.vertices().len().min(MAX_VERTICES);
        for (vertex, point) in vertices.iter_mut().zip(polygon.vertices()) {
            *vertex = (*point).into();
        }
        for (normal, vector) in normals.iter_mut().zip(polygon.normals()) {
            *normal = (*vector).into();
        }
        Self {
            vertices,
            normals,
            centroid: polygon.centroid().into(),
            radius: polygon.radius(),
            count: count as c_int,
        }
    }
}

/// Returns the shape of a kind, or a fault if it is of another.
macro_rules! narrowed {
    ($($name:ident: $variant:ident -> $type:ty;)*) => {
        $(pub(crate) fn $name(shape: &Shape) -> Outcome<$type> {
            match shape {
                Shape::$variant(inner) => Ok(inner.into()),
                _ => Err(Fault::Kind),
            }
        })*
    };
}

narrowed! {
    as_circle: Circle -> b2Circle;
    as_capsule: Capsule -> b2Capsule;
    as_segment: Segment -> b2Segment;
    as_chain_segment: ChainSegment -> b2ChainSegment;
    as_polygon: Polygon -> b2Polygon;
}

/// Returns the points of a shape that a cast or overlap is made with, and its radius.
pub(crate) fn proxy(points: &[Point], radius: f32) -> b2ShapeProxy {
    let mut proxy = b2ShapeProxy::zeroed();
    let count = points.len().min(MAX_VERTICES);
    for (place, point) in proxy.points.iter_mut().zip(points) {
        *place = (*point).into();
    }
    proxy.count = count as c_int;
    proxy.radius = radius;
    proxy
}

/// Returns the convex hull of a proxy's points with its radius as a shape.
pub(crate) fn proxy_shape(proxy: &b2ShapeProxy) -> Outcome<Shape> {
    let points = corners(&proxy.points, proxy.count)?;
    let units = crate::math::length_units();
    // The engine's circles and capsules are not infinitely thin.
    let radius = proxy.radius.max(1.0e-5 * units);
    Ok(match points.as_slice() {
        [] => return Err(Fault::Count(proxy.count)),
        [center] => Circle::try_new(*center, radius)?.into(),
        [a, b] if a == b => Circle::try_new(*a, radius)?.into(),
        [a, b] if proxy.radius > 0.0 => Capsule::try_new(*a, *b, radius)?.into(),
        [a, b] => Segment::try_new(*a, *b)?.into(),
        _ => Polygon::try_rounded_hull(&points, proxy.radius)?.into(),
    })
}
