//! Half-spaces against closed forms: the height of the lowest point of a shape over a plane.

use cairn2d_geometry::math::{Point, Pose, Vec2, left_perp, point, pose, sin_cos, vec2};
use cairn2d_geometry::tolerance::{LINEAR_SLOP, SPECULATIVE_DISTANCE};
use cairn2d_geometry::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Rounding of coordinates up to 100 m, the corners of the part of a half-space that stands for it.
const TOL: f32 = 5e-5;

fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_261_126),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn place() -> impl Strategy<Value = Point> {
    (-2.0_f32..2.0, -2.0_f32..2.0).prop_map(|(x, y)| point(x, y))
}

fn half_spaces() -> impl Strategy<Value = HalfSpace> {
    (place(), -3.1_f32..3.1).prop_map(|(at, angle)| {
        let (sin, cos) = sin_cos(angle);
        HalfSpace::new(at, vec2(cos, sin))
    })
}

fn shapes() -> impl Strategy<Value = Shape> {
    let size = || 0.1_f32..1.5;
    let long = |a: &Point, b: &Point| (a - b).norm() > 0.05;
    prop_oneof![
        (place(), size()).prop_map(|(c, r)| Circle::new(c, r).into()),
        (place(), place(), size()).prop_filter_map("long", move |(a, b, r)| long(&a, &b)
            .then(|| Capsule::new(a, b, r).into())),
        (place(), place()).prop_filter_map("long", move |(a, b)| long(&a, &b)
            .then(|| Segment::new(a, b).into())),
        (size(), size(), place(), -3.0_f32..3.0)
            .prop_map(|(x, y, c, a)| Polygon::offset_rectangle(x, y, c, a).into()),
        (prop::collection::vec(place(), 3..14), 0.01_f32..0.5).prop_filter_map("area", |(p, r)| {
            Polygon::try_rounded_hull(&p, r).ok().map(Shape::from)
        }),
        (place(), size(), size(), -3.0_f32..3.0)
            .prop_map(|(c, x, y, a)| Ellipse::new(c, x, y, a).into()),
    ]
}

/// Height of the lowest point of `shape` over the surface, in double precision.
fn height(plane: &HalfSpace, shape: &Shape, at: &Pose) -> f32 {
    let down = at.rotation.inverse() * -plane.normal();
    let lowest = at * shape.support(&down);
    let n = plane.normal().cast::<f64>();
    n.dot(&(lowest - plane.point()).cast::<f64>()) as f32
}

