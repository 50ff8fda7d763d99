//! Segment: a two-sided line without thickness.

use super::capsule::checked_ends;
use crate::error::ShapeError;
use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::state_hash::{HashState, StateHasher};

/// Straight line from `a` to `b`, solid from both sides, without area or mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    ends: [Point; 2],
    normals: [Vec2; 2],
}

impl HashState for Segment {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { ends, normals } = self;
        hash.add(ends).add(normals);
    }
}

impl Segment {
    /// Creates the segment from `a` to `b`.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, and equal ends.
    pub fn new(a: Point, b: Point) -> Result<Self, ShapeError> {
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
