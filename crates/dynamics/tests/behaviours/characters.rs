//! A character that walks: slopes, steps, ledges, platforms, crates, and what it is pushed by.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKinds, CharacterController, CharacterMove, Footing, IgnoreFor, Material,
    Mover, QueryFilter, ShapeDef, World,
};
use cairn2d_geometry::math::{Vec2, point, vec2};
use cairn2d_geometry::{Capsule, ChainKind, Polygon, Shape};

/// Half the height of the middle line of the hero, and its radius [m].
const TRUNK: (f32, f32) = (0.4, 0.3);

/// Height of the hero's middle above flat ground that it stands on [m].
pub(crate) const STANDS: f32 = TRUNK.0 + TRUNK.1 + 0.01;

pub(crate) fn hero(world: &mut World, x: f32, y: f32) -> BodyId {
    let trunk = Capsule::new(point(0.0, -TRUNK.0), point(0.0, TRUNK.0), TRUNK.1).unwrap();
    solid(world, BodyDef::kinematic().at(x, y), trunk)
}

/// Walks and steps once.
pub(crate) fn go(
    world: &mut World,
    controller: &CharacterController,
    hero: BodyId,
    wish: Vec2,
) -> CharacterMove {
    let walk = controller.move_body(world, hero, wish, DT);
    step(world);
    walk
}

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
            BodyDef::static_().at(top.0 + 20.0, top.1 - 1.0),
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
        let tile = |x: f32| Polygon::offset_rectangle(5.0, 0.5, point(x, -0.5), 0.0).unwrap();
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
        let def = BodyDef::static_().at(floor.x, floor.y).rotation(turn);
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
fn idle_character_is_pushed_by_a_kinematic_wall() {
    let mut world = world();
    ground(&mut world);
    let wall = solid(
        &mut world,
        BodyDef::kinematic().at(-2.0, 1.0).velocity(2.0, 0.0),
        rect(0.5, 1.0),
    );
    let hero = hero(&mut world, 0.0, STANDS);
    let controller = CharacterController::default();
    for _ in 0..240 {
        go(&mut world, &controller, hero, Vec2::zeros());
        let gap = x(&world, hero) - TRUNK.1 - (x(&world, wall) + 0.5);
        assert!(gap > 0.5 * controller.skin, "{gap}");
        close(y(&world, hero), STANDS, 1.0e-3);
    }
    assert!(x(&world, wall) > 5.9);
}

#[test]
fn character_that_starts_inside_a_box_comes_out() {
    for place in [(0.3, 0.1), (0.0, 0.0), (-0.9, 0.6), (0.99, 0.99)] {
        let mut world = world();
        let box_ = solid(&mut world, BodyDef::static_(), rect(1.0, 1.0));
        let box_ = shape_of(&world, box_);
        let ball = Shape::from(disc(0.4));
        let mut mover = Mover::new(&ball, place);
        let controller = CharacterController::default();
        for _ in 0..3 {
            let walk = controller.walk(&world, &mover, Vec2::zeros(), DT);
            mover = mover.moved(walk.translation);
        }
        let planes = world.mover_planes(&mover, 1.0, QueryFilter::default());
        assert_eq!(planes[0].shape, box_);
        close(planes[0].separation, controller.skin, 1.0e-4);
    }
}

#[test]
fn push_acts_at_the_place_of_the_hit_wherever_the_bodys_origin_is() {
    // The same crate, once about its body's origin, once beside it.
    let results = [0.0_f32, 3.0].map(|aside| {
        let mut world = weightless();
        let body = world.create_body(BodyDef::dynamic().at(1.0 - aside, 0.0));
        let crate_ = Polygon::offset_rectangle(0.5, 0.5, point(aside, 0.0), 0.0).unwrap();
        world.create_shape(body, crate_, ShapeDef::default());
        let ball = Shape::from(disc(0.2));
        let mover = Mover::new(&ball, (0.2, 0.4));
        let controller = CharacterController::default();
        let walk = controller.walk(&world, &mover, vec2(0.5, 0.0), DT);
        assert_eq!(walk.hits.len(), 1);
        controller.push(&mut world, &walk, 80.0, DT);
        let body = world.body(body);
        (body.velocity(), body.angular_velocity())
    });
    let [(v, w), (v_aside, w_aside)] = results;
    assert!(v.x > 1.0 && w < -0.1, "{v} {w}");
    assert!((v - v_aside).norm() < 1.0e-4 * v.norm());
    close(w, w_aside, 1.0e-4 * w.abs());
}

