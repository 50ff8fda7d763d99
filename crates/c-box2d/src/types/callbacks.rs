//! Callbacks: functions of the user. Their types are safe to call: the user vouches for what they do.

use super::*;
use crate::abi::In;
use core::ffi::{c_char, c_int, c_void};

c_callbacks! {
    b2AllocFcn(size: usize, alignment: c_int) -> *mut c_void;
    b2FreeFcn(mem: *mut c_void, size: usize);
    b2AssertFcn(condition: In<c_char>, fileName: In<c_char>, lineNumber: c_int) -> c_int;
    b2LogFcn(message: In<c_char>);
    b2TreeQueryCallbackFcn(proxyId: c_int, userData: u64, context: *mut c_void) -> bool;
    b2TreeRayCastCallbackFcn(input: In<b2RayCastInput>, proxyId: c_int, userData: u64, context: *mut c_void) -> f32;
    b2TreeBoxCastCallbackFcn(input: In<b2BoxCastInput>, proxyId: c_int, userData: u64, context: *mut c_void) -> f32;
    b2TaskCallback(taskContext: *mut c_void);
    b2EnqueueTaskCallback(task: b2TaskCallback, taskContext: *mut c_void, userContext: *mut c_void) -> *mut c_void;
    b2FinishTaskCallback(userTask: *mut c_void, userContext: *mut c_void);
    b2FrictionCallback(frictionA: f32, userMaterialIdA: u64, frictionB: f32, userMaterialIdB: u64) -> f32;
    b2RestitutionCallback(restitutionA: f32, userMaterialIdA: u64, restitutionB: f32, userMaterialIdB: u64) -> f32;
    b2CustomFilterFcn(shapeIdA: b2ShapeId, shapeIdB: b2ShapeId, context: *mut c_void) -> bool;
    b2PreSolveFcn(shapeIdA: b2ShapeId, shapeIdB: b2ShapeId, point: b2Pos, normal: b2Vec2, context: *mut c_void) -> bool;
    b2OverlapResultFcn(shapeId: b2ShapeId, context: *mut c_void) -> bool;
    b2CastResultFcn(shapeId: b2ShapeId, point: b2Pos, normal: b2Vec2, fraction: f32, context: *mut c_void) -> f32;
    b2PlaneResultFcn(shapeId: b2ShapeId, plane: In<b2PlaneResult>, context: *mut c_void) -> bool;
}
