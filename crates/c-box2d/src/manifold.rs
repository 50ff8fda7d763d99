//! `collision.h`: manifolds of two shapes.

use crate::abi::{In, Out, Outcome, Zeroed};
use crate::shape_convert as convert;
use crate::types::*;
use cairn2d::Shape;
use cairn2d::geometry::{FeatureId, ManifoldCache, collide};
use core::ffi::c_int;

/// Folds the two features of a point into 16 bits.
pub(crate) const fn feature(id: FeatureId) -> u16 {
    (((id.0 >> 16) & 0xff) << 8 | (id.0 & 0xff)) as u16
}

fn manifold(a: &Shape, b: &Shape, b_in_a: b2Transform) -> b2LocalManifold {
    let found = collide(a, b, &b_in_a.pose(), &mut ManifoldCache::default());
    let mut manifold = b2LocalManifold::zeroed();
    manifold.normal = found.normal.into();
    for (place, point) in manifold.points.iter_mut().zip(found.points()) {
        *place = b2LocalManifoldPoint {
            point: point.point.into(),
            separation: point.separation,
            id: feature(point.id),
        };
    }
    manifold.pointCount = found.points().len() as c_int;
    manifold
}

fn circle(pointer: In<b2Circle>) -> Outcome<Shape> {
    Ok(convert::circle(pointer.as_ref()?)?.into())
}

fn capsule(pointer: In<b2Capsule>) -> Outcome<Shape> {
    convert::capsule(pointer.as_ref()?)
}

fn segment(pointer: In<b2Segment>) -> Outcome<Shape> {
    Ok(convert::segment(pointer.as_ref()?)?.into())
}

fn polygon(pointer: In<b2Polygon>) -> Outcome<Shape> {
    Ok(convert::polygon(pointer.as_ref()?)?.into())
}

fn chain(pointer: In<b2ChainSegment>) -> Outcome<Shape> {
    Ok(convert::chain_segment(pointer.as_ref()?)?.into())
}

c_functions! {
    fn b2CollideCircles(a: In<b2Circle>, b: In<b2Circle>, pose: b2Transform) -> b2LocalManifold {
        manifold(&circle(a)?, &circle(b)?, pose)
    }

    fn b2CollideCapsuleAndCircle(a: In<b2Capsule>, b: In<b2Circle>, pose: b2Transform) -> b2LocalManifold {
        manifold(&capsule(a)?, &circle(b)?, pose)
    }

    fn b2CollideSegmentAndCircle(a: In<b2Segment>, b: In<b2Circle>, pose: b2Transform) -> b2LocalManifold {
        manifold(&segment(a)?, &circle(b)?, pose)
    }

    fn b2CollidePolygonAndCircle(a: In<b2Polygon>, b: In<b2Circle>, pose: b2Transform) -> b2LocalManifold {
        manifold(&polygon(a)?, &circle(b)?, pose)
    }

    fn b2CollideCapsules(a: In<b2Capsule>, b: In<b2Capsule>, pose: b2Transform) -> b2LocalManifold {
        manifold(&capsule(a)?, &capsule(b)?, pose)
    }

    fn b2CollideSegmentAndCapsule(a: In<b2Segment>, b: In<b2Capsule>, pose: b2Transform) -> b2LocalManifold {
        manifold(&segment(a)?, &capsule(b)?, pose)
    }

    fn b2CollidePolygonAndCapsule(a: In<b2Polygon>, b: In<b2Capsule>, pose: b2Transform) -> b2LocalManifold {
        manifold(&polygon(a)?, &capsule(b)?, pose)
    }

    fn b2CollidePolygons(a: In<b2Polygon>, b: In<b2Polygon>, pose: b2Transform) -> b2LocalManifold {
        manifold(&polygon(a)?, &polygon(b)?, pose)
    }

    fn b2CollideSegmentAndPolygon(a: In<b2Segment>, b: In<b2Polygon>, pose: b2Transform) -> b2LocalManifold {
        manifold(&segment(a)?, &polygon(b)?, pose)
    }

    fn b2CollideChainSegmentAndCircle(a: In<b2ChainSegment>, b: In<b2Circle>, pose: b2Transform) -> b2LocalManifold {
        manifold(&chain(a)?, &circle(b)?, pose)
    }

    fn b2CollideChainSegmentAndCapsule(
        a: In<b2ChainSegment>,
        b: In<b2Capsule>,
        pose: b2Transform,
        _cache: Out<b2SimplexCache>,
    ) -> b2LocalManifold {
        manifold(&chain(a)?, &capsule(b)?, pose)
    }

    fn b2CollideChainSegmentAndPolygon(
        a: In<b2ChainSegment>,
        b: In<b2Polygon>,
        pose: b2Transform,
        _cache: Out<b2SimplexCache>,
    ) -> b2LocalManifold {
        manifold(&chain(a)?, &polygon(b)?, pose)
    }
}
