//! Chain: one-sided segments with their neighbors, so that shapes do not catch on internal edges.

use super::capsule::checked_ends;
use crate::error::{ShapeError, bounded_points, demand};
use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::state_record;
use crate::vector_input::{IntoPoint, points_of};

/// Whether a chain has ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ChainKind {
    /// From the first point to the last.
    Open,
    /// From the last point back to the first.
    Loop,
}

/// Segment from `a` to `b` that is solid only from its right side, looking from `a` to `b`.
///
/// A chain around a solid region therefore runs counter-clockwise. The ghosts are the far ends of the
/// neighbor segments: with them, a shape that slides across a joint gets the normals that the
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
    /// [`side_flags`] of both ends.
    has_ghost: [u8; 2],
}

/// Bits of [`ChainSegment::has_ghost`].
mod side_flags {
    /// There is a neighbor at this end.
    pub(super) const GHOST: u8 = 1;
    /// The segment is one side of a line that is solid from both sides; at both ends.
    pub(super) const TWO_SIDED: u8 = 2;
    /// The segment is a platform: there is no solid behind it; at both ends.
    pub(super) const PLATFORM: u8 = 4;
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
        let [a, b] = self.has_ghost.map(|flags| flags & !side_flags::GHOST);
        let known = side_flags::TWO_SIDED | side_flags::PLATFORM;
        self.as_hull().is_valid() && a == b && a & !known == 0
    }

    /// Returns the segment as a platform, through which bodies may be let, unlike through a part of the ground.
    /// Contacts treat both alike.
    #[must_use]
    pub fn into_platform(mut self) -> Self {
        self.has_ghost = self.has_ghost.map(|flags| flags | side_flags::PLATFORM);
        self
    }

    /// Returns `true` if the segment is a [platform](Self::into_platform).
    #[must_use]
    #[inline]
    pub const fn is_platform(&self) -> bool {
        self.has_ghost[0] & side_flags::PLATFORM != 0
    }

    /// Returns `true` if the segment is one side of a line that is solid from both sides: see [`Chain::two_sided`].
    #[must_use]
    #[inline]
    pub const fn is_two_sided(&self) -> bool {
        self.has_ghost[0] & side_flags::TWO_SIDED != 0
    }

    /// Returns the segment in the other direction, solid from its other side.
    fn reversed(&self) -> Self {
        let swapped = |pair: [Point; 2]| [pair[1], pair[0]];
        Self {
            ends: swapped(self.ends),
            normals: [self.normals[1], self.normals[0]],
            ghosts: swapped(self.ghosts),
            has_ghost: [self.has_ghost[1], self.has_ghost[0]],
        }
    }

    /// Creates the segment from `a` to `b` between optional neighbors.
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(
        ghost_before: Option<Point>,
        a: Point,
        b: Point,
        ghost_after: Option<Point>,
    ) -> Self {
        demand(
            Self::try_new(ghost_before, a, b, ghost_after),
            "create the chain segment",
        )
    }

    /// Creates the segment from `a` to `b` between optional neighbors.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, equal ends, and a ghost at its end.
    pub fn try_new(
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
            has_ghost: [ghost_before.is_some().into(), ghost_after.is_some().into()],
        })
    }

    /// Returns the segment as one side of a line that is solid from both sides, or as a line with one solid side.
    #[cfg(feature = "serde")]
    pub(super) fn sided(mut self, two_sided: bool) -> Self {
        let flag = if two_sided { side_flags::TWO_SIDED } else { 0 };
        self.has_ghost = self.has_ghost.map(|flags| flags & side_flags::GHOST | flag);
        self
    }

    /// Returns the segment, solid from the same sides as `other`.
    pub(super) fn with_sides_of(mut self, other: &Self) -> Self {
        for (flags, of_other) in self.has_ghost.iter_mut().zip(other.has_ghost) {
            *flags |= of_other & !side_flags::GHOST;
        }
        self
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
        (self.has_ghost[0] & side_flags::GHOST != 0).then_some(self.ghosts[0])
    }

    /// Returns the far end of the segment after, if there is one \[m\].
    #[must_use]
    pub fn ghost_after(&self) -> Option<Point> {
        (self.has_ghost[1] & side_flags::GHOST != 0).then_some(self.ghosts[1])
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

/// Sine of the angle to the vertical up to which [`Chain::ground`] counts a chain as upright: the rounding of its
/// corners must not decide which side is solid.
const UPRIGHT_SINE: f32 = 1.0e-4;

/// Row of one-sided segments, checked and linked.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::chain_data::ChainData",
        into = "super::chain_data::ChainData"
    )
)]
pub struct Chain {
    pub(super) segments: Vec<ChainSegment>,
    pub(super) kind: ChainKind,
}

impl Chain {
    /// Creates the chain through `points`; its right side, looking along it, is solid.
    ///
    /// An open chain from left to right is solid from below only: a ceiling. [`ground`](Self::ground) makes a
    /// floor from points in either direction, and [`two_sided`](Self::two_sided) a line that is solid from both sides.
    ///
    /// ```
    /// use cairn2d_geometry::math::point;
    /// use cairn2d_geometry::{Chain, ChainKind};
    ///
    /// // A floor with its solid side up runs from right to left.
    /// let floor = Chain::new(&[point(5.0, 0.0), point(0.0, 0.5), point(-5.0, 0.0)], ChainKind::Open);
    /// assert_eq!(floor.segments().len(), 2);
    /// assert!(floor.segments()[0].normal().y > 0.0);
    /// ```
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(points: &[impl IntoPoint], kind: ChainKind) -> Self {
        demand(Self::try_new(&points_of(points), kind), "create the chain")
    }

