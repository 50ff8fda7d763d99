//! Walks that users of other engines saw fail: ground that steepens, overhangs and wedges.

use crate::support::*;
use cairn2d::prelude::*;

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
