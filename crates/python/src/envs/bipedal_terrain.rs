//! Terrain of the bipedal walker: grass, and in the hard version stumps, stairs and pits.

use crate::envs::box2d_scene::{Fixture, SCALE, Scene, VIEWPORT};
use crate::envs::random::Random;
use cairn2d::BodyId;

/// Length of a piece of terrain [m].
pub(super) const TERRAIN_STEP: f64 = 14.0 / SCALE;
/// Number of pieces.
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

/// State while the terrain is made, piece by piece.
struct Terrain<'a> {
    scene: &'a mut Scene,
    bodies: Vec<BodyId>,
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

/// Makes the terrain; returns its bodies in the order in which they are destroyed.
pub(super) fn create_terrain(
    scene: &mut Scene,
    random: &mut Random,
    is_hardcore: bool,
) -> Vec<BodyId> {
    let mut terrain = Terrain {
        scene,
        bodies: Vec::new(),
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
    let heights: Vec<f64> = (0..TERRAIN_LENGTH)
        .map(|i| terrain.piece(i, random, is_hardcore))
        .collect();
    for i in 0..TERRAIN_LENGTH - 1 {
        let end = |i: usize| [i as f64 * TERRAIN_STEP, heights[i]];
        let body = terrain.scene.ground();
        terrain.scene.add_edge(
            body,
            [end(i), end(i + 1)],
            Fixture {
                friction: FRICTION,
                ..Fixture::default()
            },
        );
        terrain.bodies.push(body);
    }
    terrain.bodies.reverse();
    terrain.bodies
}

/// Draws the random numbers of the clouds, which are seen only in pictures.
pub(super) fn skip_clouds(random: &mut Random) {
    for _ in 0..TERRAIN_LENGTH / 20 {
        for _ in 0..1 + 5 * 2 {
            random.random();
        }
    }
}

impl Terrain<'_> {
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
        self.put(&side);
        self.put(&side.map(|[x, y]| [x + width, y]));
        self.counter += 2;
        self.original_y = y;
    }

    fn put_stump(&mut self, x: f64, random: &mut Random) {
        self.counter = random.integers(1, 3);
        let (y, size) = (self.y, self.counter as f64 * TERRAIN_STEP);
        self.put(&[[x, y], [x + size, y], [x + size, y + size], [x, y + size]]);
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
            self.put(&[[left, top], [right, top], [right, bottom], [left, bottom]]);
        }
        self.counter = self.stair_steps * self.stair_width;
    }

    fn put(&mut self, vertices: &[[f64; 2]]) {
        let body = self.scene.ground();
        self.scene.add_polygon(
            body,
            vertices,
            Fixture {
                friction: FRICTION,
                ..Fixture::default()
            },
        );
        self.bodies.push(body);
    }
}
