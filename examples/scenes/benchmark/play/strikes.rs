//! Things that are hit: towers, walls, rows and huts, by boulders, shots, hammers and weights.

use super::*;
use crate::engine::{Hinge, Weld};
use crate::random::Random;

/// Slabs of the tower.
const SLABS: usize = 19;

/// Boxes of the wall in a row and rows of it, and shots, one each second.
const WALL: [usize; 2] = [40, 25];
const SHOTS: u32 = 8;

/// Hammers, and boxes of the wall beside each in a row and rows of it.
const HAMMERS: usize = 8;
const HIT: [usize; 2] = [4, 10];

/// Boxes of the row that a block slides into.
const ROW: usize = 100;

/// Stacks of ten boxes that a weight falls on.
const STACKS: usize = 100;

/// Huts in the rain, and boulders, one every twelve steps.
const HUTS: usize = 10;
const BOULDERS: usize = 50;
const DRIP: u32 = 12;

pub(in super::super) const TOWER: BenchmarkScene = BenchmarkScene {
    name: "tower",
    timed_steps: 600,
    end: end(SLABS + 2, SLABS + 2, 0, 0),
    build: |engine| {
        floor(engine);
        let slab = rectangle(1.0, 0.2);
        let slabs = (0..SLABS).map(|i| {
            let y = 0.2 + 0.4 * i as f32;
            drop_shape(engine, 0.0, y, &slab, &ShapeDef::default())
        });
        Cast::one(slabs.collect())
    },
    before_step: |cast, engine, step| {
        if step == 90 {
            let ball = throw(engine, (point(-8.0, 4.5), vec2(14.0, 2.0)), (0.7, 2.0));
            cast.groups[0].push(ball);
        }
    },
    ..PLAY
};

pub(in super::super) const SHOT_WALL: BenchmarkScene = BenchmarkScene {
    name: "shot_wall",
    timed_steps: 60 * SHOTS,
    end: end(
        WALL[0] * WALL[1] + SHOTS as usize + 1,
        WALL[0] * WALL[1] + SHOTS as usize + 1,
        0,
        0,
    ),
    build: |engine| {
        floor(engine);
        Cast::one(wall(engine, 0.0, 0.25, WALL))
    },
    before_step: |cast, engine, step| {
        if step % 60 == 30 {
            let y = 1.0 + 1.3 * (step / 60) as f32;
            let ball = throw(engine, (point(-15.0, y), vec2(40.0, 2.0)), (0.3, 5.0));
            cast.groups[0].push(ball);
        }
    },
    ..PLAY
};

pub(in super::super) const SWUNG_HAMMERS: BenchmarkScene = BenchmarkScene {
    name: "hammers",
    timed_steps: 600,
    end: end(
        HAMMERS * (HIT[0] * HIT[1] + 2) + 2,
        HAMMERS * (HIT[0] * HIT[1] + 2) + 1,
        0,
        2 * HAMMERS,
    ),
    build: build_hammers,
    before_step: |cast, engine, step| {
        if step % 90 == 30 {
            let speed = if (step / 90).is_multiple_of(2) {
                4.0
            } else {
                -4.0
            };
            for &joint in &cast.joints {
                engine.set_motor_speed(joint, speed);
            }
        }
    },
    ..PLAY
};

pub(in super::super) const HIT_ROW: BenchmarkScene = BenchmarkScene {
    name: "hit_row",
    timed_steps: 300,
    end: end(ROW + 2, ROW + 2, 0, 0),
    build: |engine| {
        floor(engine);
        let half = 0.25;
        let boxes = (0..ROW).map(|i| {
            let x = 2.0 * half * i as f32;
            drop_shape(
                engine,
                x,
                half,
                &rectangle(half, half),
                &ShapeDef::default(),
            )
        });
        let mut bodies: Vec<_> = boxes.collect();
        let def = BodyDef::dynamic().position(-12.0, 1.0).velocity(30.0, 0.0);
        let block = engine.create_body(&def);
        engine.create_shape(
            block,
            &rectangle(1.0, 1.0),
            &ShapeDef::default().density(50.0),
        );
        bodies.push(block);
        Cast::one(bodies)
    },
    ..PLAY
};

pub(in super::super) const HEAVY_TOPS: BenchmarkScene = BenchmarkScene {
    name: "heavy_tops",
    timed_steps: 480,
    bounds: bounds(point(-300.0, -50.0), point(600.0, 200.0)),
    end: end(11 * STACKS + 1, 11 * STACKS + 1, 0, 0),
    build: |engine| {
        floor(engine);
        let boxes = (0..10 * STACKS).map(|i| {
            let (stack, row) = (i / 10, i % 10);
            let (x, y) = (4.0 * stack as f32, 0.5 + row as f32);
            drop_shape(engine, x, y, &rectangle(0.5, 0.5), &ShapeDef::default())
        });
        Cast::one(boxes.collect())
    },
    before_step: |cast, engine, step| {
        if step == 60 {
            let def = ShapeDef::default().density(242.5);
            for stack in 0..STACKS {
                let x = 4.0 * stack as f32;
                let weight = drop_shape(engine, x, 11.5, &rectangle(1.0, 1.0), &def);
                cast.groups[0].push(weight);
            }
        }
    },
    ..PLAY
};

