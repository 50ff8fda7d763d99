//! Enums: C may pass any number, so they are integers with named values.

use core::ffi::c_int;

/// Color as 0xRRGGBB.
pub(crate) type b2HexColor = c_int;

/// Declares the constants of an enum, and lists them for the comparison with the headers.
macro_rules! c_enums {
    ($($type:ident { $($name:ident = $value:expr),* $(,)? })*) => {
        $(
            pub(crate) type $type = c_int;
            $(pub(crate) const $name: $type = $value;)*
        )*

        /// Writes the value of each constant here, a line each.
        pub(crate) fn list_enums(lines: &mut Vec<String>) {
            $($(lines.push(format!("{} {}", stringify!($name), $name));)*)*
        }
    };
}

c_enums! {
    b2TOIState {
        b2_toiStateUnknown = 0,
        b2_toiStateFailed = 1,
        b2_toiStateOverlapped = 2,
        b2_toiStateHit = 3,
        b2_toiStateSeparated = 4,
    }
    b2BodyType {
        b2_staticBody = 0,
        b2_kinematicBody = 1,
        b2_dynamicBody = 2,
        b2_bodyTypeCount = 3,
    }
    b2ShapeType {
        b2_circleShape = 0,
        b2_capsuleShape = 1,
        b2_segmentShape = 2,
        b2_polygonShape = 3,
        b2_chainSegmentShape = 4,
        b2_shapeTypeCount = 5,
    }
    b2JointType {
        b2_distanceJoint = 0,
        b2_filterJoint = 1,
        b2_motorJoint = 2,
        b2_prismaticJoint = 3,
        b2_revoluteJoint = 4,
        b2_weldJoint = 5,
        b2_wheelJoint = 6,
    }
    b2RecQueryType {
        b2_recQueryOverlapAABB = 0,
        b2_recQueryOverlapShape = 1,
        b2_recQueryCastRay = 2,
        b2_recQueryCastShape = 3,
        b2_recQueryCollideMover = 4,
        b2_recQueryCastRayClosest = 5,
        b2_recQueryCastMover = 6,
        b2_recQueryShapeTestPoint = 7,
        b2_recQueryShapeRayCast = 8,
    }
}
