//! `collision.h`: mass, boxes, points, rays and casts of single shapes.

use crate::abi::{In, Outcome, Zeroed};
use crate::math::length_units;
use crate::proxy::Proxy;
use crate::shape_convert as convert;
use crate::types::*;
use cairn2d::geometry::{CastHit, RayHit, Support, math::cross, shape_cast_of};
use cairn2d::{Point, Pose, Ray, Shape, Vec2};
use core::ffi::c_int;

/// Largest fraction of a valid ray, and its largest coordinate, in meters.
const HUGE: f32 = 1.0e5;

fn is_valid_ray(input: &b2RayCastInput) -> bool {
    let limit = HUGE * length_units();
    input.origin.is_finite()
        && input.translation.is_finite()
        && (0.0..limit).contains(&input.maxFraction)
}

fn ray(input: &b2RayCastInput) -> Outcome<Ray> {
    input.origin.finite("origin")?;
    input.translation.finite("translation")?;
    Ok(Ray {
        max_fraction: input.maxFraction,
        ..Ray::new(input.origin.point(), input.translation.vec())
    })
}

pub(crate) fn ray_output(hit: Option<RayHit>) -> b2CastOutput {
    hit.map_or(b2CastOutput::zeroed(), |hit| b2CastOutput {
        normal: hit.normal.into(),
        point: hit.point.into(),
        fraction: hit.fraction,
        iterations: 0,
        hit: true.into(),
    })
}

fn cast_ray(shape: &Shape, input: In<b2RayCastInput>) -> Outcome<b2CastOutput> {
    Ok(ray_output(shape.ray_cast(&ray(input.as_ref()?)?)))
}

/// A ray from the left of a one-sided segment misses it.
fn cast_ray_at_segment(
    segment: &b2Segment,
    input: In<b2RayCastInput>,
    one_sided: bool,
) -> Outcome<b2CastOutput> {
    let (a, b) = (segment.point1.point(), segment.point2.point());
    let origin = input.as_ref()?.origin.point();
    if one_sided && cross(&(b - a), &(origin - a)) > 0.0 {
        return Ok(b2CastOutput::zeroed());
    }
    cast_ray(&convert::segment(segment)?.into(), input)
}

/// A cast that starts with an overlap has fraction and normal zero.
pub(crate) fn cast_output(hit: Option<CastHit>) -> b2CastOutput {
    hit.map_or(b2CastOutput::zeroed(), |hit| b2CastOutput {
        normal: if hit.fraction > 0.0 {
            hit.normal.into()
        } else {
            b2Vec2::ZERO
        },
        point: hit.point.into(),
        fraction: hit.fraction,
        iterations: hit.iterations as c_int,
        hit: true.into(),
    })
}

/// Casts a shape of points at another.
pub(crate) fn cast<A: Support + ?Sized>(
    target: &A,
    input: &b2ShapeCastInput,
) -> Outcome<b2CastOutput> {
    let proxy = Proxy::new(&input.proxy)?;
    let translation: Vec2 = input.translation.finite("translation")?.vec();
    let start = Pose::identity();
    let hit = shape_cast_of(target, &proxy, &start, translation, input.maxFraction);
    Ok(cast_output(hit))
}

fn aabb(shape: &Shape, transform: b2WorldTransform) -> b2AABB {
    shape.aabb(&transform.pose()).into()
}

/// Converts one of C's shapes, which a pointer names.
trait Converted: Copy {
    fn shape(&self) -> Outcome<Shape>;
}

impl Converted for b2Circle {
    fn shape(&self) -> Outcome<Shape> {
        Ok(convert::circle(self)?.into())
    }
}

impl Converted for b2Capsule {
    fn shape(&self) -> Outcome<Shape> {
        convert::capsule(self)
    }
}

impl Converted for b2Segment {
    fn shape(&self) -> Outcome<Shape> {
        Ok(convert::segment(self)?.into())
    }
}

