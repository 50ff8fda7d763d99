//! Chains: ground of one-sided segments that nothing trips over.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, Locks, QueryFilter, ShapeDef, World};
use cairn2d_geometry::math::{PI, Point, point, vec2};
use cairn2d_geometry::{Chain, ChainKind, ChainSegment, Shape};

/// Adds a static chain that is solid from above.
fn hills(world: &mut World, points: &[(f32, f32)], def: ShapeDef) -> BodyId {
    let points: Vec<Point> = points.iter().map(|&(x, y)| point(x, y)).collect();
    let body = world.create_body(BodyDef::static_());
    world.create_chain(body, &Chain::ground(&points), def);
    body
}

/// Points of a flat line at height 0, a meter apart, from left to right.
fn flat(from: i32, to: i32) -> Vec<(f32, f32)> {
    (from..=to).map(|x| (x as f32, 0.0)).collect()
}

fn upright(x: f32, y: f32) -> BodyDef {
    BodyDef::dynamic().position(x, y).locks(Locks::ROTATION)
}

#[test]
fn single_segment_keeps_its_numbers_and_holds() {
    let ends = [point(1.0, 0.0), point(-1.0, 0.0)];
    let ghosts = [Some(point(2.0, 0.0)), Some(point(-2.0, 0.0))];
    let segment = ChainSegment::new(ghosts[0], ends[0], ends[1], ghosts[1]);
    let mut world = world();
    let body = world.create_body(BodyDef::static_());
    let shape = world.create_shape(body, disc(0.5), ShapeDef::default());
    world.shape_mut(shape).set_geometry(segment);
    match world.shape(shape).geometry() {
        Shape::ChainSegment(read) => {
            assert_eq!([read.a(), read.b()], ends);
            assert_eq!([read.ghost_before(), read.ghost_after()], ghosts);
        }
        other => panic!("{other:?}"),
    }
    let ball = ball_at(&mut world, 0.0, 2.0, 0.5);
    run(&mut world, 120);
    close(y(&world, ball), 0.5, 2.0 * SLOP);
}

#[test]
fn ground_is_solid_from_above_whichever_way_its_points_run() {
    for points in [flat(-5, 5), flat(-5, 5).into_iter().rev().collect()] {
        let mut world = world();
        hills(&mut world, &points, ShapeDef::default());
        let ball = ball_at(&mut world, 0.3, 2.0, 0.5);
        run(&mut world, 120);
        close(y(&world, ball), 0.5, 2.0 * SLOP);
    }
    let chain = Chain::new(
        &[point(0.0, 0.0), point(2.0, 0.0), point(1.0, 1.0)],
        ChainKind::Loop,
    );
    let reversed = chain.reversed();
    assert_eq!(reversed.reversed(), chain);
    assert_eq!(reversed.kind(), ChainKind::Loop);
    assert_eq!(reversed.segments().len(), 3);
}

#[test]
fn box_driven_over_a_flat_chain_never_stops_or_hops() {
    let mut world = world();
    hills(&mut world, &flat(0, 40), slippery());
    let body = add(&mut world, upright(1.0, 0.2), rect(0.2, 0.2), slippery());
    run(&mut world, 30);
    let mut last = x(&world, body);
    for _ in 0..1000 {
        let velocity = world.body(body).velocity();
        world.body_mut(body).set_velocity(vec2(2.0, velocity.y));
        step(&mut world);
        assert!(x(&world, body) > last);
        last = x(&world, body);
        close(y(&world, body), 0.2, 2.0 * SLOP);
    }
    close(last - 1.0, 33.3, 0.1);
}

