//! Contacts in cases that users of other engines saw fail: flights through one-way layers, gaps between flush boxes, ends of lines, and
//! gravity that turns.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, MotorJointDef, RevoluteJointDef, ShapeDef};
use cairn2d_geometry::math::{PI, vec2};

/// Layers that a ball passes from below do not touch its flight.
#[test]
fn flight_through_one_way_layers_is_a_parabola() {
    for speed in [8.0_f32, 14.0, 20.0] {
        for spacing in [0.3, 0.7] {
            let mut world = sleepless();
            for i in 0..10 {
                let layer = ShapeDef::default().one_way(vec2(0.0, 1.0));
                let place = BodyDef::static_().position(0.0, 1.0 + spacing * i as f32);
                add(&mut world, place, rect(20.0, 0.05), layer);
            }
            let ball = ball_at(&mut world, 0.0, 0.0, 0.2);
            world.body_mut(ball).set_velocity(vec2(1.0, speed));
            let rise = (speed / G / DT) as usize - 1;
            for i in 1..=rise {
                step(&mut world);
                let velocity = world.body(ball).velocity();
                let expected = vec2(1.0, speed - G * DT * i as f32);
                assert!(
                    (velocity - expected).norm() < 2.0e-3,
                    "step {i}: {velocity:?}"
                );
                assert_eq!(world.body(ball).angular_velocity(), 0.0);
            }
        }
    }
}

#[test]
fn box_does_not_fall_between_flush_boxes() {
    for speed in [0.0, 20.0, 120.0] {
        for half in [0.02, 0.1, 0.5] {
            let mut world = world();
            for x in [-2.0, 0.0, 2.0] {
                solid(
                    &mut world,
                    BodyDef::static_().position(x, -1.0),
                    rect(1.0, 1.0),
                );
            }
            let drop = BodyDef::dynamic().position(1.0, 3.0).velocity(0.0, -speed);
            let drop = solid(&mut world, drop, rect(half, half));
            for _ in 0..180 {
                step(&mut world);
                let low = y(&world, drop) - half;
                assert!(low > -0.5 * half.min(0.1), "{speed} m/s, {half} m: {low}");
            }
            close(y(&world, drop), half, SLOP);
        }
    }
}

/// A disk that grazes the end of a line is pushed away along the line from the end to its center.
#[test]
fn end_of_a_line_pushes_along_the_line_to_the_center() {
    let mut world = weightless();
    let body = world.create_body(BodyDef::static_());
    let line = ShapeDef::default().friction(0.0);
    world.create_shape(body, segment((-3.0, 0.0), (0.0, 0.0)), line);
    // The center passes 0.4 m above the end at a radius of 0.5 m, coming from the right.
    let ball = BodyDef::dynamic().position(1.0, 0.4).velocity(-1.0, 0.0);
    let ball = add(&mut world, ball, disc(0.5), line);
    run(&mut world, 60);
    // Without bounce it keeps the part of its velocity across the normal (0.6, 0.8).
    let velocity = world.body(ball).velocity();
    assert!((velocity - vec2(-0.64, 0.48)).norm() < 0.03, "{velocity:?}");
}

/// Twenty bodies in a room whose gravity turns stay inside, and wake each time.
#[test]
fn bodies_in_a_room_follow_a_gravity_that_turns() {
    let mut world = world();
    let room = world.create_body(BodyDef::static_());
    for (x, y, half_x, half_y) in [
        (0.0, -6.0, 7.0, 1.0),
        (0.0, 6.0, 7.0, 1.0),
        (-6.0, 0.0, 1.0, 7.0),
        (6.0, 0.0, 1.0, 7.0),
    ] {
        let wall = cairn2d_geometry::Polygon::offset_rectangle(
            half_x,
            half_y,
            cairn2d_geometry::math::point(x, y),
            0.0,
        );
        world.create_shape(room, wall, ShapeDef::default());
    }
    for i in 0..20 {
        let (x, y) = (-3.0 + 1.5 * (i % 5) as f32, -3.0 + 1.5 * (i / 5) as f32);
        if i % 2 == 0 {
            crate_at(&mut world, x, y, 0.4);
        } else {
            ball_at(&mut world, x, y, 0.4);
        }
    }
    for turn in 0..12 {
        let angle = 0.5 * PI * turn as f32 + 0.2;
        let pull = if turn % 4 == 3 { 0.0 } else { G };
        world.set_gravity(pull * vec2(sine(angle), -cosine(angle)));
        step(&mut world);
        assert_eq!(awake_dynamic(&world), 20, "turn {turn}");
        run(&mut world, 240);
        for body in world.bodies().skip(1) {
            let place = body.position();
            assert!(
                place.x.abs() < 5.0 && place.y.abs() < 5.0,
                "turn {turn}: {place:?}"
            );
        }
    }
}

/// A seesaw at rest tips when a mass on it changes, in whichever way.
#[test]
fn sleeping_seesaw_tips_when_a_mass_changes() {
    for way in 0..4 {
        let mut world = world();
        let ground = ground(&mut world);
        let plank = solid(
            &mut world,
            BodyDef::dynamic().position(0.0, 1.0),
            rect(3.0, 0.1),
        );
        let pin = RevoluteJointDef::new(ground, plank).at(&world, (0.0, 1.0));
        world.create_joint(pin);
        // Dry friction lets the balanced plank sleep.
        world.create_joint(MotorJointDef {
            max_velocity_torque: 1.0,
            ..MotorJointDef::new(ground, plank)
        });
        let loads = [-2.5, 2.5].map(|x| crate_at(&mut world, x, 1.4, 0.3));
        assert!(run_until_asleep(&mut world, 1200).is_some());
        let [left, _] = loads;
        match way {
            0 => {
                let shape = shape_of(&world, left);
                world.shape_mut(shape).set_density(20.0);
            }
            1 => {
                let mut mass = cairn2d_geometry::MassData {
                    mass: 8.0,
                    center: cairn2d_geometry::math::point(0.0, 0.0),
                    inertia: 0.5,
                };
                mass.mass = 8.0;
                world.body_mut(left).set_mass(Some(mass));
            }
            2 => {
                world.create_shape(left, rect(0.3, 0.3), ShapeDef::default().density(20.0));
            }
            _ => {
                world.destroy_body(left);
            }
        }
        run(&mut world, 180);
        let angle = world.body(plank).angle();
        let expected = if way == 3 { -1.0 } else { 1.0 };
        assert!(angle * expected > 0.15, "way {way}: {angle}");
    }
}
