//! Segment: a two-sided line without thickness.

use super::capsule::checked_ends;
use crate::error::{ShapeError, demand};
use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::state_record;
use crate::vector_input::IntoPoint;

/// Straight line from `a` to `b`, solid from both sides, without area or mass.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::data::SegmentData",
        into = "super::data::SegmentData"
    )
)]
pub struct Segment {
    ends: [Point; 2],
    normals: [Vec2; 2],
}

state_record!(Segment { ends, normals }, is_valid);

impl Segment {
    /// Returns `true` if the parts, read from a save, can be those of a shape.
    fn is_valid(&self) -> bool {
        self.as_hull().is_valid()
    }

    /// Creates the segment from `a` to `b`.
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[doc(alias("b2Segment", "EdgeShape", "SegmentShape2D"))]
    #[must_use]
    #[track_caller]
    pub fn new(a: impl IntoPoint, b: impl IntoPoint) -> Self {
        let (a, b) = (a.into_point(), b.into_point());
        demand(Self::try_new(a, b), "create the segment")
    }

    /// Creates the segment from `a` to `b`.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, and equal ends.
    pub fn try_new(a: Point, b: Point) -> Result<Self, ShapeError> {
        let (ends, normals) = checked_ends(a, b)?;
        Ok(Self { ends, normals })
    }

    /// Returns the first end \[m\].
    #[must_use]
    #[inline]
    pub const fn a(&self) -> Point {
        self.ends[0]
    }

    /// Returns the second end \[m\].
    #[must_use]
    #[inline]
    pub const fn b(&self) -> Point {
        self.ends[1]
    }

    /// Returns the unit normal of the right side, looking from `a` to `b`.
    #[must_use]
    #[inline]
    pub const fn normal(&self) -> Vec2 {
        self.normals[0]
    }

    /// Returns the segment as a polygon of two vertices.
    #[must_use]
    #[inline]
    pub const fn as_hull(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.ends,
            normals: &self.normals,
            radius: 0.0,
        }
    }
}
