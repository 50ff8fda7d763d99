//! Joint grid: a net of circles and pins swings from a few fixed knots.

use super::{BenchmarkScene, Cast, GRAVITY, bounds, end, nothing};
use crate::engine::{BodyHandle, Engine, Hinge};
use cairn2d::prelude::*;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "joint_grid",
    timed_steps: 500,
    gravity: GRAVITY,
    sleeping: false,
    worlds: 1,
    is_stepped: true,
    end: end(10_000, 10_000, 0, 19_800),
    bounds: bounds(point(-150.0, -250.0), point(250.0, 150.0)),
    build,
    before_step: nothing,
};

/// Knots along each side.
const SIDE: usize = 100;

fn build(engine: &mut dyn Engine) -> Cast {
    let circle = Circle::new(Point::origin(), 0.4).into();
    // The knots do not touch each other.
    let filter = Filter {
        category: 2,
        mask: !2,
        group: 0,
    };
    let def = ShapeDef {
        filter,
        ..ShapeDef::default()
    };
    let mut knots: Vec<BodyHandle> = Vec::with_capacity(SIDE * SIDE);
    let mut moving = Vec::new();
    for k in 0..SIDE {
        for i in 0..SIDE {
            let held = i == 0 && (47..=53).contains(&k);
            let kind = if held {
                BodyDef::static_()
            } else {
                BodyDef::dynamic()
            };
            let knot = engine.create_body(&kind.position(k as f32, -(i as f32)));
            engine.create_shape(knot, &circle, &def);
            if i > 0 {
                let above = (knots[knots.len() - 1], JointFrame::at(0.0, -0.5));
                engine.create_hinge(&Hinge::new(above, (knot, JointFrame::at(0.0, 0.5))));
            }
            if k > 0 {
                let left = (knots[knots.len() - SIDE], JointFrame::at(0.5, 0.0));
                engine.create_hinge(&Hinge::new(left, (knot, JointFrame::at(-0.5, 0.0))));
            }
            knots.push(knot);
            if !held {
                moving.push(knot);
            }
        }
    }
    Cast::one(moving)
}
