//! A bin into which 600 bodies are poured, some of them in contraptions of welds, hinges and motors; explosions.

use super::*;
use crate::engine::{Hinge, Weld};
use crate::random::Random;

/// Bodies that are poured in, one every other step, and contraptions among them, of four bodies each.
const BODIES: usize = 600;
const CONTRAPTIONS: usize = 30;

/// Bodies from one contraption to the next.
const EVERY: u32 = (BODIES / CONTRAPTIONS) as u32;

/// Steps from one explosion to the next, its reach \[m\] and the speed that it gives at its middle [m/s].
const PERIOD: u32 = 180;
const REACH: f32 = 5.0;
const BLAST: f32 = 15.0;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "sandbox",
    timed_steps: 1500,
    end: end(BODIES + 1, BODIES + 3, 0, 3 * CONTRAPTIONS),
    build,
    before_step,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    let bin = floor(engine);
    for side in [-1.0, 1.0] {
        let wall = rectangle_at(0.5, 20.0, side * 12.5, 20.0);
        engine.create_shape(bin, &wall, &ShapeDef::default());
    }
    Cast::one(Vec::new())
}

fn before_step(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let poured = cast.groups[0].len();
    if poured < BODIES && step.is_multiple_of(2) {
        let mut random = Random::new(u64::from(step));
        let at = point(random.range(-9.0, 9.0), 16.0);
        if (poured as u32).is_multiple_of(EVERY) {
            let parts = contraption(engine, at, poured as u32 / EVERY);
            cast.groups[0].extend(parts);
        } else {
            let body = drop_shape(
                engine,
                at.x,
                at.y,
                &shape(&mut random),
                &ShapeDef::default(),
            );
            cast.groups[0].push(body);
        }
    }
    if step % PERIOD == PERIOD - 1 {
        let mut random = Random::new(u64::from(step));
        explode(cast, engine, point(random.range(-9.0, 9.0), 0.5));
    }
}

fn shape(random: &mut Random) -> Shape {
    let size = random.range(0.2, 0.5);
    match random.below(4) {
        0 => circle(size),
        1 => Capsule::new(point(-size, 0.0), point(size, 0.0), 0.5 * size).into(),
        2 => {
            let corner = |i: usize| {
                let (s, c) = math::sin_cos(0.4 * math::PI * i as f32);
                point(1.2 * size * c, 1.2 * size * s)
            };
            super::super::hull(&[0, 1, 2, 3, 4].map(corner))
        }
        _ => rectangle(size, 0.7 * size),
    }
}

/// Adds a cross of four welded planks, a motor car, or a chain of planks, by turns.
fn contraption(engine: &mut dyn Engine, at: Point, number: u32) -> Vec<BodyHandle> {
    let def = ShapeDef::default();
    let plank = rectangle(0.6, 0.12);
    let middle = drop_shape(engine, at.x, at.y, &plank, &def);
    let mut bodies = vec![middle];
    match number % 3 {
        0 => {
            for (i, x) in [(1, -0.6), (2, 0.0), (3, 0.6)] {
                let upright =
                    drop_shape(engine, at.x + x, at.y + 0.5, &rectangle(0.12, 0.38), &def);
                engine.create_weld(&Weld {
                    body_a: middle,
                    body_b: upright,
                    frame_a: JointFrame::at(x, 0.12),
                    frame_b: JointFrame::at(0.0, -0.38),
                });
                debug_assert_eq!(i, bodies.len());
                bodies.push(upright);
            }
        }
        1 => {
            for x in [-0.6, 0.0, 0.6] {
                let wheel = drop_shape(engine, at.x + x, at.y - 0.2, &circle(0.25), &def);
                engine.create_hinge(&Hinge {
                    motor: Some(Motor::new(-6.0, 5.0)),
                    ..Hinge::new(on(middle, x, -0.2), on(wheel, 0.0, 0.0))
                });
                bodies.push(wheel);
            }
        }
        _ => {
            let mut before = middle;
            for i in 1..4 {
                let next = drop_shape(engine, at.x + 1.2 * i as f32, at.y, &plank, &def);
                let hinge = Hinge::new(on(before, 0.6, 0.0), on(next, -0.6, 0.0));
                engine.create_hinge(&Hinge {
                    limit: Some(Limit::new(-0.7, 0.7)),
                    ..hinge
                });
                before = next;
                bodies.push(next);
            }
        }
    }
    bodies
}

/// Pushes the bodies within reach away, the nearer the more.
fn explode(cast: &Cast, engine: &mut dyn Engine, center: Point) {
    for body in cast.bodies() {
        let way = engine.motion(body).position - center;
        let distance = way.norm();
        if distance < REACH {
            let speed = BLAST * (1.0 - distance / REACH);
            // Half a kilogram is the usual mass here.
            let impulse = 0.5 * speed / distance.max(0.1) * way;
            engine.apply_impulse(body, impulse);
        }
    }
}
