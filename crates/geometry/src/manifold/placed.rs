//! A hull moved into the frame of another shape.

use crate::math::{Point, Pose, Vec2};
use crate::rounded_hull::RoundedHull;
use smallvec::SmallVec;

/// Vertices that fit without an allocation: twice the fast path, for little stack.
const INLINE: usize = 16;

/// Copy of a hull at a pose.
pub(super) struct PlacedHull {
    vertices: SmallVec<[Point; INLINE]>,
    normals: SmallVec<[Vec2; INLINE]>,
    radius: f32,
}

impl PlacedHull {
    #[inline]
    pub(super) fn new(hull: &RoundedHull<'_>, pose: &Pose) -> Self {
        Self {
            vertices: hull.vertices.iter().map(|v| pose * v).collect(),
            normals: hull.normals.iter().map(|n| pose.rotation * n).collect(),
            radius: hull.radius,
        }
    }

    #[inline]
    pub(super) fn view(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.vertices,
            normals: &self.normals,
            radius: self.radius,
        }
    }
}
