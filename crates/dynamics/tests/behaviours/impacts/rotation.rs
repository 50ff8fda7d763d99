//! Continuous collision of bodies that rotate: their ends pass nothing, and no corner turns deep into the ground.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, Continuous, ShapeDef, World};
use cairn2d_geometry::math::{Point, WorldPoint, point};
use cairn2d_geometry::{Chain, Circle, Polygon, Segment, Shape};

/// Half length of the bars \[m\].
const HALF_LENGTH: f32 = 2.0;

/// Returns whether a bar that rotates in place, from `start` \[rad\] below the obstacle at (1.5, 0), passes it.
fn passes(
    obstacle: &Shape,
    half_thickness: f32,
    spin: f32,
    start: f32,
    policy: Continuous,
) -> bool {
    let mut world = weightless();
    solid(&mut world, BodyDef::static_(), obstacle.clone());
    let def = BodyDef {
        continuous: policy,
        ..BodyDef::dynamic().angle(-start).angular_velocity(spin)
    };
    let bar = solid(&mut world, def, rect(HALF_LENGTH, half_thickness));
    for _ in 0..60 {
        step(&mut world);
        let local = world.body(bar).to_local(WorldPoint::new(1.5, 0.0));
        // Beyond the end of the bar it may leave the obstacle behind.
        if local.x.abs() > 0.975 * HALF_LENGTH {
            return false;
        }
        if local.y < 0.0 {
            return true;
        }
    }
    false
}

#[test]
fn bar_that_rotates_in_place_passes_no_peg_and_no_segment() {
    let peg: Shape = Circle::new(point(1.5, 0.0), 0.05).into();
    let line: Shape = Segment::new(point(1.0, 0.0), point(3.0, 0.0)).into();
    for policy in [Continuous::Auto, Continuous::Clamp] {
        for (obstacle, half_thickness) in [(&peg, 0.02), (&peg, 0.1), (&line, 0.02), (&line, 0.1)] {
            for spin in [5.0, 20.0] {
                for i in 0..100 {
                    let start = 0.3 + 0.012 * i as f32;
                    assert!(
                        !passes(obstacle, half_thickness, spin, start, policy),
                        "{obstacle:?}, {policy:?}, thickness {half_thickness}, {spin} rad/s, from {start}"
                    );
                }
            }
        }
    }
}

fn floors() -> [fn(&mut World); 3] {
    [
        |world| {
            solid(
                world,
                BodyDef::static_().position(0.0, -1.0),
                rect(50.0, 1.0),
            );
        },
        |world| {
            let line = Segment::new(point(-50.0, 0.0), point(50.0, 0.0));
            solid(world, BodyDef::static_(), line);
        },
        |world| {
            let body = world.create_body(BodyDef::static_());
            let points: Vec<Point> = (-10..=10_i8)
                .map(|i| point(5.0 * f32::from(i), 0.0))
                .collect();
            world.create_chain(body, &Chain::ground(&points), ShapeDef::default());
        },
    ]
}

/// Returns the depth of the lowest corner of a box below the line y = 0 \[m\].
fn corner_depth(world: &World, body: BodyId, [half_width, half_height]: [f32; 2]) -> f32 {
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let heights = corners.map(|(x, y)| {
        let corner = world
            .body(body)
            .to_world(point(x * half_width, y * half_height));
        corner.y
    });
    heights
        .into_iter()
        .fold(0.0, |deepest: f32, y| deepest.max(-y))
}

#[test]
fn box_that_lands_fast_and_tilted_turns_no_corner_into_a_floor_a_segment_or_a_chain() {
    for (number, floor) in floors().into_iter().enumerate() {
        for half in [[1.0, 0.25], [0.5, 0.5], [1.0, 0.02]] {
            for (i, bullet) in (0..50).flat_map(|i| [(i, false), (i, true)]) {
                let mut world = world();
                floor(&mut world);
                let tilt = 0.01 + 0.031 * i as f32;
                let def = BodyDef {
                    bullet,
                    ..BodyDef::dynamic()
                        .position(0.0, 3.0 + 0.013 * (i % 37) as f32)
                        .angle(tilt)
                        .velocity(10.0, -20.0)
                };
                let body = solid(&mut world, def, rect(half[0], half[1]));
                // A body that touches nothing may enter another by a fifth of its half thickness.
                let allowed = 0.2 * half[1].min(half[0]) + SLOP;
                for _ in 0..60 {
                    step(&mut world);
                    let depth = corner_depth(&world, body, half);
                    assert!(
                        depth < allowed,
                        "floor {number}, box {half:?}, tilt {tilt}, bullet {bullet}: {depth} m"
                    );
                }
            }
        }
    }
}

/// Returns the greatest depth below the line y = 0 of a body in 0.7 s \[m\], with steps of the rate `hz`.
fn deepest(world: &mut World, body: BodyId, hz: f32) -> f32 {
    let mut deepest = 0.0_f32;
    for _ in 0..(0.7 * hz) as usize {
        world.step(1.0 / hz);
        world.assert_consistent();
        let lowest = world.body(body).aabb().unwrap().min.y;
        deepest = deepest.max(-lowest);
    }
    deepest
}

