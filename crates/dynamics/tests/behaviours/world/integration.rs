//! Forces, impulses, damping, caps, and the motion of free and kinematic bodies.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, Tuning, World, WorldDef};
use cairn2d_geometry::math::{PI, WorldPoint, point, vec2};
use cairn2d_geometry::{Circle, MassData};

fn world_with_gravity(g: f32) -> World {
    World::new(WorldDef {
        gravity: vec2(0.0, -g),
        ..WorldDef::default()
    })
}

/// Adds a body at the origin with the given mass and inertia.
fn body_of(world: &mut World, mass: f32, inertia: f32) -> BodyId {
    let body = ball_at(world, 0.0, 0.0, 0.5);
    world.body_mut(body).set_mass(Some(MassData {
        mass,
        center: point(0.0, 0.0),
        inertia,
    }));
    body
}

#[test]
fn free_fall_with_large_steps_is_exact() {
    // The mean of old and new velocity is exact for a constant acceleration: y = -g t^2 / 2 without the
    // bias -g t dt / 2 of semi-implicit Euler. 100 additions of numbers up to 98 in f32 round by
    // at most 100 * 98 * 2^-24 = 6e-4 m/s; so does the place relative to 490.
    let mut world = world_with_gravity(9.81);
    let def = BodyDef {
        angular_velocity: 2.0,
        ..BodyDef::dynamic()
    };
    let body = solid(&mut world, def, disc(0.5));
    for _ in 0..100 {
        world.step(0.1);
    }
    let body = world.body(body);
    close(body.velocity().y, -98.1, 6.0e-4);
    close(body.position().y, -490.5, 6.0e-3);
    let turn = 20.0 - 6.0 * PI;
    close(body.angle(), turn, 1.0e-5);
    assert_eq!(body.angular_velocity(), 2.0);
}

#[test]
fn force_against_gravity_balances() {
    let mut world = world_with_gravity(9.81);
    let heavy = body_of(&mut world, 1.0, 1.0);
    let light = body_of(&mut world, 0.5, 1.0);
    world
        .shape_mut(shape_of(&world, light))
        .set_filter(cairn2d_dynamics::Filter {
            mask: 0,
            ..Default::default()
        });
    for _ in 0..320 {
        for body in [heavy, light] {
            world.body_mut(body).apply_force(vec2(0.0, 9.81));
        }
        world.step(1.0 / 64.0);
    }
    close(y(&world, heavy), 0.0, 1.0e-6);
    // a = F / m - g = g: y = g t^2 / 2 at t = 5 s, exact except for rounding.
    close(y(&world, light), 0.5 * 9.81 * 25.0, 0.01);
}

#[test]
fn impulse_each_step_acts_like_the_force() {
    // An impulse comes at the start of its step, a force is spread over it: half a step's speed ahead.
    let (mut pushed, mut kicked) = (weightless(), weightless());
    let a = body_of(&mut pushed, 2.0, 1.0);
    let b = body_of(&mut kicked, 2.0, 1.0);
    let (force, dt) = (vec2(3.0, 4.0), 1.0 / 64.0);
    for _ in 0..320 {
        pushed.body_mut(a).apply_force(force);
        kicked.body_mut(b).apply_impulse(force * dt);
        pushed.step(dt);
        kicked.step(dt);
    }
    let ahead = 0.5 * dt * 5.0 * force / 2.0;
    let apart = kicked.body(b).position() - pushed.body(a).position() - ahead;
    assert!(apart.norm() < 1.0e-3, "{apart}");
}

#[test]
fn gravity_ignores_mass() {
    let mut world = world();
    let bodies = [0.5, 1.0, 1000.0].map(|mass| body_of(&mut world, mass, mass));
    for (i, &body) in bodies.iter().enumerate() {
        world.body_mut(body).set_pose((10.0 * i as f32, 0.0), 0.0);
    }
    run(&mut world, 60);
    assert_eq!(y(&world, bodies[0]), y(&world, bodies[1]));
    assert_eq!(y(&world, bodies[0]), y(&world, bodies[2]));
}

#[test]
fn torque_turns_by_the_inertia() {
    for inertia in [1.0, 0.5] {
        let mut world = weightless();
        let body = body_of(&mut world, 1.0, inertia);
        for _ in 0..96 {
            world.body_mut(body).apply_torque(1.5);
            world.step(1.0 / 64.0);
        }
        // angle = T t^2 / (2 I) at t = 1.5 s, exact for a constant torque.
        let expected = 0.5 * 1.5 / inertia * 1.5 * 1.5;
        let turned =
            cairn2d_geometry::math::rotation(expected).angle_to(&world.body(body).rotation());
        close(turned, 0.0, 1.0e-5);
        close(
            world.body(body).angular_velocity(),
            1.5 * 1.5 / inertia,
            1.0e-4,
        );
    }
}

