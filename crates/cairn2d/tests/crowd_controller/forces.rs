//! Forces: pushed crates, collisions, limits, kinematic walkers.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::*;

/// Returns how far a crate of `density` is pushed in six seconds.
fn pushed(density: f32) -> f32 {
    let (mut world, mut crowd) = plane();
    let (agent, _) = walker(&mut world, &mut crowd, 0.0, 0.0);
    // Damping in place of friction on the floor, in a world seen from above.
    let def = BodyDef {
        linear_damping: 6.0,
        angular_damping: 2.0,
        ..BodyDef::dynamic().position(1.5, 0.0)
    };
    let crate_ = world.create_body(def);
    world.create_shape(
        crate_,
        block(0.5, 0.5),
        ShapeDef::default().density(density),
    );
    crowd
        .crowd_mut()
        .agent_mut(agent)
        .set_preferred_velocity(vec2(1.5, 0.0));
    run(&mut world, &mut crowd, 6.0);
    world.body(crate_).position().x - 1.5
}

#[test]
fn heavier_crates_are_pushed_slower_and_too_heavy_ones_not_at_all() {
    // The walker has 0.28 kg and pushes up to twice that.
    let ways = [0.1, 0.3, 0.5].map(pushed);
    assert!(
        ways[0] > 1.1 * ways[1] && ways[1] > 1.1 * ways[2] && ways[2] > 1.0,
        "{ways:?}"
    );
    assert_eq!(pushed(0.6), 0.0);
}

#[test]
fn crate_moves_as_fast_as_the_force_allows() {
    // Steady: the force against the damping, c m v.
    let mut world = World::new(WorldDef::weightless());
    let body = add(&mut world, BodyDef::dynamic(), disc(RADIUS));
    let damping = 10.0;
    let def = BodyDef {
        linear_damping: damping,
        ..BodyDef::dynamic().position(0.9, 0.0)
    };
    let crate_ = add(
        &mut world,
        BodyDef {
            locks: Locks {
                rotation: true,
                y: true,
                x: false,
            },
            ..def
        },
        block(0.5, 0.5),
    );
    let mass = world.body(crate_).mass();
    let force = 2.0;
    let mut crowd = CrowdController::new(ControllerDef {
        push_ratio: 100.0,
        ..ControllerDef::default()
    });
    let walker = CrowdBodyDef {
        max_force: force,
        ..CrowdBodyDef::around(&world, body)
    };
    let agent = crowd.attach(&world, body, &walker);
    crowd
        .crowd_mut()
        .agent_mut(agent)
        .set_preferred_velocity(vec2(1.5, 0.0));
    run(&mut world, &mut crowd, 3.0);
    // In each substep h the crate's velocity fades to v / (1 + c h), and then the contact adds F h / m.
    let fade = 1.0 + damping * DT / 4.0;
    let expected = fade * force / (damping * mass);
    let speed = world.body(crate_).velocity().x;
    assert!(
        (speed / expected - 1.0).abs() < 1.0e-3,
        "{speed}, not {expected}"
    );
}

#[test]
fn shoved_walker_resumes() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::through([(10.0, 0.0)]));
    run(&mut world, &mut crowd, 1.0);
    let before = world.body(body).velocity();
    assert_abs_diff_eq!(before.x, 1.4, epsilon = 0.01);
    // A ball four times as heavy hits it from the side.
    let ball = BodyDef::dynamic()
        .position(world.body(body).position().x + 0.35, -3.0)
        .velocity(0.0, 10.0);
    let ball = world.create_body(ball);
    world.create_shape(ball, disc(RADIUS), ShapeDef::default().density(4.0));
    let mut sideways = 0.0f32;
    for _ in 0..60 {
        crowd.update(&mut world, DT);
        world.step(DT);
        sideways = sideways.max(world.body(body).velocity().norm());
    }
    assert!(sideways > 3.0, "shoved at {sideways}");
    run(&mut world, &mut crowd, 16.0);
    assert!(
        crowd.crowd().agent(agent).has_arrived(),
        "{}",
        world.body(body).position()
    );
}

#[test]
fn force_stays_within_its_limit() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let mass = world.body(body).mass();
    let def = CrowdBodyDef {
        max_force: 3.0 * mass,
        ..CrowdBodyDef::around(&world, body)
    };
    crowd.set_body_def(agent, &def);
    let mut steepest = 0.0f32;
    for step in 0..300 {
        let wish = if step / 60 % 2 == 0 {
            vec2(2.0, 0.0)
        } else {
            vec2(-1.0, 1.0)
        };
        crowd
            .crowd_mut()
            .agent_mut(agent)
            .set_preferred_velocity(wish);
        if step == 100 {
            world.body_mut(body).apply_impulse(vec2(0.0, 9.0 * mass));
        }
        let before = world.body(body).velocity();
        crowd.update(&mut world, DT);
        world.step(DT);
        steepest = steepest.max((world.body(body).velocity() - before).norm() / DT);
    }
    assert!((steepest - 3.0).abs() < 1.0e-3, "{steepest}");
}

