//! Tile grids: large maps of square cells that are edited in place.
//!
//! The grid keeps a byte for each cell. Its surface is in the world as one-sided chain segments, a static body for
//! each block of cells: contacts, queries, continuous collision and saves need nothing of their own, and the broad
//! phase finds the segments near a body. The alternative is one shape for the whole grid. But a contact has one
//! manifold of two points, and a body touches many cells, so contacts and their saved records would need the number
//! of the cell.

mod text;

use crate::numbers::check_position;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, ShapeId, ValueError, World, WorldError};
use cairn2d_geometry::math::WorldPoint;
use cairn2d_geometry::{
    ByteSink, ChainSegment, LoadError, LoadReason, MAX_CELLS, Persist, Reader, Tile, TileCells,
    demand, state_record, try_filled,
};
use core::ops::Range;

pub use text::TileTextError;

/// Columns and rows of a block. Larger: an edit renews more segments. Smaller: more bodies, and level ground is cut into
/// more segments.
const BLOCK: usize = 32;

/// Most cells in a row or column, so that corners can be counted in `i32` and placed in `f32`.
const MAX_SIDE: usize = 1 << 20;

/// The cells of a block in the world.
#[derive(Clone, Debug, Default)]
struct TileBlock {
    /// `None` while the block has no surface.
    body: Option<BodyId>,
    surface: Vec<(ChainSegment, ShapeId)>,
    /// A cell in or beside the block has changed since the last update.
    is_changed: bool,
}

state_record!(TileBlock {
    body,
    surface,
    is_changed,
});

/// A map of square tiles: solid cells, slopes and one-way platforms, on static bodies.
///
/// Plain data beside the world: edit cells with [`set`](Self::set), then bring the changes into the world with
/// [`update`](Self::update). Nothing catches between cells, and the memory is about a byte a cell and half a
/// kilobyte for each straight piece of the surface. The inside of the ground is hollow: a body that is created there
/// is not pushed out. Clone, save and load the grid together with its world: it holds ids.
///
/// ```
/// use cairn2d::{BodyDef, ShapeDef, Tile, TileGrid, World};
/// use cairn2d_geometry::Circle;
///
/// let mut world = World::default();
/// let mut map = TileGrid::new([100, 20], 1.0);
/// for column in 0..100 {
///     map.set([column, 0], Tile::Solid);
/// }
/// map.update(&mut world);
///
/// let ball = world.create_body(BodyDef::dynamic().position(5.5, 3.0));
/// world.create_shape(ball, Circle::of_radius(0.4), ShapeDef::default());
/// for _ in 0..120 {
///     world.step(1.0 / 60.0);
/// }
/// assert!((world.body(ball).position().y - 1.4).abs() < 0.01);
///
/// // Dig a hole below it.
/// map.set([5, 0], Tile::Empty);
/// map.update(&mut world);
/// for _ in 0..60 {
///     world.step(1.0 / 60.0);
/// }
/// assert!(world.body(ball).position().y < 0.0);
/// ```
#[doc(alias("voxels", "TileMap"))]
#[derive(Clone, Debug)]
pub struct TileGrid {
    size: [usize; 2],
    cell: f32,
    origin: WorldPoint,
    shape: ShapeDef,
    tiles: Vec<Tile>,
    blocks: Vec<TileBlock>,
}

state_record!(
    TileGrid {
        size,
        cell,
        origin,
        shape,
        tiles,
        blocks,
    },
    is_valid
);

impl TileGrid {
    /// Creates an empty grid of `size` (columns, rows) with cells of the side `cell` \[m\]. Cell (0, 0) is at the lower
    /// left, with its lower left corner at the origin of the world.
    ///
    /// # Panics
    /// If `cell` is not from [`MIN_SIZE`](cairn2d_geometry::MIN_SIZE) to 1000 m, there are more than 1 048 576 columns or
    /// rows, or more than [`MAX_CELLS`](cairn2d_geometry::MAX_CELLS) cells in all; [`try_new`](Self::try_new) returns the
    /// error instead.
    #[must_use]
    #[track_caller]
    pub fn new(size: [usize; 2], cell: f32) -> Self {
        demand(Self::try_new(size, cell), "create the tile grid")
    }

    /// Creates an empty grid: see [`new`](Self::new).
    ///
    /// # Errors
    /// If `cell` is not from [`MIN_SIZE`](cairn2d_geometry::MIN_SIZE) to 1000 m, there are more than 1 048 576 columns or
    /// rows or more than [`MAX_CELLS`](cairn2d_geometry::MAX_CELLS) cells in all, or there is no memory for them.
    pub fn try_new(size: [usize; 2], cell: f32) -> Result<Self, ValueError> {
        check_grid(size, cell)?;
        let blocks = size.map(|count| count.div_ceil(BLOCK));
        let no_memory = |bytes| ValueError::OutOfMemory {
            name: "cells",
            bytes,
        };
        Ok(Self {
            size,
            cell,
            origin: WorldPoint::ORIGIN,
            shape: ShapeDef::default(),
            tiles: try_filled(Tile::Empty, size[0] * size[1]).map_err(no_memory)?,
            blocks: try_filled(TileBlock::default(), blocks[0] * blocks[1]).map_err(no_memory)?,
        })
    }

