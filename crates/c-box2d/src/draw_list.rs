//! What a world looks like, as a list of calls. They are made when the lock is released, so that a callback may do anything.

use crate::abi::In;
use crate::types::*;
use core::ffi::c_int;
use std::ffi::CString;

/// A call of one of the drawing functions.
pub(crate) enum Draw {
    SolidPolygon(b2Transform, Vec<b2Vec2>, f32, b2HexColor),
    SolidCircle(b2Transform, b2Vec2, f32, b2HexColor),
    SolidCapsule([b2Vec2; 2], f32, b2HexColor),
    Line([b2Vec2; 2], b2HexColor),
    Transform(b2Transform),
    Point(b2Vec2, f32, b2HexColor),
    Text(b2Vec2, CString, b2HexColor),
    Bounds(b2AABB, b2HexColor),
}

impl Draw {
    /// Calls the user's function, if there is one.
    fn call(&self, draw: &b2DebugDraw) {
        let context = draw.context;
        match self {
            Self::SolidPolygon(transform, vertices, radius, color) => {
                if let Some(f) = draw.DrawSolidPolygonFcn {
                    let (first, count) = (In::of_slice(vertices), vertices.len() as c_int);
                    f(*transform, first, count, *radius, *color, context);
                }
            }
            Self::SolidCircle(transform, center, radius, color) => {
                if let Some(f) = draw.DrawSolidCircleFcn {
                    f(*transform, *center, *radius, *color, context);
                }
            }
            Self::SolidCapsule([a, b], radius, color) => {
                if let Some(f) = draw.DrawSolidCapsuleFcn {
                    f(*a, *b, *radius, *color, context);
                }
            }
            Self::Line([a, b], color) => {
                if let Some(f) = draw.DrawLineFcn {
                    f(*a, *b, *color, context);
                }
            }
            Self::Transform(transform) => {
                if let Some(f) = draw.DrawTransformFcn {
                    f(*transform, context);
                }
            }
            Self::Point(point, size, color) => {
                if let Some(f) = draw.DrawPointFcn {
                    f(*point, *size, *color, context);
                }
            }
            Self::Text(point, text, color) => {
                if let Some(f) = draw.DrawStringFcn {
                    f(*point, In::of_str(text), *color, context);
                }
            }
            Self::Bounds(aabb, color) => {
                if let Some(f) = draw.DrawBoundsFcn {
                    f(*aabb, *color, context);
                }
            }
        }
    }
}

/// Makes the calls.
pub(crate) fn play(list: &[Draw], draw: &b2DebugDraw) {
    list.iter().for_each(|call| call.call(draw));
}
