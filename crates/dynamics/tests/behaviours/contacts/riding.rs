//! Riding: bodies on lifts and trains move along, press with their weight, and slip beyond the friction limit.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, World};
use cairn2d_geometry::math::vec2;

/// A platform 10 m wide whose top is at y = 0, and a crate of 1 kg on it.
fn platform_with_crate() -> (World, BodyId, BodyId) {
    let mut world = world();
    let platform = BodyDef::kinematic().position(0.0, -0.25);
    let platform = solid(&mut world, platform, rect(5.0, 0.25));
    let rider = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 30);
    (world, platform, rider)
}

/// Gap between crate and platform [m].
fn gap(world: &World, platform: BodyId, rider: BodyId) -> f32 {
    let way = world.body(rider).position_exact() - world.body(platform).position_exact();
    way.y - 0.75
}

/// Force along the normal between the two in the last step [N].
fn load(world: &World, rider: BodyId) -> f32 {
    let contacts = world.body(rider).contacts();
    contacts.map(|contact| contact.force(DT).y).sum()
}

#[test]
fn crate_neither_hovers_nor_sinks_on_a_lift() {
    for speed in [-5.0_f32, -1.0, -0.1, 0.1, 1.0, 5.0] {
        let (mut world, platform, rider) = platform_with_crate();
        // It speeds up within its world's gravity, so that the crate need not fly.
        for i in 1..=60 {
            let now = speed * i as f32 / 60.0;
            world.body_mut(platform).set_velocity(vec2(0.0, now));
            step(&mut world);
        }
        for _ in 0..120 {
            step(&mut world);
            let gap = gap(&world, platform, rider);
            assert!(gap.abs() < 0.2 * SLOP, "{gap} m at {speed} m/s");
            close(load(&world, rider), 10.0, 0.1);
            close(world.body(rider).velocity().y, speed, 1.0e-3);
        }
    }
}

#[test]
fn crate_presses_by_what_the_lift_accelerates() {
    // a(t) = A w^2 cos(w t) of y = A (1 - cos(w t)): N = m (g + a) as long as that is positive.
    let (amplitude, w) = (1.0_f32, 2.5_f32);
    let (mut world, platform, rider) = platform_with_crate();
    for i in 1..=240 {
        let t = i as f32 * DT;
        let place = (0.0, -0.25 + amplitude * (1.0 - cosine(w * t)));
        world.body_mut(platform).move_to(place, 0.0, DT);
        step(&mut world);
        let gap = gap(&world, platform, rider);
        assert!(gap.abs() < SLOP, "{gap} m after {t} s");
        if i > 10 {
            let a = amplitude * w * w * cosine(w * (t - DT));
            close(load(&world, rider), 10.0 + a, 0.3);
        }
    }
}

#[test]
fn lift_that_starts_at_once_takes_a_sleeping_crate_along() {
    // Catches riders that are woken only when the lift has moved into them.
    for speed in [-3.0_f32, 0.5, 3.0] {
        let (mut world, platform, rider) = platform_with_crate();
        assert!(run_until_asleep(&mut world, 60).is_some());
        world.body_mut(platform).set_velocity(vec2(0.0, speed));
        step(&mut world);
        assert!(gap(&world, platform, rider) > -0.5 * SLOP);
        run(&mut world, 120);
        close(gap(&world, platform, rider), 0.0, 0.2 * SLOP);
    }
}

#[test]
fn lift_that_falls_away_faster_than_the_crate_leaves_it_behind() {
    let (mut world, platform, rider) = platform_with_crate();
    let start = y(&world, rider);
    world.body_mut(platform).set_velocity(vec2(0.0, -20.0));
    run(&mut world, 30);
    let t = 30.0 * DT;
    close(y(&world, rider), start - 0.5 * G * t * t, 0.01);
    assert!(gap(&world, platform, rider) > 5.0);
}

#[test]
fn crate_on_a_train_slips_only_beyond_its_friction() {
    // Friction 0.6 gives at most 6 m/s^2.
    for (train, expected) in [(4.0_f32, 4.0_f32), (5.5, 5.5), (8.0, 6.0), (20.0, 6.0)] {
        let (mut world, platform, rider) = platform_with_crate();
        let steps = 40;
        for i in 1..=steps {
            let speed = train * i as f32 * DT;
            world.body_mut(platform).set_velocity(vec2(speed, 0.0));
            step(&mut world);
        }
        let speed = world.body(rider).velocity().x;
        close(speed, expected * steps as f32 * DT, 0.02 * expected);
        close(world.body(rider).angle(), 0.0, 0.01);
    }
}

#[test]
fn rising_lift_presses_harder_and_so_rubs_harder() {
    // On a lift that accelerates by 5 m/s^2 friction bears 0.6 * 15 N: a crate of 1 kg slides from 10 m/s in 1.11 s.
    let (mut world, platform, rider) = platform_with_crate();
    world.body_mut(rider).set_velocity(vec2(4.0, 0.0));
    for i in 1..=20 {
        let speed = 5.0 * i as f32 * DT;
        world.body_mut(platform).set_velocity(vec2(0.0, speed));
        step(&mut world);
    }
    let slowed = 4.0 - world.body(rider).velocity().x;
    close(slowed, 9.0 * 20.0 * DT, 0.15);
}
