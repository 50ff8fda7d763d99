//! Capsule: a rounded segment.

use super::rounded::edge_normals;
use crate::error::{ShapeError, bounded_points, demand, large_enough, positive};
use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::state_record;
use crate::vector_input::IntoPoint;

/// All points within `radius` of the segment from `a` to `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::data::CapsuleData",
        into = "super::data::CapsuleData"
    )
)]
pub struct Capsule {
    ends: [Point; 2],
    normals: [Vec2; 2],
    radius: f32,
}

state_record!(
    Capsule {
        ends,
        normals,
        radius,
    },
    is_valid
);

impl Capsule {
    /// Returns `true` if the parts, read from a save, can be those of a shape.
    fn is_valid(&self) -> bool {
        self.as_hull().is_valid()
    }

    /// Creates the capsule of `radius` \[m\] about the segment from `a` to `b`.
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[doc(alias("b2Capsule", "capsule_y", "CapsuleCollider2D"))]
    #[doc(alias = "CapsuleShape2D")]
    #[must_use]
    #[track_caller]
    pub fn new(a: impl IntoPoint, b: impl IntoPoint, radius: f32) -> Self {
        let (a, b) = (a.into_point(), b.into_point());
        demand(Self::try_new(a, b, radius), "create the capsule")
    }

    /// Creates the capsule of `radius` \[m\] about the segment from `a` to `b`.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, a radius that is not greater than zero, and equal
    /// ends: that is a [`Circle`](crate::Circle).
    pub fn try_new(a: Point, b: Point, radius: f32) -> Result<Self, ShapeError> {
        let (ends, normals) = checked_ends(a, b)?;
        Ok(Self {
            ends,
            normals,
            radius: positive("radius", radius)?,
        })
    }

    /// Returns the first end of the middle line \[m\].
    #[must_use]
    #[inline]
    pub const fn a(&self) -> Point {
        self.ends[0]
    }

    /// Returns the second end of the middle line \[m\].
    #[must_use]
    #[inline]
    pub const fn b(&self) -> Point {
        self.ends[1]
    }

    /// Returns the radius \[m\].
    #[must_use]
    #[inline]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the unit normal of the right side of the middle line, looking from `a` to `b`.
    #[must_use]
    #[inline]
    pub const fn normal(&self) -> Vec2 {
        self.normals[0]
    }

    /// Returns the capsule as a rounded segment.
    #[must_use]
    #[inline]
    pub const fn as_hull(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.ends,
            normals: &self.normals,
            radius: self.radius,
        }
    }
}

/// Returns the ends of a segment and the normals of its two sides, right side first.
pub(super) fn checked_ends(a: Point, b: Point) -> Result<([Point; 2], [Vec2; 2]), ShapeError> {
    let ends = [a, b];
    bounded_points(&ends)?;
    if a == b {
        return Err(ShapeError::SamePoint {
            first: 0,
            second: 1,
            x: a.x,
            y: a.y,
        });
    }
    large_enough("length", (b - a).norm())?;
    let right = edge_normals(&ends).next().unwrap_or_default();
    Ok((ends, [right, -right]))
}
