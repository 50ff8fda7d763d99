//! A segment of a chain: rays from either side, distance, and the valid manifolds with ghosts at both ends.

use super::{EPS, Operation, mixed_gap, no_peers, size_of};
use crate::case::{Case, Form, Stream, largest, numbers_of};
use crate::generate::{Random, placed};
use crate::oracle::{self, Body, Frame, cross, dot, to_f64};
use cairn2d_geometry::math::{Point, Pose};
use cairn2d_geometry::tolerance::SMOOTH_CORNER;
use cairn2d_geometry::{
    ChainSegment, ManifoldCache, Ray, Segment, Shape, SimplexCache, collide, distance,
};

/// Tolerance of the distance: roundings of the largest coordinate.
const ULPS: f64 = 8.0;
/// Tolerance of separations of a manifold, relative to the largest coordinate or a meter.
const TOLERANCE: f64 = 1e-4;
/// By how much the length of a normal may differ from 1.
const UNIT: f64 = 1e-5;

pub const OPERATION: Operation = Operation {
    name: "chain",
    gap: mixed_gap,
    aim,
    judge,
    peers: no_peers,
    test,
};

/// A becomes four points: ghost, two ends, ghost. Numbers: origin and step of a ray.
fn aim(random: &mut Random, case: &mut Case, stream: Stream) {
    let size = size_of(case).max(1e-3);
    let mut points = case.a.corners.clone();
    while points.len() < 4 {
        let before = points.last().copied().unwrap_or_default();
        points.push(before + random.direction() * (size * random.between(0.1, 2.0)));
    }
    points.truncate(4);
    // Flat and nearly flat chains, as floors are.
    if stream == Stream::Degenerate && random.below(3) == 0 {
        let lean = [0.0, 1e-6, 1e-3, -1e-3][random.below(4) as usize];
        points = [-2.0, -1.0, 1.0, 2.0]
            .map(|x: f32| Point::new(x * size, lean * x.abs() * size))
            .to_vec();
    }
    case.a = Form {
        corners: points,
        ..Form::default()
    };
    case.numbers = vec![0.0; 4];
    let (Some(chain), Some(b)) = (segment(case), case.b.shape()) else {
        return;
    };
    let gap = mixed_gap(random) * size.min(1.0);
    case.pose = numbers_of(&placed(random, &chain.into(), &b, gap));
    let middle = chain.a() + (chain.b() - chain.a()) * random.between(-0.1, 1.1);
    let from = middle + random.direction() * (size * random.between(0.1, 6.0));
    let step = (middle - from) * random.between(0.5, 3.0);
    case.numbers = vec![from.x, from.y, step.x, step.y];
}

fn segment(case: &Case) -> Option<ChainSegment> {
    let [before, a, b, after] = case.a.corners[..] else {
        return None;
    };
    ChainSegment::try_new(Some(before), a, b, Some(after)).ok()
}

fn judge(case: &Case) -> Option<f64> {
    let chain = segment(case)?;
    let plain = Segment::try_new(chain.a(), chain.b()).ok()?;
    let errors = [
        ray_error(&chain, &plain, case),
        pair_error(&chain, &plain, case)?,
    ];
    errors.into_iter().reduce(f64::max)
}

/// A ray from the solid side has the hit of a plain segment; a ray from the other side has none.
fn ray_error(chain: &ChainSegment, plain: &Segment, case: &Case) -> f64 {
    let ray = Ray::new(Point::from(case.vector(0)), case.vector(2));
    let edge = chain.b() - chain.a();
    // The solid side is the right one.
    let along = cross(to_f64(edge), to_f64(ray.translation));
    let found = Shape::from(*chain).ray_cast(&ray).map(|hit| hit.fraction);
    let either = Shape::from(*plain).ray_cast(&ray).map(|hit| hit.fraction);
    let rounding =
        EPS * to_f64(edge).map(f64::abs).iter().sum::<f64>() * f64::from(ray.translation.norm());
    let is_right = if along.abs() <= 4.0 * rounding {
        found.is_none() || found == either
    } else if along > 0.0 {
        found == either
    } else {
        found.is_none()
    };
    if is_right { 0.0 } else { f64::INFINITY }
}

