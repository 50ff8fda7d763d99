//! A character and other bodies: walls and platforms that move, crates that it pushes, bodies that it passes through.

use crate::support::*;
use cairn2d::prelude::*;

#[test]
fn idle_character_is_pushed_by_a_kinematic_wall() {
    let mut world = world();
    ground(&mut world);
    let wall = solid(
        &mut world,
        BodyDef::kinematic().position(-2.0, 1.0).velocity(2.0, 0.0),
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
        let body = world.create_body(BodyDef::dynamic().position(1.0 - aside, 0.0));
        let crate_ = Polygon::offset_rectangle(0.5, 0.5, point(aside, 0.0), 0.0);
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
        let def = BodyDef::kinematic().position(0.0, -0.5).velocity(vx, vy);
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
            ride: false,
            ..controller
        };
        let before = x(&world, hero);
        go(&mut world, &still, hero, vec2(0.0, -0.01));
        close(x(&world, hero), before, 1.0e-3);
    }
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
        BodyDef::static_().position(0.0, 1.9),
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
            .accept(&through)
            .try_move_body(&mut world, hero, wish, DT)
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
        let deck = solid(
            &mut world,
            BodyDef::static_().position(0.0, 1.9),
            rect(2.0, 0.1),
        );
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
    let wall = solid(
        &mut world,
        BodyDef::static_().position(2.0, 0.0),
        rect(0.1, 3.0),
    );
    let wall = shape_of(&world, wall);
    let hero = hero(&mut world, 0.0, 0.0);
    let controller = CharacterController::default();
    let wish = vec2(4.0, 0.0);
    let mut way = |leave_out: bool| {
        let accept = |shape| !leave_out || shape != wall;
        let walk = controller
            .accept(&accept)
            .move_body(&mut world, hero, wish, DT);
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

/// A map with a platform two free cells above solid ground, both on one body.
fn deck_over_ground(world: &mut World) {
    let map = "====....\n........\n........\n########";
    TileGrid::from_text(map, 1.0).update(world);
}

#[test]
fn character_drops_through_the_platform_and_lands_on_the_ground_of_the_same_grid() {
    for (gravity, skin) in [(1.6, 0.01), (10.0, 0.02), (25.0, 0.05)] {
        let mut world = world();
        deck_over_ground(&mut world);
        let hero = solid(
            &mut world,
            BodyDef::kinematic().position(2.0, 4.5),
            disc(0.4),
        );
        let controller = CharacterController {
            skin,
            ..CharacterController::default()
        };
        let (mut fall, mut landed) = (0.0, Vec::new());
        for frame in 0..360 {
            if frame == 90 {
                assert!(world.drop_through(hero));
            }
            fall -= gravity * DT;
            let walk = controller.move_body(&mut world, hero, vec2(0.0, fall) * DT, DT);
            if walk.is_grounded() {
                fall = 0.0;
            }
            step(&mut world);
            if walk.is_grounded() {
                landed.push(y(&world, hero).round());
            }
        }
        landed.dedup();
        assert_eq!(landed, [4.0, 1.0], "{gravity}");
    }
}
