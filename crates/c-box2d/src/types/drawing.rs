//! Debug drawing.

use super::*;
use crate::abi::{Flag, In};
use core::ffi::{c_char, c_int, c_void};

c_structs! { list_drawing:
    b2DebugDraw {
        DrawPolygonFcn: Option<
            extern "C" fn(
                transform: b2WorldTransform,
                vertices: In<b2Vec2>,
                vertexCount: c_int,
                color: b2HexColor,
                context: *mut c_void,
            ),
        >,
        DrawSolidPolygonFcn: Option<
            extern "C" fn(
                transform: b2WorldTransform,
                vertices: In<b2Vec2>,
                vertexCount: c_int,
                radius: f32,
                color: b2HexColor,
                context: *mut c_void,
            ),
        >,
        DrawCircleFcn: Option<extern "C" fn(center: b2Pos, radius: f32, color: b2HexColor, context: *mut c_void)>,
        DrawSolidCircleFcn: Option<
            extern "C" fn(
                transform: b2WorldTransform,
                center: b2Vec2,
                radius: f32,
                color: b2HexColor,
                context: *mut c_void,
            ),
        >,
        DrawSolidCapsuleFcn: Option<
            extern "C" fn(
                p1: b2Pos,
                p2: b2Pos,
                radius: f32,
                color: b2HexColor,
                context: *mut c_void,
            ),
        >,
        DrawLineFcn: Option<extern "C" fn(p1: b2Pos, p2: b2Pos, color: b2HexColor, context: *mut c_void)>,
        DrawTransformFcn: Option<extern "C" fn(transform: b2WorldTransform, context: *mut c_void)>,
        DrawPointFcn: Option<extern "C" fn(p: b2Pos, size: f32, color: b2HexColor, context: *mut c_void)>,
        DrawStringFcn: Option<extern "C" fn(p: b2Pos, s: In<c_char>, color: b2HexColor, context: *mut c_void)>,
        DrawBoundsFcn: Option<extern "C" fn(aabb: b2AABB, color: b2HexColor, context: *mut c_void)>,
        drawingBounds: b2AABB,
        forceScale: f32,
        jointScale: f32,
        drawContacts: Flag,
        drawAnchorA: Flag,
        drawShapes: Flag,
        drawChainNormals: Flag,
        drawJoints: Flag,
        drawJointExtras: Flag,
        drawBounds: Flag,
        drawMass: Flag,
        drawBodyNames: Flag,
        drawGraphColors: Flag,
        drawContactFeatures: Flag,
        drawContactNormals: Flag,
        drawContactForces: Flag,
        drawFrictionForces: Flag,
        drawIslands: Flag,
        context: *mut c_void,
    }
}