/// Distance is that of the segment; a manifold has a normal that the chain has there, and is no deeper than the shapes
/// are along it.
fn pair_error(chain: &ChainSegment, plain: &Segment, case: &Case) -> Option<f64> {
    let (b, pose) = (case.b.shape()?, case.pose());
    let identity = Frame::new(&Pose::identity());
    let bodies = (
        Body::new(&Shape::from(*plain), &identity),
        Body::new(&b, &Frame::new(&pose)),
    );
    let home = Body::new(&b, &identity);
    let ghosts = [chain.ghost_before(), chain.ghost_after()];
    let ghosts: Vec<_> = ghosts.iter().flatten().map(|p| to_f64(p.coords)).collect();
    let all = bodies.0.core.iter().chain(&bodies.1.core);
    let scale = largest(all.chain(&home.core).chain(&ghosts)) + bodies.1.radius;
    let exact = oracle::separation(&bodies.0, &bodies.1);
    let a = Shape::from(*chain);
    let found = distance(&a, &b, &pose, &mut SimplexCache::default()).distance;
    let apart = (f64::from(found) - exact.max(0.0)).abs() / (ULPS * EPS * scale);
    Some(apart.max(manifold_error(chain, &b, &pose, &bodies, scale)))
}

fn manifold_error(
    chain: &ChainSegment,
    b: &Shape,
    pose: &Pose,
    bodies: &(Body, Body),
    scale: f64,
) -> f64 {
    let found = collide(&(*chain).into(), b, pose, &mut ManifoldCache::default());
    let Some(least) = found.min_separation() else {
        return 0.0;
    };
    let n = to_f64(found.normal);
    let face = to_f64(chain.normal());
    // From the faces of the neighbors at the most, and never into the back.
    let mut widest: f64 = 1.0;
    let before = chain.ghost_before().map(|g| (g, chain.a()));
    let after = chain.ghost_after().map(|g| (chain.b(), g));
    for (p, q) in [before, after].into_iter().flatten() {
        let edge = to_f64(q - p);
        let length = edge[0].hypot(edge[1]);
        let normal = [edge[1] / length, -edge[0] / length];
        let turn = cross(face, normal);
        let bulges = if Some((p, q)) == before {
            turn < 0.0
        } else {
            turn > 0.0
        };
        if bulges {
            widest = widest.min(dot(face, normal));
        }
    }
    if (dot(n, n).sqrt() - 1.0).abs() >= UNIT {
        return f64::INFINITY;
    }
    // Normals that differ by less than a smooth corner count as equal.
    let outside = (widest - dot(face, n)) / f64::from(SMOOTH_CORNER);
    let along = -oracle::reach(&bodies.0, n) - oracle::reach(&bodies.1, [-n[0], -n[1]]);
    let off = (along - f64::from(least)).abs() / (TOLERANCE * scale.max(1.0));
    // Points are clipped to the segment: deeper points beyond its end belong to its neighbor.
    let off = if f64::from(least) > along { 0.0 } else { off };
    outside.max(off)
}

fn test(case: &Case) -> String {
    let [x, y, angle] = case.pose;
    let points: Vec<String> = case
        .a
        .corners
        .iter()
        .map(|p| format!("point({:?}, {:?})", p.x, p.y))
        .collect();
    let n = &case.numbers;
    format!(
        "    let [before, a, b, after] = [{}];\n    \
         let a: Shape = ChainSegment::new(Some(before), a, b, Some(after)).into();\n    \
         let b: Shape = {};\n    let p = pose({x:?}, {y:?}, {angle:?});\n    \
         let ray = Ray::new(point({:?}, {:?}), vec2({:?}, {:?}));\n    \
         panic!(\"{{:?}} {{:?}} {{:?}}\", a.ray_cast(&ray), distance(&a, &b, &p, &mut SimplexCache::default()), collide(&a, &b, &p, &mut ManifoldCache::default()));\n",
        points.join(", "),
        case.b.code(),
        n[0],
        n[1],
        n[2],
        n[3],
    )
}
