//! Replay of recordings.

use super::*;
use core::ffi::c_int;

c_structs! { list_replay:
    b2RecPlayerInfo {
        frameCount: c_int,
        workerCount: c_int,
        timeStep: f32,
        subStepCount: c_int,
        lengthScale: f32,
        bounds: b2AABB,
    }

    b2RecQueryInfo {
        r#type: b2RecQueryType,
        filter: b2QueryFilter,
        aabb: b2AABB,
        origin: b2Pos,
        translation: b2Vec2,
        shape: b2ShapeId,
        hitCount: c_int,
    }

    b2RecQueryHit {
        shape: b2ShapeId,
        point: b2Pos,
        normal: b2Vec2,
        fraction: f32,
    }
}
