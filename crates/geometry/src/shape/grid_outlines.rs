//! Outlines of a tile map: closed chains around the solid cells of a grid.

use super::chain::{Chain, ChainKind};
use crate::error::{MAX_CELLS, ShapeError, positive, try_filled};
use crate::math::Point;

/// Directions of edges: right, up, left, down. The next one is a left turn.
const STEPS: [[isize; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// The edges between solid and empty cells, with the solid cell on their left side, by the corner from which they
/// start: a bit for each direction.
struct GridEdges {
    starts: Vec<u8>,
    columns: usize,
}

impl Chain {
    /// Creates the outlines of the solid cells of a grid: closed chains, solid from outside, with one segment for
    /// each straight run of cells. Nothing catches between their cells.
    ///
    /// Cell (`column`, `row`) covers `cell` times \[`column`, `column + 1`\] x \[`row`, `row + 1`\] \[m\]. Cells that
    /// touch at a corner only share an outline, with a hollow corner on either side. A grid without solid cells has none.
    ///
    /// ```
    /// use cairn2d_geometry::Chain;
    ///
    /// let map = ["#..#", "####"]; // the top row first
    /// let is_solid = |column: usize, row: usize| map[1 - row].as_bytes()[column] == b'#';
    /// let outlines = Chain::outlines_of_grid([4, 2], 1.0, is_solid);
    /// // One loop of eight sides.
    /// assert_eq!(outlines.len(), 1);
    /// assert_eq!(outlines[0].segments().len(), 8);
    /// ```
    ///
    /// # Panics
    /// If `cell` is not positive, the grid has more than [`MAX_CELLS`] cells, or an outline reaches beyond the largest
    /// coordinate of shapes; [`try_outlines_of_grid`](Self::try_outlines_of_grid) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn outlines_of_grid(
        size: [usize; 2],
        cell: f32,
        is_solid: impl Fn(usize, usize) -> bool,
    ) -> Vec<Self> {
        match Self::try_outlines_of_grid(size, cell, is_solid) {
            Ok(outlines) => outlines,
            Err(error) => panic!("cannot outline the grid: {error}"),
        }
    }

    /// Creates the outlines of the solid cells of a grid of `size` (columns, rows): see
    /// [`outlines_of_grid`](Self::outlines_of_grid).
    ///
    /// # Errors
    /// Refuses a `cell` that is not positive, a grid of more than [`MAX_CELLS`] cells or for which there is no memory, and
    /// an outline that reaches beyond the largest coordinate of shapes.
    pub fn try_outlines_of_grid(
        size: [usize; 2],
        cell: f32,
        is_solid: impl Fn(usize, usize) -> bool,
    ) -> Result<Vec<Self>, ShapeError> {
        positive("cell", cell)?;
        let mut edges = GridEdges::try_new(size, is_solid)?;
        let mut outlines = Vec::new();
        for corner in 0..edges.starts.len() {
            while edges.starts[corner] != 0 {
                let points: Vec<Point> = edges
                    .take_loop(corner)
                    .iter()
                    .map(|&[x, y]| Point::new(x as f32 * cell, y as f32 * cell))
                    .collect();
                outlines.push(Self::try_new(&points, ChainKind::Loop)?);
            }
        }
        Ok(outlines)
    }
}

impl GridEdges {
    fn try_new(
        [columns, rows]: [usize; 2],
        is_solid: impl Fn(usize, usize) -> bool,
    ) -> Result<Self, ShapeError> {
        // Without cells there are no edges, however long the other side is.
        let [columns, rows] = match columns.checked_mul(rows) {
            Some(0) => [0, 0],
            Some(1..=MAX_CELLS) => [columns, rows],
            _ => {
                let most = MAX_CELLS;
                return Err(ShapeError::TooManyCells {
                    columns,
                    rows,
                    most,
                });
            }
        };
        let corners = columns + 1;
        let starts = try_filled(0, corners * (rows + 1));
        let mut edges = Self {
            starts: starts.map_err(|bytes| ShapeError::OutOfMemory { bytes })?,
            columns: corners,
        };
        // The cells below and on the left are kept: each cell is asked for once.
        let mut cells_below = vec![false; corners];
        for row in 0..=rows {
            let mut left = false;
            for (column, below) in cells_below.iter_mut().enumerate() {
                let is_inside = row < rows && column < columns;
                let here = is_inside && is_solid(column, row);
                if here != left && row < rows {
                    edges.add_upright(column, row, left);
                }
                if here != *below {
                    edges.add_level(column, row, here);
                    *below = here;
                }
                left = here;
            }
        }
        Ok(edges)
    }

    /// Adds the edge on the left side of a cell: upward if the cell on its left is solid, else downward.
    fn add_upright(&mut self, column: usize, row: usize, is_left_solid: bool) {
        let (from, direction) = if is_left_solid {
            (row, 1)
        } else {
            (row + 1, 3)
        };
        self.starts[from * self.columns + column] |= 1 << direction;
    }

    /// Adds the edge below a cell: to the right if the cell is solid, else to the left.
    fn add_level(&mut self, column: usize, row: usize, is_solid: bool) {
        let (from, direction) = if is_solid {
            (column, 0)
        } else {
            (column + 1, 2)
        };
        self.starts[row * self.columns + from] |= 1 << direction;
    }

    /// Removes a loop of edges; returns its corners. `start` is its leftmost corner of the lowest row.
    fn take_loop(&mut self, start: usize) -> Vec<[usize; 2]> {
        let first = self.starts[start].trailing_zeros() as usize;
        let (mut at, mut direction) = (start, first);
        let mut points = Vec::new();
        loop {
            // Where cells touch at a corner only, the outside on the right goes on with the right turn.
            let [dx, dy] = STEPS[direction];
            let next = at.wrapping_add_signed(dx + dy * self.columns as isize);
            let turns = [3, 0, 1].map(|turn| (direction + turn) % 4);
            let onward = turns
                .into_iter()
                .find(|&turn| self.starts[next] & (1 << turn) != 0)
                .expect("edges around cells form loops");
            if at != start || direction != first {
                self.starts[at] &= !(1 << direction);
            }
            if onward != direction {
                points.push([next % self.columns, next / self.columns]);
            }
            (at, direction) = (next, onward);
            if at == start && direction == first {
                self.starts[at] &= !(1 << direction);
                return points;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of numbers that repeat; `share` of 256 cells are solid.
    fn grid(seed: u32, share: u32, [columns, rows]: [usize; 2]) -> Vec<Vec<bool>> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) < share
        };
        (0..rows)
            .map(|_| (0..columns).map(|_| next()).collect())
            .collect()
    }

    fn outlines(map: &[Vec<bool>], cell: f32) -> Vec<Chain> {
        let size = [map.first().map_or(0, Vec::len), map.len()];
        Chain::outlines_of_grid(size, cell, |column, row| map[row][column])
    }

    /// The twin: the number of crossings of a ray to the right from the middle of a cell.
    fn winding(outlines: &[Chain], x: f32, y: f32) -> i32 {
        let segments = outlines.iter().flat_map(Chain::segments);
        segments
            .filter(|s| s.a().x > x && s.a().x == s.b().x)
            .filter(|s| s.a().y.min(s.b().y) < y && y < s.a().y.max(s.b().y))
            .map(|s| if s.b().y > s.a().y { 1 } else { -1 })
            .sum()
    }

    #[test]
    fn outlines_enclose_the_solid_cells_and_no_other() {
        for (seed, share) in [(1, 40), (2, 128), (3, 160), (4, 230), (5, 256), (6, 0)] {
            let map = grid(seed, share, [13, 9]);
            let outlines = outlines(&map, 0.5);
            for (row, cells) in map.iter().enumerate() {
                for (column, &solid) in cells.iter().enumerate() {
                    let middle = [column, row].map(|i| 0.5 * (i as f32 + 0.5));
                    let inside = winding(&outlines, middle[0], middle[1]);
                    assert_eq!(inside, i32::from(solid), "{seed}: {column} {row}");
                }
            }
            let area: f32 = outlines
                .iter()
                .flat_map(Chain::segments)
                .map(|s| 0.5 * (s.a().x * s.b().y - s.a().y * s.b().x))
                .sum();
            let solid = map.iter().flatten().filter(|&&solid| solid).count();
            assert!((area - 0.25 * solid as f32).abs() < 1.0e-3);
        }
    }

    #[test]
    fn every_corner_turns() {
        for seed in 0..20 {
            let map = grid(seed, 140, [11, 11]);
            for chain in outlines(&map, 1.0) {
                assert_eq!(chain.kind(), ChainKind::Loop);
                let segments = chain.segments();
                for (i, segment) in segments.iter().enumerate() {
                    let next = &segments[(i + 1) % segments.len()];
                    assert_eq!(segment.b(), next.a());
                    assert_eq!(segment.normal().dot(&next.normal()), 0.0);
                }
            }
        }
    }

    #[test]
    fn cells_that_touch_at_a_corner_share_an_outline() {
        let map = [vec![true, false], vec![false, true]];
        let outlines = outlines(&map, 1.0);
        assert_eq!(outlines.len(), 1);
        assert_eq!(outlines[0].segments().len(), 8);
    }

    #[test]
    fn large_level_has_few_segments() {
        // A thousand by a thousand cells of ground with a step in each hundredth column.
        let is_solid = |column: usize, row: usize| row < 500 + column / 100;
        let outlines = Chain::outlines_of_grid([1000, 1000], 0.5, is_solid);
        assert_eq!(outlines.len(), 1);
        assert_eq!(outlines[0].segments().len(), 3 + 19);
    }

    #[test]
    fn cell_without_size_is_refused() {
        assert!(Chain::try_outlines_of_grid([1, 1], 0.0, |_, _| true).is_err());
        assert!(Chain::try_outlines_of_grid([2, 2], f32::MAX, |_, _| true).is_err());
        assert!(Chain::outlines_of_grid([0, 0], 1.0, |_, _| true).is_empty());
    }

    #[test]
    fn grid_of_too_many_cells_is_refused() {
        let far = 1 << 40;
        for size in [
            [far, far],
            [usize::MAX, usize::MAX],
            [MAX_CELLS + 1, 1],
            [1, far],
        ] {
            let refused = Chain::try_outlines_of_grid(size, 1.0, |_, _| true);
            let [columns, rows] = size;
            let most = MAX_CELLS;
            let expected = ShapeError::TooManyCells {
                columns,
                rows,
                most,
            };
            assert_eq!(refused.map(|outlines| outlines.len()), Err(expected));
        }
        let none = Chain::try_outlines_of_grid([0, usize::MAX], 1.0, |_, _| true);
        assert_eq!(none.map(|outlines| outlines.len()), Ok(0));
        // An outline beyond the largest coordinate is an error, too, and not a panic.
        let is_solid = |column: usize, _: usize| column > 10;
        assert!(Chain::try_outlines_of_grid([1000, 1], 1.0e4, is_solid).is_err());
    }
}
