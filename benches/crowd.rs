//! Times the step of crowds: the whole step, and the step without neighbors, which is the index.

#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../crates/crowd/tests/scenes/mod.rs"]
mod scenes;

use cairn2d_crowd::Crowd;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use scenes::{Scene, circle, random, tiles};
use std::hint::black_box;

/// Step of all benches [s].
const STEP: f32 = 0.25;

/// Steps before the clock starts: crowds have met by then.
const WARM_UP: usize = 40;

fn crowd(scene: &Scene, neighbor_limit: Option<usize>) -> Crowd {
    let mut crowd = Crowd::default();
    for (def, goal) in scene.agents.iter().zip(&scene.goals) {
        let mut def = *def;
        def.neighbor_limit = neighbor_limit.unwrap_or(def.neighbor_limit);
        def.preferred_velocity = scenes::wish(def.position, *goal);
        crowd.create_agent(def);
    }
    for obstacle in &scene.obstacles {
        crowd.create_obstacle(obstacle);
    }
    for _ in 0..WARM_UP {
        crowd.step(STEP);
    }
    crowd
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("crowd_step");
    for count in [100, 1000, 10_000] {
        group.throughput(Throughput::Elements(count as u64));
        let scenes: [(&str, Scene); 4] = [
            ("random_0.1", random(count, 0.1, 1)),
            ("random_0.3", random(count, 0.3, 1)),
            ("circle", circle(count)),
            ("blocks", tiles(count / 100, 1)),
        ];
        for (name, scene) in scenes {
            let mut whole = crowd(&scene, None);
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| whole.solve(black_box(STEP)))
            });
        }
        let mut index = crowd(&random(count, 0.3, 1), Some(0));
        group.bench_function(BenchmarkId::new("index_only", count), |b| {
            b.iter(|| index.solve(black_box(STEP)))
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
