//! Numbers that are allowed but extreme: no NaN, no panic, no effect on other bodies.

use crate::bad_input::doors::workshop;
use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, RevoluteJointDef, ShapeDef, Tuning, World, WorldDef, WorldError,
};
use cairn2d_geometry::math::vec2;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn tiny_and_long_steps_keep_a_pile_together() {
    for dt in [1.0e-6, 1.0e-4, 0.1, 0.25, 1000.0] {
        let mut world = world();
        ground(&mut world);
        let boxes = column(&mut world, 0.0, 3);
        for _ in 0..100 {
            world.step(dt);
            world.assert_consistent();
        }
        for body in boxes {
            assert!(
                y(&world, body) > 0.0 && x(&world, body).abs() < 2.0,
                "dt = {dt}"
            );
        }
    }
}

#[test]
fn smallest_step_makes_no_nan() {
    let (mut world, body) = workshop();
    for dt in [f32::MIN_POSITIVE, 1.0e-38, 1.0e-45, 1.0e-20] {
        world.step(dt);
        world.assert_consistent();
    }
    run(&mut world, 60);
    assert!(world.body_freezes().is_empty());
    assert!(y(&world, body).is_finite());
}

#[test]
fn extreme_tunings_make_no_nan() {
    type Set = fn(&mut Tuning, f32);
    let fields: [Set; 7] = [
        |tuning, v| tuning.contact_hertz = v,
        |tuning, v| tuning.contact_damping_ratio = v,
        |tuning, v| tuning.contact_push_speed = v,
        |tuning, v| tuning.restitution_threshold = v,
        |tuning, v| tuning.max_linear_speed = v,
        |tuning, v| tuning.joint_hertz = v,
        |tuning, v| tuning.joint_damping_ratio = v,
    ];
    for (i, set) in fields.into_iter().enumerate() {
        for value in [0.0, 1.0e-30, 1.0e30, f32::MAX] {
            let mut tuning = Tuning::default();
            set(&mut tuning, value);
            let mut world = World::new(WorldDef {
                tuning,
                ..WorldDef::default()
            });
            ground(&mut world);
            let a = crate_at(&mut world, 0.0, 0.6, 0.5);
            let b = crate_at(&mut world, 0.2, 1.8, 0.5);
            world.create_joint(RevoluteJointDef::new(a, b));
            crate_at(&mut world, 0.1, 2.9, 0.5);
            for _ in 0..60 {
                world.step(DT);
                world.assert_consistent();
                let frozen = world.body_freezes();
                assert!(frozen.is_empty(), "field {i} = {value}: {frozen:?}");
            }
        }
    }
}

#[test]
fn extreme_densities_and_sizes_make_no_nan() {
    for density in [1.0e-38, 1.0e-20, 1.0e-6, 1.0e6, 1.0e20, f32::MAX] {
        for size in [1.0e-6, 1.0e-3, 1.0, 1.0e3, 9.0e5] {
            let mut world = world();
            ground(&mut world);
            let neighbour = crate_at(&mut world, 0.0, 0.5, 0.5);
            let body = world.create_body(BodyDef::dynamic().position(0.0, 1.0 + size));
            let def = ShapeDef::default().density(density);
            let made = world.try_create_shape(body, rect(size, size), def);
            world.assert_consistent();
            for _ in 0..30 {
                world.step(DT);
                world.assert_consistent();
            }
            let whole = [neighbour, body].iter().all(|&body| {
                let mass = world.body(body).mass();
                mass.is_finite() && world.body(body).inertia().is_finite()
            });
            assert!(whole, "density {density}, size {size}");
            let lost = world
                .body_freezes()
                .iter()
                .any(|event| event.body == neighbour);
            assert!(!lost, "density {density}, size {size}: {made:?}");
            assert!(
                world.body(neighbour).is_enabled(),
                "density {density}, size {size}"
            );
        }
    }
}

#[test]
fn mass_that_is_too_large_for_a_number_is_refused() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    let def = ShapeDef::default().density(f32::MAX);
    let refused = world.try_create_shape(body, disc(1.0e5), def);
    assert!(matches!(refused, Err(WorldError::Value(_))), "{refused:?}");
    assert_eq!(world.shape_count(), 1);
    let shape = shape_of(&world, body);
    let result = catch_unwind(AssertUnwindSafe(|| {
        world.shape_mut(shape).set_density(f32::MAX)
    }));
    let _ = result;
    world.assert_consistent();
    assert!(world.body(body).mass().is_finite());
}

#[test]
fn huge_but_finite_values_harm_nobody_else() {
    type Act = fn(&mut World, BodyId);
    let acts: [(&str, Act); 9] = [
        ("velocity", |world, body| {
            world.body_mut(body).set_velocity(vec2(f32::MAX, f32::MAX))
        }),
        ("spin", |world, body| {
            world.body_mut(body).set_angular_velocity(f32::MAX)
        }),
        ("force", |world, body| {
            world.body_mut(body).apply_force(vec2(f32::MAX, 0.0))
        }),
        ("forces", |world, body| {
            world.body_mut(body).apply_force(vec2(f32::MAX, 0.0));
            world.body_mut(body).apply_force(vec2(f32::MAX, 0.0));
            world.body_mut(body).apply_torque(f32::MAX);
            world.body_mut(body).apply_torque(f32::MAX);
        }),
        ("impulses", |world, body| {
            world.body_mut(body).apply_impulse(vec2(f32::MAX, f32::MAX));
            world.body_mut(body).apply_impulse(vec2(f32::MAX, f32::MAX));
        }),
        ("angular impulse", |world, body| {
            world.body_mut(body).apply_angular_impulse(f32::MAX);
            world.body_mut(body).apply_angular_impulse(f32::MAX);
        }),
        ("far impulse", |world, body| {
            world
                .body_mut(body)
                .apply_impulse_at(vec2(1.0e30, 1.0e30), (1.0e9, -1.0e9));
        }),
        ("gravity scale", |world, body| {
            world.body_mut(body).set_gravity_scale(f32::MAX)
        }),
        ("move", |world, body| {
            world.body_mut(body).set_kind(BodyKind::Kinematic);
            world.body_mut(body).move_to((1.0e9, 1.0e9), 3.0, 1.0e-30);
        }),
    ];
    for (name, act) in acts {
        for uncapped in [false, true] {
            let mut world = world();
            ground(&mut world);
            let boxes = column(&mut world, 0.0, 3);
            let def = BodyDef {
                max_linear_speed: uncapped.then_some(f32::INFINITY),
                fast_rotation: uncapped,
                ..BodyDef::dynamic().position(1.0, 0.5)
            };
            let wild = solid(&mut world, def, rect(0.5, 0.5));
            run(&mut world, 30);
            let result = catch_unwind(AssertUnwindSafe(|| act(&mut world, wild)));
            for _ in 0..60 {
                world.step(DT);
                world.assert_consistent();
                for &body in &boxes {
                    let frozen = !world.body(body).is_enabled();
                    assert!(!frozen, "{name}, uncapped {uncapped}: {result:?}");
                }
            }
        }
    }
}

#[test]
fn huge_gravity_makes_no_nan() {
    for g in [1.0e10, 1.0e30, f32::MAX] {
        let mut world = world();
        ground(&mut world);
        column(&mut world, 0.0, 3);
        world.set_gravity(vec2(0.0, -g));
        run(&mut world, 30);
        world.set_gravity(vec2(0.0, -10.0));
        run(&mut world, 30);
    }
}
