//! Pairs of bodies that ignore each other.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, IgnoreFor, ShapeDef, World, WorldError};

/// A crate that lies on the ground.
fn lying() -> (World, BodyId, BodyId) {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 10);
    assert!(touch(&world, body, floor));
    (world, floor, body)
}

#[test]
fn ignored_pair_parts_at_once_and_meets_again_when_heeded() {
    let (mut world, floor, body) = lying();
    world.ignore_pair(floor, body, IgnoreFor::Forever);
    assert!(!touch(&world, body, floor) && world.ignores_pair(body, floor));
    run(&mut world, 12);
    assert!(y(&world, body) < 0.4);
    assert!(world.unignore_pair(body, floor) && !world.unignore_pair(body, floor));
    run(&mut world, 120);
    close(y(&world, body), 0.5, 2.0 * SLOP);
}

#[test]
fn ignoring_for_a_time_takes_whole_steps() {
    for (time, steps) in [(0.0, 0), (0.2, 12), (0.01, 1), (1.0, 60)] {
        let (mut world, floor, body) = lying();
        world.ignore_pair(body, floor, IgnoreFor::Time(time));
        let mut free = 0;
        while !touch(&world, body, floor) {
            step(&mut world);
            free += 1;
            assert!(free < 100);
            if world.ignores_pair(body, floor) {
                continue;
            }
            break;
        }
        // The step that ends it already finds the contact.
        assert_eq!(free, steps + 1, "{time} s");
    }
}

#[test]
fn pair_ignores_until_it_is_apart() {
    let mut world = weightless();
    let gun = solid(&mut world, BodyDef::static_(), rect(0.5, 0.5));
    let shot = solid(
        &mut world,
        BodyDef::dynamic().velocity(2.0, 0.0).bullet(),
        disc(0.1),
    );
    world.ignore_pair(gun, shot, IgnoreFor::Overlap);
    for _ in 0..120 {
        step(&mut world);
        assert!(world.contact_begins().is_empty());
        close(world.body(shot).velocity().x, 2.0, 1.0e-6);
    }
    assert!(!world.ignores_pair(gun, shot));
    world
        .body_mut(shot)
        .set_velocity(cairn2d_geometry::math::vec2(-2.0, 0.0));
    run(&mut world, 240);
    assert!(x(&world, shot) > 0.5, "it comes back as any other thing");
}

#[test]
fn fast_bodies_pass_what_they_ignore_and_sensors_do_not_notice() {
    let mut world = weightless();
    let wall = solid(&mut world, BodyDef::static_(), rect(0.05, 5.0));
    let gate = add(
        &mut world,
        BodyDef::static_().position(3.0, 0.0),
        rect(0.05, 5.0),
        ShapeDef::sensor(),
    );
    let shot = solid(
        &mut world,
        BodyDef::dynamic()
            .position(-5.0, 0.0)
            .velocity(300.0, 0.0)
            .bullet(),
        disc(0.1),
    );
    world.ignore_pair(shot, wall, IgnoreFor::Forever);
    world.ignore_pair(gate, shot, IgnoreFor::Forever);
    for _ in 0..6 {
        step(&mut world);
        assert!(world.sensor_begins().is_empty());
    }
    assert!(x(&world, shot) > 20.0);
}

#[test]
fn sleeping_pair_wakes_when_it_heeds_again() {
    let mut world = weightless();
    let a = crate_at(&mut world, 0.0, 0.0, 0.5);
    let b = crate_at(&mut world, 0.3, 0.0, 0.5);
    world.ignore_pair(a, b, IgnoreFor::Time(2.0));
    assert!(run_until_asleep(&mut world, 60).is_some());
    run(&mut world, 180);
    assert!((x(&world, b) - x(&world, a)).abs() > 0.9);
}

#[test]
fn pair_is_forgotten_with_its_body_and_ids_are_checked() {
    let (mut world, floor, body) = lying();
    world.ignore_pair(body, floor, IgnoreFor::Forever);
    world.destroy_body(body);
    let next = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert_eq!(next.index(), body.index());
    run(&mut world, 10);
    assert!(touch(&world, next, floor) && !world.ignores_pair(next, floor));
    let refused = world.try_ignore_pair(body, floor, IgnoreFor::Forever);
    assert_eq!(refused, Err(WorldError::NoSuchBody(body)));
    for bad in [f32::NAN, -1.0, f32::INFINITY] {
        assert!(
            world
                .try_ignore_pair(next, floor, IgnoreFor::Time(bad))
                .is_err()
        );
    }
    assert!(!world.unignore_pair(body, floor));
}

#[test]
fn body_cannot_ignore_itself() {
    let (mut world, floor, body) = lying();
    world.ignore_pair(body, body, IgnoreFor::Forever);
    step(&mut world);
    assert!(touch(&world, body, floor) && !world.ignores_pair(body, body));
}

#[test]
fn copy_counts_the_time_on() {
    let (mut world, floor, body) = lying();
    world.ignore_pair(body, floor, IgnoreFor::Time(0.2));
    run(&mut world, 5);
    let mut copy = world.clone();
    for _ in 0..30 {
        step(&mut world);
        step(&mut copy);
        assert_eq!(world.state_hash(), copy.state_hash());
        assert_eq!(
            world.ignores_pair(body, floor),
            copy.ignores_pair(body, floor)
        );
    }
}
