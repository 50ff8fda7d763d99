//! Bodies: creation, edits, removal, refusals.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::PhysicsError;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use cairn2d::math::vec2;
use cairn2d::{BodyKind, InitialState, Locks};

#[test]
fn body_needs_no_other_component_than_its_collider() {
    let mut app = app();
    ground(&mut app);
    let ball = spawn(&mut app, (RigidBody::default(), Collider::circle(0.5)));
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation
        .y = 3.0;
    run(&mut app, 180);
    assert!((place(&app, ball).y - 0.5).abs() < 0.01);
    assert_eq!(physics(&app).body(ball).unwrap().kind(), BodyKind::Dynamic);
}

#[test]
fn edits_of_components_reach_the_world() {
    let mut app = app();
    let body = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    run(&mut app, 1);
    let mut entity = app.world_mut().entity_mut(body);
    *entity.get_mut::<RigidBody>().unwrap() = RigidBody::Kinematic;
    entity.get_mut::<Velocity>().unwrap().linear = Vec2::new(2.0, 0.0);
    let mut options = entity.get_mut::<BodyOptions>().unwrap();
    options.gravity_scale = 0.5;
    options.linear_damping = 0.25;
    options.locks = Locks::ROTATION;
    options.bullet = true;
    options.can_sleep = false;
    options.max_angular_speed = 7.0;
    run(&mut app, 1);
    let view = physics(&app).body(body).unwrap();
    assert_eq!(view.kind(), BodyKind::Kinematic);
    assert_eq!(view.velocity(), vec2(2.0, 0.0));
    assert_eq!(view.gravity_scale(), 0.5);
    assert_eq!(view.damping(), [0.25, 0.0]);
    assert_eq!(view.locks(), Locks::ROTATION);
    assert!(view.is_bullet() && !view.can_sleep());
    assert_eq!(view.max_angular_speed(), 7.0);
    app.world_mut()
        .get_mut::<BodyOptions>(body)
        .unwrap()
        .initial_state = InitialState::Disabled;
    run(&mut app, 1);
    assert!(!physics(&app).body(body).unwrap().is_enabled());
    app.world_mut()
        .get_mut::<BodyOptions>(body)
        .unwrap()
        .initial_state = InitialState::Awake;
    run(&mut app, 1);
    assert!(physics(&app).body(body).unwrap().is_enabled());
}

#[test]
fn unchanged_components_do_not_wake_a_body() {
    let mut app = app();
    ground(&mut app);
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            at(0.0, 0.5),
        ),
    );
    run(&mut app, 120);
    assert!(!physics(&app).body(ball).unwrap().is_awake());
    let mut entity = app.world_mut().entity_mut(ball);
    entity.get_mut::<Transform>().unwrap().set_changed();
    entity.get_mut::<Velocity>().unwrap().set_changed();
    entity.get_mut::<BodyOptions>().unwrap().set_changed();
    entity.get_mut::<Collider>().unwrap().set_changed();
    run(&mut app, 2);
    assert!(!physics(&app).body(ball).unwrap().is_awake());
}

#[test]
fn impulses_on_the_engine_and_written_velocities_do_not_undo_each_other() {
    let mut app = weightless();
    let ball = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Velocity::linear(1.0, 0.0),
        ),
    );
    run(&mut app, 3);
    let mut state = app.world_mut().resource_mut::<Physics>();
    let mut body = state.body_mut(ball).unwrap();
    let mass = body.as_ref().mass();
    body.apply_impulse(vec2(0.0, 2.0 * mass));
    run(&mut app, 1);
    assert!((velocity(&app, ball).linear - Vec2::new(1.0, 2.0)).length() < 1.0e-5);
    app.world_mut().get_mut::<Velocity>(ball).unwrap().linear.x = -4.0;
    run(&mut app, 1);
    assert!((velocity(&app, ball).linear - Vec2::new(-4.0, 2.0)).length() < 1.0e-5);
}

#[test]
fn removed_and_despawned_bodies_leave_the_world() {
    let mut app = app();
    let [kept, removed, despawned] = [0.0, 3.0, 6.0].map(|x| {
        spawn(
            &mut app,
            (RigidBody::Dynamic, Collider::circle(0.5), at(x, 0.0)),
        )
    });
    run(&mut app, 1);
    app.world_mut()
        .entity_mut(removed)
        .remove::<(RigidBody, Collider)>();
    app.world_mut().despawn(despawned);
    run(&mut app, 1);
    assert_eq!(physics(&app).world().body_count(), 1);
    assert!(physics(&app).body(kept).is_some() && physics(&app).body(removed).is_none());
    app.world_mut()
        .entity_mut(removed)
        .insert((RigidBody::Kinematic, Collider::circle(0.5)));
    run(&mut app, 1);
    assert_eq!(physics(&app).body(removed).unwrap().shapes().count(), 1);
}

