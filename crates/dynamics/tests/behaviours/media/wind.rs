//! Wind against its closed forms.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, Locks, ShapeDef, Wind, World, WorldDef};
use cairn2d_geometry::math::{PI, point, vec2};
use cairn2d_geometry::{Ellipse, Shape};

/// Air at rest, without lift.
fn calm() -> Wind {
    Wind::new(vec2(0.0, 0.0))
}

#[test]
fn falling_things_reach_their_terminal_speed() {
    // m g = density / 2 drag width v^2, with the width across the fall.
    let ellipse = Ellipse::new(point(0.0, 0.0), 0.4, 0.2, 0.0);
    let things: [(Shape, f32); 4] = [
        (disc(0.25).into(), 0.5),
        (rect(0.4, 0.1).into(), 0.8),
        (capsule(0.3, 0.1).into(), 0.8),
        (ellipse.into(), 0.8),
    ];
    for (shape, width) in things {
        for drag in [0.5, 2.0] {
            let mut world = World::new(WorldDef::default());
            let def = BodyDef {
                locks: Locks::ROTATION,
                ..BodyDef::dynamic()
            };
            let body = solid(&mut world, def, shape.clone());
            for _ in 0..1200 {
                world
                    .body_mut(body)
                    .apply_wind(&calm().coefficients(drag, 0.0));
                step(&mut world);
            }
            let mass = world.body(body).mass();
            let expected = (2.0 * mass * 10.0 / (calm().density * drag * width)).sqrt();
            close(-world.body(body).velocity().y / expected, 1.0, 1.0e-3);
        }
    }
}

#[test]
fn slanted_plate_is_lifted_across_the_wind() {
    // A plate of length l at 45 degrees turns l / sqrt 2 to the wind: drag d/2 cd l v^2 / sqrt 2, and lift, with the part of
    // its normal across the wind, d/2 cl l v^2 / 2, away from its windward face.
    let (length, speed, thin) = (1.0, 6.0, 1.0e-3);
    for (drag, lift) in [(1.0, 0.0), (0.0, 1.0), (2.0, 1.5)] {
        let mut world = weightless();
        let plate = BodyDef::dynamic().angle(0.25 * PI);
        let plate = solid(&mut world, plate, rect(0.5 * length, thin));
        let wind = Wind::new(vec2(speed, 0.0)).coefficients(drag, lift);
        world.body_mut(plate).apply_wind(&wind);
        step(&mut world);
        let force = world.body(plate).velocity() * world.body(plate).mass() / DT;
        let pressure = 0.5 * wind.density * length * speed * speed;
        close(force.x / pressure, drag * 0.5_f32.sqrt(), 0.01);
        close(force.y / pressure, -0.5 * lift, 0.01);
        close(world.body(plate).angular_velocity(), 0.0, 0.01);
    }
}

#[test]
fn still_air_brakes_what_spins_and_never_more_than_its_speed_allows() {
    let mut world = weightless();
    let def = BodyDef::dynamic()
        .angular_velocity(20.0)
        .velocity(100.0, 0.0);
    let body = solid(&mut world, def, rect(0.5, 0.1));
    let wind = Wind {
        max_speed: 5.0,
        ..calm()
    };
    let mass = world.body(body).mass();
    world.body_mut(body).apply_wind(&wind);
    step(&mut world);
    // No wider than its diagonal.
    let most = 0.5 * wind.density * wind.drag * 1.02 * 5.0 * 5.0;
    let lost = 100.0 - world.body(body).velocity().x;
    assert!(lost > 0.0 && lost < most / mass * DT, "{lost}");
    for _ in 0..600 {
        world.body_mut(body).apply_wind(&calm());
        step(&mut world);
    }
    assert!(world.body(body).angular_velocity().abs() < 2.0);
    assert!(world.body(body).velocity().norm() < 5.0);
}

#[test]
fn what_is_very_light_is_carried_along_and_not_thrown_back_and_forth() {
    let mut world = weightless();
    let feather = ShapeDef::default().density(1.0e-3);
    let body = add(&mut world, BodyDef::dynamic(), rect(0.2, 0.2), feather);
    step(&mut world);
    for _ in 0..60 {
        let wind = Wind::new(vec2(20.0, 0.0)).coefficients(2.0, 0.0);
        world.body_mut(body).apply_wind(&wind);
        step(&mut world);
        close(world.body(body).velocity().x, 20.0, 0.01);
    }
}

#[test]
fn gentle_wind_lets_sleepers_sleep_and_other_wind_wakes_them() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run_until_asleep(&mut world, 300).expect("a crate at rest sleeps");
    let wind = Wind::new(vec2(3.0, 0.0));
    world.body_mut(body).apply_wind(&Wind {
        wakes: false,
        ..wind
    });
    assert!(!is_awake(&world, body));
    let shape = shape_of(&world, body);
    world.shape_mut(shape).apply_wind(&wind);
    assert!(is_awake(&world, body));
}

#[test]
fn wind_of_nonsense_is_named() {
    let wrong = [
        (Wind::new(vec2(f32::NAN, 0.0)), "velocity.x"),
        (calm().coefficients(-1.0, 0.0), "drag"),
        (calm().coefficients(1.0, f32::INFINITY), "lift"),
        (
            Wind {
                density: -2.0,
                ..calm()
            },
            "density",
        ),
        (
            Wind {
                max_speed: f32::NAN,
                ..calm()
            },
            "max_speed",
        ),
    ];
    for (wind, name) in wrong {
        let error = wind.validate().unwrap_err().to_string();
        assert!(error.starts_with(name), "{error}");
    }
}
