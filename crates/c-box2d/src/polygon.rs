//! `collision.h`: hulls and polygons.

use crate::abi::{Fault, In, Outcome, Zeroed};
use crate::math::length_units;
use crate::shape_convert::{LINEAR_SLOP, MAX_VERTICES, corners};
use crate::types::*;
use cairn2d::geometry::{centroid, convex_hull};
use cairn2d::{Point, Vec2, math};
use core::ffi::c_int;

/// Points of a hull that are nearer to each other than this are one [slops].
const WELD_SLOPS: f32 = 4.0;

/// Corners of a hull that are nearer than this to the line of their neighbors are left out [slops].
const FLAT_SLOPS: f32 = 2.0;

fn slop() -> f32 {
    LINEAR_SLOP * length_units()
}

/// Returns the points without those that are near another.
fn welded(points: &[Point]) -> Vec<Point> {
    let least = WELD_SLOPS * slop();
    let mut kept: Vec<Point> = Vec::new();
    for &point in points {
        if kept.iter().all(|other| (point - other).norm() >= least) {
            kept.push(point);
        }
    }
    kept
}

/// Distance of `b` from the line through `a` and `c`; positive to the right of it.
fn bulge(a: Point, b: Point, c: Point) -> f32 {
    let edge = c - a;
    math::cross(&(b - a), &edge) / edge.norm().max(f32::MIN_POSITIVE)
}

/// Leaves out corners that hardly bulge, the flattest first.
fn without_flat_corners(mut corners: Vec<Point>) -> Vec<Point> {
    while corners.len() >= 3 {
        let count = corners.len();
        let bulge_at = |i: usize| {
            bulge(
                corners[(i + count - 1) % count],
                corners[i],
                corners[(i + 1) % count],
            )
        };
        let flattest = (0..count).min_by(|&i, &j| bulge_at(i).total_cmp(&bulge_at(j)));
        match flattest.filter(|&i| bulge_at(i) <= FLAT_SLOPS * slop()) {
            Some(i) => corners.remove(i),
            None => break,
        };
    }
    corners
}

/// Returns the convex hull, or no points if there is none.
fn hull_of(points: &[b2Vec2]) -> b2Hull {
    let mut hull = b2Hull::zeroed();
    let is_usable = (3..=MAX_VERTICES).contains(&points.len());
    if !is_usable || !points.iter().all(|point| point.is_finite()) {
        return hull;
    }
    let points: Vec<_> = points.iter().map(|point| point.point()).collect();
    let corners = without_flat_corners(convex_hull(&welded(&points)));
    if corners.len() < 3 {
        return hull;
    }
    for (place, corner) in hull.points.iter_mut().zip(&corners) {
        *place = (*corner).into();
    }
    hull.count = corners.len() as c_int;
    hull
}

/// Returns `true` if the corners run counter-clockwise around a convex region, and each bulges.
fn is_hull(corners: &[Point]) -> bool {
    let count = corners.len();
    (3..=MAX_VERTICES).contains(&count)
        && (0..count).all(|i| {
            let [a, b, c] = [i, (i + 1) % count, (i + 2) % count].map(|i| corners[i]);
            let is_left = |p: &Point| *p == a || *p == b || math::cross(&(b - a), &(p - a)) > 0.0;
            bulge(a, b, c) > slop() && corners.iter().all(is_left)
        })
}

/// Returns the polygon with these corners, counter-clockwise, grown by `radius`.
fn polygon_of(corners: &[Point], radius: f32) -> Outcome<b2Polygon> {
    if corners.len() < 3 {
        return Err(Fault::Count(corners.len() as c_int));
    }
    let mut polygon = b2Polygon::zeroed();
    for (i, corner) in corners.iter().enumerate() {
        let edge: Vec2 = corners[(i + 1) % corners.len()] - corner;
        let normal = math::vec2(edge.y, -edge.x);
        polygon.vertices[i] = (*corner).into();
        polygon.normals[i] = normal.try_normalize(0.0).unwrap_or(Vec2::zeros()).into();
    }
    polygon.centroid = centroid(corners).into();
    polygon.radius = radius;
    polygon.count = corners.len() as c_int;
    Ok(polygon)
}

