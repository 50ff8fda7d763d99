//! Accuracy of distance, casts and times of impact, against double precision by brute force.

mod reference;

use cairn2d_geometry::math::{Point, Pose, Vec2, point, pose, rotation, vec2};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use reference::{Body, Frame, dot, hull, separation, signed_distance, to_f64};

/// Spacing of `f32` at 1.
const ULP: f64 = f32::EPSILON as f64;
/// Roundings of the largest coordinate by which a distance may be off.
const DISTANCE_ULPS: f64 = 8.0;
/// Part of the largest coordinate by which a cast may be off.
const CAST_TOLERANCE: f64 = 1e-5;
/// Moments at which a motion is looked at.
const MOMENTS: u16 = 64;

/// The same cases on every run.
fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_261_122),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn place() -> impl Strategy<Value = Point> {
    (-2.0_f32..2.0, -2.0_f32..2.0).prop_map(|(x, y)| point(x, y))
}

/// Rounded hulls of every kind.
fn shapes() -> impl Strategy<Value = Shape> {
    let size = || 0.1_f32..1.5;
    prop_oneof![
        (place(), size()).prop_map(|(c, r)| Circle::new(c, r).into()),
        (place(), place(), size()).prop_filter_map("long", |(a, b, r)| Capsule::try_new(a, b, r)
            .ok()
            .map(Shape::from)),
        (place(), place()).prop_filter_map("long", |(a, b)| Segment::try_new(a, b)
            .ok()
            .map(Shape::from)),
        (size(), size()).prop_map(|(x, y)| Polygon::rectangle(x, y).into()),
        prop::collection::vec(place(), 3..12)
            .prop_filter_map("to_f64", |p| Polygon::try_hull(&p).ok().map(Shape::from)),
        (prop::collection::vec(place(), 3..12), 0.01_f32..0.5)
            .prop_filter_map("to_f64", |(p, r)| {
                Polygon::try_rounded_hull(&p, r).ok().map(Shape::from)
            }),
    ]
}

fn poses() -> impl Strategy<Value = Pose> {
    (-6.0_f32..6.0, -6.0_f32..6.0, -3.1_f32..3.1).prop_map(|(x, y, angle)| pose(x, y, angle))
}

fn turning(at: Pose, way: Vec2, angle: f32, center: Point) -> Sweep {
    let mut sweep = Sweep::resting(&at);
    sweep.local_center = center;
    sweep.start += at.rotation * center.coords;
    sweep.end = sweep.start + way;
    sweep.end_rotation = at.rotation * rotation(angle);
    sweep
}

/// Two shapes in the frame of A, in double precision.
fn bodies(a: &Shape, b: &Shape, b_in_a: &Pose) -> (Body, Body) {
    let (here, there) = (Frame::new(&Pose::identity()), Frame::new(b_in_a));
    (Body::new(a, &here), Body::new(b, &there))
}

fn largest(bodies: &(Body, Body)) -> f64 {
    let corners = bodies.0.core.iter().chain(&bodies.1.core).flatten();
    corners.fold(1.0, |most: f64, x| most.max(x.abs()))
}

/// Distance of a point on a straight path from its target.
fn off_the_way(outline: &[[f64; 2]], radius: f64, way: [f64; 2], fraction: f64) -> f64 {
    signed_distance(outline, [way[0] * fraction, way[1] * fraction]) - radius
}

