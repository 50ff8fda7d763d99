//! Queries that users of other engines saw fail: long thin plates, resting places, no way at all, near misses.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, QueryFilter, ShapeDef};
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::vec2;

/// A ball meets a plate where its center is its radius above it, however long the plate.
#[test]
fn cast_meets_a_long_thin_plate_in_any_place() {
    for length in [100.0, 300.0, 800.0] {
        for angle in [0.0, 0.3, -0.9] {
            let mut world = world();
            let plate = BodyDef::static_().angle(angle);
            solid(&mut world, plate, rect(0.5 * length, 0.5));
            let (along, up) = (
                vec2(cosine(angle), sine(angle)),
                vec2(-sine(angle), cosine(angle)),
            );
            for i in -9..=9 {
                let start = 0.05 * i as f32 * length * along + 60.0 * up;
                let ball = Shape::from(disc(8.0));
                let way = -100.0 * up;
                let place = (start.x, start.y);
                let hit = world
                    .shape_cast(&ball, place, 0.0, way, QueryFilter::default())
                    .unwrap_or_else(|| panic!("{length} m at {angle}, {i}: missed"));
                close(100.0 * hit.fraction, 60.0 - 8.5, 2.0 * SLOP);
                assert!((hit.normal - up).norm() < 1.0e-3, "{:?}", hit.normal);
                let ray = world
                    .ray_cast(place, way, QueryFilter::default())
                    .expect("the ray hits, too");
                close(100.0 * ray.fraction, 60.0 - 0.5, 1.0e-2);
            }
        }
    }
}

/// A box on the floor may be cast away from it and along it, and is stopped on its way down.
#[test]
fn cast_from_a_resting_place_is_free_except_into_the_ground() {
    let mut world = world();
    ground(&mut world);
    let shape = Shape::from(rect(0.5, 0.5));
    let cast = |gap: f32, way| {
        world.shape_cast(&shape, (0.0, 0.5 + gap), 0.0, way, QueryFilter::default())
    };
    for gap in [1.0e-4, 1.0e-3, 0.02] {
        for way in [
            vec2(0.0, 2.0),
            vec2(2.0, 0.0),
            vec2(-2.0, 0.0),
            vec2(1.0, 1.0),
        ] {
            assert!(cast(gap, way).is_none(), "{gap} m, {way:?}");
        }
        let hit = cast(gap, vec2(0.0, -2.0)).expect("the floor");
        assert!(
            2.0 * hit.fraction <= gap + 1.0e-4,
            "{gap} m: {}",
            hit.fraction
        );
    }
}

/// A cast of no length is the question whether its start is covered.
#[test]
fn casts_of_no_length_hit_what_covers_their_start() {
    let shapes: [Shape; 4] = [
        disc(0.5).into(),
        rect(0.5, 0.5).into(),
        capsule(0.3, 0.5).into(),
        hull(&[(-0.6, -0.5), (0.6, -0.5), (0.0, 0.7)]).into(),
    ];
    for shape in shapes {
        let mut world = world();
        solid(&mut world, BodyDef::static_(), shape.clone());
        let still = vec2(0.0, 0.0);
        let probe = Shape::from(disc(0.1));
        for (x, is_covered) in [(0.1, true), (3.0, false)] {
            let ray = world.ray_cast((x, 0.0), still, QueryFilter::default());
            let cast = world.shape_cast(&probe, (x, 0.0), 0.0, still, QueryFilter::default());
            assert_eq!(
                [ray.is_some(), cast.is_some()],
                [is_covered; 2],
                "{shape:?}"
            );
            for hit in [ray, cast].into_iter().flatten() {
                assert_eq!(hit.fraction, 0.0);
                assert!(hit.normal.x.is_finite() && hit.point.x.is_finite());
            }
        }
    }
}

/// Boxes beside a query, by little, are not in it.
#[test]
fn shapes_just_outside_of_a_query_are_not_found() {
    for far in [0.0, 1.0e3, 3.0e4] {
        for angle in [0.0, 0.4, 0.785] {
            for (gap, is_found) in [(0.05, false), (0.01, false), (-0.01, true)] {
                let mut world = world();
                let query = Shape::from(rect(0.5, 0.5));
                let place = (far, -far);
                let (s, c) = (sine(angle), cosine(angle));
                let distance = 1.0 + gap;
                let at = vec2(c * distance, s * distance);
                let def = BodyDef::static_()
                    .world_position((place.0 + f64::from(at.x), place.1 + f64::from(at.y)))
                    .angle(angle);
                add(&mut world, def, rect(0.5, 0.5), ShapeDef::default());
                let found = world.overlap_shape(&query, place, angle, QueryFilter::default());
                assert_eq!(
                    found.len(),
                    usize::from(is_found),
                    "{far} m, {angle} rad, {gap} m"
                );
            }
        }
    }
}
