//! Distance, casts, times of impact, manifolds, and movers.

use super::*;
use crate::abi::Flag;
use core::ffi::c_int;

pub(crate) type b2WorldCastOutput = b2CastOutput;

c_structs! { list_geometry_queries:
    b2RayCastInput {
        origin: b2Vec2,
        translation: b2Vec2,
        maxFraction: f32,
    }

    b2ShapeProxy {
        points: [b2Vec2; 8],
        count: c_int,
        radius: f32,
    }

    b2ShapeCastInput {
        proxy: b2ShapeProxy,
        translation: b2Vec2,
        maxFraction: f32,
        canEncroach: Flag,
    }

    b2CastOutput {
        normal: b2Vec2,
        point: b2Vec2,
        fraction: f32,
        iterations: c_int,
        hit: Flag,
    }

    b2SegmentDistanceResult {
        closest1: b2Vec2,
        closest2: b2Vec2,
        fraction1: f32,
        fraction2: f32,
        distanceSquared: f32,
    }

    b2SimplexCache {
        count: u16,
        indexA: [u8; 3],
        indexB: [u8; 3],
    }

    b2DistanceInput {
        proxyA: b2ShapeProxy,
        proxyB: b2ShapeProxy,
        transform: b2Transform,
        useRadii: Flag,
    }

    b2DistanceOutput {
        pointA: b2Vec2,
        pointB: b2Vec2,
        normal: b2Vec2,
        distance: f32,
        iterations: c_int,
        simplexCount: c_int,
    }

    b2SimplexVertex {
        wA: b2Vec2,
        wB: b2Vec2,
        w: b2Vec2,
        a: f32,
        indexA: c_int,
        indexB: c_int,
    }

    b2Simplex {
        v1: b2SimplexVertex,
        v2: b2SimplexVertex,
        v3: b2SimplexVertex,
        count: c_int,
    }

    b2ShapeCastPairInput {
        proxyA: b2ShapeProxy,
        proxyB: b2ShapeProxy,
        transform: b2Transform,
        translationB: b2Vec2,
        maxFraction: f32,
        canEncroach: Flag,
    }

    b2Sweep {
        localCenter: b2Vec2,
        c1: b2Vec2,
        c2: b2Vec2,
        q1: b2Rot,
        q2: b2Rot,
    }

    b2TOIInput {
        proxyA: b2ShapeProxy,
        proxyB: b2ShapeProxy,
        sweepA: b2Sweep,
        sweepB: b2Sweep,
        maxFraction: f32,
    }

    b2TOIOutput {
        state: b2TOIState,
        point: b2Vec2,
        normal: b2Vec2,
        fraction: f32,
    }

    b2ManifoldPoint {
        anchorA: b2Vec2,
        anchorB: b2Vec2,
        separation: f32,
        baseSeparation: f32,
        normalImpulse: f32,
        tangentImpulse: f32,
        totalNormalImpulse: f32,
        normalVelocity: f32,
        id: u16,
        persisted: Flag,
    }

    b2Manifold {
        normal: b2Vec2,
        rollingImpulse: f32,
        points: [b2ManifoldPoint; 2],
        pointCount: c_int,
    }

    b2LocalManifoldPoint {
        point: b2Vec2,
        separation: f32,
        id: u16,
    }

    b2LocalManifold {
        normal: b2Vec2,
        points: [b2LocalManifoldPoint; 2],
        pointCount: c_int,
    }

    b2PlaneResult {
        plane: b2Plane,
        point: b2Vec2,
        hit: Flag,
    }

    b2CollisionPlane {
        plane: b2Plane,
        pushLimit: f32,
        push: f32,
        clipVelocity: Flag,
    }

    b2PlaneSolverResult {
        translation: b2Vec2,
        iterationCount: c_int,
    }
}
