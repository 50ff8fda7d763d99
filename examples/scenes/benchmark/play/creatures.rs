//! 100 small worlds, as learning runs them: a machine of four legs with motors and limits among some crates.

use super::*;
use crate::engine::{Hinge, JointHandle};
use crate::random::Random;

const WORLDS: u32 = 100;

/// Steps from one choice of the motors' speeds to the next.
const PERIOD: u32 = 12;

/// Crates of the first world; others have up to five more.
const CRATES: u32 = 5;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "worlds",
    timed_steps: 300,
    worlds: WORLDS,
    end: end(10 + CRATES as usize, 10 + CRATES as usize, 0, 8),
    build,
    before_step,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    // The parts of the machine pass through each other.
    let def = ShapeDef::default().filter(Filter {
        group: -1,
        ..Filter::default()
    });
    let torso = drop_shape(engine, 0.0, 1.45, &rectangle(0.9, 0.2), &def);
    let mut cast = Cast::one(vec![torso]);
    for x in [-0.8, -0.4, 0.4, 0.8] {
        let thigh = add_leg(engine, (torso, x, -0.15), (0.95, &def));
        let shin = add_leg(engine, (thigh.0, 0.0, -0.3), (0.35, &def));
        for (body, joint) in [thigh, shin] {
            cast.groups[0].push(body);
            cast.joints.push(joint);
        }
    }
    cast
}

/// Hangs a part of a leg onto a body at a place on that body; returns it with its joint.
fn add_leg(
    engine: &mut dyn Engine,
    (above, x, y): (BodyHandle, f32, f32),
    (height, def): (f32, &ShapeDef),
) -> (BodyHandle, JointHandle) {
    let shape = Capsule::new(point(0.0, -0.25), point(0.0, 0.25), 0.08).into();
    let at = engine.motion(above).position.x + x;
    let part = drop_shape(engine, at, height, &shape, def);
    let joint = engine.create_hinge(&Hinge {
        limit: Some(Limit::new(-0.8, 0.8)),
        motor: Some(Motor::new(0.0, 20.0)),
        ..Hinge::new(on(above, x, y), on(part, 0.0, 0.3))
    });
    (part, joint)
}

fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let world = cast.world;
    if step == 0 {
        for i in 0..CRATES + world % 6 {
            let mut random = Random::new(u64::from(1000 * world + i));
            let (x, half) = (random.range(1.5, 4.0), random.range(0.1, 0.3));
            let y = 0.3 + 0.7 * i as f32;
            let side = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
            let shape = rectangle(half, half);
            let crate_ = drop_shape(engine, side * x, y, &shape, &ShapeDef::default());
            cast.groups[0].push(crate_);
        }
    }
    if step.is_multiple_of(PERIOD) {
        let mut random = Random::new(u64::from(1_000_000 + 1000 * world + step));
        for &joint in &cast.joints {
            engine.set_motor_speed(joint, random.range(-5.0, 5.0));
        }
    }
}
