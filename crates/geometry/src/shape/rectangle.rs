//! Detection of polygons that are rectangles, for the pair test of boxes.

use crate::math::{Point, Vec2};
use crate::state_hash::{HashState, StateHasher};

/// Frame and size of a rectangle: 24 bytes that a pair test of boxes reads instead of the corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rectangle {
    /// Middle.
    pub(crate) center: Point,
    /// Unit direction of the width: the normal of face 1. Faces count counter-clockwise from the one below.
    pub(crate) axis: Vec2,
    /// Half of width and height, without rounding.
    pub(crate) half: Vec2,
}

impl HashState for Rectangle {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { center, axis, half } = self;
        hash.add(center).add(axis).add(half);
    }
}
