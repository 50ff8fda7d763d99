//! Time of a step in the first scenes, and of a body in it.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use scenes::registry::{FIRST, find};
use scenes::scene::{Scene, Stage};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Scenes whose joints bear much, and are solved directly.
const LOADED: [&str; 2] = ["welded_beams", "ball_and_chain"];

/// Steps before a scene is timed: the first builds all pairs.
const WARM_UP: u32 = 1;

/// Times `steps` steps of a scene, which begins anew as often as its steps are over.
fn time_steps(scene: &Scene, start: &Stage, steps: u64) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = steps;
    while left > 0 {
        let mut stage = start.clone();
        let batch = left.min(u64::from(scene.steps - WARM_UP));
        let begin = Instant::now();
        for _ in 0..batch {
            stage.step();
        }
        total += begin.elapsed();
        black_box(stage.world.state_hash());
        left -= batch;
    }
    total
}

/// Reports the mean time of a step; bodies a second is the throughput, so its inverse the time a body
/// takes.
fn step_scenes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scene_step");
    group.sample_size(10);
    group.measurement_time(Duration::from_secs(3));
    group.warm_up_time(Duration::from_millis(500));
    for name in FIRST.into_iter().chain(LOADED) {
        let scene = find(name).expect("the first scenes are in the registry");
        let start = scene.run(WARM_UP);
        group.throughput(Throughput::Elements(start.world.body_count() as u64));
        group.bench_with_input(
            BenchmarkId::from_parameter(name),
            scene,
            |bencher, scene| {
                // A whole run at least, so that all its stages count in their share.
                bencher.iter_custom(|runs| {
                    let steps = u64::from(scene.steps - WARM_UP);
                    time_steps(scene, &start, runs * steps) / steps as u32
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, step_scenes);
criterion_main!(benches);
