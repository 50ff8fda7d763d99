//! Stacks, pyramids and piles.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyKind, ContactRef, ShapeDef, World, WorldDef};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::point;

#[test]
fn stack_stands_on_a_huge_ground() {
    // Catches clipping that loses its precision on an edge of a thousand kilometers.
    for half_width in [1.0e4, 1.0e6] {
        let mut world = world();
        let floor = BodyDef::static_().position(0.0, -10.0);
        solid(&mut world, floor, rect(half_width, 10.0));
        let boxes: Vec<_> = (0..3)
            .map(|i| crate_at(&mut world, 0.0, 0.51 + 1.01 * i as f32, 0.5))
            .collect();
        for _ in 0..500 {
            step(&mut world);
            for &body in &boxes {
                assert!(x(&world, body).abs() < 0.1 && speed(&world, body) < 10.0);
            }
        }
        for (i, &body) in boxes.iter().enumerate() {
            close(y(&world, body), 0.5 + i as f32, 0.02);
            assert!(speed(&world, body) < 0.1);
        }
    }
}

#[test]
fn pyramids_carry_a_box_of_hundreds_of_times_their_density() {
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_().position(0.0, -1.0),
        rect(50.0, 1.0),
    );
    let mut tops = Vec::new();
    for k in 0..3 {
        let middle = -30.0 + 30.0 * k as f32;
        for level in 0..9 {
            let count = 10 - level;
            for i in 0..count {
                let x = middle + (2 * i) as f32 - (count - 1) as f32;
                crate_at(&mut world, x, (1 + 2 * level) as f32, 1.0);
            }
        }
        let def = ShapeDef::default().density(100.0 * (k + 1) as f32);
        let top = BodyDef::dynamic().position(middle, 19.0 + 2.0);
        tops.push(add(&mut world, top, rect(1.0, 1.0), def));
    }
    assert!(run_until_asleep(&mut world, 900).is_some());
    for top in tops {
        close(y(&world, top), 19.0, 0.3);
    }
}

#[test]
fn large_box_rests_on_two_small_ones() {
    let mut world = world();
    ground(&mut world);
    let small = [-9.0, 9.0].map(|x| crate_at(&mut world, x, 0.5, 0.5));
    let large = crate_at(&mut world, 0.0, 26.0, 10.0);
    assert!(run_until_asleep(&mut world, 900).is_some());
    close(world.body(large).angle(), 0.0, 0.01);
    for (body, place) in small.into_iter().zip([-9.0, 9.0]) {
        close(y(&world, body), 0.5, 0.03);
        close(x(&world, body), place, 0.3);
    }
}

#[test]
fn large_box_rests_on_two_small_triangles() {
    let mut world = world();
    ground(&mut world);
    let triangle = hull(&[(-0.5, 0.0), (0.5, 0.0), (0.0, 1.0)]);
    let small = [-9.0, 9.0].map(|x| {
        solid(
            &mut world,
            BodyDef::dynamic().position(x, 0.0),
            triangle.clone(),
        )
    });
    // From a height of 15 m, as on the boxes.
    let large = crate_at(&mut world, 0.0, 26.0, 10.0);
    assert!(run_until_asleep(&mut world, 900).is_some());
    close(y(&world, large), 11.0, 0.3);
    for body in small {
        assert!(y(&world, body) > -0.05, "{}", y(&world, body));
    }
}

#[test]
fn pyramid_of_tiny_boxes_sleeps() {
    let mut world = world();
    ground(&mut world);
    let half = 0.025;
    let mut top = None;
    for level in 0..30 {
        let count = 30 - level;
        for i in 0..count {
            let x = 2.0 * half * (i as f32 - 0.5 * (count - 1) as f32);
            top = Some(crate_at(&mut world, x, half * (1 + 2 * level) as f32, half));
        }
    }
    assert!(run_until_asleep(&mut world, 600).is_some());
    // 29.5 boxes of 5 cm.
    let height = y(&world, top.unwrap());
    assert!((0.95 * 1.475..1.01 * 1.475).contains(&height), "{height}");
}

