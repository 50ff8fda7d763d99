//! Rain: ragdolls fall onto five floors, column by column, and the oldest are replaced.

use super::{BenchmarkScene, Cast, GRAVITY, bounds, end, ragdoll, rectangle_at};
use crate::engine::{BodyHandle, Engine};
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "rain",
    timed_steps: 1000,
    gravity: GRAVITY,
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(11_001, 15_505, 20_651, 10_000),
    bounds: bounds(point(-700.0, -1500.0), point(700.0, 230.0)),
    build: |engine| build_floors(engine, &STORM),
    before_step: |cast, engine, step| rain(cast, engine, step, &STORM),
};

/// Small enough to count instructions.
pub(super) const SMALL: BenchmarkScene = BenchmarkScene {
    name: "small_rain",
    timed_steps: 120,
    end: end(221, 761, 500, 200),
    build: |engine| build_floors(engine, &SHOWER),
    before_step: |cast, engine, step| rain(cast, engine, step, &SHOWER),
    ..SCENE
};

/// Amount of rain.
struct Extent {
    /// Floors.
    floors: usize,
    /// Columns of ragdolls above each floor.
    columns: usize,
    /// Height from which they fall onto their floor [m].
    drop_height: f32,
}

const STORM: Extent = Extent {
    floors: 5,
    columns: 40,
    drop_height: 40.0,
};

const SHOWER: Extent = Extent {
    floors: 1,
    columns: 4,
    drop_height: 0.5,
};

/// Boxes in a floor, and half the side of one [m].
const TILES: usize = 501;
const HALF_TILE: f32 = 0.25;

/// Left end of the floors [m].
const LEFT: f32 = -125.0;

/// Height from floor to floor [m].
const FLOOR_PITCH: f32 = 45.0;

/// Path from column to column, and within a column from ragdoll to ragdoll [m].
const COLUMN_PITCH: f32 = 6.25;
const RAGDOLL_PITCH: f32 = 0.5;

/// Ragdolls of a column above one floor.
const GROUP: usize = 5;

/// Steps from one column to the next.
const PERIOD: u32 = 8;

/// Builds the floors, all on one body.
fn build_floors(engine: &mut dyn Engine, extent: &Extent) -> Cast {
    let ground = engine.create_body(&BodyDef::static_());
    for floor in 0..extent.floors {
        for tile in 0..TILES {
            let x = LEFT + 2.0 * HALF_TILE * tile as f32;
            let shape = rectangle_at(HALF_TILE, HALF_TILE, x, FLOOR_PITCH * floor as f32);
            engine.create_shape(ground, &shape, &ShapeDef::default());
        }
    }
    Cast::default()
}

/// Lets the next column fall if it is time; once there are all, the oldest goes for it.
fn rain(cast: &mut Cast, engine: &mut dyn Engine, step: u32, extent: &Extent) {
    if !step.is_multiple_of(PERIOD) {
        return;
    }
    if cast.groups.len() < extent.columns {
        let column = cast.groups.len();
        cast.groups.push(build_column(engine, column, extent));
        return;
    }
    let column = cast.next;
    cast.next = (column + 1) % extent.columns;
    for body in cast.groups[column].drain(..) {
        engine.destroy_body(body);
    }
    cast.groups[column] = build_column(engine, column, extent);
}

fn build_column(engine: &mut dyn Engine, column: usize, extent: &Extent) -> Vec<BodyHandle> {
    let mut bodies = Vec::new();
    for floor in 0..extent.floors {
        let x = LEFT + COLUMN_PITCH * (column as f32 + 0.5);
        let y = extent.drop_height + FLOOR_PITCH * floor as f32;
        for place in 0..GROUP {
            let origin = point(x + RAGDOLL_PITCH * place as f32, y);
            ragdoll::build(engine, origin, -(place as i32 + 1), &mut bodies);
        }
    }
    bodies
}
