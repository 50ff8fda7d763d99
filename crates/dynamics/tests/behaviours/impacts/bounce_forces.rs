//! Force events of bounces: the force of a step is its change of momentum, whenever in the step the impact was.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, Continuous, ShapeDef, World};

const POLICIES: [Continuous; 3] = [Continuous::Auto, Continuous::Substep, Continuous::Clamp];

fn reporting(restitution: f32) -> ShapeDef {
    slippery()
        .restitution(restitution)
        .force_event_threshold(0.0)
}

/// Sum of the reported normal impulses on the body in this step, upward [N s].
fn reported(world: &World, body: BodyId) -> f32 {
    let events = world.contact_forces().iter();
    let upward = |event: &cairn2d_dynamics::ContactForce| -> f32 {
        event
            .normal_from(body)
            .map_or(0.0, |away| -away.y * event.force)
    };
    events.map(upward).sum::<f32>() * DT
}

#[test]
fn every_bounce_has_the_force_of_its_change_of_momentum() {
    for policy in POLICIES {
        for restitution in [0.0, 0.1, 0.15, 0.3, 0.7, 1.0] {
            for speed in [0.5, 3.0, 12.0, 90.0] {
                for round in [true, false] {
                    let mut world = weightless();
                    let floor = ground_of(&mut world, reporting(restitution));
                    let def = BodyDef {
                        continuous: policy,
                        ..BodyDef::dynamic().position(0.0, 1.0).velocity(0.0, -speed)
                    };
                    let surface = reporting(restitution);
                    let body = match round {
                        true => add(&mut world, def, disc(0.3), surface),
                        false => add(&mut world, def, rect(0.3, 0.2), surface),
                    };
                    let mass = world.body(body).mass();
                    let mut total = 0.0;
                    for _ in 0..120 {
                        let before = world.body(body).velocity().y;
                        step(&mut world);
                        let change = mass * (world.body(body).velocity().y - before);
                        let found = reported(&world, body);
                        assert!(
                            (found - change).abs() < 1.0e-4 * mass * speed,
                            "{policy:?}, e {restitution}, {speed} m/s: {found} of {change} N s"
                        );
                        total += found;
                        let touching = world.contacts().filter(|c| c.bodies().contains(&floor));
                        let impulse: f32 = touching.map(|contact| contact.impulse().y.abs()).sum();
                        assert!(impulse <= found.abs() + 1.0e-4 * mass * speed);
                    }
                    // Slow bodies do not bounce, by the threshold of restitution.
                    let bounced = world.body(body).velocity().y / speed;
                    close(total / (mass * speed), 1.0 + bounced, 1.0e-3);
                }
            }
        }
    }
}

#[test]
fn rubber_ball_exceeds_the_threshold_that_a_clay_ball_exceeds() {
    for restitution in [0.0, 0.4, 0.9] {
        let mut world = world();
        let glass = ShapeDef::default()
            .restitution(restitution)
            .force_event_threshold(50.0);
        ground_of(&mut world, glass);
        let ball = BodyDef::dynamic().position(0.0, 2.0);
        add(
            &mut world,
            ball,
            disc(0.3),
            ShapeDef::default().restitution(restitution),
        );
        let mut started = 0;
        for _ in 0..60 {
            step(&mut world);
            started += world
                .contact_forces()
                .iter()
                .filter(|event| event.started)
                .count();
        }
        assert_eq!(started, 1, "restitution {restitution}");
    }
}

#[test]
fn forces_on_the_floor_are_the_momentum_of_a_bouncing_pile() {
    for restitution in [0.0, 0.3, 0.6, 1.0] {
        for bullet in [false, true] {
            let mut world = sleepless();
            let floor = ground_of(&mut world, reporting(restitution));
            let mut random = Random::new(5);
            let bodies: Vec<_> = (0..12)
                .map(|i| {
                    let speed = if bullet { 40.0 } else { 0.0 };
                    let def = BodyDef {
                        bullet,
                        ..BodyDef::dynamic()
                            .position(random.range(-1.0, 1.0), 1.0 + i as f32)
                            .velocity(0.0, -speed)
                    };
                    match i % 2 {
                        0 => add(&mut world, def, disc(0.3), reporting(restitution)),
                        _ => add(&mut world, def, rect(0.4, 0.3), reporting(restitution)),
                    }
                })
                .collect();
            let momentum = |world: &World| -> f32 {
                let of = |&body: &BodyId| world.body(body).mass() * world.body(body).velocity().y;
                bodies.iter().map(of).sum()
            };
            let mass: f32 = bodies.iter().map(|&body| world.body(body).mass()).sum();
            for _ in 0..120 {
                let before = momentum(&world);
                world.step(DT);
                let change = momentum(&world) - before + mass * G * DT;
                let found = -reported(&world, floor);
                // A body that waits at its impact for the next step loses the weight of the rest of its step.
                assert!(
                    (found - change).abs() < mass * G * DT,
                    "e {restitution}, bullets {bullet}: {found} of {change} N s"
                );
            }
        }
    }
}
