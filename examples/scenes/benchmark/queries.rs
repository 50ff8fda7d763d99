//! Questions to a world: rays, overlaps, casts of shapes, sensors, and copies.

use super::worlds::{self, SCENE, circle};
use super::{BenchmarkScene, Cast, end, games, rectangle};
use crate::engine::Engine;
use cairn2d::prelude::*;

/// Questions of a step.
const QUESTIONS: usize = 1000;

/// Tiles and bodies of the level.
const TILES: usize = 30_000;
const MOVERS: usize = 1000;

pub(super) const SCENES: [BenchmarkScene; 6] = [
    games::RAYS,
    BenchmarkScene {
        name: "walker_rays",
        before_step: walker_rays,
        ..LEVEL
    },
    BenchmarkScene {
        name: "overlaps",
        before_step: overlaps,
        ..LEVEL
    },
    BenchmarkScene {
        name: "shape_casts",
        before_step: shape_casts,
        ..LEVEL
    },
    games::SENSORS,
    BenchmarkScene {
        name: "copies",
        timed_steps: 50,
        end: end(TILES + MOVERS, TILES + MOVERS, 0, 0),
        build: |engine| worlds::tiles(engine, MOVERS),
        before_step: copies,
        ..LEVEL
    },
];

/// A level whose bodies rest where they were created.
const LEVEL: BenchmarkScene = BenchmarkScene {
    name: "level",
    timed_steps: 100,
    sleeping: true,
    is_stepped: false,
    end: end(TILES + MOVERS, TILES + MOVERS, 0, 0),
    build: |engine| worlds::tiles(engine, MOVERS),
    ..SCENE
};

/// Returns a place above the tiles, another one for each question of a step.
fn place(i: usize, step: u32) -> Point {
    let x = 7.31 * i as f32 + 0.17 * step as f32;
    point(x % 299.0, 6.0 + 0.2 * (i % 8) as f32)
}

/// Casts a ray down at the ground, and three short ones that mostly meet nothing, as a walker does.
fn walker_rays(_: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step == 0 {
        return;
    }
    let mut hits = 0;
    for i in 0..QUESTIONS {
        let origin = place(i, step);
        let rays = [(0.0, -8.0), (0.6, 0.0), (-0.6, 0.0), (0.0, 1.0)];
        for ray in rays.map(|(x, y)| vec2(x, y)) {
            hits += usize::from(engine.ray_cast(origin, ray).is_some());
        }
    }
    assert!(
        (QUESTIONS..2 * QUESTIONS).contains(&hits),
        "{hits} rays hit"
    );
}

/// Asks for the shapes in boxes among the tiles, and at their surface.
fn overlaps(_: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step == 0 {
        return;
    }
    let area = rectangle(1.2, 0.8);
    let found: usize = (0..QUESTIONS)
        .map(|i| engine.overlaps(&area, place(i, step) - vec2(0.0, (i % 12) as f32)))
        .sum();
    assert!(found > QUESTIONS, "{found} shapes overlap");
}

/// Moves circles down and aside to the ground.
fn shape_casts(_: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step == 0 {
        return;
    }
    let ball = circle(0.4);
    let hits = (0..QUESTIONS)
        .filter(|&i| {
            let way = vec2(2.0 - (i % 5) as f32, -9.0);
            engine.shape_cast(&ball, place(i, step), way).is_some()
        })
        .count();
    assert!(10 * hits > 9 * QUESTIONS, "{hits} of {QUESTIONS} hit");
}

/// Copies the world, and goes back to the copy in every second step.
fn copies(_: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step.is_multiple_of(2) {
        engine.keep();
    } else {
        engine.restore();
    }
}