#[test]
fn compounds_of_three_boxes_stack() {
    let mut world = world();
    let place = |world: &mut World, def: BodyDef| {
        let body = world.create_body(def);
        for x in [-1.0, 0.0, 1.0] {
            let part = Polygon::offset_rectangle(0.5, 0.5, point(x, 0.0), 0.0);
            world.create_shape(body, part, ShapeDef::default());
        }
        body
    };
    place(&mut world, BodyDef::static_());
    let stack = [1, 2, 3].map(|i| {
        place(
            &mut world,
            BodyDef::dynamic().position(0.0, 0.98 * i as f32),
        )
    });
    run(&mut world, 120);
    for (i, &body) in stack.iter().enumerate() {
        close(y(&world, body), (i + 1) as f32, 3.0 * SLOP);
        close(x(&world, body), 0.0, SLOP);
        close(world.body(body).angle(), 0.0, 1.0e-3);
    }
}

#[test]
fn thousands_of_boxes_and_balls_in_columns_come_down_in_order() {
    // Many pairs come and go at once: the state of contacts must not be mixed up.
    let mut world = world();
    let walls = ground(&mut world);
    let mut bodies = Vec::new();
    for side in [-14.0, 14.0] {
        let wall = Polygon::offset_rectangle(0.5, 80.0, point(side, 80.0), 0.0);
        world.create_shape(walls, wall, ShapeDef::default());
    }
    for column in 0..26_u8 {
        for row in 0..130_u8 {
            let (x, y) = (f32::from(column) - 12.5, 0.5 + 1.05 * f32::from(row));
            bodies.push(match row % 2 {
                0 => crate_at(&mut world, x, y, 0.45),
                _ => ball_at(&mut world, x, y, 0.45),
            });
        }
    }
    for _ in 0..300 {
        world.step(DT);
        assert!(world.body_freezes().is_empty());
    }
    world.assert_consistent();
    for &body in &bodies {
        let place = world.body(body).position();
        assert!(place.x.abs() < 13.5 && place.y > 0.0, "{place}");
    }
}

/// Pours sixty mixed shapes between two walls; returns whether all sleep after 15 s, without deep overlap.
fn pile_comes_to_rest(seed: u64) -> bool {
    let mut world = world();
    ground(&mut world);
    for side in [-4.0, 4.0] {
        solid(
            &mut world,
            BodyDef::static_().position(side, 10.0),
            rect(0.5, 12.0),
        );
    }
    let mut random = Random::new(seed);
    for i in 0..60 {
        let def = BodyDef::dynamic()
            .position(random.range(-3.0, 3.0), 1.0 + 0.4 * i as f32)
            .angle(random.range(-3.0, 3.0));
        match i % 4 {
            0 => solid(&mut world, def, disc(0.3)),
            1 => solid(&mut world, def, capsule(0.3, 0.2)),
            2 => solid(&mut world, def, rect(0.4, 0.25)),
            _ => solid(&mut world, def, Polygon::regular(5, 0.35)),
        };
    }
    for _ in 0..900 {
        world.step(DT);
    }
    world.assert_consistent();
    let dynamic = || {
        world
            .bodies()
            .filter(|body| body.kind() == BodyKind::Dynamic)
    };
    for body in dynamic() {
        let place = body.position();
        assert!(place.x.abs() < 3.5 && place.y > 0.1, "{place}");
    }
    let is_shallow = |contact: ContactRef<'_>| {
        let mut points = contact.points();
        points.all(|point| point.separation > -3.0 * SLOP)
    };
    awake_dynamic(&world) == 0 && world.contacts().all(is_shallow)
}

/// Piles that are poured: so many that their restless share says something about the engine. Of 24 piles, of
/// which one might be restless, two were by chance after one change in thirteen.
const PILES: u64 = 240;

/// Piles that may be restless: one of 24. In a few piles a ball rolls back and forth, or polygons rock on each
/// other, and nothing resists: 7 to 19 of 1000 in three versions of the engine; 2 or 3 of 1000 fall asleep with a
/// body wedged 16 to 21 mm deep. Which piles these are changes by chance whenever the engine does. At 1.9 % more
/// than 10 of 240 are found with a probability of 0.7 %, at three times the rate of 80 %, where one of 24 would be
/// exceeded with 41 %.
const MAX_RESTLESS_PILES: usize = 10;

