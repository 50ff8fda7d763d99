//! The order of the stages of a step, by its observable consequences.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, ShapeDef, SleepChange, Tuning, World, WorldDef};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{point, vec2};

#[test]
fn teleported_body_begins_its_contact_in_the_next_step() {
    // Pairs are found before the narrow phase.
    let mut world = weightless();
    ground(&mut world);
    let ball = ball_at(&mut world, 0.0, 5.0, 0.5);
    step(&mut world);
    assert!(world.contact_begins().is_empty());
    world.body_mut(ball).set_pose((0.0, 0.499), 0.0);
    step(&mut world);
    assert_eq!(world.contact_begins().len(), 1);
}

#[test]
fn begin_event_carries_the_impulse_of_its_step() {
    // Events are completed after the solver.
    let mut world = weightless();
    ground(&mut world);
    let def = BodyDef::dynamic().position(3.0, 2.0).velocity(0.0, -25.0);
    let ball = solid(&mut world, def, disc(0.25));
    let mass = world.body(ball).mass();
    for _ in 0..60 {
        let before = world.body(ball).velocity();
        step(&mut world);
        if let Some(begin) = world.contact_begins().first() {
            let gained = mass * (world.body(ball).velocity() - before).dot(&begin.normal);
            // The solver leaves a percent of the approach speed.
            close(begin.impulse, gained, 0.01 * mass * 25.0);
            assert!(begin.impulse > 0.9 * mass * 25.0, "{}", begin.impulse);
            return;
        }
    }
    panic!("the ball passed the ground");
}

#[test]
fn body_created_in_overlap_moves_before_it_gets_velocity() {
    // Depenetration precedes the substeps, which ignore the overlap that it removes.
    let mut world = weightless();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.3, 0.5);
    step(&mut world);
    let moved = y(&world, body) - 0.3;
    let largest = DT * Tuning::default().contact_push_speed;
    assert!(moved > 0.5 * largest && moved < 1.5 * largest, "{moved}");
    let speed = world.body(body).velocity().norm();
    assert!(speed < 0.01, "{speed}");
}

#[test]
fn force_acts_in_one_step() {
    // Forces are cleared after the solver.
    let mut world = weightless();
    let body = crate_at(&mut world, 0.0, 0.0, 0.5);
    world.body_mut(body).apply_force(vec2(6.0, 0.0));
    step(&mut world);
    let velocity = world.body(body).velocity().x;
    close(velocity, 6.0 * DT / world.body(body).mass(), 1.0e-5);
    step(&mut world);
    assert_eq!(world.body(body).velocity().x, velocity);
}

#[test]
fn sensor_crossed_within_a_step_begins_and_ends_in_it() {
    // Sweeps report before events are published.
    let mut world = weightless();
    let wall = BodyDef::static_();
    add(&mut world, wall, rect(0.1, 5.0), ShapeDef::sensor());
    let def = BodyDef::dynamic().position(-5.0, 0.0).velocity(600.0, 0.0);
    let body = solid(&mut world, def, disc(0.2));
    step(&mut world);
    assert!(x(&world, body) > 4.0);
    assert_eq!(world.sensor_begins().len(), 1);
    assert_eq!(world.sensor_ends().len(), 1);
    step(&mut world);
    assert!(world.sensor_begins().is_empty() && world.sensor_ends().is_empty());
}

#[test]
fn body_that_a_sweep_stops_inside_the_bounds_has_not_left_them() {
    // The bounds are tested after continuous collision.
    for has_wall in [true, false] {
        let mut world = World::new(WorldDef {
            bounds: Some(Aabb {
                min: point(-5.0, -5.0),
                max: point(5.0, 5.0),
            }),
            ..WorldDef::weightless()
        });
        if has_wall {
            let wall = BodyDef::static_().position(4.0, 0.0);
            solid(&mut world, wall, rect(0.1, 5.0));
        }
        let def = BodyDef::dynamic().position(-3.0, 0.0).velocity(600.0, 0.0);
        let body = solid(&mut world, def, disc(0.2));
        step(&mut world);
        assert_eq!(x(&world, body) < 4.0, has_wall);
        assert_eq!(world.body_exits().is_empty(), has_wall);
    }
}

#[test]
fn edits_between_steps_are_reported_once_by_the_next_step() {
    // Events are collected from the end of a step to the end of the next one.
    let mut world = world();
    ground(&mut world);
    let lower = crate_at(&mut world, 0.0, 0.5, 0.5);
    let upper = crate_at(&mut world, 0.0, 1.5, 0.5);
    assert!(run_until_asleep(&mut world, 600).is_some());
    step(&mut world);
    let wakes = |world: &World| {
        let of_upper = world.sleep_changes().iter();
        of_upper
            .filter(|event| event.body == upper && event.change == SleepChange::Woke)
            .count()
    };
    world.destroy_body(lower);
    assert!(world.body(upper).is_awake());
    assert!(world.contact_ends().is_empty());
    assert_eq!(wakes(&world), 0);
    step(&mut world);
    assert_eq!(world.contact_ends().len(), 2);
    assert_eq!(wakes(&world), 1);
    step(&mut world);
    assert!(world.contact_ends().is_empty());
    assert_eq!(wakes(&world), 0);
}
