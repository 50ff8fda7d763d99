//! Times of single questions to `cairn2d-geometry`, on a small set of typical inputs.

use cairn2d_geometry::math::{Point, Pose, point, pose, vec2};
use cairn2d_geometry::{
    Capsule, Circle, Ellipse, ManifoldCache, Polygon, Ray, Shape, SimplexCache, Sweep, collide,
    convex_hull, convex_pieces, distance, penetration, shape_cast, time_of_impact,
};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn named_shapes() -> Vec<(&'static str, Shape)> {
    let corners: Vec<Point> = star(6, 0.5, 0.5);
    vec![
        ("box", Polygon::rectangle(0.5, 0.5).into()),
        ("hexagon", Polygon::hull(&corners).into()),
        (
            "rounded hexagon",
            Polygon::rounded_hull(&corners, 0.1).into(),
        ),
        (
            "capsule",
            Capsule::new(point(-0.4, 0.0), point(0.4, 0.0), 0.2).into(),
        ),
        ("circle", Circle::new(Point::origin(), 0.5).into()),
        (
            "ellipse",
            Ellipse::new(Point::origin(), 0.6, 0.4, 0.3).into(),
        ),
    ]
}

/// Corners at two distances in turn; a regular polygon where they are equal.
fn star(count: u16, outer: f32, inner: f32) -> Vec<Point> {
    (0..count)
        .map(|i| {
            let radius = if i % 2 == 0 { outer } else { inner };
            let angle = core::f32::consts::TAU * f32::from(i) / f32::from(count);
            let (sin, cos) = cairn2d_geometry::math::sin_cos(angle);
            point(radius * cos, radius * sin)
        })
        .collect()
}

fn pairs(c: &mut Criterion) {
    for (name, shape) in named_shapes() {
        let touching = pose(0.1, 0.93, 0.1);
        let apart = pose(1.2, 1.3, 0.4);
        let mut cache = ManifoldCache::default();
        c.bench_function(&format!("collide/{name}"), |b| {
            b.iter(|| collide(black_box(&shape), &shape, black_box(&touching), &mut cache));
        });
        c.bench_function(&format!("distance cold/{name}"), |b| {
            b.iter(|| {
                distance(
                    black_box(&shape),
                    &shape,
                    &apart,
                    &mut SimplexCache::default(),
                )
            });
        });
        let mut cache = SimplexCache::default();
        c.bench_function(&format!("distance cached/{name}"), |b| {
            b.iter(|| distance(black_box(&shape), &shape, &apart, &mut cache));
        });
        c.bench_function(&format!("penetration/{name}"), |b| {
            b.iter(|| penetration(black_box(&shape), &shape, &pose(0.3, 0.2, 0.1)));
        });
        c.bench_function(&format!("shape cast/{name}"), |b| {
            b.iter(|| shape_cast(black_box(&shape), &shape, &apart, vec2(-2.0, -2.0), 1.0));
        });
        let way = Sweep::between(&apart, &pose(-1.0, -1.2, 0.9));
        let rest = Sweep::resting(&Pose::identity());
        c.bench_function(&format!("time of impact/{name}"), |b| {
            b.iter(|| time_of_impact(black_box(&shape), &rest, &shape, &way, 1.0));
        });
    }
}

fn single(c: &mut Criterion) {
    let ray = Ray::new(point(-3.0, 0.2), vec2(6.0, 0.1));
    for (name, shape) in named_shapes() {
        c.bench_function(&format!("ray cast/{name}"), |b| {
            b.iter(|| shape.ray_cast(black_box(&ray)));
        });
        c.bench_function(&format!("mass/{name}"), |b| {
            b.iter(|| black_box(&shape).mass(1.0))
        });
        c.bench_function(&format!("aabb/{name}"), |b| {
            b.iter(|| shape.aabb(black_box(&pose(1.0, 2.0, 0.3))));
        });
    }
    let cloud = star(64, 1.0, 0.9);
    c.bench_function("hull/64 points", |b| {
        b.iter(|| convex_hull(black_box(&cloud)))
    });
    let outline = star(64, 1.0, 0.4);
    c.bench_function("convex pieces/64 corners", |b| {
        b.iter(|| convex_pieces(black_box(&outline), &[]));
    });
}

criterion_group!(benches, pairs, single);
criterion_main!(benches);
