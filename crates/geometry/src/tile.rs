//! Tiles: contents of the cells of a grid, and the edges of their outlines.

use crate::state_choice;

/// Content of a cell of a `TileGrid`. One byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Tile {
    /// Nothing.
    #[default]
    Empty,
    /// The whole cell.
    Solid,
    /// The triangle below a slope that rises to the right: `/` with ground below.
    SlopeLowerRight,
    /// The triangle below a slope that rises to the left: `\` with ground below.
    SlopeLowerLeft,
    /// The triangle above the diagonal that rises to the right: a slanted ceiling.
    SlopeUpperLeft,
    /// The triangle above the diagonal that rises to the left: a slanted ceiling.
    SlopeUpperRight,
    /// The top side of the cell, solid from above only; see `World::drop_through`.
    OneWay,
}

state_choice!(Tile {
    Empty,
    Solid,
    SlopeLowerRight,
    SlopeLowerLeft,
    SlopeUpperLeft,
    SlopeUpperRight,
    OneWay,
});

impl Tile {
    /// Returns the tile that a character is in `TileGrid::from_text`.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            ' ' | '.' => Self::Empty,
            '#' => Self::Solid,
            '/' => Self::SlopeLowerRight,
            '\\' => Self::SlopeLowerLeft,
            'F' => Self::SlopeUpperLeft,
            '7' => Self::SlopeUpperRight,
            '=' => Self::OneWay,
            _ => return None,
        })
    }
}

/// A direction in eighths of a turn, counter-clockwise from the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direction(pub(crate) u8);

impl Direction {
    pub(crate) const RIGHT: Self = Self(0);
    pub(crate) const UP: Self = Self(2);
    pub(crate) const LEFT: Self = Self(4);
    pub(crate) const DOWN: Self = Self(6);

    /// Returns the step to the next corner of the grid, diagonally for odd directions.
    pub(crate) fn step(self) -> [i32; 2] {
        [
            [1, 0],
            [1, 1],
            [0, 1],
            [-1, 1],
            [-1, 0],
            [-1, -1],
            [0, -1],
            [1, -1],
        ][usize::from(self.0)]
    }

    /// Returns the turn to `next` in eighths, from -3 (sharp right) to 4 (back).
    pub(crate) fn turn_to(self, next: Self) -> i32 {
        (i32::from(next.0) - i32::from(self.0) + 3).rem_euclid(8) - 3
    }
}

/// An edge of a tile: the corner of its cell from which it starts, and its direction; the tile is on its left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileEdge {
    pub(crate) start: [i32; 2],
    pub(crate) direction: Direction,
}

const fn edge(start: [i32; 2], direction: Direction) -> TileEdge {
    TileEdge { start, direction }
}

const BOTTOM: TileEdge = edge([0, 0], Direction::RIGHT);
const RIGHT: TileEdge = edge([1, 0], Direction::UP);
const TOP: TileEdge = edge([1, 1], Direction::LEFT);
const LEFT: TileEdge = edge([0, 1], Direction::DOWN);
/// The diagonals, named by the direction in which they run.
const DOWN_LEFT: TileEdge = edge([1, 1], Direction(5));
const UP_LEFT: TileEdge = edge([1, 0], Direction(3));
const UP_RIGHT: TileEdge = edge([0, 0], Direction(1));
const DOWN_RIGHT: TileEdge = edge([0, 1], Direction(7));

impl Tile {
    /// Returns the edges of the tile, counter-clockwise.
    pub(crate) fn edges(self) -> &'static [TileEdge] {
        match self {
            Self::Empty => &[],
            Self::Solid => &[BOTTOM, RIGHT, TOP, LEFT],
            Self::SlopeLowerRight => &[BOTTOM, RIGHT, DOWN_LEFT],
            Self::SlopeLowerLeft => &[BOTTOM, LEFT, UP_LEFT],
            Self::SlopeUpperLeft => &[TOP, LEFT, UP_RIGHT],
            Self::SlopeUpperRight => &[RIGHT, TOP, DOWN_RIGHT],
            Self::OneWay => &[TOP],
        }
    }

    /// Returns `true` if an edge that runs in the direction `along` covers a side of the cell from within: the
    /// region behind that side is then inside of the ground.
    pub(crate) fn covers(self, along: Direction) -> bool {
        self != Self::OneWay && self.edges().iter().any(|edge| edge.direction == along)
    }
}
