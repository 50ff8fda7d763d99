//! A character on the ground: slopes, steps, stairs, ledges and jumps.

use crate::support::*;
use cairn2d::prelude::*;

/// A slope from `foot` upward to the right, `length` long, with a level top.
fn slope(world: &mut World, foot: (f32, f32), angle: f32, length: f32) -> (f32, f32) {
    let top = (
        foot.0 + length * cosine(angle),
        foot.1 + length * sine(angle),
    );
    let corners = [foot, top, (top.0, foot.1 - 1.0), (foot.0, foot.1 - 1.0)];
    solid(world, BodyDef::static_(), hull(&corners));
    top
}

#[test]
fn slope_up_to_the_greatest_angle_is_climbed_and_no_steeper_one() {
    for (max_climb, climbs) in [(0.601, true), (0.599, false)] {
        let mut world = world();
        ground(&mut world);
        let middle = slope(&mut world, (1.0, 0.0), 0.2, 2.5);
        let top = slope(&mut world, middle, 0.6, 5.5);
        solid(
            &mut world,
            BodyDef::static_().position(top.0 + 20.0, top.1 - 1.0),
            rect(20.0, 1.0),
        );
        let controller = CharacterController::default().slopes(max_climb, max_climb);
        let ball = Shape::from(disc(0.5));
        let mut mover = Mover::new(&ball, (0.0, 0.51));
        for i in 0..200 {
            let walk = controller.walk(&world, &mover, vec2(0.1, -0.1), DT);
            assert!(walk.is_grounded(), "step {i}: {walk:?}");
            mover = mover.moved(walk.translation);
        }
        let at = mover.position.to_point();
        if climbs {
            assert!(at.x > 6.0 && at.y > 3.0, "{at}");
        } else {
            assert!(at.x < 4.5 && at.y < 2.0, "{at}");
        }
    }
}

#[test]
fn long_walk_on_flat_ground_loses_nothing_and_never_leaves_it() {
    for snap_distance in [0.0, 0.2] {
        let mut world = world();
        let ground = world.create_body(BodyDef::static_());
        let tile = |x: f32| Polygon::offset_rectangle(5.0, 0.5, point(x, -0.5), 0.0);
        for i in 0..102 {
            world.create_shape(ground, tile(10.0 * i as f32), ShapeDef::default());
        }
        let controller = CharacterController {
            snap_distance,
            ..CharacterController::default()
        };
        let ball = Shape::from(disc(0.5));
        let mut mover = Mover::new(&ball, (0.0, 0.51));
        for i in 0..10_000 {
            let walk = controller.walk(&world, &mover, vec2(0.1, -0.1), DT);
            assert!(walk.is_grounded(), "step {i}");
            mover = mover.moved(walk.translation);
            close(mover.position.y as f32, 0.51, 1.0e-4);
        }
        // Without loss; the rounding of 10 000 steps.
        close(mover.position.x as f32, 1000.0, 0.01);
    }
}

#[test]
fn up_may_point_anywhere() {
    for turn in [0.0_f32, 0.7, 1.6, 3.1, -2.0] {
        let mut world = world();
        let up = vec2(-sine(turn), cosine(turn));
        let right = vec2(cosine(turn), sine(turn));
        let floor = -up;
        let def = BodyDef::static_().position(floor.x, floor.y).angle(turn);
        solid(&mut world, def, rect(20.0, 1.0));
        let controller = CharacterController {
            up: up * 3.0,
            ..CharacterController::default()
        };
        let ball = Shape::from(disc(0.5));
        let start = up * 0.6;
        let mut mover = Mover::new(&ball, (start.x, start.y));
        for _ in 0..60 {
            let wish = right * 0.05 - up * 0.05;
            let walk = controller.walk(&world, &mover, wish, DT);
            mover = mover.moved(walk.translation);
            assert!(mover.position.is_finite());
        }
        let walk = controller.walk(&world, &mover, Vec2::zeros(), DT);
        assert!(walk.is_grounded(), "{turn}");
        let at = mover.position.to_point().coords;
        close(at.dot(&up), 0.51, 1.0e-3);
        close(at.dot(&right), 3.0, 0.06);
    }
}

#[test]
fn step_is_climbed_up_to_its_height_and_no_higher() {
    for (height, climbs) in [(0.1, true), (0.29, true), (0.32, false)] {
        for speed in [0.3, 2.0, 6.0] {
            let mut world = world();
            ground(&mut world);
            solid(
                &mut world,
                BodyDef::static_().position(6.0, 0.5 * height),
                rect(5.0, 0.5 * height),
            );
            let hero = hero(&mut world, 0.0, STANDS);
            let controller = CharacterController::default().steps(0.3, 0.2);
            let steps = (3.0 / (speed * DT)) as usize;
            for _ in 0..steps {
                let walk = go(&mut world, &controller, hero, vec2(speed * DT, -0.02));
                assert!(walk.is_grounded());
            }
            let at = world.body(hero).position();
            if climbs {
                close(at.y, STANDS + height, 1.0e-3);
                assert!(at.x > 2.5, "{height} at {speed}: {at}");
            } else {
                assert!(
                    at.x < 1.0 && at.y < STANDS + 0.01,
                    "{height} at {speed}: {at}"
                );
            }
        }
    }
}

