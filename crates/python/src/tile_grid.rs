//! Tile grids: maps of square cells, whose surface is in a world.

use crate::argument::Pair;
use crate::body::shape_def;
use crate::error::{Refusal, refuse};
use crate::handle::{World, borrow_mut};
use cairn2d::Tile;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Tiles and their names.
const NAMES: [(Tile, &str); 7] = [
    (Tile::Empty, "empty"),
    (Tile::Solid, "solid"),
    (Tile::SlopeLowerRight, "slope_lower_right"),
    (Tile::SlopeLowerLeft, "slope_lower_left"),
    (Tile::SlopeUpperLeft, "slope_upper_left"),
    (Tile::SlopeUpperRight, "slope_upper_right"),
    (Tile::OneWay, "one_way"),
];

fn name_of(tile: Tile) -> &'static str {
    let found = NAMES.iter().find(|(other, _)| *other == tile);
    found.map_or("", |(_, name)| name)
}

fn tile_of(name: &str) -> PyResult<Tile> {
    let found = NAMES.iter().find(|(_, other)| *other == name);
    let unknown = || {
        let message = format!("tile is {name:?}, which is no tile");
        refuse(Refusal::argument("tile", message))
    };
    found.map(|(tile, _)| *tile).ok_or_else(unknown)
}

/// A map of square tiles: "empty", "solid", "one_way", and the slopes "slope_lower_right" and so on, named after the corner
/// that is filled.
///
/// Edit cells by `grid[column, row] = tile`, then bring the changes into a world with `update`. Keyword arguments are the
/// fields of shapes, such as `friction`. The grid is beside the world: copy and pickle both together.
#[pyclass(module = "cairn2d._native")]
#[derive(Clone)]
pub(crate) struct TileGrid {
    grid: cairn2d::TileGrid,
}

/// Sets place and surface of a new grid.
fn placed(
    py: Python<'_>,
    grid: cairn2d::TileGrid,
    origin: Pair,
    fields: Option<&Bound<'_, PyDict>>,
) -> PyResult<TileGrid> {
    let grid = grid
        .try_at(origin.finite_place("origin")?)
        .map_err(refuse)?;
    let grid = grid.try_surface(shape_def(py, fields)?).map_err(refuse)?;
    Ok(TileGrid { grid })
}

#[pymethods]
impl TileGrid {
    /// Makes an empty grid of cells of the side `cell` [m], with its lower left corner at `origin` [m].
    #[new]
    #[pyo3(signature = (columns, rows, cell, origin = Pair([0.0, 0.0]), **fields))]
    fn new(
        py: Python<'_>,
        columns: usize,
        rows: usize,
        cell: f32,
        origin: Pair,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let grid = cairn2d::TileGrid::try_new([columns, rows], cell).map_err(refuse)?;
        placed(py, grid, origin, fields)
    }

    /// Makes a grid of a map in text, a line for each row, the top row first: "#" is solid, "/" and "\" are slopes of the
    /// ground, "F" and "7" those of a ceiling, "=" is a one-way platform, "." and a blank are empty.
    #[staticmethod]
    #[pyo3(signature = (text, cell, origin = Pair([0.0, 0.0]), **fields))]
    fn from_text(
        py: Python<'_>,
        text: &str,
        cell: f32,
        origin: Pair,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let grid = cairn2d::TileGrid::try_from_text(text, cell)
            .map_err(|error| refuse(Refusal::argument("text", error.to_string())))?;
        placed(py, grid, origin, fields)
    }

    /// Number of columns and rows.
    #[getter]
    fn size(&self) -> (usize, usize) {
        self.grid.size().into()
    }

    /// Number of straight pieces of surface in the world.
    #[getter]
    fn piece_count(&self) -> usize {
        self.grid.piece_count()
    }

    /// The cell (column, row) that contains a point of the world [m]; `None` outside of the grid.
    fn cell_at(&self, point: Pair) -> Option<(usize, usize)> {
        self.grid.cell_at(point.place()).map(Into::into)
    }

    /// Brings all changes since the last call into a world; returns the number of pieces that were created or removed.
    fn update(&mut self, world: &Bound<'_, World>) -> PyResult<usize> {
        let mut guard = borrow_mut(world)?;
        self.grid.try_update(&mut guard.world).map_err(refuse)
    }

    /// Removes the grid from the world; the next update brings it back.
    fn remove_from(&mut self, world: &Bound<'_, World>) -> PyResult<()> {
        self.grid.remove_from(&mut borrow_mut(world)?.world);
        Ok(())
    }

    /// The tile of a cell (column, row); those outside of the grid are empty.
    fn __getitem__(&self, cell: (usize, usize)) -> &'static str {
        name_of(self.grid.get(cell.into()))
    }

    /// Changes the tile of a cell (column, row).
    fn __setitem__(&mut self, cell: (usize, usize), tile: &str) -> PyResult<()> {
        self.grid
            .try_set(cell.into(), tile_of(tile)?)
            .map_err(refuse)
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    #[staticmethod]
    fn _load(save: &[u8]) -> PyResult<Self> {
        let grid = cairn2d::TileGrid::load(save).map_err(refuse)?;
        Ok(Self { grid })
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let mut save = Vec::new();
        self.grid.save_into(&mut save);
        let load = py.get_type::<Self>().getattr("_load")?;
        Ok((load, (PyBytes::new(py, &save),)))
    }

    fn __repr__(&self) -> String {
        let [columns, rows] = self.grid.size();
        format!("<cairn2d.TileGrid of {columns} x {rows} cells>")
    }
}
