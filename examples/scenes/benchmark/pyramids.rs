//! Pyramids of boxes: one large, and many small ones.

use super::{BenchmarkScene, Cast, GRAVITY, bounds, drop_shape, end, nothing, rectangle};
use crate::engine::{BodyHandle, Engine};
use cairn2d::prelude::*;

pub(super) const LARGE: BenchmarkScene = BenchmarkScene {
    name: "large_pyramid",
    timed_steps: 500,
    gravity: GRAVITY,
    sleeping: false,
    worlds: 1,
    is_stepped: true,
    end: end(5051, 5051, 14_950, 0),
    bounds: bounds(point(-60.0, 0.0), point(60.0, 101.0)),
    build: |engine| Cast::one(build_one(engine, 100)),
    before_step: nothing,
};

pub(super) const MANY: BenchmarkScene = BenchmarkScene {
    name: "many_pyramids",
    timed_steps: 200,
    gravity: GRAVITY,
    sleeping: false,
    worlds: 1,
    is_stepped: true,
    end: end(22_001, 22_020, 58_000, 0),
    bounds: bounds(point(-112.0, 0.0), point(112.0, 220.0)),
    build: |engine| Cast::one(build_many(engine, 20)),
    before_step: nothing,
};

/// Small enough to count instructions.
pub(super) const SMALL: BenchmarkScene = BenchmarkScene {
    name: "small_pyramid",
    timed_steps: 60,
    end: end(211, 211, 590, 0),
    build: |engine| Cast::one(build_one(engine, 20)),
    ..LARGE
};

/// Half the side of a box [m].
const HALF: f32 = 0.5;

/// Boxes in the lowest row of a small pyramid.
const SMALL_BASE: usize = 10;

/// Boxes in a small pyramid.
pub(super) const SMALL_COUNT: usize = SMALL_BASE * (SMALL_BASE + 1) / 2;

/// Builds a pyramid with `base` boxes in the lowest row; returns the boxes.
fn build_one(engine: &mut dyn Engine, base: usize) -> Vec<BodyHandle> {
    let ground = engine.create_body(&BodyDef::static_().position(0.0, -1.0));
    engine.create_shape(ground, &rectangle(100.0, 1.0), &ShapeDef::default());
    let mut boxes = Vec::new();
    stack(engine, base, -0.5 * base as f32, 0.0, &mut boxes);
    boxes
}

/// Builds `side` floors with `side` small pyramids on each; returns the boxes.
pub(super) fn build_many(engine: &mut dyn Engine, side: usize) -> Vec<BodyHandle> {
    // A pyramid has a meter to spare.
    let pitch = 2.0 * HALF * (SMALL_BASE + 1) as f32;
    let half_width = 0.5 * pitch * side as f32;
    let ground = engine.create_body(&BodyDef::static_());
    for row in 0..side {
        let y = pitch * row as f32;
        let floor = Segment::new(point(-half_width, y), point(half_width, y));
        engine.create_shape(ground, &floor.into(), &ShapeDef::default());
    }
    let mut boxes = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let left = -half_width + pitch * column as f32 + HALF;
            stack(engine, SMALL_BASE, left, pitch * row as f32, &mut boxes);
        }
    }
    boxes
}

/// Piles a pyramid whose left edge is at `left` and whose foot is at `foot` [m].
fn stack(engine: &mut dyn Engine, base: usize, left: f32, foot: f32, boxes: &mut Vec<BodyHandle>) {
    let shape = rectangle(HALF, HALF);
    for row in 0..base {
        let y = row as f32 + HALF + foot;
        for place in row..base {
            let x = 0.5 * (row + 1) as f32 + (place - row) as f32 + left;
            boxes.push(drop_shape(engine, x, y, &shape, &ShapeDef::default()));
        }
    }
}
