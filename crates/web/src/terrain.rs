//! Tile grids and fluids.

use crate::definitions::{JsShapeDef, query_filter};
use crate::error::{refused, thrown};
use crate::fields::{Fields, getters, put};
use crate::world::{WebWorld, or_throw, shape_def_or_default};
use cairn2d::{Fluid, Tile, TileGrid, TileTextError, Vec2, WorldPoint};
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** Where a tile grid is, and of what its surface is made. */
export interface TileGridDef {
  /** Lower left corner of the cell (0, 0) [m]; the origin by default. */
  origin?: Vec;
  surface?: ShapeDef;
}
/** A tile: `.` empty, `#` solid, `=` one-way platform, `/` and `\` slopes of the ground, `F` and `7` those of a ceiling. */
export type Tile = '.' | '#' | '=' | '/' | '\\' | 'F' | '7';
/** A fluid with a level surface: buoyancy and drag. */
export interface Fluid {
  /** A point of the surface [m], and the unit vector out of the fluid, (0, 1) by default. */
  surface: Vec;
  up?: Vec;
  /** Mass per area, like the density of shapes [kg/m^2]. */
  density: number;
  /** Rates at which a submerged body as dense as the fluid takes on its velocity and loses its spin [1/s]; 1 by default. */
  linearDrag?: number;
  angularDrag?: number;
  /** Velocity of the flow [m/s]. */
  velocity?: Vec;
  /** Box to which the fluid is confined [m]. */
  bounds?: { min: Vec; max: Vec };
  /** Whether sleeping bodies wake, for steps in which the surface or the flow changes. */
  wakes?: boolean;
}
";

#[wasm_bindgen]
extern "C" {
    /// See above.
    #[wasm_bindgen(typescript_type = "TileGridDef")]
    pub type JsTileGridDef;
    /// See above.
    #[wasm_bindgen(typescript_type = "Tile")]
    pub type JsTile;
    /// See above.
    #[wasm_bindgen(typescript_type = "Fluid")]
    pub type JsFluid;
    /// See above.
    #[wasm_bindgen(typescript_type = "[number, number]")]
    pub type JsCell;
}

getters! {
    surface "surface" Fields; linear_drag "linearDrag" f64; angular_drag "angularDrag" f64;
    wakes "wakes" bool;
}

/// The tiles with their letters.
const LETTERS: [(Tile, &str); 7] = [
    (Tile::Empty, "."),
    (Tile::Solid, "#"),
    (Tile::OneWay, "="),
    (Tile::SlopeLowerRight, "/"),
    (Tile::SlopeLowerLeft, "\\"),
    (Tile::SlopeUpperLeft, "F"),
    (Tile::SlopeUpperRight, "7"),
];

/// A map of square tiles on static bodies, which is edited in place.
#[wasm_bindgen(js_name = TileGrid)]
pub struct WebTileGrid(TileGrid);

fn placed(grid: TileGrid, def: &Option<JsTileGridDef>) -> Result<WebTileGrid, JsValue> {
    let fields = def.as_ref().map(|def| def.unchecked_ref::<Fields>());
    let origin = fields
        .and_then(Fields::origin)
        .map_or(WorldPoint::ORIGIN, |at| at.to_place());
    let surface = fields
        .and_then(Fields::surface)
        .map(|surface| surface.unchecked_into::<JsShapeDef>());
    let grid = or_throw(grid.try_at(origin))?;
    or_throw(grid.try_surface(shape_def_or_default(&surface))).map(WebTileGrid)
}

#[wasm_bindgen(js_class = TileGrid)]
impl WebTileGrid {
    /// Creates an empty grid with cells of the side `cell` [m]; the cell (0, 0) is at the lower left. Throws for invalid numbers.
    #[wasm_bindgen(constructor)]
    pub fn new(
        columns: usize,
        rows: usize,
        cell: f32,
        def: Option<JsTileGridDef>,
    ) -> Result<WebTileGrid, JsValue> {
        or_throw(TileGrid::try_new([columns, rows], cell)).and_then(|grid| placed(grid, &def))
    }

