//! Laws that need no reference answer.

use cairn2d_geometry::math::{Point, Pose, Vec2, point, pose};
use cairn2d_geometry::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn place() -> impl Strategy<Value = Point> {
    (-2.0_f32..2.0, -2.0_f32..2.0).prop_map(|(x, y)| point(x, y))
}

fn poses() -> impl Strategy<Value = Pose> {
    (-4.0_f32..4.0, -4.0_f32..4.0, -3.1_f32..3.1).prop_map(|(x, y, angle)| pose(x, y, angle))
}

/// Shapes of every kind but one-sided ones, about 1 m.
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
        (size(), size(), place(), -3.0_f32..3.0)
            .prop_map(|(x, y, c, a)| Polygon::offset_rectangle(x, y, c, a).into()),
        (prop::collection::vec(place(), 3..14), 0.0_f32..0.5).prop_filter_map(
            "to_f64",
            |(p, r)| {
                Polygon::try_rounded_hull(&p, r.max(0.01))
                    .ok()
                    .map(Shape::from)
            }
        ),
        (place(), size(), size(), -3.0_f32..3.0)
            .prop_map(|(c, x, y, a)| Ellipse::new(c, x, y, a).into()),
    ]
}

fn gap(a: &Shape, b: &Shape, b_in_a: &Pose) -> f32 {
    distance(a, b, b_in_a, &mut SimplexCache::default()).distance
}

/// Rounding of coordinates up to some 10 m, many times over; ellipses are good to an ulp of that.
const TOL: f32 = 2e-5;

