//! One-way shapes: solid from one side, open from the other.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, IgnoreFor, QueryFilter, ShapeDef, Tile, World};
use cairn2d_geometry::math::{PI, vec2};
use cairn2d_geometry::{Shape, TileCells};

/// Adds a platform of 4 m x 0.2 m whose top is at y = `top`, open from below.
fn platform(world: &mut World, top: f32) -> BodyId {
    wide_platform(world, top, 2.0)
}

fn wide_platform(world: &mut World, top: f32, half_width: f32) -> BodyId {
    let up = ShapeDef::default().one_way(vec2(0.0, 1.0));
    add(
        world,
        BodyDef::static_().position(0.0, top - 0.1),
        rect(half_width, 0.1),
        up,
    )
}

#[test]
fn ball_jumps_through_from_below_and_lands_on_top() {
    let mut world = world();
    platform(&mut world, 0.1);
    let ball = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, -3.0).velocity(0.0, 12.0),
        disc(0.25),
    );
    let mut highest = f32::NEG_INFINITY;
    for _ in 0..300 {
        step(&mut world);
        highest = highest.max(y(&world, ball));
    }
    // Without the platform: 12^2 / 20 - 3 = 4.2 m.
    close(highest, 4.2, 0.05);
    close(y(&world, ball), 0.35, 2.0 * SLOP);
}

#[test]
fn body_that_turns_back_halfway_falls_through() {
    let mut world = world();
    platform(&mut world, 2.0);
    // Comes up to y = 1.9, its middle above that of the platform.
    let body = solid(
        &mut world,
        BodyDef::dynamic()
            .position(0.0, 0.0)
            .velocity(0.0, (2.0 * G * 1.95_f32).sqrt()),
        rect(0.3, 0.3),
    );
    for _ in 0..120 {
        step(&mut world);
        assert!(world.contact_begins().is_empty());
    }
    assert!(y(&world, body) < -5.0);
}

#[test]
fn fast_fall_is_stopped_and_fast_rise_is_not() {
    for bullet in [false, true] {
        let mut world = weightless();
        platform(&mut world, 0.0);
        let def = |y: f32, v: f32| BodyDef {
            bullet,
            ..BodyDef::dynamic().position(0.0, y).velocity(0.0, v)
        };
        let falls = solid(&mut world, def(20.0, -300.0), disc(0.1));
        run(&mut world, 60);
        assert!(y(&world, falls) > 0.0, "{}", y(&world, falls));
        let rises = solid(&mut world, def(-20.0, 300.0), disc(0.1));
        world.body_mut(rises).set_pose((1.0, -20.0), 0.0);
        run(&mut world, 10);
        close(world.body(rises).velocity().y, 300.0, 1.0e-3);
        assert!(y(&world, rises) > 20.0);
    }
}

#[test]
fn falls_of_any_speed_are_stopped() {
    for tenths in 0..120 {
        let mut world = weightless();
        // Impacts on a corner send the box sideways.
        wide_platform(&mut world, 0.0, 200.0);
        let speed = 0.5 + 0.5 * tenths as f32;
        let start = 1.0 + 0.013 * tenths as f32;
        let body = solid(
            &mut world,
            BodyDef::dynamic()
                .position(0.0, start)
                .velocity(0.0, -speed)
                .angle(0.3),
            rect(0.3, 0.4),
        );
        run(&mut world, 240);
        assert!(y(&world, body) > 0.0, "at {speed} m/s: {}", y(&world, body));
    }
}

#[test]
fn side_of_a_platform_stops_nothing() {
    let mut world = weightless();
    platform(&mut world, 0.1);
    let body = solid(
        &mut world,
        BodyDef::dynamic().position(-5.0, 0.0).velocity(5.0, 0.0),
        disc(0.3),
    );
    run(&mut world, 120);
    close(x(&world, body), 5.0, 1.0e-3);
}

#[test]
fn direction_turns_with_the_body() {
    let mut world = weightless();
    let gate = platform(&mut world, 0.1);
    // Turned by 90 degrees, the former upward direction points left: bodies pass leftward.
    world.body_mut(gate).set_pose((0.0, 0.0), 0.5 * PI);
    let left = solid(
        &mut world,
        BodyDef::dynamic().position(3.0, 0.5).velocity(-5.0, 0.0),
        disc(0.3),
    );
    let right = solid(
        &mut world,
        BodyDef::dynamic().position(-3.0, -0.5).velocity(5.0, 0.0),
        disc(0.3),
    );
    run(&mut world, 60);
    close(x(&world, left), -2.0, 1.0e-3);
    close(x(&world, right), -0.4, 2.0 * SLOP);
}

#[test]
fn moving_platform_picks_up_what_it_passes_and_carries_it() {
    let mut world = world();
    let lift = platform(&mut world, 0.0);
    world.body_mut(lift).set_kind(BodyKind::Kinematic);
    let rider = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 30);
    world.body_mut(lift).set_velocity(vec2(0.5, 1.0));
    run(&mut world, 120);
    close(y(&world, rider), 2.5, 0.05);
    close(x(&world, rider), 1.0, 0.05);
}

#[test]
fn rider_sleeps_on_the_platform_and_falls_when_told_to_ignore_it() {
    let mut world = world();
    let deck = platform(&mut world, 1.0);
    ground(&mut world);
    let rider = crate_at(&mut world, 0.0, 1.5, 0.5);
    assert!(run_until_asleep(&mut world, 120).is_some());
    world.ignore_pair(rider, deck, IgnoreFor::Overlap);
    assert!(is_awake(&world, rider));
    run(&mut world, 60);
    close(y(&world, rider), 0.5, 2.0 * SLOP);
    // It stands in the platform, which lets it rise again.
    run(&mut world, 60);
    world.body_mut(rider).set_velocity(vec2(0.0, 8.0));
    run(&mut world, 180);
    close(y(&world, rider), 1.5, 2.0 * SLOP);
}

