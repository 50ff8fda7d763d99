//! Characters in any world: invariants, and refused arguments.

use crate::support::*;
use cairn2d::prelude::*;

#[test]
fn character_never_enters_what_is_solid() {
    for seed in 0..6 {
        let mut world = weightless();
        let mut random = Random::new(seed);
        scatter(&mut world, &mut random, 7.0);
        let trunk = Shape::from(capsule(0.2, 0.15));
        let all = QueryFilter::default();
        let mut mover = Mover::new(&trunk, (9.0, 9.0));
        let controller = CharacterController::default().steps(0.2, 0.1);
        for i in 0..400 {
            let goal = random.vector(1.0) * 0.3 - mover.position.to_point().coords * 0.02;
            let walk = controller.walk(&world, &mover, goal, DT);
            // Never farther than desired, except for a step up or down.
            let most = goal.norm() + 0.2 + controller.snap_distance;
            assert!(walk.translation.norm() < most);
            mover = mover.moved(walk.translation);
            for plane in world.mover_planes(&mover, 0.1, all) {
                assert!(plane.separation > 0.0, "seed {seed}, step {i}: {plane:?}");
            }
        }
    }
}

#[test]
fn walk_repeats_and_does_not_disturb_the_world() {
    let mut world = world();
    ground(&mut world);
    crate_at(&mut world, 1.0, 0.5, 0.5);
    run(&mut world, 30);
    let before = world.state_hash();
    let ball = Shape::from(disc(0.5));
    let mover = Mover::new(&ball, (0.0, 0.51));
    let controller = CharacterController::default();
    let walk = controller.walk(&world, &mover, vec2(0.2, -0.1), DT);
    assert_eq!(world.state_hash(), before);
    assert_eq!(
        controller.walk(&world.clone(), &mover, vec2(0.2, -0.1), DT),
        walk
    );
}

#[test]
fn nonsense_is_refused_with_its_name() {
    let mut world = world();
    let floor = ground(&mut world);
    let bare = world.create_body(BodyDef::kinematic());
    let hero = hero(&mut world, 0.0, STANDS);
    let controller = CharacterController::default();
    let ball = Shape::from(disc(0.5));
    let mover = Mover::new(&ball, (0.0, 0.51));
    let refuse = |mover: &Mover<'_>, wish: Vec2, dt: f32| {
        let refused = controller.try_walk(&world, mover, wish, dt);
        refused.unwrap_err().to_string()
    };
    let good = vec2(0.1, 0.0);
    assert!(refuse(&mover, vec2(f32::NAN, 0.0), DT).starts_with("desired.x"));
    assert!(refuse(&mover, good, -1.0).starts_with("dt"));
    assert!(refuse(&Mover::new(&ball, (0.0, f32::INFINITY)), good, DT).starts_with("position.y"));
    let mut move_one = |body| controller.try_move_body(&mut world, body, good, DT);
    assert_eq!(move_one(floor), Err(CharacterError::StaticBody(floor)));
    assert_eq!(move_one(bare), Err(CharacterError::NoShape(bare)));
    assert!(move_one(hero).is_ok());
    world.destroy_body(hero);
    let gone = controller.try_move_body(&mut world, hero, good, DT);
    assert_eq!(gone, Err(CharacterError::NoBody(hero)));
}

#[test]
fn figures_of_every_shape_walk_over_bumps() {
    let figures: [Shape; 4] = [
        rect(0.25, 0.5).into(),
        disc(0.3).into(),
        Ellipse::new(point(0.0, 0.0), 0.3, 0.5, 0.0).into(),
        Polygon::rounded_rectangle(0.2, 0.4, 0.1).into(),
    ];
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(10.0, -1.0),
        rect(20.0, 1.0),
    );
    for i in 0..12_i16 {
        let def = BodyDef::static_().position(2.0 + 1.3 * f32::from(i), 0.0);
        match i % 3 {
            0 => solid(&mut world, def, rect(0.2, 0.3)),
            1 => solid(
                &mut world,
                def,
                hull(&[(-0.4, 0.0), (0.4, 0.0), (0.0, 0.25)]),
            ),
            _ => solid(&mut world, def, disc(0.3)),
        };
    }
    for figure in &figures {
        let controller = CharacterController::default().steps(0.35, 0.1);
        let mut mover = Mover::new(figure, (0.0, 0.7));
        let mut fall = 0.0;
        for _ in 0..400 {
            fall -= G * DT * DT;
            let walk = controller.walk(&world, &mover, vec2(0.05, fall), DT);
            if walk.is_grounded() {
                fall = 0.0;
            }
            mover = mover.moved(walk.translation);
            for plane in world.mover_planes(&mover, 0.1, QueryFilter::default()) {
                assert!(plane.separation > 0.5 * controller.skin, "{plane:?}");
            }
        }
        let at = mover.position.to_point();
        assert!(at.x > 18.0, "{figure:?} came to {at}");
    }
}

