//! Compounds: towers of bodies made of two triangles each topple into a pit.

use super::{BenchmarkScene, Cast, GRAVITY, bounds, end, hull, nothing, rectangle_at};
use crate::engine::Engine;
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "compounds",
    timed_steps: 500,
    gravity: GRAVITY,
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(3001, 6282, 26_221, 0),
    bounds: bounds(point(-800.0, -80.0), point(800.0, 360.0)),
    build,
    before_step: nothing,
};

fn build(engine: &mut dyn Engine) -> Cast {
    build_pit(engine);
    let left = hull(&[point(-1.0, 0.0), point(0.5, 1.0), point(0.0, 2.0)]);
    let right = hull(&[point(1.0, 0.0), point(-0.5, 1.0), point(0.0, 2.0)]);
    let def = ShapeDef::default().friction(0.5);
    let mut side = 0.25;
    let mut bodies = Vec::new();
    for column in 0..20 {
        for row in 0..150 {
            let x = 2.0 * column as f32 - 19.0 + side;
            let y = 2.25 * row as f32 + 5.575;
            let body = engine.create_body(&BodyDef::dynamic().position(x, y));
            engine.create_shape(body, &left, &def);
            engine.create_shape(body, &right, &def);
            bodies.push(body);
            side = -side;
        }
    }
    Cast::one(bodies)
}

fn build_pit(engine: &mut dyn Engine) {
    let ground = engine.create_body(&BodyDef::static_());
    let def = ShapeDef::default();
    for i in 0..81 {
        let floor = rectangle_at(0.55, 0.5, -40.0 + i as f32, 0.0);
        engine.create_shape(ground, &floor, &def);
    }
    for x in [-40.0, 40.0] {
        for i in 0..100 {
            engine.create_shape(ground, &rectangle_at(0.5, 0.55, x, 1.0 + i as f32), &def);
        }
    }
    let below = Segment::new(point(-800.0, -80.0), point(800.0, -80.0));
    engine.create_shape(ground, &below.into(), &def);
}
