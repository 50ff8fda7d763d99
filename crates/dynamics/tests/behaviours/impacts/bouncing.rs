//! Bounces at default settings: their times, their limits in number, and their events.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};

/// Half the side of a square box \[m\], and the speed of bodies in it [m/s].
const BOX: f32 = 5.0;
const SPEED: f32 = 60.0;

fn steel() -> ShapeDef {
    slippery().restitution(1.0)
}

/// A world without weight with a wall whose face is at x = 0.
fn before_a_wall(surface: ShapeDef) -> World {
    let mut world = weightless();
    add(
        &mut world,
        BodyDef::static_().position(0.5, 0.0),
        rect(0.5, 50.0),
        surface,
    );
    world
}

/// Shoots a ball of 0.25 m at the wall, a quarter of a step before it.
fn shot(world: &mut World, y: f32, surface: ShapeDef) -> BodyId {
    let start = BodyDef::dynamic().position(-0.25 - 0.25 * SPEED * DT, y);
    add(world, start.velocity(SPEED, 0.0), disc(0.25), surface)
}

#[test]
fn what_bounces_loses_no_time() {
    for (ball, wall) in [(1.0, 0.0), (0.0, 1.0), (0.5, 0.2)] {
        let e = f32::max(ball, wall);
        let surface = |e| slippery().restitution(e);
        let mut world = before_a_wall(surface(wall));
        let ball = shot(&mut world, 0.0, surface(ball));
        step(&mut world);
        close(x(&world, ball), -0.25 - 0.75 * e * SPEED * DT, 1.0e-3);
        close(world.body(ball).velocity().x, -e * SPEED, 1.0e-3);
    }
}

#[test]
fn what_hardly_bounces_waits() {
    let mut world = before_a_wall(slippery().restitution(0.1));
    let ball = shot(&mut world, 0.0, slippery());
    step(&mut world);
    close(x(&world, ball), -0.25, 1.0e-3);
}

#[test]
fn what_waits_slides_along_what_it_met() {
    // A quarter of a step to go, and along the wall as fast as toward it. Friction takes its share of that.
    for (friction, share) in [(0.0, 1.0), (0.5, 0.5), (2.0, 0.0)] {
        let surface = ShapeDef::default().friction(friction);
        let mut world = before_a_wall(surface);
        let start = BodyDef::dynamic().position(-0.25 - 0.25 * SPEED * DT, 0.0);
        let ball = add(
            &mut world,
            start.velocity(SPEED, SPEED),
            disc(0.25),
            surface,
        );
        step(&mut world);
        close(x(&world, ball), -0.25, 1.0e-3);
        let expected = (0.25 + 0.75 * share) * SPEED * DT;
        close(world.body(ball).position().y, expected, 2.0e-3);
    }
}

#[test]
fn what_slides_into_a_corner_stays_in_it() {
    // A body that enters by less than a fifth of its half thickness has no impact.
    let most = -0.25 + 0.2 * 0.25;
    for friction in [0.0, 0.3] {
        let surface = ShapeDef::default().friction(friction);
        let mut world = before_a_wall(surface);
        add(
            &mut world,
            BodyDef::static_().position(0.0, 1.0),
            rect(50.0, 0.5),
            surface,
        );
        let start = BodyDef::dynamic().position(-0.5, 0.0);
        let ball = add(
            &mut world,
            start.velocity(300.0, 200.0),
            disc(0.25),
            surface,
        );
        for _ in 0..5 {
            step(&mut world);
            let place = world.body(ball).position();
            assert!(place.x < most && place.y - 0.5 < most, "{place}");
        }
    }
}

#[test]
fn of_a_hundred_that_bounce_64_do_so_on_time_and_none_passes() {
    let mut world = before_a_wall(steel());
    let balls: Vec<_> = (0..200)
        .map(|i| shot(&mut world, -40.0 + 0.6 * i as f32 / 2.0, steel()))
        .collect();
    // Those of even number lie apart; the others are between them.
    for &ball in balls.iter().skip(1).step_by(2) {
        world.destroy_body(ball);
    }
    step(&mut world);
    let kept = || balls.iter().copied().step_by(2);
    // A hundred are looked after, but no more than 64 impacts are solved at once.
    let back = kept().filter(|&ball| x(&world, ball) < -0.5).count();
    assert_eq!(back, 64);
    assert_eq!(world.counters().impacts_cut, 100 - back);
    step(&mut world);
    for ball in kept() {
        assert!(x(&world, ball) < -0.5);
        close(world.body(ball).velocity().x, -SPEED, 1.0e-3);
    }
}