/// Returns the polygon of a hull, moved by a pose.
fn placed(hull: In<b2Hull>, transform: b2Transform, radius: f32) -> Outcome<b2Polygon> {
    let hull = hull.as_ref()?;
    let corners = corners(&hull.points, hull.count)?;
    let pose = transform.pose();
    let moved: Vec<_> = corners.iter().map(|corner| pose * corner).collect();
    polygon_of(&moved, radius)
}

/// Returns a box with corners from the lower left, counter-clockwise.
fn upright(half_width: f32, half_height: f32, radius: f32) -> b2Polygon {
    let (x, y) = (half_width, half_height);
    let mut polygon = b2Polygon::zeroed();
    let vertices = [(-x, -y), (x, -y), (x, y), (-x, y)];
    let normals = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    for i in 0..4 {
        polygon.vertices[i] = b2Vec2 {
            x: vertices[i].0,
            y: vertices[i].1,
        };
        polygon.normals[i] = b2Vec2 {
            x: normals[i].0,
            y: normals[i].1,
        };
    }
    polygon.radius = radius;
    polygon.count = 4;
    polygon
}

/// Returns a polygon moved by a pose.
fn moved(polygon: &b2Polygon, transform: b2Transform) -> Outcome<b2Polygon> {
    let count = corners(&polygon.vertices, polygon.count)?.len();
    let pose = transform.pose();
    let mut result = *polygon;
    for i in 0..count {
        result.vertices[i] = (pose * polygon.vertices[i].point()).into();
        result.normals[i] = (pose.rotation * polygon.normals[i].vec()).into();
    }
    result.centroid = (pose * polygon.centroid.point()).into();
    Ok(result)
}

fn offset_box(
    [half_width, half_height]: [f32; 2],
    center: b2Vec2,
    rotation: b2Rot,
    radius: f32,
) -> Outcome<b2Polygon> {
    let at = b2Transform {
        p: center,
        q: rotation,
    };
    moved(&upright(half_width, half_height, radius), at)
}

c_functions! {
    fn b2ComputeHull(points: In<b2Vec2>, count: c_int) -> b2Hull {
        if !(3..=MAX_VERTICES as c_int).contains(&count) {
            return Ok(b2Hull::zeroed());
        }
        hull_of(points.slice(count)?)
    }

    fn b2ValidateHull(hull: In<b2Hull>) -> bool {
        let hull = hull.as_ref()?;
        corners(&hull.points, hull.count).is_ok_and(|corners| is_hull(&corners))
    }

    fn b2MakePolygon(hull: In<b2Hull>, radius: f32) -> b2Polygon { placed(hull, b2Transform::IDENTITY, radius)? }

    fn b2MakeOffsetPolygon(hull: In<b2Hull>, position: b2Vec2, rotation: b2Rot) -> b2Polygon {
        placed(hull, b2Transform { p: position, q: rotation }, 0.0)?
    }

    fn b2MakeOffsetRoundedPolygon(hull: In<b2Hull>, position: b2Vec2, rotation: b2Rot, radius: f32) -> b2Polygon {
        placed(hull, b2Transform { p: position, q: rotation }, radius)?
    }

    fn b2MakeSquare(half_width: f32) -> b2Polygon { upright(half_width, half_width, 0.0) }

    fn b2MakeBox(half_width: f32, half_height: f32) -> b2Polygon { upright(half_width, half_height, 0.0) }

    fn b2MakeRoundedBox(half_width: f32, half_height: f32, radius: f32) -> b2Polygon {
        upright(half_width, half_height, radius)
    }

    fn b2MakeOffsetBox(half_width: f32, half_height: f32, center: b2Vec2, rotation: b2Rot) -> b2Polygon {
        offset_box([half_width, half_height], center, rotation, 0.0)?
    }

    fn b2MakeOffsetRoundedBox(
        half_width: f32,
        half_height: f32,
        center: b2Vec2,
        rotation: b2Rot,
        radius: f32,
    ) -> b2Polygon {
        offset_box([half_width, half_height], center, rotation, radius)?
    }

    fn b2TransformPolygon(transform: b2Transform, polygon: In<b2Polygon>) -> b2Polygon {
        moved(polygon.as_ref()?, transform)?
    }
}
