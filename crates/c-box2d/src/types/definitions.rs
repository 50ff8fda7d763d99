//! Definitions of worlds, bodies, shapes and chains, filters, and results of queries.

use super::*;
use crate::abi::{Flag, In};
use core::ffi::{c_char, c_int, c_void};

c_structs! { list_definitions:
    b2RayResult {
        shapeId: b2ShapeId,
        point: b2Pos,
        normal: b2Vec2,
        fraction: f32,
        nodeVisits: c_int,
        leafVisits: c_int,
        hit: Flag,
    }

    b2WorldDef {
        gravity: b2Vec2,
        restitutionThreshold: f32,
        hitEventThreshold: f32,
        contactHertz: f32,
        contactDampingRatio: f32,
        contactSpeed: f32,
        maximumLinearSpeed: f32,
        frictionCallback: b2FrictionCallback,
        restitutionCallback: b2RestitutionCallback,
        enableSleep: Flag,
        enableContinuous: Flag,
        enableContactSoftening: Flag,
        workerCount: c_int,
        enqueueTask: b2EnqueueTaskCallback,
        finishTask: b2FinishTaskCallback,
        userTaskContext: *mut c_void,
        userData: *mut c_void,
        capacity: b2Capacity,
        internalValue: c_int,
    }

    b2MotionLocks {
        linearX: Flag,
        linearY: Flag,
        angularZ: Flag,
    }

    b2BodyDef {
        r#type: b2BodyType,
        position: b2Pos,
        rotation: b2Rot,
        linearVelocity: b2Vec2,
        angularVelocity: f32,
        linearDamping: f32,
        angularDamping: f32,
        gravityScale: f32,
        sleepThreshold: f32,
        name: In<c_char>,
        userData: *mut c_void,
        motionLocks: b2MotionLocks,
        enableSleep: Flag,
        isAwake: Flag,
        isBullet: Flag,
        isEnabled: Flag,
        allowFastRotation: Flag,
        enableContactRecycling: Flag,
        internalValue: c_int,
    }

    b2Filter {
        categoryBits: u64,
        maskBits: u64,
        groupIndex: c_int,
    }

    b2QueryFilter {
        categoryBits: u64,
        maskBits: u64,
    }

    b2SurfaceMaterial {
        friction: f32,
        restitution: f32,
        rollingResistance: f32,
        tangentSpeed: f32,
        userMaterialId: u64,
        customColor: u32,
    }

    b2ShapeDef {
        userData: *mut c_void,
        material: b2SurfaceMaterial,
        density: f32,
        filter: b2Filter,
        enableCustomFiltering: Flag,
        isSensor: Flag,
        enableSensorEvents: Flag,
        enableContactEvents: Flag,
        enableHitEvents: Flag,
        enablePreSolveEvents: Flag,
        invokeContactCreation: Flag,
        updateBodyMass: Flag,
        internalValue: c_int,
    }

    b2ChainDef {
        userData: *mut c_void,
        points: In<b2Vec2>,
        count: c_int,
        materials: In<b2SurfaceMaterial>,
        materialCount: c_int,
        filter: b2Filter,
        isLoop: Flag,
        enableSensorEvents: Flag,
        internalValue: c_int,
    }

    b2ExplosionDef {
        maskBits: u64,
        position: b2Pos,
        radius: f32,
        falloff: f32,
        impulsePerLength: f32,
    }
}
