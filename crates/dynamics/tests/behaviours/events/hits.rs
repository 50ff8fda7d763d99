//! Hits: reports of fast impacts.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, ShapeDef, Tuning, World, WorldDef};
use cairn2d_geometry::math::vec2;

/// A disc of 1 kg 2 m above the ground, falling at 25 m/s.
fn shot_at_the_ground(gravity: f32, threshold: f32) -> (World, cairn2d_dynamics::BodyId) {
    let mut world = World::new(WorldDef {
        gravity: vec2(0.0, -gravity),
        tuning: Tuning {
            hit_event_threshold: threshold,
            ..Tuning::default()
        },
        ..WorldDef::default()
    });
    ground(&mut world);
    let density = 1.0 / (core::f32::consts::PI * 0.25 * 0.25);
    let ball = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 2.25).velocity(0.0, -25.0),
        disc(0.25),
        ShapeDef::default().density(density),
    );
    (world, ball)
}

#[test]
fn hit_tells_place_normal_speed_and_impulse() {
    for gravity in [0.0, G] {
        let (mut world, ball) = shot_at_the_ground(gravity, 1.0);
        let mut hits = Vec::new();
        for _ in 0..60 {
            step(&mut world);
            hits.extend_from_slice(world.contact_hits());
        }
        assert_eq!(hits.len(), 1, "gravity {gravity}");
        let hit = hits[0];
        // v^2 = v0^2 + 2 g h over the 2 m, and a step of gravity more or less.
        let expected = (625.0 + 2.0 * gravity * 2.0_f32).sqrt();
        close(hit.approach_speed, expected, 2.0 * gravity * DT + 1.0e-3);
        // 1 kg is stopped, and carried for the rest of the step.
        close(hit.impulse, hit.approach_speed, gravity * DT + 0.01);
        assert_eq!(hit.body_b, ball);
        close(hit.normal.y, 1.0, 1.0e-6);
        close(hit.point.y as f32, 0.0, 0.02);
    }
}

#[test]
fn slow_touch_is_no_hit_and_the_threshold_decides() {
    for (threshold, expected) in [(100.0, 0), (f32::INFINITY, 0), (24.0, 1), (0.0, 1)] {
        let (mut world, _) = shot_at_the_ground(0.0, threshold);
        let mut count = 0;
        for _ in 0..60 {
            step(&mut world);
            count += world.contact_hits().len();
        }
        assert_eq!(count, expected, "threshold {threshold}");
    }
}

#[test]
fn pair_that_touches_already_can_hit_again() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 30);
    assert!(world.contact_hits().is_empty());
    world.body_mut(body).set_velocity(vec2(0.0, -5.0));
    step(&mut world);
    assert!(world.contact_begins().is_empty());
    let hit = world.contact_hits()[0];
    close(hit.approach_speed, 5.0, 1.0e-3);
    close(hit.impulse, world.body(body).mass() * 5.0, 0.5);
    step(&mut world);
    assert!(world.contact_hits().is_empty());
}

#[test]
fn spin_alone_makes_a_hit() {
    // A rod on a pin would do: here a rod whose end swings down on a block.
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(2.0, -0.6),
        rect(0.2, 0.4),
    );
    let rod = add(
        &mut world,
        BodyDef {
            angular_velocity: -8.0,
            ..BodyDef::dynamic()
        },
        rect(2.2, 0.05),
        ShapeDef::default(),
    );
    let mut hits = Vec::new();
    for _ in 0..20 {
        step(&mut world);
        hits.extend_from_slice(world.contact_hits());
    }
    assert!(!hits.is_empty());
    assert!(hits[0].approach_speed > 10.0, "{:?}", hits[0]);
    assert!([hits[0].body_a, hits[0].body_b].contains(&rod));
}

#[test]
fn bounce_counts_in_the_impulse() {
    let mut world = weightless();
    ground(&mut world);
    let ball = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 1.0).velocity(0.0, -10.0),
        disc(0.5),
        ShapeDef::default().restitution(1.0),
    );
    let mut hit = None;
    for _ in 0..10 {
        step(&mut world);
        hit = hit.or(world.contact_hits().first().copied());
    }
    let mass = world.body(ball).mass();
    close(hit.unwrap().impulse, 2.0 * mass * 10.0, 0.01 * mass);
}