proptest! {
    #![proptest_config(repeatable(4000))]

    #[test]
    fn distance_is_within_eight_ulps_of_scale(a in shapes(), b in shapes(), p in poses()) {
        let exact = bodies(&a, &b, &p);
        let gap = separation(&exact.0, &exact.1).max(0.0);
        let mut cache = SimplexCache::default();
        for _ in 0..2 {
            let found = distance(&a, &b, &p, &mut cache);
            let off = (f64::from(found.distance) - gap).abs();
            prop_assert!(off <= DISTANCE_ULPS * ULP * largest(&exact), "{found:?} for {gap}");
        }
    }

    #[test]
    fn casts_end_on_the_surface_without_a_slop(
        a in shapes(), b in shapes(), p in poses(), aside in -0.8_f32..0.8, far in 0.3_f32..2.0,
    ) {
        let exact = bodies(&a, &b, &p);
        if separation(&exact.0, &exact.1) <= 1e-4 {
            return Ok(());
        }
        let step = rotation(aside) * -p.translation.vector * far;
        // B meets A where zero, going the other way, meets the difference.
        let differences = exact.0.core.iter()
            .flat_map(|p| exact.1.core.iter().map(|q| [q[0] - p[0], q[1] - p[1]]));
        let outline = hull(differences.collect());
        let (radius, way) = (exact.0.radius + exact.1.radius, to_f64(-step));
        let scale = largest(&exact).max(step.norm().into());
        let hit = shape_cast(&a, &b, &p, step, 1.0);
        let end = hit.map_or(1.0, |hit| f64::from(hit.fraction));
        let at = |fraction: f64| off_the_way(&outline, radius, way, fraction);
        if hit.is_some() {
            prop_assert!(at(end).abs() <= CAST_TOLERANCE * scale, "{hit:?} is {} off", at(end));
        }
        for i in 0..=MOMENTS {
            let before = at(end * f64::from(i) / f64::from(MOMENTS));
            prop_assert!(before >= -CAST_TOLERANCE * scale, "{hit:?} is past {before}");
        }
    }

    #[test]
    fn rays_end_on_the_surface(a in shapes(), from in poses(), aim in place(), far in 0.5_f32..3.0) {
        let origin = Point::from(from.translation.vector);
        let ray = Ray::new(origin, (aim - origin) * far);
        let body = Body::new(&a, &Frame::new(&Pose::identity()));
        let outline = hull(body.core.clone());
        let at = |fraction: f64| {
            let (o, d) = (to_f64(origin.coords), to_f64(ray.translation));
            signed_distance(&outline, [o[0] + d[0] * fraction, o[1] + d[1] * fraction]) - body.radius
        };
        if at(0.0) <= 1e-4 {
            return Ok(());
        }
        let length = f64::from(ray.translation.norm());
        let scale = length.max(6.0);
        let hit = a.ray_cast(&ray);
        let end = hit.map_or(1.0, |hit| f64::from(hit.fraction));
        if let Some(hit) = hit {
            prop_assert!(at(end).abs() <= CAST_TOLERANCE * scale, "{hit:?} is {} off", at(end));
            prop_assert!(dot(to_f64(hit.normal), to_f64(ray.translation)) <= 0.0);
        }
        // A segment has no inside to be past of.
        for i in 0..=MOMENTS {
            let before = at(end * f64::from(i) / f64::from(MOMENTS));
            prop_assert!(before >= -CAST_TOLERANCE * scale, "{hit:?} is past {before}");
        }
    }

    #[test]
    fn times_of_impact_end_within_two_slops_and_never_past_the_contact(
        a in shapes(), b in shapes(), p in poses(), far in 0.2_f32..2.0, aside in -0.5_f32..0.5,
        turns in (-1.2_f32..1.2, -1.2_f32..1.2), centers in (place(), place()),
    ) {
        let way = rotation(aside) * -p.translation.vector * far;
        let sweep_a = turning(Pose::identity(), vec2(0.0, 0.0), turns.0, centers.0);
        let sweep_b = turning(p, way, turns.1, centers.1);
        let gap = |fraction: f64| {
            let here = Body::new(&a, &Frame::of_sweep(&sweep_a, fraction));
            separation(&here, &Body::new(&b, &Frame::of_sweep(&sweep_b, fraction)))
        };
        if gap(0.0) <= 1e-3 {
            return Ok(());
        }
        let impact = time_of_impact(&a, &sweep_a, &b, &sweep_b, 1.0);
        let end = f64::from(impact.fraction);
        match impact.state {
            ToiState::Touching => {
                let there = gap(end);
                prop_assert!((0.0..=2.0 * f64::from(LINEAR_SLOP)).contains(&there), "{there}");
            }
            ToiState::Separated => prop_assert_eq!(end, 1.0),
            _ => prop_assert!(false, "{:?}", impact),
        }
        for i in 0..=MOMENTS {
            let before = gap(end * f64::from(i) / f64::from(MOMENTS));
            prop_assert!(before > 0.0, "{impact:?} is past {before}");
        }
    }
}
