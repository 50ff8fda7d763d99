//! Junkyard: a pusher moves back and forth through a heap of pentagons.

use super::{BenchmarkScene, Cast, GRAVITY, STEP, bounds, drop_shape, end, hull, rectangle_at};
use crate::engine::Engine;
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "junkyard",
    timed_steps: 800,
    gravity: GRAVITY,
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(8002, 8262, 24_341, 0),
    bounds: bounds(point(-80.0, -0.5), point(80.0, 80.0)),
    build,
    before_step: push,
};

/// Farthest way of the pusher from the middle [m].
const REACH: f32 = 60.0;

/// Phase of the pusher per time [rad/s].
const PACE: f32 = 0.2;

fn build(engine: &mut dyn Engine) -> Cast {
    build_yard(engine);
    let pusher = engine.create_body(&BodyDef::kinematic());
    engine.create_shape(
        pusher,
        &rectangle_at(2.0, 4.0, 0.0, 4.0),
        &ShapeDef::default(),
    );

    let junk = pentagon();
    let def = ShapeDef::default();
    let mut side = -0.1;
    let mut heap = Vec::new();
    for column in 0..200 {
        for row in 0..40 {
            let x = 0.375 * (2.0 * column as f32 - 200.0) + side;
            heap.push(drop_shape(engine, x, row as f32 + 15.0, &junk, &def));
            side = -side;
        }
    }
    let mut cast = Cast::one(vec![pusher]);
    cast.groups.push(heap);
    cast
}

fn build_yard(engine: &mut dyn Engine) {
    let ground = engine.create_body(&BodyDef::static_());
    let def = ShapeDef::default();
    for i in 0..161 {
        let floor = rectangle_at(0.55, 0.5, -80.0 + i as f32, 0.0);
        engine.create_shape(ground, &floor, &def);
    }
    for x in [-80.0, 80.0] {
        for i in 0..50 {
            engine.create_shape(ground, &rectangle_at(0.5, 0.55, x, 1.0 + i as f32), &def);
        }
    }
}

/// Returns an uneven pentagon: its corners lie on a circle, apart by the golden angle.
fn pentagon() -> Shape {
    let golden = math::PI * (5.0_f32.sqrt() - 1.0);
    let corner = |i: u32| {
        let (sin, cos) = math::sin_cos(golden * i as f32);
        point(0.25 * cos, 0.25 * sin)
    };
    let corners: Vec<Point> = (0..5).map(corner).collect();
    hull(&corners)
}

fn push(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let (sin, _) = math::sin_cos(PACE * step as f32 / 60.0);
    engine.move_to(cast.groups[0][0], point(REACH * sin, 0.0), 0.0, STEP);
}
