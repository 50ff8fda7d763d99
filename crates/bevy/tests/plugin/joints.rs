//! Joints as entities.

use crate::common::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use cairn2d::{JointDef, Motor};

fn pendulum(app: &mut bevy_app::App) -> [Entity; 3] {
    let post = spawn(app, (RigidBody::Static, at(0.0, 5.0)));
    let bob = spawn(
        app,
        (RigidBody::Dynamic, Collider::circle(0.2), at(2.0, 5.0)),
    );
    let hinge = Joint::revolute(post, bob).anchors(Vec2::ZERO, Vec2::new(-2.0, 0.0));
    [post, bob, spawn(app, hinge)]
}

#[test]
fn hinge_keeps_its_distance() {
    let mut app = app();
    let [_, bob, hinge] = pendulum(&mut app);
    for _ in 0..120 {
        run(&mut app, 1);
        let arm = place(&app, bob) - Vec2::new(0.0, 5.0);
        assert!((arm.length() - 2.0).abs() < 0.01, "{arm}");
    }
    assert!(physics(&app).joint(hinge).is_some());
}

#[test]
fn joint_may_be_spawned_before_its_bodies() {
    let mut app = app();
    let [a, b] = [0; 2].map(|_| app.world_mut().spawn_empty().id());
    let joint = spawn(&mut app, Joint::distance(a, b, 1.0));
    run(&mut app, 1);
    assert!(physics(&app).joint(joint).is_none());
    for (entity, x) in [(a, 0.0), (b, 1.0)] {
        let body = (RigidBody::Dynamic, Collider::circle(0.2), at(x, 0.0));
        app.world_mut().entity_mut(entity).insert(body);
    }
    run(&mut app, 1);
    assert!(physics(&app).joint(joint).is_some());
}

#[test]
fn joint_waits_for_a_body_that_was_removed() {
    let mut app = app();
    let [_, bob, hinge] = pendulum(&mut app);
    run(&mut app, 1);
    app.world_mut()
        .entity_mut(bob)
        .remove::<(RigidBody, Collider)>();
    run(&mut app, 1);
    assert!(physics(&app).joint(hinge).is_none());
    app.world_mut()
        .entity_mut(bob)
        .insert((RigidBody::Dynamic, Collider::circle(0.2)));
    run(&mut app, 1);
    assert!(physics(&app).joint(hinge).is_some());
    app.world_mut().despawn(hinge);
    run(&mut app, 1);
    assert_eq!(physics(&app).world().joint_count(), 0);
}

#[test]
fn edit_of_the_component_changes_the_joint_in_place() {
    let mut app = app();
    let [_, bob, hinge] = pendulum(&mut app);
    run(&mut app, 1);
    let id = physics(&app).joint_id(hinge).unwrap();
    let mut joint = app.world_mut().get_mut::<Joint>(hinge).unwrap();
    *joint = joint.clone().motor(Motor::new(3.0, 1.0e4));
    run(&mut app, 60);
    assert_eq!(physics(&app).joint_id(hinge), Some(id));
    assert!((velocity(&app, bob).angular - 3.0).abs() < 0.05);
    // Another kind is another joint.
    let mut joint = app.world_mut().get_mut::<Joint>(hinge).unwrap();
    let [post, bob] = joint.bodies;
    *joint = Joint::distance(post, bob, 2.0);
    run(&mut app, 1);
    let joint = physics(&app).joint(hinge).unwrap();
    assert!(matches!(joint.def(), JointDef::Distance(_)));
    assert_eq!(physics(&app).world().joint_count(), 1);
}

#[test]
fn gear_couples_two_hinges() {
    let mut app = weightless();
    let frame = spawn(&mut app, RigidBody::Static);
    let wheels = [0.0, 2.0].map(|x| {
        let wheel = (RigidBody::Dynamic, Collider::circle(0.5), at(x, 0.0));
        spawn(&mut app, wheel)
    });
    let hinges = [0.0, 2.0].map(|x| {
        Joint::revolute(frame, wheels[(x > 0.0) as usize]).anchors(Vec2::new(x, 0.0), Vec2::ZERO)
    });
    // The gear comes first by key: it waits for its hinges within the step.
    let [a, b] = [0; 2].map(|_| app.world_mut().spawn_empty().id());
    spawn(&mut app, Joint::gear(wheels, [a, b], 2.0));
    for (entity, hinge) in [a, b].into_iter().zip(hinges) {
        app.world_mut().entity_mut(entity).insert(hinge);
    }
    app.world_mut()
        .get_mut::<Velocity>(wheels[0])
        .unwrap()
        .angular = 4.0;
    run(&mut app, 30);
    let [fast, slow] = wheels.map(|wheel| velocity(&app, wheel).angular);
    assert!(
        (fast + 2.0 * slow).abs() < 0.01 && fast > 0.5,
        "{fast} {slow}"
    );
}

#[test]
fn broken_joint_is_reported_and_stays_broken_until_it_changes() {
    let mut app = app();
    let [_, bob, hinge] = pendulum(&mut app);
    let joint = app.world().get::<Joint>(hinge).unwrap().clone();
    app.world_mut()
        .entity_mut(hinge)
        .insert(joint.clone().break_at(0.5, f32::INFINITY));
    run(&mut app, 30);
    let broke = drain::<JointBroke>(&mut app);
    assert_eq!(broke.len(), 1);
    assert_eq!((broke[0].joint, broke[0].bodies[1]), (hinge, bob));
    assert!(broke[0].force.length() >= 0.5);
    run(&mut app, 5);
    assert!(physics(&app).joint(hinge).is_none());
    app.world_mut()
        .entity_mut(hinge)
        .insert(Joint::weld(joint.bodies[0], bob));
    run(&mut app, 1);
    assert!(physics(&app).joint(hinge).is_some());
}
