//! Detection of polygons that are rectangles, for the pair test of boxes.

use crate::math::{Point, Vec2};
use crate::state_record;

/// Frame and size of a rectangle: 24 bytes that a pair test of boxes reads instead of the corners.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Rectangle {
    /// Middle.
    pub(crate) center: Point,
    /// Unit direction of the width: the normal of face 1. Faces count counter-clockwise from the one below.
    pub(crate) axis: Vec2,
    /// Half of width and height, without rounding.
    pub(crate) half: Vec2,
}

state_record!(Rectangle { center, axis, half });