#[test]
fn angular_impulse_changes_spin_at_once() {
    let mut world = weightless();
    let body = body_of(&mut world, 1.0, 0.5);
    world.body_mut(body).apply_angular_impulse(1.5);
    assert_eq!(world.body(body).angular_velocity(), 3.0);
}

#[test]
fn impulse_off_the_centre_also_turns() {
    let mut world = weightless();
    let body = body_of(&mut world, 2.0, 0.5);
    world
        .body_mut(body)
        .apply_impulse_at(vec2(0.0, 4.0), (1.0, 0.0));
    assert_eq!(world.body(body).velocity(), vec2(0.0, 2.0));
    assert_eq!(world.body(body).angular_velocity(), 8.0);
}

#[test]
fn force_off_the_centre_also_turns() {
    let mut world = weightless();
    let body = body_of(&mut world, 2.0, 0.5);
    world
        .body_mut(body)
        .apply_force_at(vec2(0.0, 6.0), (1.0, 0.0));
    world.step(0.01);
    close(world.body(body).velocity().y, 0.03, 1.0e-7);
    close(world.body(body).angular_velocity(), 0.12, 1.0e-7);
}

#[test]
fn force_is_forgotten_after_its_step() {
    let mut world = weightless();
    let body = body_of(&mut world, 1.0, 1.0);
    world.body_mut(body).apply_force(vec2(1.0, 0.0));
    step(&mut world);
    let after_one = world.body(body).velocity();
    step(&mut world);
    assert_eq!(world.body(body).velocity(), after_one);
    close(after_one.x, DT, 1.0e-8);
}

#[test]
fn forces_of_one_step_add_up() {
    let mut world = weightless();
    let body = body_of(&mut world, 1.0, 1.0);
    for _ in 0..3 {
        world.body_mut(body).apply_force(vec2(1.0, -2.0));
    }
    step(&mut world);
    close(world.body(body).velocity().x, 3.0 * DT, 1.0e-7);
    close(world.body(body).velocity().y, -6.0 * DT, 1.0e-7);
}

#[test]
fn force_given_to_a_disabled_body_is_forgotten() {
    let mut world = weightless();
    let body = body_of(&mut world, 1.0, 1.0);
    world.body_mut(body).disable();
    world.body_mut(body).apply_force(vec2(100.0, 0.0));
    world.body_mut(body).apply_torque(100.0);
    step(&mut world);
    world.body_mut(body).enable();
    step(&mut world);
    assert_eq!(world.body(body).velocity(), vec2(0.0, 0.0));
    assert_eq!(world.body(body).angular_velocity(), 0.0);
}

#[test]
fn force_given_before_sleep_is_forgotten() {
    let mut world = weightless();
    let body = body_of(&mut world, 1.0, 1.0);
    world.body_mut(body).apply_force(vec2(100.0, 0.0));
    world.body_mut(body).sleep();
    run(&mut world, 3);
    world.body_mut(body).wake();
    step(&mut world);
    assert_eq!(world.body(body).velocity(), vec2(0.0, 0.0));
}

#[test]
fn force_given_to_a_static_body_does_not_wait_for_it_to_move() {
    let mut world = weightless();
    let body = solid(&mut world, BodyDef::static_(), disc(0.5));
    world.body_mut(body).apply_force(vec2(100.0, 0.0));
    world.body_mut(body).apply_impulse(vec2(100.0, 0.0));
    step(&mut world);
    world
        .body_mut(body)
        .set_kind(cairn2d_dynamics::BodyKind::Dynamic);
    step(&mut world);
    assert_eq!(world.body(body).velocity(), vec2(0.0, 0.0));
}

#[test]
fn speed_is_capped() {
    let mut world = weightless();
    let body = solid(
        &mut world,
        BodyDef::dynamic().velocity(10_000.0, 0.0),
        disc(0.2),
    );
    step(&mut world);
    close(speed(&world, body), Tuning::default().max_linear_speed, 0.1);
}

#[test]
fn speed_cap_of_a_body_overrules_the_world() {
    let mut world = weightless();
    for (cap, expected) in [(f32::INFINITY, 10_000.0), (50.0, 50.0)] {
        let def = BodyDef {
            max_linear_speed: Some(cap),
            ..BodyDef::dynamic().velocity(6000.0, 8000.0)
        };
        let body = solid(&mut world, def, disc(0.2));
        step(&mut world);
        close(speed(&world, body), expected, 1.0e-6 * expected);
    }
}