#[test]
fn piles_of_many_shapes_come_to_rest() {
    let restless: Vec<u64> = (0..PILES)
        .filter(|&seed| !pile_comes_to_rest(seed))
        .collect();
    assert!(restless.len() <= MAX_RESTLESS_PILES, "{restless:?}");
}

/// Builds a tower of `count` boxes of half-width `half`, one more each half second, `offset` left and right in turn, and lets
/// it stand for ten seconds. Returns by how much its top sank, relative to the size of a box.
fn sinking_of_a_built_tower(count: u32, half: f32, offset: f32, dt: f32) -> f32 {
    let def = WorldDef {
        solver_budget: 0,
        ..WorldDef::default()
    };
    let mut world = World::new(def);
    ground(&mut world);
    let steps_of = |time: f32| (time / dt).round() as usize;
    let mut top = None;
    for i in 0..count {
        let side = if i % 2 == 0 { offset } else { -offset };
        let height = half * (2 * i + 1) as f32;
        top = Some(crate_at(&mut world, side * half, height, half));
        for _ in 0..steps_of(0.5) {
            world.step(dt);
        }
    }
    for _ in 0..steps_of(10.0) {
        world.step(dt);
    }
    let height = y(&world, top.unwrap());
    ((2 * count - 1) as f32 * half - height) / (2.0 * half)
}

#[test]
fn towers_of_offset_boxes_stand_by_sweeps_alone() {
    // Arms of impulses that turned with their bodies gave the load of a leaning tower a moment, and it buckled: from 16
    // boxes of 1 m on.
    for (count, half, offset, dt) in [
        (20, 0.5, 0.1, 1.0 / 60.0),
        (20, 0.5, 0.2, 1.0 / 60.0),
        (20, 0.2, 0.1, 1.0 / 60.0),
        (20, 0.5, 0.1, 1.0 / 120.0),
        (25, 2.0, 0.1, 1.0 / 60.0),
    ] {
        let sinking = sinking_of_a_built_tower(count, half, offset, dt);
        assert!(
            sinking < 0.3,
            "{count} boxes of half-width {half}, offset {offset}, dt {dt}: sank by {sinking}"
        );
    }
}

/// Changes the speed of a platform by `acceleration`, back and forth in two seconds, under ten boxes of 1 by 0.5 m, which tip at
/// 2 m/s2. Returns how far the top box is off the platform's middle at most in 20 s, and how far it has sunk \[m\].
fn way_of_carried_stack(acceleration: f32) -> (f32, f32) {
    let mut world = world();
    let platform = BodyDef::kinematic().position(0.0, -0.25);
    let platform = solid(&mut world, platform, rect(5.0, 0.25));
    let boxes: Vec<_> = (0..10)
        .map(|i| {
            let def = BodyDef::dynamic().position(0.0, 0.25 + 0.5 * i as f32);
            solid(&mut world, def, rect(0.5, 0.25))
        })
        .collect();
    let (mut speed, mut worst) = (0.0, 0.0_f32);
    for count in 0..1200 {
        // The platform has its greatest speed in the middle of the boxes' way.
        let forward = (count + 30) / 60 % 2 == 0;
        speed += DT * if forward { acceleration } else { -acceleration };
        world.body_mut(platform).set_velocity((speed, 0.0));
        step(&mut world);
        worst = worst.max((x(&world, boxes[9]) - x(&world, platform)).abs());
    }
    (worst, 4.75 - y(&world, boxes[9]))
}

#[test]
fn stack_on_a_platform_that_speeds_up_and_slows_down_stands() {
    for acceleration in [0.5, 1.0] {
        let (worst, sunk) = way_of_carried_stack(acceleration);
        assert!(worst < 1.0 && sunk < 0.1, "{acceleration}: {worst} {sunk}");
    }
}