/// The same cases on every run.
fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_261_121),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(repeatable(3000))]

    #[test]
    fn distance_does_not_depend_on_who_asks(a in shapes(), b in shapes(), p in poses(), q in poses()) {
        let there = gap(&a, &b, &p);
        prop_assert!((there - gap(&b, &a, &p.inverse())).abs() < TOL);
        // Both moved together.
        let moved = (q.inverse()) * (q * p);
        prop_assert!((there - gap(&a, &b, &moved)).abs() < TOL);
    }

    #[test]
    fn a_stale_cache_changes_nothing(a in shapes(), b in shapes(), p in poses(), q in poses()) {
        let mut cache = SimplexCache::default();
        let _ = distance(&b, &a, &q, &mut cache);
        let warm = distance(&a, &b, &p, &mut cache);
        prop_assert!((warm.distance - gap(&a, &b, &p)).abs() < TOL);
    }

    #[test]
    fn a_push_out_of_an_overlap_leaves_a_touch(a in shapes(), b in shapes(), p in poses()) {
        if let Some(overlap) = penetration(&a, &b, &p) {
            let out = Pose::from_parts((p.translation.vector + overlap.push_apart()).into(), p.rotation);
            prop_assert!(gap(&a, &b, &out) < TOL);
            prop_assert!(penetration(&a, &b, &out).is_none_or(|rest| rest.depth < TOL));
        } else {
            prop_assert!(gap(&a, &b, &p) > 0.0);
        }
    }

    #[test]
    fn shapes_overlap_exactly_if_their_distance_is_zero(a in shapes(), b in shapes(), p in poses(), nudge in -5e-5_f32..5e-5) {
        prop_assert_eq!(overlaps(&a, &b, &p), gap(&a, &b, &p) == 0.0);
        // Close to a touch, where the faces of polygons do not tell.
        let apart = distance(&a, &b, &p, &mut SimplexCache::default());
        let shift = apart.normal * (nudge - apart.distance);
        let close = Pose::from_parts((p.translation.vector + shift).into(), p.rotation);
        prop_assert_eq!(overlaps(&a, &b, &close), gap(&a, &b, &close) == 0.0);
    }

    #[test]
    fn boxes_hold_what_they_are_around(a in shapes(), p in poses(), turn in -3.1_f32..3.1) {
        let (sin, cos) = math::sin_cos(turn);
        let s = a.support(&Vec2::new(cos, sin));
        prop_assert!(a.aabb(&p).expanded(1e-6).contains_point(&(p * s)));
        prop_assert!(a.project(&s).separation.abs() < TOL);
        prop_assert!((s - Point::origin()).norm() <= a.extent_about(&Point::origin()) + TOL);
    }

    #[test]
    fn a_point_is_inside_or_on_its_way_to_the_surface(a in shapes(), q in place()) {
        let on = a.project(&q);
        prop_assert!((on.normal.norm() - 1.0).abs() < 1e-5);
        prop_assert!(a.project(&on.point).separation.abs() < TOL);
        if on.separation.abs() > TOL {
            prop_assert_eq!(a.contains(&q), on.separation < 0.0);
        }
        let back = q - on.normal * on.separation;
        prop_assert!((back - on.point).norm() < 1e-3, "{} {}", back, on.point);
    }

    #[test]
    fn manifolds_swap(a in shapes(), b in shapes(), p in poses()) {
        let there = collide(&a, &b, &p, &mut ManifoldCache::default());
        let back = collide(&b, &a, &p.inverse(), &mut ManifoldCache::default());
        match (there.min_separation(), back.min_separation()) {
            // Each is exact up to the tolerance with which a face is preferred.
            (Some(x), Some(y)) => prop_assert!((x - y).abs() < 1.5e-4),
            (x, y) => prop_assert!(x.or(y).is_none_or(|s| s > 0.0198)),
        }
    }

    #[test]
    fn clearance_is_part_of_the_gap(a in shapes(), b in shapes(), p in poses(), q in poses()) {
        let mut cache = ManifoldCache::default();
        let _ = collide(&a, &b, &q, &mut cache);
        let manifold = collide(&a, &b, &p, &mut cache);
        let far = gap(&a, &b, &p) - tolerance::SPECULATIVE_DISTANCE;
        if manifold.is_empty() {
            prop_assert!((0.0..=far.max(0.0) + TOL).contains(&manifold.clearance));
            // The separation of a face is at least a part of the distance of corners.
            prop_assert!(far < 0.1 || manifold.clearance > 0.0);
        } else {
            prop_assert_eq!(manifold.clearance, 0.0);
        }
    }

    #[test]
    fn ids_stay_while_shapes_move_a_hair(a in shapes(), b in shapes(), p in poses(), dx in -1e-6_f32..1e-6) {
        let mut cache = ManifoldCache::default();
        let before = collide(&a, &b, &p, &mut cache);
        let nudged = Pose::from_parts((p.translation.vector + Vec2::new(dx, -dx)).into(), p.rotation);
        let after = collide(&a, &b, &nudged, &mut cache);
        let is_near = |s: f32| s < 0.0199;
        if before.points().iter().all(|q| is_near(q.separation))
            && after.points().len() == before.points().len()
            && (before.normal - after.normal).norm() < 1e-3
        {
            for (q, r) in before.points().iter().zip(after.points()) {
                prop_assert_eq!(q.id, r.id);
            }
        }
    }

    #[test]
    fn casts_end_in_a_touch(a in shapes(), b in shapes(), p in poses(), step in place()) {
        let step = step.coords * 3.0;
        let Some(hit) = shape_cast(&a, &b, &p, step, 1.0) else { return Ok(()) };
        let at = |t: f32| Pose::from_parts((p.translation.vector + step * t).into(), p.rotation);
        if hit.fraction > 0.0 {
            prop_assert!(gap(&a, &b, &at(hit.fraction)) < TOL);
            prop_assert!(gap(&a, &b, &at(0.9 * hit.fraction)) > 0.0 || hit.fraction < 1e-4);
            prop_assert!(hit.normal.dot(&step) < 1e-5);
        } else {
            prop_assert!(gap(&a, &b, &p) < TOL);
        }
    }

    #[test]
    fn both_ways_to_the_time_of_impact_agree(a in shapes(), b in shapes(), from in poses(), to in poses()) {
        let rest = Sweep::resting(&Pose::identity());
        let mut way = Sweep::between(&from, &to);
        let turn = (from.rotation.inverse() * to.rotation).re;
        if turn < 0.2 {
            // Near half a turn, interpolated cosine and sine run ever faster.
            way.end_rotation = way.start_rotation;
        }
        let quick = time_of_impact(&a, &rest, &b, &way, 1.0);
        let slow = conservative_advancement(&a, &rest, &b, &way, 1.0);
        prop_assert!(quick.state != ToiState::Failed);
        if slow.state == ToiState::Failed {
            // Past a near miss it creeps; its steps end there.
            prop_assert!(gap(&a, &b, &way.pose_at(slow.fraction)) < 0.01);
        } else if quick.state != slow.state {
            // Grazing: one sees the gap just within the band, the other just outside.
            let hit = if quick.state == ToiState::Touching { quick } else { slow };
            prop_assert!(hit.separation > 0.003, "{quick:?} {slow:?}");
        }
        for i in 0..16_u8 {
            let pose = way.pose_at(quick.fraction * f32::from(i) / 16.0);
            prop_assert!(quick.state == ToiState::Overlapped || gap(&a, &b, &pose) > 0.0);
        }
    }

    #[test]
    fn mass_moves_with_the_shape(a in shapes(), density in 0.1_f32..9.0) {
        let one = a.mass(1.0);
        let many = a.mass(density);
        prop_assert!((many.mass - density * one.mass).abs() <= 1e-5 * many.mass);
        prop_assert!(one.mass == 0.0 || a.contains(&one.center));
        prop_assert!(one.inertia >= 0.0);
    }
}
