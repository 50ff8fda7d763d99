//! Terrain of the bipedal walker: grass, and in the hard version stumps, stairs and pits.

use crate::box2d::SKIN;
use crate::envs::box2d_scene::{
    Fixture, SCALE, Scene, VIEWPORT, ground_edge, ground_polygon, vector,
};
use crate::envs::random::Random;
use cairn2d::math::Point;
use cairn2d::{BodyId, Ray, Shape};

/// Length of a piece of terrain [m].
pub(super) const TERRAIN_STEP: f64 = 14.0 / SCALE;
/// Usual number of pieces.
pub(super) const TERRAIN_LENGTH: usize = 200;
/// Usual height [m].
pub(super) const TERRAIN_HEIGHT: f64 = VIEWPORT[1] / SCALE / 4.0;
/// Greatest number of pieces of grass in a row.
pub(super) const TERRAIN_GRASS: i64 = 10;
/// Flat pieces at the start.
pub(super) const TERRAIN_STARTPAD: i64 = 20;
/// Friction of the ground.
const FRICTION: f64 = 2.5;

/// Kind of terrain at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patch {
    Grass,
    Stump,
    Stairs,
    Pit,
}

/// The shapes of the terrain in columns, one for each piece: where a ray may hit. One after the other is faster than the
/// broad phase of the world, since rays go down and to the right.
#[derive(Debug, Default)]
pub(super) struct Columns(Vec<Column>);

#[derive(Clone, Debug)]
struct Column {
    /// Height above which it has no shape [m].
    top: f64,
    shapes: Vec<Shape>,
}

impl Column {
    const EMPTY: Self = Self {
        top: f64::NEG_INFINITY,
        shapes: Vec::new(),
    };
}

/// Distance by which shapes may reach beyond their corners, by their radius and by rounding [m].
const MARGIN: f64 = SKIN as f64 + 1.0e-3;

impl Columns {
    /// Adds a shape of these corners.
    fn add(&mut self, shape: &Shape, corners: &[[f64; 2]]) {
        let ends = |xy: usize| {
            let parts = corners.iter().map(|corner| corner[xy]);
            let least = parts.clone().fold(f64::INFINITY, f64::min);
            (
                least - MARGIN,
                parts.fold(f64::NEG_INFINITY, f64::max) + MARGIN,
            )
        };
        let ((from_x, to_x), (_, top)) = (ends(0), ends(1));
        let last = column_of(to_x);
        if self.0.len() <= last {
            self.0.resize(last + 1, Column::EMPTY);
        }
        for column in &mut self.0[column_of(from_x)..=last] {
            column.top = column.top.max(top);
            column.shapes.push(shape.clone());
        }
    }

    /// Returns the share of a ray at which it first hits a shape that does not contain its start; 1 if none. The ray goes down,
    /// and not to the left.
    pub(super) fn ray_cast(&self, origin: Point, [dx, dy]: [f64; 2]) -> f32 {
        let mut ray = Ray::new(origin, vector(dx, dy));
        let (x, y) = (f64::from(origin.x), f64::from(origin.y));
        for at in column_of(x)..=column_of(x + dx) {
            let Some(column) = self.0.get(at) else { break };
            // Where the ray leaves the column.
            let end = (at as f64 + 1.0) * TERRAIN_STEP - x;
            let share = if end < dx { end / dx } else { 1.0 };
            if y + share * dy > column.top {
                continue;
            }
            for shape in &column.shapes {
                if let Some(hit) = shape.ray_cast(&ray)
                    && hit.normal.norm_squared() > 0.0
                {
                    ray.max_fraction = ray.max_fraction.min(hit.fraction);
                }
            }
            if f64::from(ray.max_fraction) < share {
                break;
            }
        }
        ray.max_fraction
    }
}

/// Returns the column of a place, the first one for places before it.
fn column_of(x: f64) -> usize {
    (x / TERRAIN_STEP).max(0.0) as usize
}

/// State while the terrain is made, piece by piece.
struct Terrain {
    shapes: Vec<Shape>,
    columns: Columns,
    velocity: f64,
    y: f64,
    /// Height at the start of stairs or a pit [m].
    original_y: f64,
    counter: i64,
    patch: Patch,
    /// Whether the patch starts here.
    starts: bool,
    stair_steps: i64,
    stair_width: i64,
    stair_height: f64,
}

/// Makes a terrain of `length` pieces; returns its bodies in the order in which they are destroyed, and its columns.
pub(super) fn create_terrain(
    scene: &mut Scene,
    random: &mut Random,
    is_hardcore: bool,
    length: usize,
) -> (Vec<BodyId>, Columns) {
    let mut terrain = Terrain {
        shapes: Vec::new(),
        columns: Columns::default(),
        velocity: 0.0,
        y: TERRAIN_HEIGHT,
        original_y: 0.0,
        counter: TERRAIN_STARTPAD,
        patch: Patch::Grass,
        starts: false,
        stair_steps: 0,
        stair_width: 0,
        stair_height: 0.0,
    };
    let heights: Vec<f64> = (0..length)
        .map(|i| terrain.piece(i, random, is_hardcore))
        .collect();
    for i in 0..length - 1 {
        let end = |i: usize| [i as f64 * TERRAIN_STEP, heights[i]];
        let ends = [end(i), end(i + 1)];
        terrain.put(ground_edge(ends), &ends);
    }
    let fixture = Fixture {
        friction: FRICTION,
        ..Fixture::default()
    };
    let mut bodies = scene.grounds(terrain.shapes, fixture);
    bodies.reverse();
    (bodies, terrain.columns)
}

