//! Reading and changing the objects of a world.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyKind, InitialState, Locks, Material, PulleyJointDef, RevoluteJointDef, ShapeDef,
    World, WorldDef,
};
use cairn2d_geometry::math::{PI, WorldPoint, vec2};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn short_forms_say_what_struct_updates_say() {
    let short = BodyDef::dynamic()
        .world_position((1.0e6, 2.0))
        .angle(0.5)
        .velocity(1.0, 2.0)
        .angular_velocity(3.0)
        .damping(0.1, 0.2)
        .gravity_scale(0.5)
        .locks(Locks::ROTATION)
        .bullet()
        .initial_state(InitialState::Asleep)
        .user_data(7);
    let long = BodyDef {
        kind: BodyKind::Dynamic,
        position: WorldPoint::from((1.0e6, 2.0)),
        angle: 0.5,
        velocity: vec2(1.0, 2.0),
        angular_velocity: 3.0,
        linear_damping: 0.1,
        angular_damping: 0.2,
        gravity_scale: 0.5,
        locks: Locks {
            x: false,
            y: false,
            rotation: true,
        },
        bullet: true,
        initial_state: InitialState::Asleep,
        user_data: 7,
        ..BodyDef::default()
    };
    assert_eq!(short, long);
    let mut world = World::default();
    let lent = world.create_body(&short);
    let handed = world.create_body(short);
    assert_eq!(world.body(lent).user_data(), world.body(handed).user_data());
    let shape = ShapeDef::default()
        .surface_speed(1.0)
        .rolling_resistance(0.1);
    world.create_shape(lent, disc(0.5), shape);
    world.create_shape(lent, disc(0.5), shape);
    assert_eq!(world.shape_count(), 2);
}

#[test]
fn every_setting_of_a_body_can_be_read_back() {
    let mut world = world();
    let body = crate_at(&mut world, 0.0, 0.0, 0.5);
    let mut edit = world.body_mut(body);
    edit.set_damping(0.1, 0.2);
    edit.set_max_linear_speed(Some(30.0));
    edit.set_max_angular_speed(4.0);
    edit.set_fast_rotation(true);
    edit.set_sleep_speed(0.2);
    edit.apply_force(vec2(3.0, 4.0));
    edit.apply_torque(2.0);
    let read = world.body(body);
    assert_eq!(read.damping(), [0.1, 0.2]);
    assert_eq!(
        (read.max_linear_speed(), read.max_angular_speed()),
        (30.0, 4.0)
    );
    assert!(read.has_fast_rotation() && read.can_sleep());
    assert_eq!(read.sleep_speed(), Some(0.2));
    assert_eq!(read.applied_force(), (vec2(3.0, 4.0), 2.0));
    assert!(read.mass_override().is_none());
    world.body_mut(body).set_can_sleep(false);
    assert_eq!(world.body(body).sleep_speed(), None);
    world.body_mut(body).set_max_linear_speed(None);
    assert_eq!(world.body(body).max_linear_speed(), 4000.0);
}

#[test]
fn own_speed_cap_that_equals_the_worlds_stays_when_that_changes() {
    let mut world = weightless();
    let usual = world.def().tuning.max_linear_speed;
    let set_cap = |world: &mut World, cap: f32| {
        let mut def = world.def().clone();
        def.tuning.max_linear_speed = cap;
        world.set_def(def);
    };
    let defined = solid(
        &mut world,
        BodyDef {
            max_linear_speed: Some(usual),
            ..BodyDef::dynamic()
        },
        disc(0.5),
    );
    let set = ball_at(&mut world, 5.0, 0.0, 0.5);
    world.body_mut(set).set_max_linear_speed(Some(usual));
    let follows = ball_at(&mut world, 10.0, 0.0, 0.5);
    set_cap(&mut world, 7.0);
    let caps = [defined, set, follows].map(|body| world.body(body).max_linear_speed());
    assert_eq!(caps, [usual, usual, 7.0]);
    world.body_mut(set).set_max_linear_speed(None);
    set_cap(&mut world, 8.0);
    let caps = [defined, set, follows].map(|body| world.body(body).max_linear_speed());
    assert_eq!(caps, [usual, 8.0, 8.0]);
}