pub(in super::super) const BOULDER_RAIN: BenchmarkScene = BenchmarkScene {
    name: "boulders",
    timed_steps: DRIP * BOULDERS as u32 + 120,
    end: end(4 * HUTS + BOULDERS + 1, 4 * HUTS + BOULDERS + 1, 0, 0),
    build: build_huts,
    before_step: |cast, engine, step| {
        if step.is_multiple_of(DRIP) && step < DRIP * BOULDERS as u32 {
            let boulder = drop_boulder(engine, u64::from(step));
            cast.groups[0].push(boulder);
        }
    },
    ..PLAY
};

/// Throws a ball of a radius \[m\] and density [kg/m^2] from a place with a velocity [m/s].
fn throw(
    engine: &mut dyn Engine,
    (from, velocity): (Point, Vec2),
    (radius, density): (f32, f32),
) -> BodyHandle {
    let def = BodyDef::dynamic().position(from.x, from.y);
    let ball = engine.create_body(&def.velocity(velocity.x, velocity.y).bullet());
    engine.create_shape(ball, &circle(radius), &ShapeDef::default().density(density));
    ball
}

/// Stacks columns of boxes side by side, the first at `left`.
fn wall(
    engine: &mut dyn Engine,
    left: f32,
    half: f32,
    [columns, rows]: [usize; 2],
) -> Vec<BodyHandle> {
    let shape = rectangle(half, half);
    let boxes = (0..columns * rows).map(|i| {
        let (column, row) = (i % columns, i / columns);
        let (x, y) = (
            left + 2.01 * half * column as f32,
            half + 2.0 * half * row as f32,
        );
        drop_shape(engine, x, y, &shape, &ShapeDef::default())
    });
    boxes.collect()
}

fn build_hammers(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let posts = ground(engine);
    let mut cast = Cast::one(Vec::new());
    for i in 0..HAMMERS {
        let (x, y) = (20.0 * i as f32, 6.0);
        let arm = drop_shape(
            engine,
            x,
            y - 2.0,
            &rectangle(0.1, 2.0),
            &ShapeDef::default(),
        );
        let heavy = ShapeDef::default().density(5.0);
        let head = drop_shape(engine, x, y - 4.0, &rectangle(0.8, 0.4), &heavy);
        engine.create_weld(&Weld {
            body_a: arm,
            body_b: head,
            frame_a: JointFrame::at(0.0, -2.0),
            frame_b: JointFrame::at(0.0, 0.0),
        });
        cast.joints.push(engine.create_hinge(&Hinge {
            motor: Some(Motor::new(0.0, 400.0)),
            ..Hinge::new(on(posts, x, y), on(arm, 0.0, 2.0))
        }));
        cast.groups[0].extend([arm, head]);
        cast.groups[0].extend(wall(engine, x + 2.5, 0.25, HIT));
    }
    cast
}

fn build_huts(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let mut bodies = Vec::new();
    for i in 0..HUTS {
        let x = 4.0 * i as f32;
        let parts = [
            (-0.9, 0.75, rectangle(0.15, 0.75)),
            (0.9, 0.75, rectangle(0.15, 0.75)),
            (0.0, 1.6, rectangle(1.3, 0.1)),
            (0.0, 2.0, rectangle(0.3, 0.3)),
        ];
        for (side, y, shape) in parts {
            bodies.push(drop_shape(
                engine,
                x + side,
                y,
                &shape,
                &ShapeDef::default(),
            ));
        }
    }
    Cast::one(bodies)
}

/// Drops an uneven stone somewhere above the huts.
fn drop_boulder(engine: &mut dyn Engine, seed: u64) -> BodyHandle {
    let mut random = Random::new(seed);
    let size = random.range(0.3, 0.8);
    let corners = [0, 1, 2, 3, 4, 5, 6].map(|i| {
        let (s, c) = math::sin_cos(math::PI * (i as f32 + 0.3 * random.range(0.0, 1.0)) / 3.5);
        point(size * c, size * s)
    });
    let shape = super::super::hull(&corners);
    let x = random.range(-2.0, 4.0 * HUTS as f32);
    drop_shape(engine, x, 15.0, &shape, &ShapeDef::default().density(3.0))
}
