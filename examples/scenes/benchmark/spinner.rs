//! Spinner: a driven bar stirs small shapes in a round bowl.

use super::{BenchmarkScene, Cast, GRAVITY, bounds, drop_shape, end, nothing, rectangle};
use crate::engine::{BodyHandle, Engine, Hinge};
use cairn2d::math::{PI, sin_cos};
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "spinner",
    timed_steps: 500,
    gravity: GRAVITY,
    sleeping: true,
    worlds: 1,
    is_stepped: true,
    end: end(6078, 6437, 23_049, 1),
    bounds: bounds(point(-41.0, -9.0), point(41.0, 73.0)),
    build,
    before_step: nothing,
};

/// Points of the bowl, its middle and its radius [m].
const BOWL_POINTS: usize = 360;
const BOWL_CENTER: Point = point(0.0, 32.0);
const BOWL_RADIUS: f32 = 40.0;

/// Small shapes, and the half width of the rows in which they start [m].
const STIRRED: usize = 6076;
const HALF_ROW: f32 = 23.0;

/// Center of the bar [m], and its angular velocity [rad/s].
const HUB: Point = point(0.0, 12.0);
const SPIN: f32 = 5.0;

fn build(engine: &mut dyn Engine) -> Cast {
    let ground = engine.create_body(&BodyDef::static_());
    engine.create_chain(ground, &bowl(), &ShapeDef::default().friction(0.1));
    let mut bodies = vec![build_bar(engine, ground)];
    bodies.extend(build_stirred(engine));
    Cast::one(bodies)
}

/// Returns a closed chain, clockwise, so that its inside is solid.
fn bowl() -> Chain {
    let turn = 2.0 * PI / BOWL_POINTS as f32;
    let place = |i: usize| {
        let (sin, cos) = sin_cos(-turn * i as f32);
        BOWL_CENTER + BOWL_RADIUS * vec2(cos, sin)
    };
    let points: Vec<Point> = (0..BOWL_POINTS).map(place).collect();
    Chain::new(&points, ChainKind::Loop)
}

fn build_bar(engine: &mut dyn Engine, ground: BodyHandle) -> BodyHandle {
    let bar = engine.create_body(&BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().position(HUB.x, HUB.y)
    });
    let shape = Polygon::rounded_rectangle(0.4, 20.0, 0.2).into();
    engine.create_shape(bar, &shape, &ShapeDef::default().friction(0.0));
    engine.create_hinge(&Hinge {
        motor: Some(Motor::new(SPIN, f32::INFINITY)),
        ..Hinge::new(
            (ground, JointFrame::at(HUB.x, HUB.y)),
            (bar, JointFrame::ORIGIN),
        )
    });
    bar
}

fn build_stirred(engine: &mut dyn Engine) -> Vec<BodyHandle> {
    let shapes: [Shape; 3] = [
        Capsule::new(point(-0.25, 0.0), point(0.25, 0.0), 0.25).into(),
        Circle::new(Point::origin(), 0.35).into(),
        rectangle(0.35, 0.35),
    ];
    let def = ShapeDef::default()
        .density(0.25)
        .friction(0.1)
        .restitution(0.1);
    let (mut x, mut y) = (-HALF_ROW, 2.0);
    let mut bodies = Vec::new();
    for i in 0..STIRRED {
        bodies.push(drop_shape(engine, x, y, &shapes[i % shapes.len()], &def));
        x += 0.5;
        if x >= HALF_ROW {
            x = -HALF_ROW;
            y += 0.5;
        }
    }
    bodies
}