#[test]
fn body_that_is_exchanged_within_a_frame_exists_once() {
    let mut app = app();
    let ball = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    run(&mut app, 1);
    let mut entity = app.world_mut().entity_mut(ball);
    entity.remove::<(RigidBody, Collider)>();
    entity.insert((RigidBody::Static, Collider::rectangle(1.0, 1.0)));
    run(&mut app, 1);
    assert_eq!(physics(&app).world().body_count(), 1);
    assert_eq!(physics(&app).world().shape_count(), 1);
    assert_eq!(physics(&app).body(ball).unwrap().kind(), BodyKind::Static);
}

#[test]
fn invalid_components_are_reported_and_change_nothing() {
    let mut app = app();
    let ball = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    run(&mut app, 1);
    drain::<PhysicsProblem>(&mut app);
    let before = place(&app, ball);
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation
        .x = f32::NAN;
    run(&mut app, 1);
    let problems = drain::<PhysicsProblem>(&mut app);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].entity, ball);
    assert!(
        problems[0].error.to_string().contains("position"),
        "{}",
        problems[0].error
    );
    let now = physics(&app).body(ball).unwrap().position();
    assert!((now.x - before.x).abs() < 1.0e-6);
}

#[test]
fn second_entity_of_a_key_is_refused_by_name() {
    let mut app = app();
    let first = spawn(&mut app, (RigidBody::Dynamic, PhysicsKey::new(4)));
    run(&mut app, 1);
    let second = spawn(&mut app, (RigidBody::Dynamic, PhysicsKey::new(4)));
    run(&mut app, 1);
    let problems = drain::<PhysicsProblem>(&mut app);
    let expected = PhysicsError::SameKey {
        key: 4,
        other: first,
    };
    assert_eq!(
        problems,
        [PhysicsProblem {
            entity: second,
            error: expected
        }]
    );
}

#[test]
fn rotation_by_the_user_turns_the_body() {
    let mut app = weightless();
    let plank = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::rectangle(2.0, 0.2)),
    );
    run(&mut app, 1);
    app.world_mut()
        .get_mut::<Transform>(plank)
        .unwrap()
        .rotation = Quat::from_rotation_z(0.7);
    run(&mut app, 1);
    assert!((physics(&app).body(plank).unwrap().angle() - 0.7).abs() < 1.0e-6);
}

#[test]
fn body_that_was_refused_gets_its_shapes_when_it_is_mended() {
    let mut app = weightless();
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.5),
        at(f32::INFINITY, 0.0),
    );
    let ball = spawn(&mut app, ball);
    let part = spawn(&mut app, (Collider::circle(0.2), ChildOf(ball)));
    run(&mut app, 3);
    assert!(physics(&app).body(ball).is_none());
    app.world_mut()
        .get_mut::<Transform>(ball)
        .unwrap()
        .translation
        .x = 1.0;
    run(&mut app, 1);
    assert_eq!(physics(&app).body(ball).unwrap().shapes().count(), 2);
    assert_eq!(physics(&app).shapes(part).len(), 1);
}

#[test]
fn clone_of_an_entity_is_a_body_of_its_own() {
    let mut app = weightless();
    let ball = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.5)));
    run(&mut app, 1);
    let clone = app.world_mut().entity_mut(ball).clone_and_spawn();
    run(&mut app, 1);
    assert_eq!(physics(&app).world().body_count(), 2);
    assert_eq!(physics(&app).body(clone).unwrap().shapes().count(), 1);
    assert!(drain::<PhysicsProblem>(&mut app).is_empty());
}

#[test]
fn entities_may_be_spawned_before_the_plugin_is_added() {
    let mut app = App::new();
    let balls = [0.0, 3.0].map(|x| {
        spawn(
            &mut app,
            (RigidBody::Dynamic, Collider::circle(0.5), at(x, 0.0)),
        )
    });
    app.add_plugins((TimePlugin, TransformPlugin, PhysicsPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app.update();
    for ball in balls {
        assert!(physics(&app).body(ball).is_some());
    }
}
