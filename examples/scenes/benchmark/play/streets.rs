//! 500 cars seen from above, with brakes in place of tires, among 2 000 static walls.

use super::*;
use crate::engine::Brake;
use crate::random::Random;

const CARS: usize = 500;
const WALLS: usize = 2000;

/// Cars in a row of the square, and walls in one.
const CAR_COLUMNS: usize = 25;
const WALL_COLUMNS: usize = 50;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "topdown",
    timed_steps: 600,
    gravity: vec2(0.0, 0.0),
    end: end(CARS + WALLS + 1, CARS + WALLS + 4, 0, CARS),
    build,
    before_step,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    let ground = ground(engine);
    let def = ShapeDef::default().restitution(0.2);
    let mut random = Random::new(1);
    for i in 0..WALLS {
        let (column, row) = (i % WALL_COLUMNS, i / WALL_COLUMNS);
        let place = BodyDef::static_().position(4.0 * column as f32, 4.0 * row as f32);
        let wall = engine.create_body(&place.angle(random.range(0.0, math::PI)));
        let half = random.range(0.2, 0.8);
        engine.create_shape(wall, &rectangle(half, 0.15), &def);
    }
    for (x, y, half) in [
        (-10.0, 78.0, (1.0, 90.0)),
        (208.0, 78.0, (1.0, 90.0)),
        (99.0, -10.0, (110.0, 1.0)),
        (99.0, 168.0, (110.0, 1.0)),
    ] {
        let border = rectangle_at(half.0, half.1, x, y);
        engine.create_shape(ground, &border, &def);
    }
    let mut cars = Vec::new();
    for i in 0..CARS {
        let (column, row) = (i % CAR_COLUMNS, i / CAR_COLUMNS);
        let place = BodyDef::dynamic().position(8.0 * column as f32 + 2.0, 8.0 * row as f32 + 2.0);
        let car = engine.create_body(&place.angle(random.range(-math::PI, math::PI)));
        engine.create_shape(car, &rectangle(0.6, 0.3), &def);
        engine.create_brake(&Brake {
            body_a: ground,
            body_b: car,
            max_force: 2.0,
            max_torque: 0.6,
        });
        cars.push(car);
    }
    Cast::one(cars)
}

/// Drives each car on, and steers it left and right.
fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    for (i, car) in cast.bodies().enumerate() {
        let motion = engine.motion(car);
        // Off the gas at 8 m/s.
        let gas = if motion.velocity.norm() < 8.0 {
            6.0
        } else {
            0.0
        };
        let force = motion.rotation * vec2(gas, 0.0);
        engine.apply_force(car, force, motion.position);
        let turn = (step as usize / 40 + i) % 3;
        engine.apply_torque(car, 0.9 * (turn as f32 - 1.0));
    }
}
