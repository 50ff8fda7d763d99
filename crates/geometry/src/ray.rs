//! Rays and ray hits.

use crate::math::{Point, Vec2};

/// Straight path from `origin` to `origin + max_fraction * translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start of the path \[m\].
    pub origin: Point,
    /// Displacement at fraction 1 \[m\]; need not be of unit length.
    pub translation: Vec2,
    /// Last fraction of `translation` that is searched; 1 for the whole displacement.
    pub max_fraction: f32,
}

impl Ray {
    /// Returns the path from `origin` along the whole of `translation`.
    #[must_use]
    pub const fn new(origin: Point, translation: Vec2) -> Self {
        Self {
            origin,
            translation,
            max_fraction: 1.0,
        }
    }

    /// Returns the path from `start` to `end`.
    #[must_use]
    pub fn between(start: Point, end: Point) -> Self {
        Self::new(start, end - start)
    }

    /// Returns the point at `fraction` of the translation.
    #[must_use]
    pub fn at(&self, fraction: f32) -> Point {
        self.origin + self.translation * fraction
    }

    /// Returns `true` if all numbers are finite and the largest fraction is not negative.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.origin
            .coords
            .iter()
            .chain(self.translation.iter())
            .all(|x| x.is_finite())
            && self.max_fraction.is_finite()
            && self.max_fraction >= 0.0
    }
}

/// First contact of a ray with a shape, in the frame of the ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// Fraction of the ray's translation, from 0 to its `max_fraction`.
    pub fraction: f32,
    /// Place of the hit \[m\].
    pub point: Point,
    /// Outward unit normal of the surface; zero if the ray starts inside.
    pub normal: Vec2,
}
