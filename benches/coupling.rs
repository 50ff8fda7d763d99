//! Times a step of 1000 agents that walk in bodies: the controller's update, the world's step, and the crowd alone.
//!
//! Four streams of 250 cross a square with pillars and light crates; all walk on forever, as no goal is ever reached.

use cairn2d::prelude::*;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Step of all benches \[s\].
const DT: f32 = 1.0 / 60.0;

/// Walkers of each of the four streams.
const STREAM: u16 = 250;

/// Steps before the clock starts: the streams have met by then.
const WARM_UP: usize = 600;

fn add(world: &mut World, def: BodyDef, shape: impl Into<Shape>) -> BodyId {
    let body = world.create_body(def);
    world.create_shape(body, shape, ShapeDef::default());
    body
}

fn square(half: f32) -> Polygon {
    Polygon::rectangle(half, half)
}

fn disc(radius: f32) -> Circle {
    Circle::new(Point::origin(), radius)
}

fn plaza() -> (World, CrowdController) {
    let mut world = World::new(WorldDef::weightless());
    let mut crowd = CrowdController::default();
    for i in 0..64u16 {
        let [x, y] = [i % 8, i / 8].map(|k| 6.0 * (f32::from(k) - 3.5));
        add(&mut world, BodyDef::static_().position(x, y), square(0.5));
        let crate_ = BodyDef {
            linear_damping: 2.0,
            ..BodyDef::dynamic().position(x + 3.0, y + 3.0)
        };
        add(&mut world, crate_, square(0.4));
    }
    for stream in 0..4u8 {
        let turn = rotation(0.5 * math::PI * f32::from(stream));
        for i in 0..STREAM {
            let [column, row] = [i % 10, i / 10].map(f32::from);
            let start = turn * vec2(-26.0 - 1.1 * column, 1.5 * (row - 12.0));
            let body = add(
                &mut world,
                BodyDef::dynamic().position(start.x, start.y),
                disc(0.3),
            );
            let agent = crowd.attach(&world, body, &CrowdBodyDef::around(&world, body));
            let goal = turn * vec2(500.0, 1.5 * (row - 12.0));
            crowd.follow(agent, Route::through([WorldPoint::from(goal)]));
        }
    }
    for _ in 0..WARM_UP {
        crowd.update(&mut world, DT);
        world.step(DT);
    }
    (world, crowd)
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("coupling");
    group.throughput(Throughput::Elements(u64::from(4 * STREAM)));
    group.sample_size(20);
    let (world, crowd) = plaza();
    let copies = || (world.clone(), crowd.clone());
    let size = criterion::BatchSize::LargeInput;
    group.bench_function("update", |b| {
        b.iter_batched_ref(copies, |(world, crowd)| crowd.update(world, DT), size);
    });
    group.bench_function("crowd_alone", |b| {
        b.iter_batched_ref(copies, |(_, crowd)| crowd.crowd_mut().solve(DT), size);
    });
    let driven = || {
        let (mut world, mut crowd) = copies();
        crowd.update(&mut world, DT);
        world
    };
    group.bench_function("world_step", |b| {
        b.iter_batched_ref(driven, |world| world.step(DT), size);
    });
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