/// The impact at one end turns the stick, and the other end comes down in the same step. It went 0.2 m deep: the search for
/// impacts ended at the first end, which touched.
#[test]
fn stick_that_bounces_on_one_end_does_not_enter_the_floor_with_the_other() {
    for hz in [30.0, 60.0, 120.0, 240.0] {
        for speed in [5.0, 10.0, 20.0, 40.0] {
            for (restitution, continuous) in [
                (0.0, Continuous::Substep),
                (0.3, Continuous::Auto),
                (0.5, Continuous::Auto),
                (0.9, Continuous::Auto),
                (0.5, Continuous::Clamp),
            ] {
                let mut world = weightless();
                ground_of(&mut world, slippery());
                let def = BodyDef {
                    continuous,
                    ..BodyDef::dynamic()
                        .position(0.0, 1.888_529_3)
                        .angle(-0.026_812_792)
                        .velocity(0.0, -speed)
                };
                let surface = slippery().restitution(restitution);
                let stick = add(&mut world, def, rect(0.5, 0.03), surface);
                let depth = deepest(&mut world, stick, hz);
                assert!(
                    depth < SLOP,
                    "{hz} Hz, {speed} m/s, restitution {restitution}, {continuous:?}: {depth} m"
                );
            }
        }
    }
}

#[test]
fn thrown_body_that_bounces_turns_no_corner_into_a_floor_a_segment_a_chain_or_tiles() {
    let shapes: [Shape; 6] = [
        rect(0.5, 0.03).into(),
        rect(0.5, 0.25).into(),
        rect(0.25, 0.25).into(),
        hull(&[(-0.4, -0.2), (0.4, -0.2), (0.0, 0.5)]).into(),
        hull(&[(-0.5, -0.05), (0.5, 0.0), (-0.5, 0.05)]).into(),
        capsule(0.4, 0.1).into(),
    ];
    let tiles = |world: &mut World| {
        let body = world.create_body(BodyDef::static_());
        for i in -10..10_i8 {
            let place = point(f32::from(i), -0.02);
            let tile = Polygon::offset_rectangle(0.5, 0.02, place, 0.0);
            world.create_shape(body, tile, ShapeDef::default());
        }
    };
    let floors = floors().into_iter().chain([tiles as fn(&mut World)]);
    for (number, floor) in floors.enumerate() {
        for hz in [30.0, 60.0, 120.0, 240.0] {
            for (place, shape) in shapes.iter().enumerate() {
                let mut random = Random::new(7);
                for (i, restitution) in (0..20).flat_map(|i| [(i, 0.3), (i, 0.9)]) {
                    let mut world = world();
                    floor(&mut world);
                    let def = BodyDef::dynamic()
                        .position(0.0, random.range(1.0, 2.0))
                        .angle(random.range(-3.0, 3.0))
                        .velocity(random.range(-6.0, 6.0), -20.0)
                        .angular_velocity(random.range(-20.0, 20.0));
                    let surface = ShapeDef::default().restitution(restitution);
                    let body = add(&mut world, def, shape.clone(), surface);
                    let depth = deepest(&mut world, body, hz);
                    assert!(
                        depth < 2.0 * SLOP,
                        "floor {number}, {hz} Hz, shape {place}, restitution {restitution}, throw {i}: {depth} m"
                    );
                }
            }
        }
    }
}

/// Both ends of a rod meet a wall in one step, again and again. One in ten left the room.
#[test]
fn spinning_rods_that_bounce_stay_in_a_room_with_thin_walls() {
    let lively = ShapeDef::default().restitution(0.9);
    for hz in [30.0, 60.0] {
        let mut random = Random::new(12_345);
        for i in 0..100 {
            let mut world = weightless();
            let room = world.create_body(BodyDef::static_());
            for (x, y, half_width, half_height) in [
                (0.0, 5.0, 5.0, 0.02),
                (0.0, -5.0, 5.0, 0.02),
                (5.0, 0.0, 0.02, 5.0),
                (-5.0, 0.0, 0.02, 5.0),
            ] {
                let wall = Polygon::offset_rectangle(half_width, half_height, point(x, y), 0.0);
                world.create_shape(room, wall, lively);
            }
            let velocity = random.vector(100.0);
            let def = BodyDef {
                fast_rotation: true,
                ..BodyDef::dynamic()
                    .velocity(velocity.x, velocity.y)
                    .angular_velocity(random.range(-100.0, 100.0))
            };
            let rod = add(&mut world, def, rect(random.range(0.2, 1.0), 0.02), lively);
            for _ in 0..(3.0 * hz) as usize {
                world.step(1.0 / hz);
            }
            let place = world.body(rod).position();
            assert!(
                place.x.abs() < 5.05 && place.y.abs() < 5.05,
                "{hz} Hz, rod {i}: {place}"
            );
        }
    }
}
