//! Vectors, rotations, boxes, and the version.

use core::ffi::c_int;

c_structs! { list_vectors:
    b2Version {
        major: c_int,
        minor: c_int,
        revision: c_int,
    }

    b2Vec2 {
        x: f32,
        y: f32,
    }

    b2CosSin {
        cosine: f32,
        sine: f32,
    }

    b2Rot {
        c: f32,
        s: f32,
    }

    b2Transform {
        p: b2Vec2,
        q: b2Rot,
    }

    b2Mat22 {
        cx: b2Vec2,
        cy: b2Vec2,
    }

    b2AABB {
        lowerBound: b2Vec2,
        upperBound: b2Vec2,
    }

    b2Plane {
        normal: b2Vec2,
        offset: f32,
    }
}

/// World positions are single precision: the library stands for a build without `BOX2D_DOUBLE_PRECISION`.
pub(crate) type b2Pos = b2Vec2;
pub(crate) type b2WorldTransform = b2Transform;