impl Converted for b2Polygon {
    fn shape(&self) -> Outcome<Shape> {
        Ok(convert::polygon(self)?.into())
    }
}

fn shape<T: Converted>(pointer: In<T>) -> Outcome<Shape> {
    pointer.as_ref()?.shape()
}

fn contains<T: Converted>(pointer: In<T>, point: b2Vec2) -> Outcome<bool> {
    let point: Point = point.point();
    Ok(shape(pointer)?.contains(&point))
}

c_functions! {
    fn b2IsValidRay(input: In<b2RayCastInput>) -> bool { is_valid_ray(input.as_ref()?) }

    fn b2ComputeCircleMass(circle: In<b2Circle>, density: f32) -> b2MassData { shape(circle)?.mass(density).into() }

    fn b2ComputeCapsuleMass(capsule: In<b2Capsule>, density: f32) -> b2MassData { shape(capsule)?.mass(density).into() }

    fn b2ComputePolygonMass(polygon: In<b2Polygon>, density: f32) -> b2MassData { shape(polygon)?.mass(density).into() }

    fn b2ComputeCircleAABB(circle: In<b2Circle>, transform: b2WorldTransform) -> b2AABB {
        aabb(&shape(circle)?, transform)
    }

    fn b2ComputeCapsuleAABB(capsule: In<b2Capsule>, transform: b2WorldTransform) -> b2AABB {
        aabb(&shape(capsule)?, transform)
    }

    fn b2ComputePolygonAABB(polygon: In<b2Polygon>, transform: b2WorldTransform) -> b2AABB {
        aabb(&shape(polygon)?, transform)
    }

    fn b2ComputeSegmentAABB(segment: In<b2Segment>, transform: b2WorldTransform) -> b2AABB {
        aabb(&shape(segment)?, transform)
    }

    fn b2PointInCircle(circle: In<b2Circle>, point: b2Vec2) -> bool { contains(circle, point)? }

    fn b2PointInCapsule(capsule: In<b2Capsule>, point: b2Vec2) -> bool { contains(capsule, point)? }

    fn b2PointInPolygon(polygon: In<b2Polygon>, point: b2Vec2) -> bool { contains(polygon, point)? }

    fn b2RayCastCircle(circle: In<b2Circle>, input: In<b2RayCastInput>) -> b2CastOutput {
        cast_ray(&shape(circle)?, input)?
    }

    fn b2RayCastCapsule(capsule: In<b2Capsule>, input: In<b2RayCastInput>) -> b2CastOutput {
        cast_ray(&shape(capsule)?, input)?
    }

    fn b2RayCastSegment(segment: In<b2Segment>, input: In<b2RayCastInput>, one_sided: bool) -> b2CastOutput {
        cast_ray_at_segment(segment.as_ref()?, input, one_sided)?
    }

    fn b2RayCastPolygon(polygon: In<b2Polygon>, input: In<b2RayCastInput>) -> b2CastOutput {
        cast_ray(&shape(polygon)?, input)?
    }

    fn b2ShapeCastCircle(circle: In<b2Circle>, input: In<b2ShapeCastInput>) -> b2CastOutput {
        cast(&shape(circle)?, input.as_ref()?)?
    }

    fn b2ShapeCastCapsule(capsule: In<b2Capsule>, input: In<b2ShapeCastInput>) -> b2CastOutput {
        cast(&shape(capsule)?, input.as_ref()?)?
    }

    fn b2ShapeCastSegment(segment: In<b2Segment>, input: In<b2ShapeCastInput>) -> b2CastOutput {
        cast(&shape(segment)?, input.as_ref()?)?
    }

    fn b2ShapeCastPolygon(polygon: In<b2Polygon>, input: In<b2ShapeCastInput>) -> b2CastOutput {
        cast(&shape(polygon)?, input.as_ref()?)?
    }
}