#[test]
fn kinematic_walker_takes_the_chosen_velocity_and_pushes_all() {
    let (mut world, mut crowd) = plane();
    let body = add(&mut world, BodyDef::kinematic(), disc(RADIUS));
    let def = CrowdBodyDef {
        turn_rate: 0.0,
        ..CrowdBodyDef::around(&world, body)
    };
    let agent = crowd.attach(&world, body, &def);
    crowd.follow(agent, Route::through([(4.0, 0.0)]));
    crowd.update(&mut world, DT);
    assert_eq!(
        world.body(body).velocity(),
        crowd.crowd().agent(agent).new_velocity()
    );
    run(&mut world, &mut crowd, 5.0);
    assert!(crowd.crowd().agent(agent).has_arrived());
    assert_eq!(world.body(body).velocity(), Vec2::zeros());
    assert!(!world.body(body).is_awake(), "one that stands may rest");
}

#[test]
fn standing_walkers_sleep_and_wake_when_they_move() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::through([(2.0, 0.0)]));
    run(&mut world, &mut crowd, 4.0);
    assert!(!world.body(body).is_awake());
    let slept_at = world.body(body).position();
    run(&mut world, &mut crowd, 1.0);
    assert_eq!(world.body(body).position(), slept_at);
    crowd.follow(agent, Route::through([(0.0, 0.0)]));
    run(&mut world, &mut crowd, 4.0);
    assert!(world.body(body).position().coords.norm() < 0.25);
}

#[test]
fn walker_keeps_clear_of_a_passing_kinematic_body() {
    let (mut world, mut crowd) = plane();
    let (_, body) = walker(&mut world, &mut crowd, 0.0, 0.1);
    add(
        &mut world,
        BodyDef::kinematic().position(-6.0, 0.0).velocity(1.5, 0.0),
        disc(0.5),
    );
    let mut nearest = f32::INFINITY;
    for _ in 0..480 {
        crowd.update(&mut world, DT);
        world.step(DT);
        let car = world.bodies().last().unwrap().position();
        nearest = nearest.min((car - world.body(body).position()).norm());
    }
    assert!(nearest >= 0.8 - LINEAR_SLOP, "{nearest}");
    assert_eq!(world.contacts().count(), 0);
}

#[test]
fn an_explosion_scatters_a_group_that_comes_back() {
    let (mut world, mut crowd) = plane();
    let mut homes = Vec::new();
    for i in 0u8..9 {
        let (x, y) = (f32::from(i % 3) - 1.0, f32::from(i / 3) - 1.0);
        let (agent, body) = walker(&mut world, &mut crowd, x, y);
        crowd.follow(agent, Route::through([(x, y)]));
        homes.push((agent, body, point(x, y)));
    }
    run(&mut world, &mut crowd, 1.0);
    // Off center, so that no walker is on the explosion.
    world.explode(&ExplosionDef::new((0.1, 0.37), 4.0, 1.5));
    run(&mut world, &mut crowd, 0.5);
    let off =
        |world: &World, body: BodyId, home: Point| (world.body(body).position() - home).norm();
    let farthest = |world: &World| {
        let ways = homes.iter().map(|&(_, body, home)| off(world, body, home));
        ways.fold(0.0, f32::max)
    };
    assert!(farthest(&world) > 0.5, "scattered {} m", farthest(&world));
    run(&mut world, &mut crowd, 12.0);
    for &(agent, body, home) in &homes {
        assert!(crowd.crowd().agent(agent).has_arrived());
        // At its own place, or beside a walker that is there.
        assert!(off(&world, body, home) < 1.3, "{}", off(&world, body, home));
        assert!(world.body(body).velocity().norm() < 0.05);
    }
}

/// Returns how far a walker gets in three seconds, at `rate` steps per second with an acceleration limit [m/s^2].
fn started(rate: f32, max_acceleration: f32, kind: BodyDef) -> f64 {
    let (mut world, mut crowd) = plane();
    let body = add(&mut world, kind, disc(RADIUS));
    let mut def = CrowdBodyDef::around(&world, body);
    def.agent.max_acceleration = max_acceleration;
    let agent = crowd.attach(&world, body, &def);
    crowd.follow(agent, Route::through([(40.0, 0.0)]));
    for _ in 0..(3.0 * rate) as u32 {
        crowd.update(&mut world, 1.0 / rate);
        world.step(1.0 / rate);
    }
    world.body(body).position().x.into()
}

/// The first velocity of a walker, its acceleration times the step, counted as standing if it was below 2 cm/s: the
/// walker never started.
#[test]
fn walkers_start_however_small_the_step_or_the_acceleration() {
    for kind in [BodyDef::dynamic, BodyDef::kinematic] {
        for acceleration in [0.05, 1.0, 5.0] {
            let usual = started(60.0, acceleration, kind());
            // Half of the way of a constant acceleration, up to the speed of the route.
            assert!(
                usual > 0.1 * f64::from(acceleration.min(1.0)),
                "{usual} m at {acceleration}"
            );
            for rate in [300.0, 1000.0] {
                let way = started(rate, acceleration, kind());
                assert!(
                    (way - usual).abs() < 0.05 * usual,
                    "{way} m at {rate} Hz, {acceleration}"
                );
            }
        }
    }
}