    /// Creates a grid from a text: a line for each row, the highest row first. Throws for a letter that is no tile.
    #[wasm_bindgen(js_name = fromText)]
    pub fn from_text(
        text: &str,
        cell: f32,
        def: Option<JsTileGridDef>,
    ) -> Result<WebTileGrid, JsValue> {
        match TileGrid::try_from_text(text, cell) {
            Ok(grid) => placed(grid, &def),
            Err(TileTextError::Value(error)) => Err(thrown(&error)),
            Err(error) => Err(refused("map:", &error.to_string())),
        }
    }

    /// Number of columns.
    #[wasm_bindgen(getter)]
    pub fn columns(&self) -> usize {
        self.0.size()[0]
    }

    /// Number of rows.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> usize {
        self.0.size()[1]
    }

    /// The tile of a cell, or undefined outside of the grid.
    pub fn get(&self, column: usize, row: usize) -> Option<JsTile> {
        if column >= self.columns() || row >= self.rows() {
            return None;
        }
        let tile = self.0.get([column, row]);
        let letter = LETTERS.iter().find(|(of, _)| *of == tile)?.1;
        Some(JsValue::from(letter).unchecked_into())
    }

    /// Changes a cell; `update` brings it into the world. Throws outside of the grid.
    pub fn set(&mut self, column: usize, row: usize, tile: JsTile) -> Result<(), JsValue> {
        let letter = tile.as_string().unwrap_or_default();
        let mut letters = letter.chars();
        let tile = letters
            .next()
            .filter(|_| letters.next().is_none())
            .and_then(Tile::from_letter);
        let tile = tile.ok_or_else(|| refused("tile", "must be one of . # = / \\ F 7"))?;
        or_throw(self.0.try_set([column, row], tile))
    }

    /// The column and row of the cell at a place [m], or undefined outside of the grid.
    #[wasm_bindgen(js_name = cellAt)]
    pub fn cell_at(&self, x: f64, y: f64) -> Option<JsCell> {
        let cell = self.0.cell_at(WorldPoint::new(x, y))?;
        let cell: Array = cell
            .iter()
            .map(|&index| JsValue::from(index as f64))
            .collect();
        Some(cell.unchecked_into())
    }

    /// Brings all changes into a world, always the same one. Throws if a body of the grid was destroyed.
    pub fn update(&mut self, world: &mut WebWorld) -> Result<(), JsValue> {
        or_throw(self.0.try_update(&mut world.world)).map(|_| ())
    }

    /// Removes the grid from its world; the next update brings it back.
    #[wasm_bindgen(js_name = removeFrom)]
    pub fn remove_from(&mut self, world: &mut WebWorld) {
        self.0.remove_from(&mut world.world);
    }

    /// The grid as bytes, to be kept beside the save of its world.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.save_into(&mut bytes);
        bytes
    }

    /// Makes a grid from its bytes, for the world that was saved with it. Throws if they are damaged.
    pub fn load(save: &[u8]) -> Result<WebTileGrid, JsValue> {
        let grid = TileGrid::load(save);
        grid.map(Self)
            .map_err(|error| refused("save:", &error.to_string()))
    }
}

fn fluid(from: &Fields) -> Fluid {
    let place =
        |at: Option<Fields>| at.map_or(WorldPoint::new(f64::NAN, f64::NAN), |at| at.to_place());
    let mut fluid = Fluid::new(place(from.surface()), f32::NAN);
    put(&mut fluid.density, from.density());
    put(&mut fluid.linear_drag, from.linear_drag());
    put(&mut fluid.angular_drag, from.angular_drag());
    fluid.up = from.up().map_or(fluid.up, |up| up.to_vec2());
    fluid.velocity = from
        .velocity()
        .map_or_else(Vec2::zeros, |velocity| velocity.to_vec2());
    fluid.wakes = from.wakes().unwrap_or(false);
    fluid.filter = query_filter(Some(from));
    fluid.bounds = from.bounds().and_then(|bounds| bounds.to_box());
    fluid
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Applies buoyancy and drag of a fluid to the bodies in it, for the next step. Throws for invalid numbers.
    #[wasm_bindgen(js_name = applyFluid)]
    pub fn apply_fluid(&mut self, fluid_def: JsFluid) -> Result<(), JsValue> {
        or_throw(
            self.world
                .try_apply_fluid(&fluid(fluid_def.unchecked_ref())),
        )
    }
}