#[test]
fn speed_caps_may_change_and_refuse_nonsense() {
    let mut world = weightless();
    let body = solid(
        &mut world,
        BodyDef::dynamic()
            .velocity(100.0, 0.0)
            .angular_velocity(20.0),
        disc(0.5),
    );
    world.body_mut(body).set_max_linear_speed(Some(10.0));
    world.body_mut(body).set_max_angular_speed(2.0);
    step(&mut world);
    close(world.body(body).velocity().x, 10.0, 1.0e-3);
    close(world.body(body).angular_velocity(), 2.0, 1.0e-3);
    for bad in [f32::NAN, -1.0, f32::NEG_INFINITY] {
        let linear = catch_unwind(AssertUnwindSafe(|| {
            world.body_mut(body).set_max_linear_speed(Some(bad));
        }));
        let angular = catch_unwind(AssertUnwindSafe(|| {
            world.body_mut(body).set_max_angular_speed(bad);
        }));
        assert!(linear.is_err() && angular.is_err());
    }
    world
        .body_mut(body)
        .set_max_linear_speed(Some(f32::INFINITY));
    step(&mut world);
}

#[test]
fn local_forces_turn_with_the_body() {
    // 0.5 kg, turned by 90 degrees: its own upward is the world's leftward.
    let mut world = world();
    let density = 0.5 / (PI * 0.25);
    let body = add(
        &mut world,
        BodyDef::dynamic().angle(0.5 * PI),
        disc(0.5),
        ShapeDef::default().density(density),
    );
    for _ in 0..60 {
        world.body_mut(body).apply_local_force(vec2(0.0, 5.0));
        step(&mut world);
    }
    close(x(&world, body), -5.0, 1.0e-3);
    close(y(&world, body), -5.0, 1.0e-3);
    world.body_mut(body).set_velocity(vec2(0.0, 0.0));
    world.body_mut(body).apply_local_impulse(vec2(1.0, 0.0));
    close(world.body(body).velocity().y, 2.0, 1.0e-4);
    // A thruster off the center also turns the body; an acceleration does not depend on the mass.
    let before = world.body(body).angular_velocity();
    let place = cairn2d_geometry::math::point(0.0, 0.5);
    world
        .body_mut(body)
        .apply_local_force_at(vec2(1.0, 0.0), place);
    step(&mut world);
    assert!(world.body(body).angular_velocity() < before);
    world.body_mut(body).set_velocity(vec2(0.0, 0.0));
    world.body_mut(body).apply_acceleration(vec2(6.0, 10.0));
    step(&mut world);
    close(world.body(body).velocity().x, 0.1, 1.0e-4);
    close(world.body(body).velocity().y, 0.0, 1.0e-4);
}

#[test]
fn grown_geometry_pushes_away_what_it_meets_and_keeps_its_contacts() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    let rider = crate_at(&mut world, 0.0, 1.25, 0.25);
    assert!(run_until_asleep(&mut world, 120).is_some());
    let (shape, mass) = (shape_of(&world, body), world.body(body).mass());
    let mut ends = 0;
    for i in 1..=60 {
        let half = 0.5 + 0.01 * i as f32;
        world.shape_mut(shape).set_geometry(rect(half, half));
        step(&mut world);
        ends += world.contact_ends().len();
    }
    assert!(is_awake(&world, rider));
    run(&mut world, 120);
    assert_eq!(ends, 0);
    close(world.body(body).mass(), mass * 1.1 * 1.1 * 4.0, 1.0e-3);
    close(y(&world, body), 1.1, 2.0 * SLOP);
    close(y(&world, rider), 2.45, 4.0 * SLOP);
    // And shrunk to a disc: bodies on it follow.
    world.shape_mut(shape).set_geometry(disc(0.3));
    run(&mut world, 180);
    close(y(&world, body), 0.3, 2.0 * SLOP);
    assert!(y(&world, rider) < 1.0);
}