#[test]
fn body_of_several_shapes_walks_with_all_of_them() {
    let mut world = world();
    ground(&mut world);
    solid(
        &mut world,
        BodyDef::static_().position(5.0, 1.6),
        rect(1.0, 0.2),
    );
    let hero = hero(&mut world, 0.0, STANDS);
    // A lance at the height of the beam, and a sensor that nothing stops.
    let lance = Polygon::offset_rectangle(0.5, 0.05, point(0.8, 0.85), 0.0);
    world.create_shape(hero, lance, ShapeDef::default());
    let notice = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    world.create_shape(hero, disc(3.0), notice);
    let controller = CharacterController::default();
    for _ in 0..120 {
        go(&mut world, &controller, hero, vec2(0.05, -0.01));
    }
    close(x(&world, hero), 4.0 - 1.3 - controller.skin, 1.0e-3);
}

#[test]
fn crowded_character_stays_finite_whatever_moves_round_it() {
    for seed in 0..4 {
        let mut world = world();
        ground(&mut world);
        let mut random = Random::new(100 + seed);
        let hero = hero(&mut world, 0.0, STANDS);
        for i in 0..24 {
            let place = random.vector(6.0);
            let (x, y) = (place.x, 0.5 + place.y.abs());
            let speed = random.vector(4.0);
            let def = match i % 3 {
                0 => BodyDef::kinematic()
                    .velocity(speed.x, speed.y)
                    .angular_velocity(speed.x),
                _ => BodyDef::dynamic(),
            };
            solid(&mut world, def.position(x, y), rect(0.5, 0.2));
        }
        let controller = CharacterController::default().steps(0.3, 0.2);
        for i in 0..300 {
            let wish = random.vector(0.2);
            let before = world.body(hero).position();
            let walk = go(&mut world, &controller, hero, wish);
            controller.push(&mut world, &walk, 5.0, DT);
            let after = world.body(hero).position();
            assert!(
                walk.translation.norm() < 3.0,
                "seed {seed}, step {i}: {walk:?}"
            );
            assert!((after - before - walk.translation).norm() < 1.0e-4);
            if i % 50 == 49 {
                world
                    .body_mut(hero)
                    .set_pose((random.range(-3.0, 3.0), 3.0), 0.0);
            }
        }
    }
}

#[test]
fn character_walks_far_out_as_at_the_origin() {
    let ways = [0.0, 1.0e7, -5.0e8].map(|base| {
        let mut world = world();
        let at = |x: f64, y: f64| WorldPoint::new(base + x, y);
        let floor = BodyDef::static_().world_position(at(0.0, -1.0));
        solid(&mut world, floor, rect(50.0, 1.0));
        let step = BodyDef::static_().world_position(at(4.0, 0.1));
        solid(&mut world, step, rect(2.0, 0.1));
        let ramp = BodyDef::static_().world_position(at(9.0, 0.0)).angle(0.5);
        solid(&mut world, ramp, rect(2.0, 0.2));
        let ball = Shape::from(disc(0.4));
        let controller = CharacterController::default().steps(0.3, 0.2);
        let mut mover = Mover::new(&ball, at(0.0, 0.41));
        for _ in 0..200 {
            let walk = controller.walk(&world, &mover, vec2(0.05, -0.01), DT);
            assert!(walk.is_grounded() || mover.position.x - base > 10.0);
            mover = mover.moved(walk.translation);
        }
        mover.position - at(0.0, 0.0)
    });
    assert!(ways[0].x > 9.0);
    for way in ways {
        // A tenth of a millimeter in ten meters: the spacing of places at 5e8 m, two hundred times.
        assert!((way - ways[0]).norm() < 1.0e-4, "{way}");
    }
}

