//! A pinball table of chain with bumpers, two flippers and three balls.

use super::*;
use crate::engine::Hinge;

/// Steps from one stroke of the flippers to the next.
const PERIOD: u32 = 40;

/// Speed of the flippers [rad/s] and their greatest torque [N m].
const STROKE: f32 = 20.0;
const TORQUE: f32 = 200.0;

const BUMPERS: [Point; 6] = [
    point(-2.0, 12.0),
    point(2.0, 12.0),
    point(0.0, 14.5),
    point(-3.5, 9.0),
    point(3.5, 9.0),
    point(0.0, 9.5),
];

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "pinball",
    timed_steps: 1800,
    gravity: vec2(0.0, -6.0),
    end: end(6, 5 + TABLE.len() + BUMPERS.len(), 0, 2),
    build,
    before_step,
    ..PLAY
};

/// Outline of the table, clockwise, so that its inside is solid; it narrows to the flippers, and is open below them.
const TABLE: [Point; 10] = [
    point(-2.2, -1.0),
    point(-2.2, 2.0),
    point(-5.0, 4.0),
    point(-5.0, 16.0),
    point(-3.0, 18.5),
    point(3.0, 18.5),
    point(5.0, 16.0),
    point(5.0, 4.0),
    point(2.2, 2.0),
    point(2.2, -1.0),
];

fn build(engine: &mut dyn Engine) -> Cast {
    let table = ground(engine);
    let chain = Chain::new(&TABLE, ChainKind::Loop);
    engine.create_chain(table, &chain, &ShapeDef::default().restitution(0.3));
    for place in BUMPERS {
        let bumper = Circle::new(place, 0.6).into();
        engine.create_shape(table, &bumper, &ShapeDef::default().restitution(1.0));
    }
    let mut cast = Cast {
        groups: vec![Vec::new(), Vec::new()],
        ..Cast::default()
    };
    for side in [-1.0, 1.0] {
        let shape = Capsule::new(point(0.0, 0.0), point(-1.6 * side, 0.0), 0.2).into();
        let flipper = drop_shape(engine, 2.2 * side, 2.0, &shape, &ShapeDef::default());
        cast.joints.push(engine.create_hinge(&Hinge {
            limit: Some(Limit::new(-0.5, 0.5)),
            motor: Some(Motor::new(0.0, TORQUE)),
            ..Hinge::new(on(table, 2.2 * side, 2.0), on(flipper, 0.0, 0.0))
        }));
        cast.groups[0].push(flipper);
    }
    for x in [-1.0, 0.5, 3.0] {
        let ball = serve(engine, x);
        cast.groups[1].push(ball);
    }
    cast
}

fn serve(engine: &mut dyn Engine, x: f32) -> BodyHandle {
    let def = ShapeDef::default().restitution(0.5).friction(0.1);
    let ball = drop_shape(engine, x, 17.0, &circle(0.25), &def);
    engine.set_velocity(ball, vec2(3.0 - x, -2.0));
    ball
}

/// Strikes with the flippers, and serves balls anew that fell between them.
fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step.is_multiple_of(PERIOD / 2) {
        let up = (step / (PERIOD / 2)).is_multiple_of(2);
        let speed = if up { STROKE } else { -STROKE };
        engine.set_motor_speed(cast.joints[0], speed);
        engine.set_motor_speed(cast.joints[1], -speed);
    }
    for ball in &mut cast.groups[1] {
        if engine.motion(*ball).position.y < 0.0 {
            engine.destroy_body(*ball);
            *ball = serve(engine, 0.1 * (step % 30) as f32 - 1.5);
        }
    }
}