#[test]
fn turn_of_a_step_is_capped_unless_allowed() {
    let mut world = weightless();
    let slow = BodyDef {
        angular_velocity: 500.0,
        ..BodyDef::dynamic()
    };
    let fast = BodyDef {
        fast_rotation: true,
        ..slow.clone()
    };
    let slow = solid(&mut world, slow, disc(0.2));
    let fast = solid(&mut world, fast.position(5.0, 0.0), disc(0.2));
    step(&mut world);
    close(world.body(slow).angular_velocity(), 0.25 * PI / DT, 1.0e-3);
    assert_eq!(world.body(fast).angular_velocity(), 500.0);
}

#[test]
fn velocity_of_a_point_adds_the_spin() {
    let mut world = weightless();
    let def = BodyDef {
        angular_velocity: -5.0 / 3.0,
        ..BodyDef::dynamic().position(0.0, 3.0).velocity(5.0, 0.0)
    };
    let rod = solid(&mut world, def, rect(0.1, 3.0));
    let tip = world.body(rod).velocity_at((0.0, 0.0));
    // v + w x r with r = (0, -3): 5 + w * 3 = 0 for w = -5/3.
    assert!(tip.norm() < 1.0e-6, "{tip}");
}

#[test]
fn angle_stays_within_half_a_turn() {
    let mut world = weightless();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    for i in -1000..=1000 {
        let angle = 0.01 * PI * i as f32;
        world.body_mut(body).set_pose((0.0, 0.0), angle);
        let read = world.body(body).angle();
        assert!((-PI..=PI).contains(&read));
        let rotation = world.body(body).rotation();
        close(rotation.re, f64::from(angle).cos() as f32, 1.0e-6);
        close(rotation.im, f64::from(angle).sin() as f32, 1.0e-6);
        let from_there = cairn2d_geometry::math::rotation(0.75 * PI);
        let way = (read - 0.75 * PI + PI).rem_euclid(2.0 * PI) - PI;
        close(sine(from_there.angle_to(&rotation) - way), 0.0, 1.0e-5);
    }
}

#[test]
fn kinematic_body_follows_its_target() {
    let mut world = world();
    let body = solid(
        &mut world,
        BodyDef::kinematic().position(4.0, 0.0),
        rect(0.1, 1.0),
    );
    for i in 1..=300 {
        let t = DT * i as f32;
        let target = (4.0 * cosine(t), 2.0 * sine(2.0 * t));
        world.body_mut(body).move_to(target, 2.0 * t, DT);
        step(&mut world);
        let body = world.body(body);
        let missed = body.position_exact() - WorldPoint::from(target);
        assert!(missed.norm() <= 1.0e-6, "step {i}: {missed}");
        let turned = cairn2d_geometry::math::rotation(2.0 * t).angle_to(&body.rotation());
        close(turned, 0.0, 1.0e-5);
    }
}

#[test]
fn kinematic_body_with_its_centre_elsewhere_follows_its_target() {
    let mut random = Random::new(7);
    for _ in 0..21 {
        let mut world = world();
        let place = random.vector(5.0);
        let def = BodyDef::kinematic()
            .position(place.x, place.y)
            .angle(random.range(-3.0, 3.0));
        let body = world.create_body(def);
        let offset = random.vector(1.0);
        let shape = Circle::new(point(offset.x, offset.y), 0.5);
        world.create_shape(body, shape, ShapeDef::default());
        let (target, turn) = (place + random.vector(0.5), random.range(-0.7, 0.7));
        let angle = world.body(body).angle() + turn;
        world.body_mut(body).move_to(target, angle, DT);
        step(&mut world);
        let missed = world.body(body).position().coords - target;
        assert!(missed.norm() < 1.0e-5, "{missed}");
        let turned = cairn2d_geometry::math::rotation(angle).angle_to(&world.body(body).rotation());
        close(turned, 0.0, 1.0e-5);
    }
}

#[test]
fn damping_fades_the_speed() {
    // Implicit damping over substeps h: v = v0 / (1 + d h)^n. Against exp(-d t) it is late by the
    // factor exp(d^2 h t / 2) to first order.
    let mut world = weightless();
    let def = BodyDef {
        linear_damping: 2.0,
        angular_damping: 1.0,
        angular_velocity: 3.0,
        ..BodyDef::dynamic().velocity(5.0, 0.0)
    };
    let body = solid(&mut world, def, disc(0.5));
    run(&mut world, 60);
    let h = DT / 4.0;
    let expected = |v0: f32, d: f32| v0 * f64::from(-d + 0.5 * d * d * h).exp() as f32;
    close(speed(&world, body), expected(5.0, 2.0), 1.0e-3);
    close(
        world.body(body).angular_velocity(),
        expected(3.0, 1.0),
        1.0e-3,
    );
}

