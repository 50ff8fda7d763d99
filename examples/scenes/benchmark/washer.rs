//! Washer: a kinematic ring with paddles turns many small boxes over.

use super::tumbler::DRUM_SPEED;
use super::{BenchmarkScene, Cast, GRAVITY, bounds, drop_shape, end, hull, nothing, rectangle};
use crate::engine::{BodyHandle, Engine};
use cairn2d::math::{PI, rotation};
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "washer",
    timed_steps: 500,
    gravity: GRAVITY,
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(8102, 8140, 29_669, 0),
    bounds: bounds(point(-18.5, -8.5), point(18.5, 28.5)),
    build,
    before_step: nothing,
};

/// Pieces of the ring; each ninth carries a paddle.
const PIECES: usize = 36;
const PADDLE_EVERY: usize = 9;

/// Inner edge of the paddles, inner and outer edge of the ring [m].
const PADDLE_TIP: f32 = 14.0;
const INNER: f32 = 16.0;
const OUTER: f32 = 18.0;

fn build(engine: &mut dyn Engine) -> Cast {
    // Part of the scene as published, though nothing is on it.
    engine.create_body(&BodyDef::static_());
    let mut bodies = vec![build_ring(engine)];
    let shape = rectangle(0.1, 0.1);
    for row in 0..90 {
        for column in 0..90 {
            let (x, y) = (-9.9 + 0.21 * column as f32, 0.1 + 0.21 * row as f32);
            bodies.push(drop_shape(engine, x, y, &shape, &ShapeDef::default()));
        }
    }
    Cast::one(bodies)
}

fn build_ring(engine: &mut dyn Engine) -> BodyHandle {
    let ring = engine.create_body(&BodyDef {
        angular_velocity: DRUM_SPEED,
        ..BodyDef::kinematic()
            .position(0.0, 10.0)
            .velocity(0.001, -0.002)
    });
    let piece = 2.0 * PI / PIECES as f32;
    let degree = PI / 180.0;
    let direction = |angle: f32| rotation(angle) * vec2(1.0, 0.0);
    let between = |near: f32, far: f32, a: Vec2, b: Vec2| {
        hull(&[near * a, far * a, near * b, far * b].map(Point::from))
    };
    for i in 0..PIECES {
        let (start, stop) = (piece * i as f32, piece * (i + 1) as f32);
        // A degree more at each end, so that neighbors overlap.
        let (a, b) = (direction(start - degree), direction(stop + degree));
        engine.create_shape(ring, &between(INNER, OUTER, a, b), &ShapeDef::default());
        if i % PADDLE_EVERY == 0 {
            let (a, b) = (direction(start), direction(stop));
            engine.create_shape(
                ring,
                &between(PADDLE_TIP, INNER, a, b),
                &ShapeDef::default(),
            );
        }
    }
    ring
}