/// Draws the random numbers of the clouds, which are seen only in pictures.
pub(super) fn skip_clouds(random: &mut Random, length: usize) {
    for _ in 0..length / 20 {
        for _ in 0..1 + 5 * 2 {
            random.random();
        }
    }
}

impl Terrain {
    /// Makes piece `i` and returns the height of its start [m].
    fn piece(&mut self, i: usize, random: &mut Random, is_hardcore: bool) -> f64 {
        let x = i as f64 * TERRAIN_STEP;
        match (self.patch, self.starts) {
            (Patch::Grass, false) => self.grow_grass(i, random),
            (Patch::Pit, true) => self.dig_pit(x, random),
            (Patch::Pit, false) => {
                self.y = self.original_y;
                if self.counter > 1 {
                    self.y -= 4.0 * TERRAIN_STEP;
                }
            }
            (Patch::Stump, true) => self.put_stump(x, random),
            (Patch::Stairs, true) => self.build_stairs(x, random),
            (Patch::Stairs, false) => {
                let done =
                    (self.stair_steps * self.stair_width - self.counter) as f64 - self.stair_height;
                let steps = done / self.stair_width as f64;
                self.y = self.original_y + (steps * self.stair_height) * TERRAIN_STEP;
            }
            (Patch::Grass, true) | (Patch::Stump, false) => {}
        }
        self.starts = false;
        let height = self.y;
        self.counter -= 1;
        if self.counter == 0 {
            self.next_patch(random, is_hardcore);
        }
        height
    }

    fn next_patch(&mut self, random: &mut Random, is_hardcore: bool) {
        self.counter = random.integers(TERRAIN_GRASS / 2, TERRAIN_GRASS);
        self.starts = true;
        self.patch = if self.patch == Patch::Grass && is_hardcore {
            [Patch::Stump, Patch::Stairs, Patch::Pit][random.integers(1, 4) as usize - 1]
        } else {
            Patch::Grass
        };
    }

    fn grow_grass(&mut self, i: usize, random: &mut Random) {
        let off = TERRAIN_HEIGHT - self.y;
        let sign = if off == 0.0 { 0.0 } else { off.signum() };
        self.velocity = 0.8 * self.velocity + 0.01 * sign;
        if i as i64 > TERRAIN_STARTPAD {
            self.velocity += random.uniform(-1.0, 1.0) / SCALE;
        }
        self.y += self.velocity;
    }

    fn dig_pit(&mut self, x: f64, random: &mut Random) {
        self.counter = random.integers(3, 5);
        let (y, step) = (self.y, TERRAIN_STEP);
        let side = [
            [x, y],
            [x + step, y],
            [x + step, y - 4.0 * step],
            [x, y - 4.0 * step],
        ];
        let width = step * self.counter as f64;
        self.put_polygon(&side);
        self.put_polygon(&side.map(|[x, y]| [x + width, y]));
        self.counter += 2;
        self.original_y = y;
    }

    fn put_stump(&mut self, x: f64, random: &mut Random) {
        self.counter = random.integers(1, 3);
        let (y, size) = (self.y, self.counter as f64 * TERRAIN_STEP);
        self.put_polygon(&[[x, y], [x + size, y], [x + size, y + size], [x, y + size]]);
    }

    fn build_stairs(&mut self, x: f64, random: &mut Random) {
        self.stair_height = if random.random() > 0.5 { 1.0 } else { -1.0 };
        self.stair_width = random.integers(4, 5);
        self.stair_steps = random.integers(3, 5);
        self.original_y = self.y;
        let (width, height, step) = (self.stair_width as f64, self.stair_height, TERRAIN_STEP);
        for s in 0..self.stair_steps {
            let s = s as f64;
            let [left, right] = [x + (s * width) * step, x + ((1.0 + s) * width) * step];
            let [top, bottom] = [
                self.y + (s * height) * step,
                self.y + (-1.0 + s * height) * step,
            ];
            self.put_polygon(&[[left, top], [right, top], [right, bottom], [left, bottom]]);
        }
        self.counter = self.stair_steps * self.stair_width;
    }

    fn put_polygon(&mut self, vertices: &[[f64; 2]]) {
        self.put(ground_polygon(vertices), vertices);
    }

    fn put(&mut self, shape: Shape, corners: &[[f64; 2]]) {
        self.columns.add(&shape, corners);
        self.shapes.push(shape);
    }
}