#[test]
fn shape_may_become_a_sensor_and_solid_again() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 120).is_some());
    let shape = shape_of(&world, floor);
    world.shape_mut(shape).set_sensor(true);
    assert!(world.shape(shape).is_sensor() && is_awake(&world, body));
    step(&mut world);
    assert_eq!(
        (world.contact_ends().len(), world.sensor_begins().len()),
        (1, 1)
    );
    run(&mut world, 9);
    assert!(y(&world, body) < 0.45);
    world.shape_mut(shape).set_sensor(false);
    step(&mut world);
    assert_eq!(
        (world.contact_begins().len(), world.sensor_ends().len()),
        (1, 1)
    );
    run(&mut world, 120);
    close(y(&world, body), 0.5, 2.0 * SLOP);
}

#[test]
fn surface_of_a_shape_changes_field_by_field() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 10);
    let shape = shape_of(&world, floor);
    let mut edit = world.shape_mut(shape);
    edit.set_friction(0.25);
    edit.set_restitution(0.3);
    edit.set_surface_speed(1.5);
    edit.set_user_data(9);
    let expected = Material {
        friction: 0.25,
        restitution: 0.3,
        surface_speed: 1.5,
        ..Material::default()
    };
    assert_eq!(world.shape(shape).material(), expected);
    assert_eq!(world.shape(shape).user_data(), 9);
    let contact = world.body(body).contacts().next().unwrap();
    close(contact.friction(), (0.25 * 0.6_f32).sqrt(), 1.0e-6);
    assert_eq!(contact.restitution(), 0.3);
    for bad in [f32::NAN, -1.0] {
        let result = catch_unwind(AssertUnwindSafe(|| {
            world.shape_mut(shape).set_friction(bad);
        }));
        assert!(result.is_err());
    }
    let nowhere = Some(vec2(0.0, 0.0));
    assert!(
        catch_unwind(AssertUnwindSafe(|| world
            .shape_mut(shape)
            .set_one_way(nowhere)))
        .is_err()
    );
    assert_eq!(world.shape(shape).material(), expected);
}

#[test]
fn contact_tells_the_other_body_its_normal_and_force() {
    let mut world = sleepless();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 120);
    let contact = world.body(body).contacts().next().unwrap();
    assert_eq!(
        (contact.other(body), contact.other(floor)),
        (Some(floor), Some(body))
    );
    close(contact.normal_from(floor).unwrap().y, 1.0, 1.0e-5);
    close(contact.normal_from(body).unwrap().y, -1.0, 1.0e-5);
    let stranger = another_world().create_body(BodyDef::static_());
    assert!(contact.normal_from(stranger).is_none() && contact.other(stranger).is_none());
    let weight = world.body(body).mass() * G;
    close(contact.force(DT).y, weight, 0.02 * weight);
    assert_eq!(world.contact(contact.id()).bodies(), contact.bodies());
    let shape = shape_of(&world, body);
    assert_eq!(world.shape(shape).contacts().count(), 1);
}

#[test]
fn settings_of_a_world_may_change_as_it_runs() {
    let mut world = world();
    ground(&mut world);
    let bodies = column(&mut world, 0.0, 5);
    let change = |world: &mut World, change: &dyn Fn(&mut WorldDef)| {
        let mut def = world.def().clone();
        change(&mut def);
        world.set_def(def);
        run(world, 20);
    };
    change(&mut world, &|def| def.substeps = 8);
    change(&mut world, &|def| def.continuous = false);
    change(&mut world, &|def| def.warm_starting = false);
    change(&mut world, &|def| def.warm_starting = true);
    change(&mut world, &|def| def.threads = 3);
    change(&mut world, &|def| def.tuning.contact_push_speed = 1.0);
    change(&mut world, &|def| {
        def.tuning.hit_event_threshold = f32::INFINITY
    });
    assert!(run_until_asleep(&mut world, 300).is_some());
    change(&mut world, &|def| def.sleeping = false);
    assert!(bodies.iter().all(|&body| is_awake(&world, body)));
    change(&mut world, &|def| def.tuning.max_linear_speed = 1.0);
    assert_eq!(world.body(bodies[0]).max_linear_speed(), 1.0);
    close(y(&world, bodies[4]), 4.5, 0.05);
    let mut bad = world.def().clone();
    bad.substeps = 0;
    assert!(world.try_set_def(bad).is_err());
    assert_eq!(world.def().substeps, 8);
}