#[test]
fn huge_damping_stops_and_never_reverses() {
    let mut world = weightless();
    let def = BodyDef {
        linear_damping: 1.0e9,
        ..BodyDef::dynamic().velocity(5.0, 0.0)
    };
    let body = solid(&mut world, def, disc(0.5));
    step(&mut world);
    let v = world.body(body).velocity().x;
    assert!((0.0..1.0e-3).contains(&v), "{v}");
}

#[test]
fn gravity_scale_scales_and_wakes() {
    let mut world = world();
    let def = BodyDef {
        gravity_scale: -0.5,
        ..BodyDef::dynamic()
    };
    let up = solid(&mut world, def, disc(0.5));
    let still = BodyDef {
        gravity_scale: 0.0,
        ..BodyDef::dynamic().position(3.0, 0.0)
    };
    let still = solid(&mut world, still, disc(0.5));
    run(&mut world, 60);
    close(world.body(up).velocity().y, 5.0, 1.0e-4);
    assert_eq!(y(&world, still), 0.0);
    assert!(!is_awake(&world, still));
    world.body_mut(still).set_gravity_scale(1.0);
    assert!(is_awake(&world, still));
    run(&mut world, 6);
    assert!(y(&world, still) < 0.0);
}

#[test]
fn motion_is_the_same_far_from_the_origin() {
    // Places are on a grid that is the same 10 000 km out, all else is relative.
    let fall = |base: f64| {
        let mut world = world();
        let def = BodyDef {
            position: WorldPoint::new(base, base),
            angular_velocity: 1.0,
            ..BodyDef::dynamic().velocity(3.0, 4.0)
        };
        let def = BodyDef {
            position: WorldPoint::new(base, base),
            ..def
        };
        let body = solid(&mut world, def, rect(0.5, 0.5));
        run(&mut world, 120);
        let place = world.body(body).position_exact();
        (place.x - base, place.y - base, world.body(body).angle())
    };
    let (here, there) = (fall(0.0), fall(1.0e7));
    assert_eq!(here, there);
}

#[test]
fn target_angle_is_reached_by_the_shorter_way() {
    let degrees = core::f32::consts::PI / 180.0;
    for (target, turn) in [(50.0, 20.0), (200.0, 170.0), (340.0, -50.0), (-1050.0, 0.0)] {
        let mut world = world();
        let def = BodyDef::kinematic().angle(30.0 * degrees);
        let body = solid(&mut world, def, disc(0.5));
        world
            .body_mut(body)
            .move_to((0.0, 0.0), target * degrees, 1.0);
        close(world.body(body).angular_velocity(), turn * degrees, 1.0e-4);
    }
}

#[test]
fn pose_within_a_step_lies_between_its_ends() {
    let mut world = world();
    let def = BodyDef {
        angular_velocity: 6.0,
        ..BodyDef::dynamic()
            .position(1.0, 2.0)
            .angle(3.0)
            .velocity(4.0, 1.0)
    };
    let body = world.create_body(def);
    let shape = Circle::new(point(0.5, 0.0), 0.25);
    world.create_shape(body, shape, ShapeDef::default());
    run(&mut world, 3);
    let before = (world.body(body).position(), world.body(body).angle());
    let center_before = world.body(body).center();
    step(&mut world);
    let now = world.body(body);
    let middle = |share: f32| {
        let (place, rotation) = now.pose_within_step(share);
        (place.to_point(), rotation)
    };
    assert_eq!(middle(1.0).0, now.position());
    for beyond in [1.0, 7.0, f32::NAN] {
        assert_eq!(middle(beyond).1, now.rotation());
    }
    for share in [0.0, -3.0] {
        assert!((middle(share).0 - before.0).norm() < 1.0e-5);
        let start = cairn2d_geometry::math::rotation(before.1);
        close(middle(share).1.angle_to(&start), 0.0, 1.0e-5);
    }
    let (place, rotation) = middle(0.25);
    let turned = cairn2d_geometry::math::rotation(before.1 + 0.25 * 6.0 * DT);
    close(rotation.angle_to(&turned), 0.0, 1.0e-5);
    let center = place + rotation * vec2(0.5, 0.0);
    let expected = center_before + 0.25 * (now.center() - center_before);
    assert!((center - expected).norm() < 1.0e-5);
}
