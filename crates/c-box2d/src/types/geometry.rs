//! Shapes.

use super::*;
use core::ffi::c_int;

c_structs! { list_geometry:
    b2Circle {
        center: b2Vec2,
        radius: f32,
    }

    b2Capsule {
        center1: b2Vec2,
        center2: b2Vec2,
        radius: f32,
    }

    b2Polygon {
        vertices: [b2Vec2; 8],
        normals: [b2Vec2; 8],
        centroid: b2Vec2,
        radius: f32,
        count: c_int,
    }

    b2Segment {
        point1: b2Vec2,
        point2: b2Vec2,
    }

    b2ChainSegment {
        ghost1: b2Vec2,
        segment: b2Segment,
        ghost2: b2Vec2,
        chainId: c_int,
    }

    b2Hull {
        points: [b2Vec2; 8],
        count: c_int,
    }

    b2MassData {
        mass: f32,
        center: b2Vec2,
        rotationalInertia: f32,
    }
}