#[test]
fn shape_cast_meets_a_one_way_shape_from_its_open_side_only() {
    let mut world = world();
    platform(&mut world, 0.1);
    let shape = Shape::from(disc(0.25));
    let cast = |y: f32, way: f32| {
        world.shape_cast(
            &shape,
            (0.0, y),
            0.0,
            vec2(0.0, way),
            QueryFilter::default(),
        )
    };
    close(cast(2.0, -4.0).unwrap().fraction, 1.65 / 4.0, 1.0e-3);
    assert!(cast(-2.0, 4.0).is_none());
    assert!(cast(0.2, -1.0).is_none(), "half in it");
    assert!(cast(0.35, -1.0).is_some(), "standing on it");
}

#[test]
fn solid_can_become_one_way_and_back() {
    let mut world = weightless();
    let wall = solid(&mut world, BodyDef::static_(), rect(2.0, 0.1));
    let shape = shape_of(&world, wall);
    let ball = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, -1.0).velocity(0.0, 1.0),
        disc(0.25),
    );
    run(&mut world, 120);
    assert!(y(&world, ball) < -0.3);
    world.shape_mut(shape).set_one_way(Some(vec2(0.0, 2.0)));
    world.body_mut(ball).set_velocity(vec2(0.0, 1.0));
    run(&mut world, 120);
    assert!(y(&world, ball) > 1.0);
    world.body_mut(ball).set_pose((0.0, -1.0), 0.0);
    world.shape_mut(shape).set_one_way(None);
    run(&mut world, 120);
    assert!(y(&world, ball) < -0.3);
}

/// Adds the surface of a map of cells of 1 m to one body.
fn map_of_cells(world: &mut World, map: &str) {
    let rows: Vec<&str> = map.lines().rev().collect();
    let letters = rows.iter().flat_map(|row| row.chars());
    let tiles: Vec<Tile> = letters
        .map(|letter| Tile::from_letter(letter).unwrap())
        .collect();
    let size = [rows[0].len(), rows.len()];
    let cells = TileCells {
        tiles: &tiles,
        size,
    };
    let body = world.create_body(BodyDef::static_());
    for piece in cells.surface(&(0..size[0]), &(0..size[1]), 1.0) {
        world.create_shape(body, piece, ShapeDef::default());
    }
}

/// A map with a platform two free cells above solid ground, both on one body.
fn deck_over_ground(world: &mut World) {
    let map = "====....\n........\n........\n########";
    map_of_cells(world, map);
}

#[test]
fn body_drops_through_the_platform_and_lands_on_the_ground_of_the_same_grid() {
    for gravity in [1.6, 10.0, 25.0] {
        for x in [0.5, 2.0, 3.9] {
            let mut world = world();
            world.set_gravity(vec2(0.0, -gravity));
            deck_over_ground(&mut world);
            let hero = solid(&mut world, BodyDef::dynamic().position(x, 4.41), disc(0.4));
            run(&mut world, 60);
            close(y(&world, hero), 4.4, 2.0 * SLOP);
            assert!(world.drop_through(hero));
            run(&mut world, 300);
            close(y(&world, hero), 1.4, 2.0 * SLOP);
            assert!(!world.drop_through(hero), "solid ground is no platform");
            // It may land on the platform again.
            world.body_mut(hero).set_pose((x, 5.0), 0.0);
            world.body_mut(hero).set_velocity(vec2(0.0, 0.0));
            run(&mut world, 180);
            close(y(&world, hero), 4.4, 2.0 * SLOP);
        }
    }
}

/// A program that moves shapes by itself asks which of them its body passes.
#[test]
fn body_that_drops_through_ignores_the_platform_and_not_the_ground_of_the_same_grid() {
    let mut world = world();
    deck_over_ground(&mut world);
    let hero = solid(
        &mut world,
        BodyDef::dynamic().position(2.0, 4.41),
        disc(0.4),
    );
    run(&mut world, 60);
    let below = |world: &World, y: f32| {
        let filter = QueryFilter::default().exclude(hero);
        let hit = world.ray_cast((2.0, y), vec2(0.0, -1.0), filter);
        hit.expect("a surface within a meter").shape
    };
    let (platform, ground) = (below(&world, 4.5), below(&world, 1.5));
    assert!(!world.ignores_shape(hero, platform));
    assert!(world.drop_through(hero));
    assert!(world.ignores_shape(hero, platform));
    assert!(!world.ignores_shape(hero, ground));
    let deck = world.shape(ground).body();
    world.ignore_pair(hero, deck, IgnoreFor::Forever);
    assert!(world.ignores_shape(hero, ground));
    world.destroy_body(hero);
    assert!(!world.ignores_shape(hero, ground));
}

#[test]
fn dropping_body_lands_on_the_next_platform_and_misses_no_wall() {
    let mut world = world();
    let map = "#....#\n#====#\n#....#\n#====#\n#....#\n######";
    map_of_cells(&mut world, map);
    let hero = solid(
        &mut world,
        BodyDef::dynamic().position(1.4, 5.4).velocity(-1.0, 0.0),
        disc(0.4),
    );
    for floor in [5.0, 3.0, 1.0] {
        run(&mut world, 120);
        close(y(&world, hero), floor + 0.4, 2.0 * SLOP);
        assert!(x(&world, hero) > 1.4 - 2.0 * SLOP, "the wall at its left");
        world.body_mut(hero).set_velocity(vec2(-3.0, 0.0));
        assert_eq!(world.drop_through(hero), floor > 1.0);
    }
    run(&mut world, 60);
    close(y(&world, hero), 1.4, 2.0 * SLOP);
}
