//! The checked border of a region: corners, and loops of indices into them.

use crate::double::to_f64;
use crate::intersection::{Meeting, intersect};
use crate::math::Point;
use crate::outline::{check_outline, outline_contains};

/// Why a region cannot be cut into pieces. Loop 0 is the outline, loop `i` the hole `i - 1`.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecomposeError {
    /// A number is infinite or not a number.
    #[error("corner {corner} of loop {loop_index} is not finite")]
    NotFinite {
        /// Index of the loop.
        loop_index: usize,
        /// Index of the corner.
        corner: usize,
    },
    /// A loop has fewer than three corners or encloses no area.
    #[error("loop {loop_index} with {count} corners encloses no area")]
    NoArea {
        /// Index of the loop.
        loop_index: usize,
        /// Number of its corners.
        count: usize,
    },
    /// Two neighbors are at the same place.
    #[error("corners {corner} and its next of loop {loop_index} are at the same place")]
    SamePoint {
        /// Index of the loop.
        loop_index: usize,
        /// The earlier corner.
        corner: usize,
    },
    /// Two edges of a loop meet.
    #[error("edges {first} and {second} of loop {loop_index} meet")]
    NotSimple {
        /// Index of the loop.
        loop_index: usize,
        /// First corner of one edge.
        first: usize,
        /// First corner of the other.
        second: usize,
    },
    /// Two loops meet, or a hole is outside the outline or inside another hole.
    #[error("loops {first} and {second} are not nested as a region and its holes")]
    NotNested {
        /// One loop.
        first: usize,
        /// The other.
        second: usize,
    },
}

/// Corners of a region, and its loops: the outline counter-clockwise, then the holes clockwise.
pub(super) struct Border {
    pub(super) points: Vec<Point>,
    pub(super) loops: Vec<Vec<usize>>,
}

impl Border {
    pub(super) fn new(outline: &[Point], holes: &[&[Point]]) -> Result<Self, DecomposeError> {
        let mut border = Self {
            points: Vec::new(),
            loops: Vec::new(),
        };
        for (loop_index, corners) in core::iter::once(&outline).chain(holes).enumerate() {
            border.push_loop(loop_index, corners)?;
        }
        border.check_nesting()?;
        Ok(border)
    }

    fn push_loop(&mut self, loop_index: usize, corners: &[Point]) -> Result<(), DecomposeError> {
        let is_bad = |p: &Point| !(p.x.is_finite() && p.y.is_finite());
        if let Some(corner) = corners.iter().position(is_bad) {
            return Err(DecomposeError::NotFinite { loop_index, corner });
        }
        let facts = check_outline(corners);
        if let Some(corner) = facts.same_point {
            return Err(DecomposeError::SamePoint { loop_index, corner });
        }
        if let Some([first, second]) = facts.crossing {
            return Err(DecomposeError::NotSimple {
                loop_index,
                first,
                second,
            });
        }
        if corners.len() < 3 || facts.signed_area == 0.0 {
            return Err(DecomposeError::NoArea {
                loop_index,
                count: corners.len(),
            });
        }
        let start = self.points.len();
        self.points.extend_from_slice(corners);
        let mut indices: Vec<usize> = (start..self.points.len()).collect();
        if (facts.signed_area > 0.0) != (loop_index == 0) {
            indices.reverse();
        }
        self.loops.push(indices);
        Ok(())
    }

    fn corners(&self, loop_index: usize) -> Vec<Point> {
        self.loops[loop_index]
            .iter()
            .map(|&i| self.points[i])
            .collect()
    }

    fn check_nesting(&self) -> Result<(), DecomposeError> {
        for second in 1..self.loops.len() {
            let hole = self.corners(second);
            for first in 0..second {
                let other = self.corners(first);
                let is_inside = outline_contains(&other, &hole[0]);
                let holds = outline_contains(&hole, &other[0]);
                let is_nested = if first == 0 {
                    is_inside && !holds
                } else {
                    !is_inside && !holds
                };
                if !is_nested || loops_meet(&hole, &other) {
                    return Err(DecomposeError::NotNested { first, second });
                }
            }
        }
        Ok(())
    }
}

fn loops_meet(a: &[Point], b: &[Point]) -> bool {
    let edge = |l: &[Point], i: usize| (to_f64(&l[i]), to_f64(&l[(i + 1) % l.len()]));
    (0..a.len()).any(|i| {
        let (p, q) = edge(a, i);
        (0..b.len()).any(|j| {
            let (r, s) = edge(b, j);
            intersect(&p, &q, &r, &s) != Meeting::None
        })
    })
}
