//! The dynamic tree.

use super::*;
use core::ffi::{c_int, c_void};

c_structs! { list_tree:
    b2DynamicTree {
        nodes: *mut c_void,
        root: i32,
        nodeCount: i32,
        nodeCapacity: i32,
        freeList: i32,
        proxyCount: i32,
        leafIndices: *mut i32,
        leafBoxes: *mut b2AABB,
        leafCenters: *mut b2Vec2,
        binIndices: *mut i32,
        rebuildCapacity: i32,
    }

    b2TreeStats {
        nodeVisits: c_int,
        leafVisits: c_int,
    }

    b2BoxCastInput {
        r#box: b2AABB,
        translation: b2Vec2,
        maxFraction: f32,
    }
}