/// A ball bounces beside many as it does alone, up to the budget of a step.
#[test]
fn of_more_than_the_budget_the_others_bounce_in_later_steps() {
    let mut world = before_a_wall(steel());
    let balls: Vec<_> = (0..150)
        .map(|i| shot(&mut world, -45.0 + 0.6 * i as f32, steel()))
        .collect();
    step(&mut world);
    let (back, waiting): (Vec<BodyId>, Vec<BodyId>) =
        balls.iter().partition(|&&ball| x(&world, ball) < -0.5);
    assert_eq!(back.len(), 64);
    for ball in waiting {
        close(x(&world, ball), -0.25, 1.0e-3);
    }
    // 64 of the other 86 in the second step, and the rest in the third one.
    run(&mut world, 2);
    for &ball in &balls {
        close(world.body(ball).velocity().x, -SPEED, 1.0e-3);
    }
}

#[test]
fn each_bounce_is_told_as_one_touch_with_its_speed() {
    // At 60 m/s it bounces off a wall of the box every 9.5 steps, here and there in the step.
    let mut world = weightless();
    for side in [-1.0, 1.0] {
        let wall = BodyDef::static_().position(side * (BOX + 0.5), 0.0);
        add(&mut world, wall, rect(0.5, BOX), steel());
    }
    for speed in [2.0, 7.0, SPEED] {
        let ball = add(
            &mut world,
            BodyDef::dynamic().velocity(speed, 0.0),
            disc(0.25),
            steel(),
        );
        let (mut turns, mut begun, mut ended, mut hits) = (0, 0, 0, 0);
        let mut before = speed;
        for _ in 0..(3600.0 / speed) as u32 {
            step(&mut world);
            let now = world.body(ball).velocity().x;
            turns += usize::from(now * before < 0.0);
            before = now;
            for begin in world.contact_begins() {
                close(begin.approach_speed, speed, 1.0e-2 * speed);
                close(begin.normal.x.abs(), 1.0, 1.0e-3);
            }
            begun += world.contact_begins().len();
            ended += world.contact_ends().len();
            hits += world.contact_hits().len();
        }
        assert!(turns >= 5, "{speed} m/s: {turns}");
        assert_eq!((begun, hits), (turns, turns), "{speed} m/s");
        assert!(ended == begun || ended + 1 == begun);
        world.destroy_body(ball);
        step(&mut world);
    }
}

#[test]
fn bounces_wait_for_contacts_when_continuous_collision_is_switched_off() {
    // It comes to the wall with its contact left out; then that must hold it again.
    let mut world = before_a_wall(steel());
    let start = BodyDef::dynamic().position(-0.251, 0.0).velocity(0.4, 0.0);
    let ball = add(&mut world, start, disc(0.25), steel());
    for off in [false, true] {
        if off {
            let def = WorldDef {
                continuous: false,
                ..world.def().clone()
            };
            world.set_def(def);
            world
                .body_mut(ball)
                .set_velocity(cairn2d_geometry::math::vec2(0.4, 0.0));
        }
        for _ in 0..3 {
            step(&mut world);
        }
        close(world.body(ball).velocity().x, -0.4, 1.0e-3);
    }
}

#[test]
fn bounces_of_small_bodies_begin_and_end_like_those_of_large_ones() {
    for (radius, speed, height) in [(0.025, 1.5, 0.088), (0.05, 3.0, 0.3), (0.5, 3.0, 0.8)] {
        for i in 0..20 {
            let mut world = world();
            ground(&mut world);
            let def = BodyDef::dynamic()
                .position(0.0, height + 0.003 * i as f32)
                .velocity(0.0, -speed);
            let surface = ShapeDef::default().restitution(0.4);
            let ball = add(&mut world, def, disc(radius), surface);
            let (mut hits, mut begins, mut ends) = (0, 0, 0);
            for _ in 0..30 {
                step(&mut world);
                hits += world.contact_hits().len();
                begins += world.contact_begins().len();
                ends += world.contact_ends().len();
                if hits > 0 && world.body(ball).velocity().y < 0.0 {
                    break;
                }
            }
            assert!(
                hits > 0 && begins > 0 && begins >= ends,
                "{radius} {i}: {hits} {begins} {ends}"
            );
        }
    }
}