#[test]
fn box_driven_off_the_corner_of_a_closed_chain_does_not_catch() {
    let mut world = world();
    ground(&mut world);
    let body = world.create_body(BodyDef::static_());
    let points = [
        point(-1.0, 0.0),
        point(1.0, 0.0),
        point(1.0, 2.0),
        point(-1.0, 2.0),
    ];
    let square = Chain::new(&points, ChainKind::Loop);
    world.create_chain(body, &square, ShapeDef::default());
    let runner = add(&mut world, upright(0.0, 2.7), rect(0.5, 0.5), slippery());
    run(&mut world, 120);
    close(y(&world, runner), 2.5, 2.0 * SLOP);
    let mut last = x(&world, runner);
    for _ in 0..250 {
        let velocity = world.body(runner).velocity();
        world.body_mut(runner).set_velocity(vec2(2.0, velocity.y));
        step(&mut world);
        assert!(x(&world, runner) >= last);
        last = x(&world, runner);
    }
    assert!(last > 4.0);
    close(y(&world, runner), 0.5, 2.0 * SLOP);
}

#[test]
fn rolling_and_sliding_things_feel_no_joints_of_the_ground() {
    let course: Vec<(f32, f32)> = (-30..=60)
        .map(|i| (0.5 * i as f32, 0.4 * sine(0.1 * i as f32)))
        .collect();
    for which in 0..3 {
        let mut world = world();
        hills(&mut world, &course, ShapeDef::default().friction(0.0));
        let def = BodyDef::dynamic().position(-10.0, 1.0).velocity(8.0, 0.0);
        let body = match which {
            0 => add(&mut world, def, disc(0.25), slippery()),
            1 => add(&mut world, def, capsule(0.2, 0.2), slippery()),
            _ => add(&mut world, def, rect(0.25, 0.25), slippery()),
        };
        let mut before = world.body(body).velocity();
        for i in 0..150 {
            step(&mut world);
            let now = world.body(body).velocity();
            // Slopes of 0.4 x 0.2 turn the velocity slowly; a bump would take a jump of it.
            let landed = i > 60;
            assert!(now.x > 5.0, "{now} at {}", x(&world, body));
            assert!(
                !landed || (now.y - before.y).abs() < 0.8,
                "{before} to {now}"
            );
            before = now;
        }
    }
}

#[test]
fn two_chains_that_share_their_ghosts_are_as_one() {
    let mut world = world();
    let body = world.create_body(BodyDef::static_());
    // Solid from above: right to left; the two meet at x = 0.
    for (from, to) in [(6, 0), (0, -6)] {
        let mut at = from;
        while at > to {
            let place = |x: i32| point(x as f32, 0.0);
            let segment = ChainSegment::new(
                Some(place(at + 1)),
                place(at),
                place(at - 1),
                Some(place(at - 2)),
            );
            world.create_shape(body, segment, slippery());
            at -= 1;
        }
    }
    let slider = add(
        &mut world,
        upright(-4.0, 0.3).velocity(4.0, 0.0),
        rect(0.3, 0.3),
        slippery(),
    );
    for _ in 0..110 {
        step(&mut world);
        close(world.body(slider).velocity().x, 4.0, 1.0e-3);
        close(y(&world, slider), 0.3, 2.0 * SLOP);
    }
    assert!(x(&world, slider) > 3.0);
}

#[test]
fn fast_drop_onto_a_loop_of_a_chain_is_held() {
    let mut world = world();
    let body = world.create_body(BodyDef::static_());
    // The inside of the ring is free: the loop runs clockwise.
    let points = [
        point(-20.0, 0.0),
        point(-20.0, 20.0),
        point(20.0, 20.0),
        point(20.0, 0.0),
    ];
    let room = Chain::new(&points, ChainKind::Loop);
    world.create_chain(body, &room, ShapeDef::default());
    let ball = solid(
        &mut world,
        upright(0.0, 9.9).velocity(0.0, -42.0),
        disc(0.5),
    );
    for _ in 0..60 {
        step(&mut world);
        assert!(y(&world, ball) > 0.4, "{}", y(&world, ball));
    }
}

#[test]
fn fast_slide_along_a_chain_loses_nothing() {
    for points in [flat(-10, 200), vec![(-10.0, 0.0), (200.0, 0.0)]] {
        let mut world = world();
        hills(&mut world, &points, slippery());
        let ball = add(
            &mut world,
            BodyDef::dynamic().position(0.0, 0.5).velocity(100.0, 0.0),
            disc(0.5),
            slippery(),
        );
        for _ in 0..60 {
            step(&mut world);
            close(world.body(ball).velocity().x, 100.0, 0.1);
        }
        close(x(&world, ball), 100.0, 1.0);
    }
}