    /// Creates the chain through `points`; its right side, looking along it, is solid.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, equal neighbors, fewer than 2 points, and
    /// fewer than 3 for a loop.
    pub fn try_new(points: &[Point], kind: ChainKind) -> Result<Self, ShapeError> {
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
            ChainSegment::try_new(before, points[i], points[(i + 1) % count], after)
        });
        Ok(Self {
            segments: segments.collect::<Result<_, _>>()?,
            kind,
        })
    }

    /// Creates an open chain that is solid from above, through `points` in either order: ground from left to right,
    /// or from right to left. If its ends are one above the other, neither side is the upper one: such a wall is
    /// solid from both sides, see [`two_sided`](Self::two_sided).
    ///
    /// # Panics
    /// If a number is invalid; [`try_ground`](Self::try_ground) returns the error instead.
    #[doc(alias("b2ChainDef", "polyline", "heightfield"))]
    #[must_use]
    #[track_caller]
    pub fn ground(points: &[impl IntoPoint]) -> Self {
        demand(Self::try_ground(&points_of(points)), "create the chain")
    }

    /// Creates an open chain that is solid from above: see [`ground`](Self::ground).
    ///
    /// # Errors
    /// Refuses the same as [`try_new`](Self::try_new).
    pub fn try_ground(points: &[Point]) -> Result<Self, ShapeError> {
        let [across, along] = match points {
            [first, .., last] => [last.x - first.x, last.y - first.y],
            _ => [0.0; 2],
        };
        if across.abs() <= UPRIGHT_SINE * along.abs() {
            return Self::try_two_sided(points, ChainKind::Open);
        }
        let chain = Self::try_new(points, ChainKind::Open)?;
        Ok(if across > 0.0 {
            chain.reversed()
        } else {
            chain
        })
    }

    /// Creates a line through `points` that is solid from both sides: a wire, a net, a membrane. A body collides with
    /// the side on which its middle lies, so it must be thicker than the overlap of contacts. The segments of the
    /// right side come first, then those of the left side.
    ///
    /// # Panics
    /// If [`try_two_sided`](Self::try_two_sided) would return an error.
    #[must_use]
    #[track_caller]
    pub fn two_sided(points: &[impl IntoPoint], kind: ChainKind) -> Self {
        match Self::try_two_sided(&points_of(points), kind) {
            Ok(chain) => chain,
            Err(error) => panic!("cannot create the chain: {error}"),
        }
    }

    /// Creates a line that is solid from both sides: see [`two_sided`](Self::two_sided).
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, equal neighbors, fewer than 2 points, and
    /// fewer than 3 for a loop.
    pub fn try_two_sided(points: &[Point], kind: ChainKind) -> Result<Self, ShapeError> {
        let mut chain = Self::try_new(points, kind)?;
        for segment in &mut chain.segments {
            segment.has_ghost = segment.has_ghost.map(|flags| flags | side_flags::TWO_SIDED);
        }
        let left = chain.reversed();
        chain.segments.extend(left.segments);
        Ok(chain)
    }

    /// Returns the chain with its other side solid.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let reversed = self.segments.iter().rev().map(ChainSegment::reversed);
        Self {
            segments: reversed.collect(),
            kind: self.kind,
        }
    }

    /// Returns the segments in order; each is a separate shape.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where the ends of the wall are one above the other up to rounding.
    #[test]
    fn upright_ground_is_solid_from_both_sides_in_either_order() {
        for lean in [0.0, 1.0e-7, -3.0e-5] {
            let mut points = [[2.0, 0.0], [2.0, 1.0], [2.0 + lean, 3.0]].map(Point::from);
            for _ in 0..2 {
                let chain = Chain::ground(&points);
                assert_eq!(chain.segments().len(), 4);
                assert!(chain.segments().iter().all(ChainSegment::is_two_sided));
                points.reverse();
            }
        }
        let cliff = Chain::ground(&[[2.0, 0.0], [2.1, 3.0]].map(Point::from));
        assert!(
            cliff
                .segments()
                .iter()
                .all(|side| side.normal().y > 0.0 && !side.is_two_sided())
        );
    }

    #[test]
    fn two_sided_chains_refuse_what_chains_refuse() {
        let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [f32::NAN, 0.0]].map(Point::from);
        for kind in [ChainKind::Open, ChainKind::Loop] {
            for count in 0..=points.len() {
                // Compared as text, since NaN differs from itself.
                let refusal = |chain: Result<Chain, ShapeError>| format!("{:?}", chain.err());
                let expected = refusal(Chain::try_new(&points[..count], kind));
                let found = refusal(Chain::try_two_sided(&points[..count], kind));
                assert_eq!(found, expected);
                assert_eq!(found == "None", count == 2 && kind == ChainKind::Open);
            }
        }
    }
}