#[test]
fn stairs_are_climbed_and_descended_without_leaving_the_ground() {
    let mut world = world();
    ground(&mut world);
    for i in 0..8_u8 {
        let height = 0.2 * f32::from(i + 1);
        let x = 2.0 + 0.35 * f32::from(i);
        solid(
            &mut world,
            BodyDef::static_().position(0.5 * (x + 10.0), 0.5 * height),
            rect(0.5 * (10.0 - x), 0.5 * height),
        );
    }
    let hero = hero(&mut world, 0.0, STANDS);
    let controller = CharacterController {
        snap_distance: 0.25,
        ..CharacterController::default().steps(0.25, 0.15)
    };
    for wish in [0.05, -0.05] {
        for _ in 0..140 {
            let walk = go(&mut world, &controller, hero, vec2(wish, -0.01));
            assert!(walk.is_grounded());
        }
        let level = if wish > 0.0 { 1.6 } else { 0.0 };
        close(y(&world, hero), STANDS + level, 2.0e-3);
    }
}

#[test]
fn step_without_room_or_onto_what_is_left_out_is_a_wall() {
    let blocked = |build: fn(&mut World), controller: CharacterController| {
        let mut world = world();
        ground(&mut world);
        build(&mut world);
        let hero = hero(&mut world, 0.0, STANDS);
        for _ in 0..90 {
            go(&mut world, &controller, hero, vec2(0.05, -0.01));
        }
        (x(&world, hero) < 1.0, y(&world, hero))
    };
    let controller = CharacterController::default().steps(0.3, 0.2);
    let low_ceiling = |world: &mut World| {
        solid(world, BodyDef::static_().position(3.0, 0.1), rect(2.0, 0.1));
        solid(
            world,
            BodyDef::static_().position(3.0, 1.8),
            rect(2.0, 0.25),
        );
    };
    let (is_held, height) = blocked(low_ceiling, controller);
    assert!(is_held);
    close(height, STANDS, 1.0e-3);
    let fence = |world: &mut World| {
        solid(
            world,
            BodyDef::static_().position(1.0, 0.1),
            rect(0.02, 0.1),
        );
    };
    let wide = CharacterController {
        min_step_width: 0.5,
        ..controller
    };
    assert!(blocked(fence, wide).0);
    let log = |world: &mut World| {
        solid(world, BodyDef::dynamic().position(1.2, 0.1), rect(0.3, 0.1));
    };
    assert!(!blocked(log, controller).0);
    let careful = CharacterController {
        step_onto: BodyKinds::FIXED,
        ..controller
    };
    assert!(blocked(log, careful).0);
}

#[test]
fn ground_is_followed_downhill_as_far_as_it_snaps() {
    for (snap_distance, stays) in [(0.2, true), (0.0, false)] {
        let mut world = world();
        let angle = 0.5;
        let run = vec2(cosine(angle), -sine(angle));
        let def = BodyDef::static_().angle(-angle);
        solid(&mut world, def, rect(30.0, 1.0));
        let up = vec2(sine(angle), cosine(angle));
        let start = up * 1.31 - run * 10.0;
        let ball = Shape::from(disc(0.3));
        let mut mover = Mover::new(&ball, (start.x, start.y));
        let controller = CharacterController {
            snap_distance,
            ..CharacterController::default().slopes(0.8, 0.7)
        };
        // A hill whose crest is passed at speed: the first step leads over it.
        let mut grounded = 0;
        for i in 0..50 {
            let wish = if i == 0 {
                vec2(0.0, -0.01)
            } else {
                vec2(0.1, 0.0)
            };
            let walk = controller.walk(&world, &mover, wish, DT);
            mover = mover.moved(walk.translation);
            grounded += u32::from(walk.is_grounded());
        }
        // On a plane slope the walk goes along it, with or without snapping.
        assert_eq!(grounded, 50);
        let gone = (mover.position.to_point().coords - start).dot(&run);
        close(gone, 4.9, 0.02);
        // Off a ledge 15 cm high.
        let mut world = weightless();
        solid(
            &mut world,
            BodyDef::static_().position(0.0, -1.0),
            rect(5.0, 1.0),
        );
        solid(
            &mut world,
            BodyDef::static_().position(9.0, -1.15),
            rect(9.0, 1.0),
        );
        let box_ = Shape::from(rect(0.2, 0.4));
        let mut mover = Mover::new(&box_, (4.0, 0.41));
        let mut was_grounded = true;
        for _ in 0..30 {
            let walk = controller.walk(&world, &mover, vec2(0.1, -0.001), DT);
            mover = mover.moved(walk.translation);
            was_grounded &= walk.is_grounded();
        }
        assert_eq!(was_grounded, stays);
    }
}