#[test]
fn seam_between_two_flush_grounds_is_not_felt() {
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_().position(0.0, -1.0),
        rect(8.0, 1.0),
    );
    solid(
        &mut world,
        BodyDef::static_().position(16.0, -1.0),
        rect(8.0, 1.0),
    );
    let shape = cairn2d_geometry::Capsule::new(point(0.0, -0.3), point(0.0, 0.3), 0.2);
    let walker = add(&mut world, upright(5.0, 0.5), shape, slippery());
    for _ in 0..240 {
        let velocity = world.body(walker).velocity();
        world.body_mut(walker).set_velocity(vec2(2.0, velocity.y));
        step(&mut world);
        close(y(&world, walker), 0.5, 0.05);
    }
    assert!(x(&world, walker) > 12.0);
}

#[test]
fn chain_lets_through_from_its_open_side() {
    let mut world = weightless();
    let chain = hills(&mut world, &flat(-5, 5), ShapeDef::default());
    let rises = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, -2.0).velocity(0.0, 4.0),
        disc(0.3),
    );
    run(&mut world, 60);
    assert!(y(&world, rises) > 1.5);
    world.body_mut(rises).set_velocity(vec2(0.0, -4.0));
    run(&mut world, 60);
    close(y(&world, rises), 0.3, 2.0 * SLOP);
    assert!(touch(&world, rises, chain));
    let cast = |from: f32, way: f32| {
        let shape = Shape::from(disc(0.1));
        let filter = QueryFilter::default().exclude(rises);
        world.shape_cast(&shape, (3.0, from), 0.0, vec2(0.0, way), filter)
    };
    assert!(cast(2.0, -4.0).is_some() && cast(-2.0, 4.0).is_none());
}

#[test]
fn loop_of_a_chain_holds_what_an_arm_stirs() {
    let mut world = world();
    let count = 120_u8;
    let body = world.create_body(BodyDef::static_());
    let corners: Vec<(f32, f32)> = (0..count)
        .map(|i| {
            let angle = -f32::from(i) * 2.0 * PI / f32::from(count);
            (10.0 * cosine(angle), 10.0 * sine(angle))
        })
        .collect();
    add_chain(&mut world, body, &corners, ChainKind::Loop);
    let arm = BodyDef::kinematic().angular_velocity(5.0);
    solid(&mut world, arm, rect(5.0, 0.2));
    let mut random = Random::new(17);
    let small: Vec<_> = (0..250)
        .map(|i| {
            let place = random.vector(6.0);
            let def = BodyDef::dynamic().position(place.x, place.y);
            match i % 3 {
                0 => solid(&mut world, def, disc(0.15)),
                1 => solid(&mut world, def, rect(0.15, 0.1)),
                _ => solid(&mut world, def, capsule(0.15, 0.08)),
            }
        })
        .collect();
    run_unchecked(&mut world, 1000);
    let reach = |body: &BodyId| world.body(*body).position().coords.norm();
    assert_eq!(small.iter().filter(|body| reach(body) > 10.0).count(), 0);
}

#[test]
fn upright_ground_stops_bodies_from_both_sides_in_either_order() {
    for points in [[(0.0, 0.0), (0.0, 4.0)], [(0.0, 4.0), (0.0, 0.0)]] {
        let mut world = weightless();
        let wall = world.create_body(BodyDef::static_());
        let points = points.map(|(x, y)| point(x, y));
        world.create_chain(wall, &Chain::ground(&points), ShapeDef::default());
        for (i, side) in [-1.0_f32, 1.0].into_iter().enumerate() {
            for speed in [1.0, 10.0, 100.0] {
                let start = BodyDef::dynamic().position(3.0 * side, 1.0 + i as f32);
                let shot = solid(&mut world, start.velocity(-speed * side, 0.0), disc(0.2));
                run(&mut world, 240);
                assert!(x(&world, shot) * side > 0.0, "{speed} m/s from {side}");
                world.destroy_body(shot);
            }
        }
    }
}
