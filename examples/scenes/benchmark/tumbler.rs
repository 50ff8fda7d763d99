//! Tumbler: a motor turns a hollow drum with small boxes in it.

use super::{
    BenchmarkScene, Cast, GRAVITY, bounds, drop_shape, end, nothing, rectangle, rectangle_at,
};
use crate::engine::{BodyHandle, Engine, Hinge};
use cairn2d::math::PI;
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "tumbler",
    timed_steps: 750,
    gravity: GRAVITY,
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(2027, 2029, 8823, 1),
    bounds: bounds(point(-15.0, -5.0), point(15.0, 25.0)),
    build: |engine| build(engine, 45),
    before_step: nothing,
};

/// Speed of drum and washer, 25 degrees a second [rad/s].
pub(super) const DRUM_SPEED: f32 = 25.0 * PI / 180.0;

/// Distance of the boxes at first, and room between the outer ones and the middle of the drum's wall: left and below, and on
/// both sides together [m].
const PITCH: f64 = 0.4;
const MARGIN: f64 = 1.0;
const ROOM: f64 = 2.4;

/// Builds a drum with `side` rows of `side` boxes.
pub(super) fn build(engine: &mut dyn Engine, side: usize) -> Cast {
    let half = 0.5 * (PITCH * (side - 1) as f64 + ROOM);
    let mut bodies = vec![build_drum(engine, half as f32)];
    let shape = rectangle(0.125, 0.125);
    let (left, bottom) = ((MARGIN - half) as f32, MARGIN as f32);
    for row in 0..side {
        for column in 0..side {
            let step = PITCH as f32;
            let (x, y) = (left + step * column as f32, bottom + step * row as f32);
            bodies.push(drop_shape(engine, x, y, &shape, &ShapeDef::default()));
        }
    }
    Cast::one(bodies)
}

fn build_drum(engine: &mut dyn Engine, half: f32) -> BodyHandle {
    let ground = engine.create_body(&BodyDef::static_());
    let drum = engine.create_body(&BodyDef::dynamic().position(0.0, half));
    let def = ShapeDef::default().density(50.0);
    for side in [half, -half] {
        engine.create_shape(drum, &rectangle_at(0.5, half, side, 0.0), &def);
        engine.create_shape(drum, &rectangle_at(half, 0.5, 0.0, side), &def);
    }
    engine.create_hinge(&Hinge {
        motor: Some(Motor::new(DRUM_SPEED, 1.0e8)),
        ..Hinge::new(
            (ground, JointFrame::at(0.0, half)),
            (drum, JointFrame::ORIGIN),
        )
    });
    drum
}