#[test]
fn shifted_origin_changes_nothing_but_coordinates() {
    let scene = || {
        let mut world = world();
        ground(&mut world);
        column(&mut world, 0.0, 4);
        let a = ball_at(&mut world, -6.0, 3.0, 0.3);
        let b = ball_at(&mut world, -4.0, 3.0, 0.5);
        let wheels = [(-6.0, 6.0), (-4.0, 6.0)].map(WorldPoint::from);
        world.create_joint(PulleyJointDef::new(a, b, wheels[0], wheels[1], 6.0));
        let hand = world.create_body(BodyDef::static_().position(5.0, 5.0));
        let bob = crate_at(&mut world, 6.5, 5.0, 0.3);
        world.create_joint(RevoluteJointDef::new(hand, bob).at(&world, (5.0, 5.0)));
        world
    };
    let (mut here, mut there) = (scene(), scene());
    run(&mut here, 30);
    run(&mut there, 30);
    let shift = WorldPoint::from((4096.0, -8192.0));
    there.shift_origin(shift);
    for _ in 0..90 {
        step(&mut here);
        step(&mut there);
    }
    for (a, b) in here.bodies().zip(there.bodies()) {
        let moved = (b.position_exact() - a.position_exact()) + vec2(4096.0, -8192.0);
        assert!(moved.norm() < 1.0e-3, "{moved}");
        assert!((a.velocity() - b.velocity()).norm() < 1.0e-2);
    }
    assert!(there.try_shift_origin((f64::NAN, 0.0)).is_err());
    assert!(there.try_shift_origin((-0.9999999e9, 0.0)).is_err() || there.body_count() > 0);
    there.create_body(BodyDef::static_().world_position((-0.9e9, 0.0)));
    let before = there.state_hash();
    assert!(there.try_shift_origin((0.9e9, 0.0)).is_err());
    assert_eq!(there.state_hash(), before);
}

#[test]
fn bodies_that_moved_are_listed() {
    let mut world = world();
    ground(&mut world);
    let rests = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 120).is_some());
    let flies = ball_at(&mut world, 5.0, 9.0, 0.5);
    let carried = solid(
        &mut world,
        BodyDef::kinematic().position(9.0, 9.0).velocity(1.0, 0.0),
        disc(0.1),
    );
    step(&mut world);
    let moved = |world: &World| -> Vec<_> { world.moved_bodies().map(|body| body.id()).collect() };
    assert_eq!(moved(&world), [flies, carried]);
    world.destroy_body(flies);
    assert_eq!(moved(&world), [carried]);
    let reused = ball_at(&mut world, 5.0, 9.0, 0.5);
    assert_eq!(moved(&world), [carried]);
    assert!(!moved(&world).contains(&rests) && reused.index() == flies.index());
}

#[test]
fn origin_is_not_shifted_away_from_the_wheel_of_a_pulley() {
    let mut world = world();
    let [a, b] = [-1.0, 1.0].map(|x| ball_at(&mut world, x, 0.0, 0.5));
    let far = WorldPoint::new(-6.0e8, 0.0);
    let pulley = PulleyJointDef::new(a, b, far, WorldPoint::new(1.0, 4.0), 6.0e8);
    world.create_joint(pulley);
    let before = world.state_hash();
    let refused = world.try_shift_origin((5.0e8, 0.0)).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("wheel_a of a pulley is -1100000000 m"),
        "{refused}"
    );
    assert_eq!(world.state_hash(), before);
    world.shift_origin((3.0e8, 0.0));
    assert!(World::load(&world.save()).is_ok());
}
