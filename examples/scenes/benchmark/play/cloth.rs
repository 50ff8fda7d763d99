//! A cloth of 60 x 60 circles on rods, which hangs from its top and swings.

use super::*;
use crate::engine::{Hinge, Rod};

const SIDE: usize = 60;

/// Distance of neighbors \[m\].
const GAP: f32 = 0.2;

/// Every how many circles of the top row are held.
const HELD: usize = 10;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "cloth",
    timed_steps: 300,
    end: end(
        SIDE * SIDE + 1,
        SIDE * SIDE,
        0,
        2 * SIDE * (SIDE - 1) + SIDE / HELD + 1,
    ),
    build,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    let hooks = ground(engine);
    let shape = circle(0.06);
    let mut knots: Vec<BodyHandle> = Vec::new();
    for i in 0..SIDE * SIDE {
        let (column, row) = (i % SIDE, i / SIDE);
        let (x, y) = (GAP * column as f32, -GAP * row as f32);
        let def = BodyDef::dynamic().position(x, y).velocity(2.0, 0.0);
        let knot = engine.create_body(&def);
        engine.create_shape(knot, &shape, &ShapeDef::default());
        let left = (column > 0).then(|| knots[i - 1]);
        let above = (row > 0).then(|| knots[i - SIDE]);
        for other in left.into_iter().chain(above) {
            engine.create_rod(&Rod {
                body_a: other,
                body_b: knot,
                length: GAP,
            });
        }
        if row == 0 && (column.is_multiple_of(HELD) || column == SIDE - 1) {
            engine.create_hinge(&Hinge::new(on(hooks, x, y), on(knot, 0.0, 0.0)));
        }
        knots.push(knot);
    }
    Cast::one(knots)
}