    /// Moves the lower left corner of the grid to a point of the world \[m\]. Call it before the first update: blocks
    /// that are in the world stay there.
    ///
    /// # Panics
    /// If the grid would reach out of the world; [`try_at`](Self::try_at) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn at(self, origin: impl Into<WorldPoint>) -> Self {
        demand(self.try_at(origin), "place the tile grid")
    }

    /// Moves the lower left corner of the grid to a point of the world \[m\]: see [`at`](Self::at).
    ///
    /// # Errors
    /// If the grid would reach out of the world.
    pub fn try_at(mut self, origin: impl Into<WorldPoint>) -> Result<Self, ValueError> {
        self.origin = origin.into();
        self.check_place()?;
        Ok(self)
    }

    /// Sets material, filter and user data of the surface, for pieces that are created from now on.
    ///
    /// # Panics
    /// If a number of `shape` is invalid; [`try_surface`](Self::try_surface) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn surface(self, shape: ShapeDef) -> Self {
        demand(self.try_surface(shape), "set the surface of the tile grid")
    }

    /// Sets material, filter and user data of the surface: see [`surface`](Self::surface).
    ///
    /// # Errors
    /// If a number of `shape` is invalid.
    pub fn try_surface(mut self, shape: ShapeDef) -> Result<Self, ValueError> {
        shape.validate()?;
        self.shape = shape;
        Ok(self)
    }

    /// Returns the number of columns and rows.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Returns the tile of a cell (column, row); those outside of the grid are empty.
    #[must_use]
    pub fn get(&self, [column, row]: [usize; 2]) -> Tile {
        let is_inside = column < self.size[0] && row < self.size[1];
        if is_inside {
            self.tiles[row * self.size[0] + column]
        } else {
            Tile::Empty
        }
    }

    /// Changes the tile of a cell (column, row); the next [`update`](Self::update) brings it into the world.
    ///
    /// # Panics
    /// If the cell is outside of the grid; [`try_set`](Self::try_set) returns the error instead.
    #[track_caller]
    pub fn set(&mut self, cell: [usize; 2], tile: Tile) {
        demand(self.try_set(cell, tile), "set the tile");
    }

    /// Like [`set`](Self::set), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If the cell is outside of the grid.
    pub fn try_set(&mut self, [column, row]: [usize; 2], tile: Tile) -> Result<(), ValueError> {
        let [columns, rows] = self.size;
        for (name, index, count) in [("column", column, columns), ("row", row, rows)] {
            if index >= count {
                return Err(ValueError::OutOfRange {
                    name,
                    value: index as f64,
                    min: 0.0,
                    max: count as f64 - 1.0,
                });
            }
        }
        let place = &mut self.tiles[row * columns + column];
        if *place == tile {
            return Ok(());
        }
        *place = tile;
        // The edges of the eight cells around may change with it.
        let near = |at: usize, count: usize| {
            let first = at.saturating_sub(1) / BLOCK;
            first..=(at + 1).min(count - 1) / BLOCK
        };
        for block_row in near(row, rows) {
            for block_column in near(column, columns) {
                let block = block_row * columns.div_ceil(BLOCK) + block_column;
                self.blocks[block].is_changed = true;
            }
        }
        Ok(())
    }

    /// Returns the cell (column, row) that contains a point of the world, `None` outside of the grid.
    #[must_use]
    pub fn cell_at(&self, point: impl Into<WorldPoint>) -> Option<[usize; 2]> {
        let point = point.into();
        let index = |offset: f64, count: usize| {
            let index = (offset / f64::from(self.cell)).floor();
            (index >= 0.0 && index < count as f64).then_some(index as usize)
        };
        let column = index(point.x - self.origin.x, self.size[0])?;
        let row = index(point.y - self.origin.y, self.size[1])?;
        Some([column, row])
    }

    /// Returns the number of straight pieces of surface in the world.
    #[must_use]
    pub fn piece_count(&self) -> usize {
        self.blocks.iter().map(|block| block.surface.len()).sum()
    }

    /// Brings all changes since the last call into the world. Pieces of surface that did not change keep their contacts;
    /// bodies that touched the others wake. Returns the number of pieces that were created or removed.
    ///
    /// # Panics
    /// If a body of the grid was destroyed, or the grid reaches out of the world; [`try_update`](Self::try_update) returns
    /// the error instead.
    #[track_caller]
    pub fn update(&mut self, world: &mut World) -> usize {
        demand(self.try_update(world), "update the tile grid")
    }

    /// Brings all changes since the last call into the world: see [`update`](Self::update).
    ///
    /// # Errors
    /// If a body of the grid was destroyed, or the grid reaches out of the world, as a large one does without
    /// [`at`](Self::at). The world is then unchanged except for the blocks before.
    pub fn try_update(&mut self, world: &mut World) -> Result<usize, WorldError> {
        self.check_place()?;
        let mut changes = 0;
        for block in 0..self.blocks.len() {
            if self.blocks[block].is_changed {
                changes += self.update_block(block, world)?;
            }
        }
        Ok(changes)
    }

    /// Removes the grid from the world; the next update brings it back.
    pub fn remove_from(&mut self, world: &mut World) {
        for block in &mut self.blocks {
            if let Some(body) = block.body.take() {
                world.destroy_body(body);
                block.surface.clear();
                block.is_changed = true;
            }
        }
    }

    /// Appends the grid to `save` as bytes, to be stored beside [`World::save`].
    pub fn save_into(&self, save: &mut Vec<u8>) {
        self.write(&mut ByteSink::new(save));
    }

    /// Makes a grid from the bytes of [`save_into`](Self::save_into), for the world that was saved with it.
    ///
    /// # Errors
    /// If the bytes are no grid.
    pub fn load(save: &[u8]) -> Result<Self, LoadError> {
        let mut reader = Reader::new(save, 0);
        let grid = reader.read()?;
        match reader.remaining() {
            0 => Ok(grid),
            left => Err(reader.error(LoadReason::TrailingBytes(left))),
        }
    }

    /// Checks that both corners of the grid are in the world.
    fn check_place(&self) -> Result<(), ValueError> {
        let [columns, rows] = self.size.map(|count| count as f64 * f64::from(self.cell));
        let far = WorldPoint::new(self.origin.x + columns, self.origin.y + rows);
        check_position("lower left corner of the grid", self.origin)?;
        check_position("upper right corner of the grid", far)
    }

    /// Returns `true` if the parts, read from a save, belong together.
    fn is_valid(&self) -> bool {
        let blocks = self.size.map(|count| count.div_ceil(BLOCK));
        check_grid(self.size, self.cell).is_ok()
            && self.tiles.len() == self.size[0] * self.size[1]
            && self.blocks.len() == blocks[0] * blocks[1]
            && self.shape.validate().is_ok()
    }

    /// Returns the columns and rows of a block.
    fn cells_of(&self, block: usize) -> [Range<usize>; 2] {
        let across = self.size[0].div_ceil(BLOCK);
        let range = |index: usize, count: usize| index * BLOCK..((index + 1) * BLOCK).min(count);
        [
            range(block % across, self.size[0]),
            range(block / across, self.size[1]),
        ]
    }

    /// Replaces the pieces of a block that changed. Returns their number.
    fn update_block(&mut self, index: usize, world: &mut World) -> Result<usize, WorldError> {
        let [columns, rows] = self.cells_of(index);
        let tiles = TileCells {
            tiles: &self.tiles,
            size: self.size,
        };
        let new = tiles.surface(&columns, &rows, self.cell);
        let block = &mut self.blocks[index];
        let body = match block.body {
            Some(body) => body,
            None if new.is_empty() => {
                block.is_changed = false;
                return Ok(0);
            }
            None => {
                let cell = f64::from(self.cell);
                let corner = WorldPoint::new(
                    self.origin.x + columns.start as f64 * cell,
                    self.origin.y + rows.start as f64 * cell,
                );
                world.try_create_body(BodyDef::static_().world_position(corner))?
            }
        };
        block.body = Some(body);
        let mut old = core::mem::take(&mut block.surface);
        let mut changes = 0;
        for segment in new {
            let known = old.iter().position(|(kept, _)| *kept == segment);
            let piece = match known {
                Some(place) => old.swap_remove(place),
                None => {
                    changes += 1;
                    let shape = world.try_create_shape(body, segment, self.shape)?;
                    (segment, shape)
                }
            };
            block.surface.push(piece);
        }
        changes += old.len();
        for (_, shape) in old {
            world.destroy_shape(shape);
        }
        block.is_changed = false;
        Ok(changes)
    }
}

/// Largest side of a cell \[m\].
const MAX_CELL: f64 = 1000.0;

/// Checks the size of a grid and of its cells.
fn check_grid(size: [usize; 2], cell: f32) -> Result<(), ValueError> {
    let in_range = |name, value: f64, min: f64, max: f64| {
        if (min..=max).contains(&value) {
            return Ok(());
        }
        Err(ValueError::OutOfRange {
            name,
            value,
            min,
            max,
        })
    };
    let smallest = f64::from(cairn2d_geometry::MIN_SIZE);
    in_range("cell", cell.into(), smallest, MAX_CELL)?;
    for (name, count) in [("columns", size[0]), ("rows", size[1])] {
        in_range(name, count as f64, 0.0, MAX_SIDE as f64)?;
    }
    let cells = size[0] as f64 * size[1] as f64;
    in_range("columns times rows", cells, 0.0, MAX_CELLS as f64)
}