#[test]
fn character_holds_on_gentle_slopes_and_slides_down_steep_ones() {
    for (angle, footing, slides) in [
        (0.3, Footing::Ground, false),
        (0.6, Footing::Ground, true),
        (1.0, Footing::Slope, true),
    ] {
        let mut world = world();
        solid(&mut world, BodyDef::static_().angle(angle), rect(30.0, 1.0));
        let up = vec2(-sine(angle), cosine(angle));
        let start = up * 1.31;
        let ball = Shape::from(disc(0.3));
        let mut mover = Mover::new(&ball, (start.x, start.y));
        let controller = CharacterController::default();
        for _ in 0..30 {
            let walk = controller.walk(&world, &mover, vec2(0.0, -0.05), DT);
            mover = mover.moved(walk.translation);
            assert_eq!(walk.footing, footing);
        }
        let gone = (mover.position.to_point().coords - start).norm();
        // A slide keeps the part of each step along the slope.
        let expected = if slides {
            30.0 * 0.05 * sine(angle)
        } else {
            0.0
        };
        close(gone, expected, 0.02);
    }
}

#[test]
fn character_in_the_air_does_not_run_up_a_steep_slope() {
    let mut world = world();
    let angle = 1.1;
    solid(&mut world, BodyDef::static_().angle(angle), rect(30.0, 1.0));
    let ball = Shape::from(disc(0.3));
    let mut mover = Mover::new(&ball, (-4.0, 3.0));
    let controller = CharacterController::default();
    let mut top = f64::NEG_INFINITY;
    let mut touched = false;
    for _ in 0..200 {
        let walk = controller.walk(&world, &mover, vec2(0.2, -0.01), DT);
        mover = mover.moved(walk.translation);
        touched |= walk.footing == Footing::Slope;
        top = top.max(mover.position.y);
        assert!(!walk.is_grounded());
    }
    assert!(touched);
    assert!(top < 3.01, "{top}");
}

#[test]
fn jump_leaves_the_ground_and_lands_again() {
    let mut world = world();
    ground(&mut world);
    let hero = hero(&mut world, 0.0, STANDS);
    let controller = CharacterController::default();
    let mut fall = 5.0;
    let (mut top, mut air) = (0.0_f32, 0);
    for _ in 0..90 {
        fall -= G * DT;
        let walk = go(&mut world, &controller, hero, vec2(0.0, fall) * DT);
        if walk.is_grounded() {
            fall = 0.0;
        } else {
            air += 1;
        }
        top = top.max(y(&world, hero));
    }
    // v^2 / 2 g, less the half step by which the fall is ahead.
    close(top - STANDS, 1.25 - 0.5 * 5.0 * DT, 0.01);
    // The last step of the fall ends on the ground.
    close(air as f32, 2.0 * 5.0 / (G * DT) - 2.0, 1.0);
    close(y(&world, hero), STANDS, 1.0e-3);
}

#[test]
fn chain_and_tiles_are_as_smooth_as_one_floor() {
    for build in [
        |world: &mut World| {
            let body = world.create_body(BodyDef::static_());
            let points: Vec<_> = (-4..=40).rev().map(|i| (0.5 * i as f32, 0.0)).collect();
            add_chain(world, body, &points, ChainKind::Open);
        },
        |world: &mut World| {
            for i in -4..40_i16 {
                let def = BodyDef::static_().position(0.5 * f32::from(i), -0.25);
                solid(world, def, rect(0.25, 0.25));
            }
        },
    ] {
        let mut world = world();
        build(&mut world);
        let hero = hero(&mut world, 0.0, STANDS);
        let controller = CharacterController::default();
        for _ in 0..200 {
            let walk = go(&mut world, &controller, hero, vec2(0.07, -0.02));
            assert!(walk.is_grounded());
            close(y(&world, hero), STANDS, 1.0e-3);
        }
        close(x(&world, hero), 14.0, 0.01);
    }
}

#[test]
fn character_walks_on_a_half_space() {
    let mut world = world();
    let level = world.create_body(BodyDef::static_());
    world.create_shape(level, HalfSpace::ground(), ShapeDef::default());
    let player = world.create_body(BodyDef::kinematic().position(0.0, 1.0));
    world.create_shape(
        player,
        Capsule::new(point(0.0, -0.4), point(0.0, 0.4), 0.3),
        ShapeDef::default(),
    );
    let controller = CharacterController::default();
    let mut fall = 0.0;
    for _ in 0..120 {
        let walk = controller.move_body(&mut world, player, vec2(0.05, fall / 60.0), 1.0 / 60.0);
        fall = if walk.ground.is_some() {
            0.0
        } else {
            fall - 10.0 / 60.0
        };
        world.step(1.0 / 60.0);
    }
    close(x(&world, player), 6.0, 0.1);
    close(y(&world, player), 0.7, 0.05);
}
