//! Chain: one-sided segments that know their neighbors, so that nothing catches on their joints.

use super::capsule::checked_ends;
use crate::error::{ShapeError, bounded_points};
use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::state_record;

/// Whether a chain has ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainKind {
    /// From the first point to the last.
    Open,
    /// From the last point back to the first.
    Loop,
}

/// Segment from `a` to `b` that is solid only from its right side, looking from `a` to `b`.
///
/// A chain around a solid region therefore runs counter-clockwise. The ghosts are the far ends of the
/// neighbor segments: with them, a thing that slides across a joint gets the normals that the
/// whole surface has, never that of an end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::data::ChainSegmentData",
        into = "super::data::ChainSegmentData"
    )
)]
pub struct ChainSegment {
    ends: [Point; 2],
    normals: [Vec2; 2],
    ghosts: [Point; 2],
    has_ghost: [bool; 2],
}

state_record!(
    ChainSegment {
        ends,
        normals,
        ghosts,
        has_ghost,
    },
    is_valid
);

impl ChainSegment {
    /// Returns `true` if the parts, read from a save, can be those of a shape.
    fn is_valid(&self) -> bool {
        self.as_hull().is_valid()
    }

    /// Creates the segment from `a` to `b` between optional neighbors.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, equal ends, and a ghost at its end.
    pub fn new(
        ghost_before: Option<Point>,
        a: Point,
        b: Point,
        ghost_after: Option<Point>,
    ) -> Result<Self, ShapeError> {
        let (ends, normals) = checked_ends(a, b)?;
        for (ghost, end) in [(ghost_before, a), (ghost_after, b)] {
            if let Some(g) = ghost {
                bounded_points(&[g])?;
                if g == end {
                    return Err(ShapeError::SamePoint {
                        first: 0,
                        second: 1,
                        x: g.x,
                        y: g.y,
                    });
                }
            }
        }
        Ok(Self {
            ends,
            normals,
            ghosts: [ghost_before.unwrap_or(a), ghost_after.unwrap_or(b)],
            has_ghost: [ghost_before.is_some(), ghost_after.is_some()],
        })
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

    /// Returns the far end of the segment before, if there is one \[m\].
    #[must_use]
    pub fn ghost_before(&self) -> Option<Point> {
        self.has_ghost[0].then_some(self.ghosts[0])
    }

    /// Returns the far end of the segment after, if there is one \[m\].
    #[must_use]
    pub fn ghost_after(&self) -> Option<Point> {
        self.has_ghost[1].then_some(self.ghosts[1])
    }

    /// Returns the unit normal of the solid side.
    #[must_use]
    #[inline]
    pub const fn normal(&self) -> Vec2 {
        self.normals[0]
    }

    /// Returns the segment as a polygon of two vertices, without its sidedness.
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

/// Row of one-sided segments, checked and linked.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    segments: Vec<ChainSegment>,
    kind: ChainKind,
}

impl Chain {
    /// Creates the chain through `points`; its right side, looking along it, is solid.
    ///
    /// ```
    /// use cairn2d_geometry::math::point;
    /// use cairn2d_geometry::{Chain, ChainKind};
    ///
    /// // A floor with its solid side up runs from right to left.
    /// let floor = Chain::new(&[point(5.0, 0.0), point(0.0, 0.5), point(-5.0, 0.0)], ChainKind::Open)?;
    /// assert_eq!(floor.segments().len(), 2);
    /// assert!(floor.segments()[0].normal().y > 0.0);
    /// # Ok::<(), cairn2d_geometry::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, equal neighbors, fewer than 2 points, and
    /// fewer than 3 for a loop.
    pub fn new(points: &[Point], kind: ChainKind) -> Result<Self, ShapeError> {
        let count = points.len();
        let (least, segment_count) = match kind {
            ChainKind::Open => (2, count.saturating_sub(1)),
            ChainKind::Loop => (3, count),
        };
        if count < least {
            return Err(ShapeError::TooFewPoints { count, least });
        }
        bounded_points(points)?;
        for first in 0..segment_count {
            let second = (first + 1) % count;
            let (p, q) = (points[first], points[second]);
            if p == q {
                return Err(ShapeError::SamePoint {
                    first,
                    second,
                    x: p.x,
                    y: p.y,
                });
            }
        }
        let is_loop = kind == ChainKind::Loop;
        let segments = (0..segment_count).map(|i| {
            let before = (is_loop || i > 0).then(|| points[(i + count - 1) % count]);
            let after = (is_loop || i + 2 < count).then(|| points[(i + 2) % count]);
            ChainSegment::new(before, points[i], points[(i + 1) % count], after)
        });
        Ok(Self {
            segments: segments.collect::<Result<_, _>>()?,
            kind,
        })
    }

    /// Creates an open chain that is solid from above, through `points` in either order: ground from left to right,
    /// or from right to left.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn ground(points: &[Point]) -> Result<Self, ShapeError> {
        let runs_right = match points {
            [first, .., last] => last.x > first.x,
            _ => false,
        };
        let chain = Self::new(points, ChainKind::Open)?;
        Ok(if runs_right { chain.reversed() } else { chain })
    }

    /// Returns the chain with its other side solid.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let turned = |segment: &ChainSegment| ChainSegment {
            ends: [segment.ends[1], segment.ends[0]],
            normals: [segment.normals[1], segment.normals[0]],
            ghosts: [segment.ghosts[1], segment.ghosts[0]],
            has_ghost: [segment.has_ghost[1], segment.has_ghost[0]],
        };
        Self {
            segments: self.segments.iter().rev().map(turned).collect(),
            kind: self.kind,
        }
    }

    /// Returns the segments in order; each is a shape of its own.
    #[must_use]
    pub fn segments(&self) -> &[ChainSegment] {
        &self.segments
    }

    /// Returns whether the chain is open or closed.
    #[must_use]
    pub const fn kind(&self) -> ChainKind {
        self.kind
    }
}
