//! Tile grids from text: a character for each cell.

use super::TileGrid;
use cairn2d_dynamics::ValueError;
use cairn2d_geometry::{Tile, demand};
use thiserror::Error;

/// The reason a text is not a map.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TileTextError {
    /// A character does not stand for a tile.
    #[error("{letter:?} in line {line}, column {column} of the map is no tile")]
    UnknownTile {
        /// The character.
        letter: char,
        /// Line, from 1 at the top.
        line: usize,
        /// Column, from 1 at the left.
        column: usize,
    },
    /// The grid cannot be created.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl TileGrid {
    /// Creates a grid from a map in text, a line for each row, the highest row first; cells have the side `cell` \[m\].
    ///
    /// A space or `.` is empty, `#` solid, `=` a one-way platform; `/` and `\` are slopes of the ground, `F` and `7` those of a
    /// ceiling. Empty lines at both ends are ignored, and short lines end in empty cells.
    ///
    /// ```
    /// use cairn2d::{Tile, TileGrid};
    ///
    /// let map = TileGrid::from_text("#  == #\n#/\\   #\n#######", 1.0);
    /// assert_eq!(map.size(), [7, 3]);
    /// assert_eq!(map.get([3, 2]), Tile::OneWay);
    /// ```
    ///
    /// # Panics
    /// If a character is no tile or the grid cannot be created; [`try_from_text`](Self::try_from_text) returns the
    /// error instead.
    #[must_use]
    #[track_caller]
    pub fn from_text(text: &str, cell: f32) -> Self {
        demand(Self::try_from_text(text, cell), "read the map")
    }

    /// Creates a grid from a map in text: see [`from_text`](Self::from_text).
    ///
    /// # Errors
    /// If a character is no tile, or [`try_new`](Self::try_new) refuses the size of the grid or of its cells.
    pub fn try_from_text(text: &str, cell: f32) -> Result<Self, TileTextError> {
        let lines = text.lines().enumerate();
        let mut rows: Vec<(usize, &str)> = lines.skip_while(|(_, row)| row.is_empty()).collect();
        while rows.last().is_some_and(|(_, row)| row.is_empty()) {
            rows.pop();
        }
        let columns = rows.iter().map(|(_, row)| row.chars().count()).max();
        let mut grid = Self::try_new([columns.unwrap_or(0), rows.len()], cell)?;
        for (up, &(line, row)) in rows.iter().rev().enumerate() {
            for (column, letter) in row.chars().enumerate() {
                let tile = Tile::from_letter(letter).ok_or(TileTextError::UnknownTile {
                    letter,
                    line: line + 1,
                    column: column + 1,
                })?;
                grid.try_set([column, up], tile)?;
            }
        }
        Ok(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_at_its_cell() {
        let grid = TileGrid::from_text("\n\n F7\n/\\=\n#. #\n\n", 0.5);
        assert_eq!(grid.size(), [4, 3]);
        let expected = [
            [Tile::Solid, Tile::Empty, Tile::Empty, Tile::Solid],
            [
                Tile::SlopeLowerRight,
                Tile::SlopeLowerLeft,
                Tile::OneWay,
                Tile::Empty,
            ],
            [
                Tile::Empty,
                Tile::SlopeUpperLeft,
                Tile::SlopeUpperRight,
                Tile::Empty,
            ],
        ];
        for (row, tiles) in expected.into_iter().enumerate() {
            for (column, tile) in tiles.into_iter().enumerate() {
                assert_eq!(grid.get([column, row]), tile, "{column} {row}");
            }
        }
    }

    #[test]
    fn an_unknown_letter_is_named_with_its_place() {
        let error = TileGrid::try_from_text("##\n#x", 1.0).unwrap_err();
        let expected = TileTextError::UnknownTile {
            letter: 'x',
            line: 2,
            column: 2,
        };
        assert_eq!(error, expected);
        assert_eq!(
            error.to_string(),
            "'x' in line 2, column 2 of the map is no tile"
        );
        assert!(TileGrid::try_from_text("##", 0.0).is_err());
        assert_eq!(TileGrid::from_text("", 1.0).size(), [0, 0]);
    }
}
