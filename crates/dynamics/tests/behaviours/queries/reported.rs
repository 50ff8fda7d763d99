//! Casts and walks that users of other engines saw fail: long thin plates, resting places, no way at all, overhangs and wedges.

use crate::queries::characters::{STANDS, go, hero};
use crate::support::*;
use cairn2d_dynamics::{BodyDef, CharacterController, Footing, QueryFilter, ShapeDef, World};
use cairn2d_geometry::math::vec2;
use cairn2d_geometry::{ChainKind, Shape};

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

/// Walks to the right for four seconds; returns the greatest rise in a step, and whether it was always on the ground.
fn walk(world: &mut World, x: f32) -> (f32, bool) {
    let hero = hero(world, x, STANDS);
    let controller = CharacterController::default();
    let (mut rise, mut is_grounded) = (0.0_f32, true);
    let mut height = y(world, hero);
    for i in 0..240 {
        let walk = go(world, &controller, hero, vec2(0.05, -0.02));
        rise = rise.max(y(world, hero) - height);
        height = y(world, hero);
        is_grounded &= i == 0 || walk.footing != Footing::Air;
    }
    (rise, is_grounded)
}

#[test]
fn character_walks_on_over_ground_that_steepens() {
    for second in [0.1, 0.2, 0.4, 0.6] {
        for first in [0.0, 0.1, 0.3] {
            let mut world = world();
            let body = world.create_body(BodyDef::static_());
            let (a, b) = (first, first + second);
            let (x, y) = (4.0 * cosine(a), 4.0 * sine(a));
            let end = (x + 20.0 * cosine(b), y + 20.0 * sine(b));
            add_chain(
                &mut world,
                body,
                &[end, (x, y), (0.0, 0.0), (-9.0, 0.0)],
                ChainKind::Open,
            );
            let (rise, is_grounded) = walk(&mut world, -1.0);
            assert!(is_grounded, "{first} then {b} rad: in the air");
            let hero = world.bodies().last().unwrap().position();
            // Steeper than the greatest angle it stays at the foot.
            let climbs = b < CharacterController::default().max_climb_angle;
            assert_eq!(hero.x > x + 1.0, climbs, "{first} then {b} rad: {hero:?}");
            assert!(rise < 0.06);
        }
    }
}

#[test]
fn character_under_an_overhang_is_not_drawn_up() {
    for slant in [0.3, 0.7, 1.0, 1.3] {
        for height in [1.0, 1.5, 2.2] {
            let mut world = world();
            ground(&mut world);
            // A ceiling that comes down to the right.
            let reach = 6.0 * cosine(slant);
            let corners = [
                (0.0, height + 6.0 * sine(slant)),
                (reach, height),
                (reach, height + 9.0),
            ];
            solid(&mut world, BodyDef::static_(), hull(&corners));
            let (rise, is_grounded) = walk(&mut world, -1.0);
            assert!(
                is_grounded && rise < 1.0e-3,
                "{slant} rad, {height} m: {rise}"
            );
        }
    }
}

#[test]
fn character_in_a_wedge_keeps_still() {
    for left in [0.9, 1.1, 1.3] {
        for right in [0.9, 1.1, 1.3] {
            let mut world = world();
            let body = world.create_body(BodyDef::static_());
            let side = |angle: f32, sign: f32| (sign * 5.0 * cosine(angle), 5.0 * sine(angle));
            add_chain(
                &mut world,
                body,
                &[side(right, 1.0), (0.0, 0.0), side(left, -1.0)],
                ChainKind::Open,
            );
            let hero = hero(&mut world, 0.0, 3.0);
            let controller = CharacterController::default();
            let mut fall = 0.0;
            let mut last = world.body(hero).position();
            for i in 0..240 {
                let wish = vec2(0.03, fall);
                let walk = go(&mut world, &controller, hero, wish);
                fall = if walk.footing == Footing::Air {
                    fall - G * DT * DT
                } else {
                    -0.01
                };
                let now = world.body(hero).position();
                let moved = (now - last).norm();
                assert!(i < 120 || moved < 2.0e-3, "{left}, {right}: {moved} m");
                last = now;
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