#[test]
fn push_is_the_inelastic_blow_of_two_masses() {
    let mut world = weightless();
    let crate_ = crate_at(&mut world, 1.0, 0.0, 0.5);
    let m = world.body(crate_).mass();
    let ball = Shape::from(disc(0.2));
    let mover = Mover::new(&ball, (0.2, 0.0));
    let controller = CharacterController::default();
    let free = 0.1 - controller.skin;
    let walk = controller.walk(&world, &mover, vec2(0.5, 0.0), 0.1);
    close(walk.translation.x, free, 1.0e-5);
    close(walk.hits[0].blocked, 0.5 - free, 1.0e-5);
    close(walk.hits[0].approach, 0.5, 1.0e-6);
    let wanted = 0.5 / 0.1;
    for (mass, share) in [(m, 0.5), (3.0 * m, 0.75), (f32::INFINITY, 1.0)] {
        let mut world = world.clone();
        controller.push(&mut world, &walk, mass, 0.1);
        close(world.body(crate_).velocity().x, share * wanted, 1.0e-3);
    }
    for mass in [0.0, -1.0, f32::NAN] {
        controller.push(&mut world, &walk, mass, 0.1);
        assert_eq!(world.body(crate_).velocity(), vec2(0.0, 0.0));
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
                BodyDef::static_().at(6.0, 0.5 * height),
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
            BodyDef::static_().at(0.5 * (x + 10.0), 0.5 * height),
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
        solid(world, BodyDef::static_().at(3.0, 0.1), rect(2.0, 0.1));
        solid(world, BodyDef::static_().at(3.0, 1.8), rect(2.0, 0.25));
    };
    let (is_held, height) = blocked(low_ceiling, controller);
    assert!(is_held);
    close(height, STANDS, 1.0e-3);
    let fence = |world: &mut World| {
        solid(world, BodyDef::static_().at(1.0, 0.1), rect(0.02, 0.1));
    };
    let wide = CharacterController {
        min_step_width: 0.5,
        ..controller
    };
    assert!(blocked(fence, wide).0);
    let log = |world: &mut World| {
        solid(world, BodyDef::dynamic().at(1.2, 0.1), rect(0.3, 0.1));
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
        let def = BodyDef::static_().rotation(-angle);
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
        solid(&mut world, BodyDef::static_().at(0.0, -1.0), rect(5.0, 1.0));
        solid(
            &mut world,
            BodyDef::static_().at(9.0, -1.15),
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
        solid(
            &mut world,
            BodyDef::static_().rotation(angle),
            rect(30.0, 1.0),
        );
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
        // Sliding, of each step that part is left that lies along the slope.
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
    solid(
        &mut world,
        BodyDef::static_().rotation(angle),
        rect(30.0, 1.0),
    );
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
fn platform_carries_the_character_wherever_it_goes() {
    for velocity in [
        (1.5, 0.0),
        (0.0, 1.0),
        (0.0, -1.0),
        (-1.0, 0.7),
        (0.8, -0.9),
    ] {
        let mut world = world();
        let (vx, vy) = velocity;
        let def = BodyDef::kinematic().at(0.0, -0.5).velocity(vx, vy);
        let platform = solid(&mut world, def, rect(2.0, 0.5));
        let hero = hero(&mut world, 0.5, STANDS);
        let controller = CharacterController::default();
        for _ in 0..120 {
            let walk = go(&mut world, &controller, hero, vec2(0.0, -0.01));
            assert!(walk.is_grounded(), "{velocity:?}");
            let ground = walk.ground.unwrap();
            assert_eq!(ground.body, platform);
            close(ground.velocity.x, vx, 1.0e-6);
        }
        close(x(&world, hero) - x(&world, platform), 0.5, 2.0e-3);
        close(y(&world, hero) - y(&world, platform), 0.5 + STANDS, 2.0e-3);
        let still = CharacterController {
            ride: cairn2d_dynamics::Switch::Off,
            ..controller
        };
        let before = x(&world, hero);
        go(&mut world, &still, hero, vec2(0.0, -0.01));
        close(x(&world, hero), before, 1.0e-3);
    }
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
fn one_way_platform_is_passed_from_below_and_stood_on_and_dropped_through() {
    let mut world = world();
    ground(&mut world);
    let one_way = Material {
        one_way: Some(vec2(0.0, 1.0)),
        ..Material::default()
    };
    let ledge = add(
        &mut world,
        BodyDef::static_().at(0.0, 1.9),
        rect(2.0, 0.1),
        surface(one_way),
    );
    let ledge = shape_of(&world, ledge);
    let hero = hero(&mut world, 0.0, STANDS);
    let controller = CharacterController::default();
    let mut fall = 8.0;
    for _ in 0..120 {
        fall -= G * DT;
        let walk = go(&mut world, &controller, hero, vec2(0.0, fall) * DT);
        if walk.is_grounded() {
            fall = 0.0;
        }
    }
    close(y(&world, hero), 2.0 + STANDS, 1.0e-3);
    for i in 0..120 {
        fall -= G * DT;
        let wish = vec2(0.0, fall) * DT;
        let through = move |shape| i > 5 || shape != ledge;
        let walk = controller
            .try_move_body(&mut world, hero, wish, DT, through)
            .unwrap();
        step(&mut world);
        if walk.is_grounded() {
            fall = 0.0;
        }
    }
    close(y(&world, hero), STANDS, 1.0e-3);
}

/// The manual names `ignore_pair` as the way down through a platform, and the character did not regard it.
#[test]
fn character_drops_through_a_body_that_its_body_ignores() {
    for how_long in [IgnoreFor::Overlap, IgnoreFor::Time(0.8), IgnoreFor::Forever] {
        let mut world = world();
        ground(&mut world);
        let deck = solid(&mut world, BodyDef::static_().at(0.0, 1.9), rect(2.0, 0.1));
        let hero = hero(&mut world, 0.0, 2.0 + STANDS);
        let controller = CharacterController::default();
        let mut fall = 0.0;
        let mut run = |world: &mut World, steps: u32| {
            for _ in 0..steps {
                fall -= G * DT;
                let walk = go(world, &controller, hero, vec2(0.0, fall) * DT);
                if walk.is_grounded() {
                    fall = 0.0;
                }
            }
        };
        run(&mut world, 10);
        close(y(&world, hero), 2.0 + STANDS, 1.0e-3);
        world.ignore_pair(deck, hero, how_long);
        run(&mut world, 120);
        close(y(&world, hero), STANDS, 1.0e-3);
        let is_over = how_long != IgnoreFor::Forever;
        assert_eq!(world.ignores_pair(hero, deck), !is_over, "{how_long:?}");
    }
}

#[test]
fn shapes_that_the_caller_leaves_out_are_not_solid_to_a_body_that_walks() {
    let mut world = weightless();
    let wall = solid(&mut world, BodyDef::static_().at(2.0, 0.0), rect(0.1, 3.0));
    let wall = shape_of(&world, wall);
    let hero = hero(&mut world, 0.0, 0.0);
    let controller = CharacterController::default();
    let wish = vec2(4.0, 0.0);
    let mut way = |leave_out: bool| {
        let accept = |shape| !leave_out || shape != wall;
        let walk = controller.move_body_where(&mut world, hero, wish, DT, accept);
        walk.translation.x
    };
    close(way(false), 2.0 - 0.1 - TRUNK.1 - 0.01, 1.0e-3);
    close(way(true), 4.0, 1.0e-3);
}

#[test]
fn crates_are_pushed_at_walking_speed_and_can_be_stood_on() {
    let mut world = world();
    ground(&mut world);
    let crate_ = crate_at(&mut world, 2.0, 0.5, 0.5);
    run(&mut world, 60);
    let hero = hero(&mut world, 0.0, STANDS);
    let controller = CharacterController::default();
    for _ in 0..150 {
        let walk = go(&mut world, &controller, hero, vec2(2.0 * DT, -0.01));
        controller.push(&mut world, &walk, 2000.0, DT);
        assert!(walk.is_grounded());
    }
    assert!(x(&world, crate_) > 4.0, "{}", x(&world, crate_));
    let gap = x(&world, crate_) - 0.5 - x(&world, hero) - TRUNK.1;
    assert!(gap > -SLOP && gap < 0.1, "{gap}");
    run(&mut world, 120);
    let at = x(&world, crate_);
    world.body_mut(hero).set_pose((at, 2.0), 0.0);
    for _ in 0..60 {
        go(&mut world, &controller, hero, vec2(0.0, -0.05));
    }
    close(y(&world, hero), 1.0 + STANDS, 2.0 * SLOP);
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
                let def = BodyDef::static_().at(0.5 * f32::from(i), -0.25);
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
