//! The broad phase: loading, a step, and questions, for each structure.

use cairn2d_broadphase::{BroadPhase, BroadPhaseKind, ProxyId, ProxyKind};
use cairn2d_geometry::math::{Point, Vec2, point, vec2};
use cairn2d_geometry::{Aabb, Ray};
use core::ops::ControlFlow;
use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};

/// Half the side of the kept boxes, margin included [m].
const HALF: f32 = 0.6;
/// Distance of neighbors [m].
const SPACING: f32 = 1.25;
/// Way of a moving box in a step: twice the margin [m].
const STRIDE: f32 = 0.2;
/// Questions of each sort that make one sample.
const QUESTIONS: usize = 100;

/// Xorshift generator [Marsaglia03].
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}

fn side(n: usize) -> f32 {
    (n as f32).sqrt() * SPACING
}

fn around(center: Point) -> Aabb {
    Aabb::from_center_half(center, vec2(HALF, HALF))
}

/// `n` places, evenly spread, in no useful order.
fn places(n: usize) -> Vec<Point> {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let side = side(n);
    (0..n)
        .map(|_| point(random.unit() * side, random.unit() * side))
        .collect()
}

fn filled(kind: BroadPhaseKind, places: &[Point]) -> (BroadPhase, Vec<ProxyId>) {
    let mut broad_phase = BroadPhase::new(kind);
    let numbered = places.iter().zip(0..);
    let ids = numbered
        .map(|(p, i)| broad_phase.insert(ProxyKind::Dynamic, around(*p), 1, i))
        .collect();
    (broad_phase, ids)
}

/// A world in the middle of its life: where all are, and where they go.
struct Life {
    broad_phase: BroadPhase,
    ids: Vec<ProxyId>,
    places: Vec<Point>,
    strides: Vec<Vec2>,
    side: f32,
}

impl Life {
    /// `moving` of a thousand move, each so far that it leaves its box in every step.
    fn new(kind: BroadPhaseKind, n: usize, moving: usize) -> Self {
        let places = places(n);
        let (mut broad_phase, ids) = filled(kind, &places);
        broad_phase.update_pairs(|_, _| true);
        let mut random = Random(99);
        let mut stride = || vec2(random.unit() - 0.5, random.unit() - 0.5).normalize() * STRIDE;
        let strides = (0..n * moving / 1000).map(|_| stride()).collect();
        Self {
            broad_phase,
            ids,
            places,
            strides,
            side: side(n),
        }
    }

    fn step(&mut self) -> usize {
        let mut grown = Vec::with_capacity(self.strides.len());
        for ((id, place), stride) in self.ids.iter().zip(&mut self.places).zip(&mut self.strides) {
            *place += *stride;
            for axis in 0..2 {
                if place[axis] < 0.0 || place[axis] > self.side {
                    stride[axis] = -stride[axis];
                }
            }
            grown.push((*id, around(*place)));
        }
        self.broad_phase.enlarge_many(&grown);
        self.broad_phase.update_pairs(|_, _| true).len()
    }
}

fn load(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load and first pairs");
    group.sample_size(10);
    for n in [1_000, 10_000, 100_000] {
        let places = places(n);
        for &kind in BroadPhaseKind::ALL {
            let id = BenchmarkId::new(format!("{kind:?}"), n);
            group.bench_function(id, |bencher| {
                let start = || BroadPhase::new(kind);
                let routine = |_| filled(kind, &places).0.update_pairs(|_, _| true).len();
                bencher.iter_batched(start, routine, BatchSize::LargeInput);
            });
        }
    }
    group.finish();
}

fn step(criterion: &mut Criterion) {
    for (name, moving) in [
        ("step, all move", 1000),
        ("step, a tenth moves", 100),
        ("step, all rest", 0),
    ] {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for n in [1_000, 10_000, 100_000] {
            for &kind in BroadPhaseKind::ALL {
                // A sweep tests a large part of the boxes in the same column.
                if kind == BroadPhaseKind::SweepAndPrune && n * moving > 10_000_000 {
                    continue;
                }
                let mut life = Life::new(kind, n, moving);
                let id = BenchmarkId::new(format!("{kind:?}"), n);
                group.bench_function(id, |bencher| bencher.iter(|| life.step()));
            }
        }
        group.finish();
    }
}

fn questions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a hundred questions");
    group.sample_size(20);
    for n in [10_000, 1_000_000] {
        let mut random = Random(7);
        let mut place = || point(random.unit() * side(n), random.unit() * side(n));
        let spots: Vec<Point> = (0..QUESTIONS).map(|_| place()).collect();
        let rays: Vec<Ray> = (0..QUESTIONS)
            .map(|_| Ray::between(place(), place()))
            .collect();
        for &kind in BroadPhaseKind::ALL {
            let mut broad_phase = filled(kind, &places(n)).0;
            broad_phase.optimize();
            let boxes = places(n);
            group.bench_function(
                BenchmarkId::new(format!("{kind:?} overlap"), n),
                |bencher| {
                    bencher.iter(|| {
                        spots
                            .iter()
                            .map(|p| overlaps(&broad_phase, *p))
                            .sum::<usize>()
                    });
                },
            );
            group.bench_function(
                BenchmarkId::new(format!("{kind:?} first hit of a ray"), n),
                |bencher| {
                    bencher.iter(|| {
                        rays.iter()
                            .map(|ray| first_hit(&broad_phase, &boxes, ray))
                            .sum::<f32>()
                    });
                },
            );
            group.bench_function(
                BenchmarkId::new(format!("{kind:?} closest"), n),
                |bencher| {
                    bencher.iter(|| {
                        spots
                            .iter()
                            .map(|p| closest(&broad_phase, *p))
                            .sum::<usize>()
                    });
                },
            );
        }
    }
    group.finish();
}

fn overlaps(broad_phase: &BroadPhase, center: Point) -> usize {
    let region = Aabb::from_center_half(center, vec2(2.5, 2.5));
    broad_phase
        .query(&region, u64::MAX, |_| ControlFlow::Continue(()))
        .leaves
}

fn first_hit(broad_phase: &BroadPhase, boxes: &[Point], ray: &Ray) -> f32 {
    let mut first = ray.max_fraction;
    broad_phase.ray_cast(ray, u64::MAX, |data, limit| {
        let hit = around(boxes[data as usize]).ray_cast(ray);
        first = hit.map_or(limit, |hit| hit.fraction.min(limit));
        first
    });
    first
}

/// The boxes that had to be looked at for the nearest one.
fn closest(broad_phase: &BroadPhase, center: Point) -> usize {
    // The nearest box is found at once here: the first answer ends the search.
    broad_phase
        .closest(center, f32::MAX, u64::MAX, |_, _| 0.0)
        .leaves
}

criterion_group!(benches, load, step, questions);
criterion_main!(benches);
