//! Smash: a heavy block flies into a sleeping wall, without gravity.

use super::{BenchmarkScene, Cast, bounds, end, nothing, rectangle};
use crate::engine::Engine;
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "smash",
    timed_steps: 300,
    gravity: vec2(0.0, 0.0),
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(9601, 9601, 6296, 0),
    bounds: bounds(point(-400.0, -400.0), point(600.0, 400.0)),
    build,
    before_step: nothing,
};

fn build(engine: &mut dyn Engine) -> Cast {
    let block = engine.create_body(&BodyDef::dynamic().position(-20.0, 0.0).velocity(40.0, 0.0));
    engine.create_shape(
        block,
        &rectangle(4.0, 4.0),
        &ShapeDef::default().density(8.0),
    );

    let brick = rectangle(0.2, 0.2);
    let mut bodies = vec![block];
    for column in 0..120 {
        for row in 0..80 {
            let x = 0.4 * column as f32 + 30.0;
            let y = 0.4 * (row as f32 - 40.0);
            let body = engine.create_body(&BodyDef {
                initial_state: InitialState::Asleep,
                ..BodyDef::dynamic().position(x, y)
            });
            engine.create_shape(body, &brick, &ShapeDef::default());
            bodies.push(body);
        }
    }
    Cast::one(bodies)
}