proptest! {
    #![proptest_config(repeatable(3000))]

    #[test]
    fn distance_and_depth_are_the_height(
        plane in half_spaces(), shape in shapes(), x in -6.0_f32..6.0, y in -6.0_f32..6.0, turn in -3.1_f32..3.1,
    ) {
        let at = pose(x, y, turn);
        let expected = height(&plane, &shape, &at);
        let solid = Shape::from(plane);
        for (a, b, b_in_a) in [(&solid, &shape, at), (&shape, &solid, at.inverse())] {
            let gap = distance(a, b, &b_in_a, &mut SimplexCache::default()).distance;
            prop_assert!((gap - expected.max(0.0)).abs() < TOL, "{gap} {expected}");
            let depth = penetration(a, b, &b_in_a).map_or(0.0, |overlap| overlap.depth);
            prop_assert!((depth - (-expected).max(0.0)).abs() < TOL, "{depth} {expected}");
        }
    }

    #[test]
    fn manifolds_have_the_normal_of_the_surface(
        plane in half_spaces(), shape in shapes(), along in -6.0_f32..6.0, lift in -0.3_f32..0.03, turn in -3.1_f32..3.1,
    ) {
        // The lowest point is put at the height `lift`.
        let level = pose(0.0, 0.0, turn);
        let n = plane.normal();
        let offset = left_perp(&n) * along + n * (lift - height(&plane, &shape, &level));
        let at = Pose::from_parts(offset.into(), level.rotation);
        let solid = Shape::from(plane);
        let first = collide(&solid, &shape, &at, &mut ManifoldCache::default());
        let last = collide(&shape, &solid, &at.inverse(), &mut ManifoldCache::default());
        for (manifold, normal) in [(first, n), (last, at.rotation.inverse() * -n)] {
            let Some(least) = manifold.min_separation() else {
                prop_assert!(lift > SPECULATIVE_DISTANCE - TOL);
                continue;
            };
            prop_assert!((least - lift).abs() < TOL, "{least} {lift}");
            prop_assert!((manifold.normal - normal).norm() < 1e-3, "{} {normal}", manifold.normal);
            for p in manifold.points() {
                prop_assert!(p.separation <= SPECULATIVE_DISTANCE);
            }
        }
    }

    #[test]
    fn casts_meet_the_surface_when_the_lowest_point_does(
        plane in half_spaces(), shape in shapes(), along in -6.0_f32..6.0, lift in 0.02_f32..6.0, turn in -3.1_f32..3.1,
        dx in -20.0_f32..20.0, dy in -20.0_f32..20.0,
    ) {
        let level = pose(0.0, 0.0, turn);
        let n = plane.normal();
        let offset = left_perp(&n) * along + n * (lift - height(&plane, &shape, &level));
        let at = Pose::from_parts(offset.into(), level.rotation);
        let step = vec2(dx, dy);
        let start = height(&plane, &shape, &at);
        let sink = -n.dot(&step);
        prop_assume!(sink.abs() > 0.1 && (start / sink - 1.0).abs() > 1e-3);
        let expected = (start / sink > 0.0 && start < sink).then_some(start / sink);
        let solid = Shape::from(plane);
        let back = at.rotation.inverse() * -step;
        for hit in [
            shape_cast(&solid, &shape, &at, step, 1.0),
            shape_cast(&shape, &solid, &at.inverse(), back, 1.0),
        ] {
            prop_assert_eq!(hit.is_some(), expected.is_some());
            if let (Some(hit), Some(fraction)) = (hit, expected) {
                prop_assert!((hit.fraction - fraction).abs() * sink < TOL, "{} {fraction}", hit.fraction);
            }
        }
        // The same motion as a sweep: it ends a slop before.
        let end = Pose::from_parts((at.translation.vector + step).into(), at.rotation);
        let rest = Sweep::resting(&Pose::identity());
        let impact = time_of_impact(&solid, &rest, &shape, &Sweep::between(&at, &end), 1.0);
        match expected {
            Some(fraction) => {
                prop_assert_eq!(impact.state, ToiState::Touching);
                let left = (fraction - impact.fraction) * sink;
                let target = LINEAR_SLOP.min(0.5 * start);
                prop_assert!((left - target).abs() <= 0.26 * target + TOL, "{left} {target}");
            }
            None => prop_assert!(impact.state == ToiState::Separated || start - sink < 2.0 * LINEAR_SLOP),
        }
    }

    #[test]
    fn turning_shapes_stop_before_the_surface(
        plane in half_spaces(), shape in shapes(), y in 0.5_f32..6.0, from in -3.1_f32..3.1, turn in -2.5_f32..2.5,
        dy in -12.0_f32..2.0,
    ) {
        let n = plane.normal();
        let start = Pose::from_parts((plane.point().coords + n * (y + 4.0)).into(), pose(0.0, 0.0, from).rotation);
        let end = Pose::from_parts((start.translation.vector + n * dy).into(), pose(0.0, 0.0, from + turn).rotation);
        let sweep = Sweep::between(&start, &end);
        let solid = Shape::from(plane);
        let impact = time_of_impact(&solid, &Sweep::resting(&Pose::identity()), &shape, &sweep, 1.0);
        prop_assert!(impact.state != ToiState::Failed);
        let last = if impact.state == ToiState::Touching { impact.fraction } else { 1.0 };
        for i in 0..=200 {
            let fraction = last * i as f32 / 200.0;
            let h = height(&plane, &shape, &sweep.pose_at(fraction));
            prop_assert!(h > 0.0, "{h} at {fraction} of {last}");
        }
        if impact.state == ToiState::Touching {
            let h = height(&plane, &shape, &sweep.pose_at(last));
            prop_assert!((h - LINEAR_SLOP).abs() <= 0.26 * LINEAR_SLOP + TOL, "{h}");
        }
    }

    #[test]
    fn rays_and_points_see_a_plane(plane in half_spaces(), from in place(), dx in -9.0_f32..9.0, dy in -9.0_f32..9.0) {
        let solid = Shape::from(plane);
        let h = plane.normal().dot(&(from - plane.point()));
        let on = solid.project(&from);
        prop_assert!((on.separation - h).abs() < 1e-5 && on.normal == plane.normal());
        prop_assert!(solid.project(&on.point).separation.abs() < 1e-5);
        prop_assume!(h.abs() > 1e-4);
        prop_assert_eq!(solid.contains(&from), h < 0.0);
        let ray = Ray::new(from, vec2(dx, dy));
        let sink = -plane.normal().dot(&ray.translation);
        let hit = solid.ray_cast(&ray);
        if h < 0.0 {
            prop_assert_eq!(hit.map(|hit| (hit.fraction, hit.normal)), Some((0.0, Vec2::zeros())));
        } else if (h - sink).abs() > 1e-3 {
            prop_assert_eq!(hit.is_some(), sink > h);
            prop_assert!(hit.is_none_or(|hit| (hit.fraction * sink - h).abs() < 1e-4));
        }
    }
}

#[test]
fn a_level_surface_is_as_exact_far_out_as_at_its_point() {
    let ground = Shape::from(HalfSpace::ground());
    let box_ = Shape::from(Polygon::rectangle(0.5, 0.5));
    for x in [0.0, 1.0e3, -1.0e5] {
        let at = pose(x, 0.503, 0.0);
        let manifold = collide(&ground, &box_, &at, &mut ManifoldCache::default());
        assert_eq!(manifold.points().len(), 2, "{x}");
        for p in manifold.points() {
            assert!((p.separation - 0.003).abs() < 1e-6, "{x} {}", p.separation);
        }
        assert_eq!(manifold.normal, vec2(0.0, 1.0));
    }
}

#[test]
fn invalid_numbers_are_refused() {
    let up = vec2(0.0, 1.0);
    assert!(HalfSpace::try_new(point(f32::NAN, 0.0), up).is_err());
    assert!(HalfSpace::try_new(point(2.0e6, 0.0), up).is_err());
    assert!(HalfSpace::try_new(Point::origin(), Vec2::zeros()).is_err());
    assert!(HalfSpace::try_new(Point::origin(), vec2(0.0, f32::INFINITY)).is_err());
    let tiny = HalfSpace::new(Point::origin(), vec2(0.0, 1.0e-30));
    assert_eq!(tiny.normal(), up);
}

#[test]
fn two_half_spaces_never_touch_in_a_manifold() {
    let ground = Shape::from(HalfSpace::ground());
    let at = pose(0.0, 1.0, 3.0);
    assert!(collide(&ground, &ground, &at, &mut ManifoldCache::default()).is_empty());
}
