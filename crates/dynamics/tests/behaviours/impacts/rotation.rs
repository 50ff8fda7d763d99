//! Continuous collision of bodies that rotate: their ends pass nothing, and no corner turns deep into the ground.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, Continuous, ShapeDef, World};
use cairn2d_geometry::math::{Point, WorldPoint, point};
use cairn2d_geometry::{Chain, Circle, Segment, Shape};

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
