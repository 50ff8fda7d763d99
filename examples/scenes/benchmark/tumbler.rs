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
    sleeping: Switch::On,
    end: end(2027, 2029, 8823, 1),
    bounds: bounds(point(-15.0, -5.0), point(15.0, 25.0)),
    build,
    before_step: nothing,
};

/// Speed of drum and washer, 25 degrees a second [rad/s].
pub(super) const DRUM_SPEED: f32 = 25.0 * PI / 180.0;

fn build(engine: &mut dyn Engine) -> Cast {
    let mut bodies = vec![build_drum(engine)];
    let shape = rectangle(0.125, 0.125);
    for row in 0..45 {
        for column in 0..45 {
            let (x, y) = (-9.0 + 0.4 * column as f32, 1.0 + 0.4 * row as f32);
            bodies.push(drop_shape(engine, x, y, &shape, &ShapeDef::default()));
        }
    }
    Cast::one(bodies)
}

fn build_drum(engine: &mut dyn Engine) -> BodyHandle {
    let ground = engine.create_body(&BodyDef::fixed());
    let drum = engine.create_body(&BodyDef::dynamic().at(0.0, 10.0));
    let def = ShapeDef::default().density(50.0);
    for side in [10.0, -10.0] {
        engine.create_shape(drum, &rectangle_at(0.5, 10.0, side, 0.0), &def);
        engine.create_shape(drum, &rectangle_at(10.0, 0.5, 0.0, side), &def);
    }
    engine.create_hinge(&Hinge {
        motor: Some(Motor::new(DRUM_SPEED, 1.0e8)),
        ..Hinge::new(
            (ground, JointFrame::at(0.0, 10.0)),
            (drum, JointFrame::ORIGIN),
        )
    });
    drum
}
