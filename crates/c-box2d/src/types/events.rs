//! Events and contacts.

use super::*;
use crate::abi::{Flag, UserPointer};
use core::ffi::c_int;

c_structs! { list_events:
    b2SensorBeginTouchEvent {
        sensorShapeId: b2ShapeId,
        visitorShapeId: b2ShapeId,
    }

    b2SensorEndTouchEvent {
        sensorShapeId: b2ShapeId,
        visitorShapeId: b2ShapeId,
    }

    b2SensorEvents {
        beginEvents: *mut b2SensorBeginTouchEvent,
        endEvents: *mut b2SensorEndTouchEvent,
        beginCount: c_int,
        endCount: c_int,
    }

    b2ContactBeginTouchEvent {
        shapeIdA: b2ShapeId,
        shapeIdB: b2ShapeId,
        contactId: b2ContactId,
    }

    b2ContactEndTouchEvent {
        shapeIdA: b2ShapeId,
        shapeIdB: b2ShapeId,
        contactId: b2ContactId,
    }

    b2ContactHitEvent {
        shapeIdA: b2ShapeId,
        shapeIdB: b2ShapeId,
        contactId: b2ContactId,
        point: b2Pos,
        normal: b2Vec2,
        approachSpeed: f32,
    }

    b2ContactEvents {
        beginEvents: *mut b2ContactBeginTouchEvent,
        endEvents: *mut b2ContactEndTouchEvent,
        hitEvents: *mut b2ContactHitEvent,
        beginCount: c_int,
        endCount: c_int,
        hitCount: c_int,
    }

    b2BodyMoveEvent {
        userData: UserPointer,
        transform: b2WorldTransform,
        bodyId: b2BodyId,
        fellAsleep: Flag,
    }

    b2BodyEvents {
        moveEvents: *mut b2BodyMoveEvent,
        moveCount: c_int,
    }

    b2JointEvent {
        jointId: b2JointId,
        userData: UserPointer,
    }

    b2JointEvents {
        jointEvents: *mut b2JointEvent,
        count: c_int,
    }

    b2ContactData {
        contactId: b2ContactId,
        shapeIdA: b2ShapeId,
        shapeIdB: b2ShapeId,
        manifold: b2Manifold,
    }
}
