//! 100 ropes of 20 links that hang side by side in gusts of wind.

use super::*;
use crate::engine::Hinge;

const ROPES: usize = 100;
const LINKS: usize = 20;

/// Length of a link \[m\].
const LINK: f32 = 0.3;

/// Steps from one gust to the next, and steps that it blows.
const PERIOD: u32 = 240;
const GUST: u32 = 60;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "hangropes",
    timed_steps: 720,
    end: end(ROPES * LINKS + 1, ROPES * LINKS, 0, ROPES * LINKS),
    build,
    before_step,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    let half = 0.5 * LINK;
    let link = Capsule::new(point(0.0, 0.05 - half), point(0.0, half - 0.05), 0.05).into();
    let hooks = ground(engine);
    let mut bodies = Vec::new();
    for rope in 0..ROPES {
        let x = 2.0 * rope as f32;
        let mut before = on(hooks, x, 0.0);
        for i in 0..LINKS {
            let y = -LINK * (i as f32 + 0.5);
            let next = drop_shape(engine, x, y, &link, &ShapeDef::default());
            engine.create_hinge(&Hinge::new(before, on(next, 0.0, half)));
            before = on(next, 0.0, -half);
            bodies.push(next);
        }
    }
    Cast::one(bodies)
}

/// Pushes the links with half of their weight, to the right and to the left in turn.
fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step % PERIOD >= GUST {
        return;
    }
    let side = if (step / PERIOD).is_multiple_of(2) {
        1.0
    } else {
        -1.0
    };
    let mass = 0.1 * (LINK - 0.1) + math::PI * 0.05 * 0.05;
    for body in cast.bodies() {
        let at = engine.motion(body).position;
        engine.apply_force(body, vec2(0.5 * 10.0 * mass * side, 0.0), at);
    }
}
