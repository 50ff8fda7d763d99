//! Detection of polygons that are rectangles, for the pair test of boxes.

use super::rounded::is_unit;
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

impl Rectangle {
    /// Returns `true` if the frame and the size, read from a save, are those of a rectangle with these corners, up to rounding.
    pub(super) fn has_corners(&self, corners: &[Point]) -> bool {
        let Self { center, axis, half } = *self;
        let is_corner = |(corner, [x, y]): (&Point, [f32; 2])| {
            let offset = Vec2::new(axis.x * x - axis.y * y, axis.y * x + axis.x * y);
            let size = center.coords.norm() + half.norm();
            (center + offset - corner).norm() <= 1.0e-5 * size
        };
        let [x, y] = [half.x, half.y];
        let own = [[-x, -y], [x, -y], [x, y], [-x, y]];
        is_unit(&axis)
            && x > 0.0
            && y > 0.0
            && corners.len() == own.len()
            && corners.iter().zip(own).all(is_corner)
    }
}