#[test]
fn settings_and_wishes_at_the_ends_of_their_ranges_give_finite_walks() {
    let mut world = world();
    ground(&mut world);
    let body = world.create_body(BodyDef::static_());
    add_chain(
        &mut world,
        body,
        &[(6.0, 0.5), (3.0, 1.5), (0.0, 0.2), (-4.0, 0.4)],
        ChainKind::Open,
    );
    solid(
        &mut world,
        BodyDef::static_().position(2.0, 2.0),
        rect(0.5, 0.5),
    );
    solid(
        &mut world,
        BodyDef::kinematic()
            .position(-2.0, 1.0)
            .velocity(900.0, -900.0)
            .angular_velocity(300.0),
        rect(0.5, 0.1),
    );
    let quarter = 0.5 * core::f32::consts::PI;
    let ball = Shape::from(disc(0.4));
    let mut random = Random::new(77);
    for i in 0..3000 {
        let mut one_of = |ends: [f32; 3]| ends[random.range(0.0, 3.0) as usize];
        let controller = CharacterController {
            up: vec2(one_of([0.0, 1.0e-20, -1.0]), one_of([1.0, 1.0e-3, 1.0e15])),
            skin: one_of([0.001, 0.01, 0.1]),
            max_climb_angle: one_of([0.0, 0.7, quarter]),
            min_slide_angle: one_of([0.0, 0.5, quarter]),
            max_step_height: one_of([0.0, 0.3, 1.0e6]),
            min_step_width: one_of([0.0, 0.2, 1.0e6]),
            snap_distance: one_of([0.0, 0.2, 1.0e6]),
            ..CharacterController::default()
        };
        let wish = vec2(one_of([0.0, 0.1, -1.0e6]), one_of([-0.1, 1.0e-30, 1.0e9]));
        let dt = one_of([0.0, DT, 1.0e3]);
        let place = random.vector(5.0);
        let mover = Mover::new(&ball, place);
        let walk = controller.walk(&world, &mover, wish, dt);
        let way = walk.translation;
        assert!(
            way.x.is_finite() && way.y.is_finite(),
            "{i}: {controller:?}"
        );
        for hit in &walk.hits {
            assert!(hit.blocked.is_finite() && hit.approach >= hit.blocked);
            close(hit.normal.norm(), 1.0, 1.0e-4);
        }
    }
}

/// The quotient of translation and step overflowed, and the impulse was refused with a panic.
#[test]
fn any_walk_that_is_accepted_can_push() {
    for (reach, dt) in [(1.0e38, DT), (1.0, 1.0e-38), (3.0e38, 1.0e-38), (1.0e3, DT)] {
        for mass in [1.0e-38, 1.0, 1.0e38, f32::INFINITY] {
            let mut world = weightless();
            let target = crate_at(&mut world, 1.2, 0.1, 0.5);
            let ball = Shape::from(disc(0.5));
            let mover = Mover::new(&ball, (0.0, 0.0));
            let controller = CharacterController::default();
            let wish = vec2(reach, 0.3 * reach);
            let mut walk = controller.try_walk(&world, &mover, wish, dt).unwrap();
            assert!(!walk.hits.is_empty(), "{reach} m in {dt} s");
            controller.push(&mut world, &walk, mass, dt);
            let pushed = world.body(target).velocity().x;
            assert!(pushed >= 0.0 && pushed.is_finite(), "{pushed} m/s");
            world.assert_consistent();
            let before = world.state_hash();
            walk.hits[0].point = WorldPoint::new(f64::NAN, 0.0);
            walk.hits.truncate(1);
            controller.push(&mut world, &walk, mass, dt);
            assert_eq!(world.state_hash(), before);
            step(&mut world);
            world.assert_consistent();
        }
    }
}

/// The walk was accepted, and then the body refused its target or its speed with a panic.
#[test]
fn body_is_not_sent_out_of_the_world_or_at_an_infinite_speed() {
    let mut world = weightless();
    let hero = hero(&mut world, 0.0, 0.0);
    let controller = CharacterController::default();
    for (reach, dt) in [(1.0e10, DT), (3.0e38, DT), (1.0, 1.0e-40)] {
        let before = world.state_hash();
        let wish = vec2(reach, 0.0);
        let refused = controller.try_move_body(&mut world, hero, wish, dt);
        let is_value = matches!(refused, Err(CharacterError::Value(_)));
        assert!(is_value, "{reach} m in {dt} s: {refused:?}");
        assert_eq!(world.state_hash(), before);
    }
}
