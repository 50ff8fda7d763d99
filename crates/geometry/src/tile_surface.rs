//! The surface of a part of a grid: straight runs of edges, each with its neighbors.
//!
//! At a corner of the grid up to four cells meet, and several edges may start and end. The surface that a body outside
//! follows is on the right of the edges, so an edge goes on with the one that turns farthest to the right. Two cells
//! that touch at a corner only so have a hollow corner on either side.

use crate::math::Point;
use crate::shape::ChainSegment;
use crate::tile::{Direction, Tile};
use core::ops::Range;

/// A corner of the grid (column, row).
type GridCorner = [i32; 2];

/// The tiles of a grid, empty outside.
#[derive(Debug)]
pub struct TileCells<'a> {
    /// Row by row.
    pub tiles: &'a [Tile],
    /// Columns and rows.
    pub size: [usize; 2],
}

/// A cell edge on the surface.
#[derive(Clone, Copy)]
struct SurfaceEdge {
    start: GridCorner,
    direction: Direction,
}

impl SurfaceEdge {
    fn end(&self) -> GridCorner {
        let [dx, dy] = self.direction.step();
        [self.start[0] + dx, self.start[1] + dy]
    }
}

impl TileCells<'_> {
    fn get(&self, [column, row]: [i32; 2]) -> Tile {
        let [columns, rows] = self.size;
        match (usize::try_from(column), usize::try_from(row)) {
            (Ok(column), Ok(row)) if column < columns && row < rows => {
                self.tiles[row * columns + column]
            }
            _ => Tile::Empty,
        }
    }

    /// Returns `true` if bodies may drop through the surface of a cell.
    fn is_platform(&self, cell: [i32; 2]) -> bool {
        self.get(cell) == Tile::OneWay
    }

    /// Iterates over the edges of a cell that no neighbor covers.
    fn edges_of(&self, cell: [i32; 2]) -> impl Iterator<Item = SurfaceEdge> {
        let edges = self.get(cell).edges().iter();
        let exposed = edges.filter(move |edge| {
            // The neighbor behind a side: to the right of the edge. Diagonals are inside of the cell.
            let [x, y] = cell;
            let (neighbor, back) = match edge.direction {
                Direction::RIGHT => ([x, y - 1], Direction::LEFT),
                Direction::UP => ([x + 1, y], Direction::DOWN),
                Direction::LEFT => ([x, y + 1], Direction::RIGHT),
                Direction::DOWN => ([x - 1, y], Direction::UP),
                _ => return true,
            };
            !self.get(neighbor).covers(back)
        });
        exposed.map(move |edge| SurfaceEdge {
            start: [cell[0] + edge.start[0], cell[1] + edge.start[1]],
            direction: edge.direction,
        })
    }

    /// Iterates over the edges of the four cells at a corner, with their cells.
    fn edges_at(&self, [x, y]: GridCorner) -> impl Iterator<Item = ([i32; 2], SurfaceEdge)> {
        let cells = [[x - 1, y - 1], [x, y - 1], [x - 1, y], [x, y]];
        cells
            .into_iter()
            .flat_map(move |cell| self.edges_of(cell).map(move |edge| (cell, edge)))
    }

    /// Returns the edge with which the surface goes on after `edge`, and its cell.
    fn after(&self, edge: &SurfaceEdge) -> Option<([i32; 2], SurfaceEdge)> {
        let corner = edge.end();
        let starting = self
            .edges_at(corner)
            .filter(|(_, next)| next.start == corner);
        let turn = |next: &SurfaceEdge| edge.direction.turn_to(next.direction);
        let onward = starting.filter(|(_, next)| turn(next) != 4);
        onward.min_by_key(|(_, next)| turn(next))
    }

    /// Returns the edge from which the surface comes to `edge`, and its cell.
    fn before(&self, edge: &SurfaceEdge) -> Option<([i32; 2], SurfaceEdge)> {
        let corner = edge.start;
        let ending = self
            .edges_at(corner)
            .filter(|(_, last)| last.end() == corner);
        let turn = |last: &SurfaceEdge| last.direction.turn_to(edge.direction);
        let onward = ending.filter(|(_, last)| turn(last) != 4);
        onward.min_by_key(|(_, last)| turn(last))
    }

    /// Returns the surface of the cells in the ranges of columns and rows, in cells of the size `cell` \[m\] from the
    /// first of them.
    #[must_use]
    pub fn surface(
        &self,
        columns: &Range<usize>,
        rows: &Range<usize>,
        cell: f32,
    ) -> Vec<ChainSegment> {
        let origin = [columns.start as i32, rows.start as i32];
        let is_inside =
            |[x, y]: [i32; 2]| columns.contains(&(x as usize)) && rows.contains(&(y as usize));
        let place = |[x, y]: GridCorner| {
            Point::new((x - origin[0]) as f32 * cell, (y - origin[1]) as f32 * cell)
        };
        let mut segments = Vec::new();
        for row in rows.clone() {
            for column in columns.clone() {
                let first_cell = [column as i32, row as i32];
                let is_platform = self.is_platform(first_cell);
                for first in self.edges_of(first_cell) {
                    let goes_on = |next: &Option<([i32; 2], SurfaceEdge)>| {
                        next.is_some_and(|(cell, next)| {
                            next.direction == first.direction
                                && is_inside(cell)
                                && self.is_platform(cell) == is_platform
                        })
                    };
                    let before = self.before(&first);
                    if goes_on(&before) {
                        continue;
                    }
                    let mut last = first;
                    let mut after = self.after(&last);
                    while goes_on(&after) {
                        if let Some((_, next)) = after {
                            last = next;
                        }
                        after = self.after(&last);
                    }
                    let segment = ChainSegment::try_new(
                        before.map(|(_, edge)| place(edge.start)),
                        place(first.start),
                        place(last.end()),
                        after.map(|(_, edge)| place(edge.end())),
                    );
                    segments.extend(segment.map(|segment| match is_platform {
                        true => segment.into_platform(),
                        false => segment,
                    }));
                }
            }
        }
        segments
    }
}
