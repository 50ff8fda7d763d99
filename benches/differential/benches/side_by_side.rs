//! Times of cairn2d, Box2D and parry2d on the same inputs in one run; each time is for 1000 questions.

use cairn2d_differential::rows::rows;
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::Duration;

fn side_by_side(c: &mut Criterion) {
    for row in rows() {
        let mut group = c.benchmark_group(&row.name);
        group.sample_size(20);
        group.warm_up_time(Duration::from_millis(150));
        group.measurement_time(Duration::from_millis(450));
        for (engine, mut ask) in row.engines {
            group.bench_function(engine, |b| b.iter(&mut ask));
        }
    }
}

criterion_group!(benches, side_by_side);
criterion_main!(benches);
