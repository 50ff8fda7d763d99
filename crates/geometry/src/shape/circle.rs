//! Disk.

use crate::error::{ShapeError, bounded_points, demand, positive};
use crate::math::Point;
use crate::rounded_hull::RoundedHull;
use crate::state_record;
use crate::vector_input::IntoPoint;

/// Disk: all points within `radius` of `center`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::data::CircleData", into = "super::data::CircleData")
)]
pub struct Circle {
    center: [Point; 1],
    radius: f32,
}

state_record!(Circle { center, radius }, is_valid);

impl Circle {
    /// Returns `true` if the parts, read from a save, can be those of a shape.
    fn is_valid(&self) -> bool {
        self.as_hull().is_valid()
    }

    /// Creates the disk of `radius` \[m\] about `center`.
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[doc(alias("b2Circle", "ball", "CircleShape2D"))]
    #[doc(alias = "CircleCollider2D")]
    #[must_use]
    #[track_caller]
    pub fn new(center: impl IntoPoint, radius: f32) -> Self {
        demand(
            Self::try_new(center.into_point(), radius),
            "create the circle",
        )
    }

    /// Creates the disk of `radius` \[m\] about `center`.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, and a radius that is not greater than zero.
    pub fn try_new(center: Point, radius: f32) -> Result<Self, ShapeError> {
        bounded_points(&[center])?;
        Ok(Self {
            center: [center],
            radius: positive("radius", radius)?,
        })
    }

    /// Creates the disk of `radius` \[m\] about the origin.
    ///
    /// # Panics
    /// If a number is invalid; [`try_of_radius`](Self::try_of_radius) returns the error instead.
    #[doc(alias = "ball")]
    #[must_use]
    #[track_caller]
    pub fn of_radius(radius: f32) -> Self {
        demand(Self::try_of_radius(radius), "create the circle")
    }

    /// Creates the disk of `radius` \[m\] about the origin.
    ///
    /// # Errors
    /// Refuses a radius that is not finite, too large, or not greater than zero.
    pub fn try_of_radius(radius: f32) -> Result<Self, ShapeError> {
        Self::try_new(Point::new(0.0, 0.0), radius)
    }

    /// Returns the center \[m\].
    #[must_use]
    #[inline]
    pub const fn center(&self) -> Point {
        self.center[0]
    }

    /// Returns the radius \[m\].
    #[must_use]
    #[inline]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the disk as a rounded point.
    #[must_use]
    #[inline]
    pub const fn as_hull(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.center,
            normals: &[],
            radius: self.radius,
        }
    }
}
