//! Changes of entities at run time, as games make them: disabling, changes of kind and shape, levels that come and go, several worlds.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_app::{AppLabel, SubApp};
use bevy_cairn2d::PhysicsProblem;
use bevy_cairn2d::prelude::*;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use cairn2d::BodyKind;

fn ball_at(x: f32, y: f32) -> (RigidBody, Collider, Transform) {
    (RigidBody::Dynamic, Collider::circle(0.5), at(x, y))
}

#[test]
fn disabled_entity_leaves_physics_and_comes_back_as_it_was() {
    let mut app = app();
    ground(&mut app);
    let ball = spawn(&mut app, ball_at(0.0, 0.5));
    let above = spawn(&mut app, ball_at(0.0, 1.5));
    let rod = spawn(&mut app, Joint::distance(ball, above, 1.0));
    run(&mut app, 10);
    drain::<ContactEnded>(&mut app);
    app.world_mut().entity_mut(ball).insert(Disabled);
    run(&mut app, 1);
    assert!(physics(&app).body(ball).is_none());
    assert!(physics(&app).joint(rod).is_none(), "it waits for its body");
    let ended = drain::<ContactEnded>(&mut app);
    assert_eq!(ended.len(), 1, "contact with the ground");
    let sides = ended[0].sides;
    assert!([sides.collider, sides.other].contains(&ball));
    run(&mut app, 120);
    assert!(
        (place(&app, above).y - 0.5).abs() < 0.01,
        "nothing bears it"
    );
    app.world_mut().entity_mut(above).despawn();
    app.world_mut().entity_mut(ball).remove::<Disabled>();
    run(&mut app, 1);
    let view = physics(&app).body(ball).unwrap();
    assert_eq!(view.shapes().count(), 1);
    assert!((place(&app, ball) - Vec2::new(0.0, 0.5)).length() < 0.01);
    assert!(drain::<PhysicsProblem>(&mut app).is_empty());
}

#[test]
fn disabled_entity_can_move_and_change_before_it_is_enabled() {
    let mut app = weightless();
    let ball = spawn(&mut app, (ball_at(0.0, 0.0), Velocity::linear(1.0, 0.0)));
    run(&mut app, 2);
    let mut entity = app.world_mut().entity_mut(ball);
    entity.insert((Disabled, at(7.0, 3.0), Collider::rectangle(2.0, 1.0)));
    entity.remove::<Disabled>();
    run(&mut app, 1);
    let view = physics(&app).body(ball).unwrap();
    assert!((view.position().x - 7.0 - 1.0 / RATE as f32).abs() < 1.0e-5);
    assert!((view.mass() - 2.0).abs() < 1.0e-5);
    assert_eq!(physics(&app).world().body_count(), 1);
}

#[test]
fn colliders_and_joints_wait_for_a_disabled_body() {
    let mut app = weightless();
    let body = spawn(&mut app, (RigidBody::Dynamic, at(2.0, 0.0)));
    let part = (Collider::circle(0.5), at(0.0, 1.0), ChildOf(body));
    let part = spawn(&mut app, part);
    let other = spawn(&mut app, ball_at(9.0, 0.0));
    let joint = spawn(&mut app, Joint::distance(body, other, 7.0));
    run(&mut app, 1);
    assert!(physics(&app).joint(joint).is_some());
    app.world_mut().entity_mut(body).insert(Disabled);
    run(&mut app, 3);
    assert_eq!(physics(&app).world().body_count(), 1);
    assert!(
        app.world().get::<RigidBody>(part).is_none(),
        "no body of its own"
    );
    assert!(physics(&app).joint(joint).is_none());
    app.world_mut().entity_mut(body).remove::<Disabled>();
    run(&mut app, 1);
    assert_eq!(physics(&app).body(body).unwrap().shapes().count(), 1);
    assert_eq!(physics(&app).shapes(part).len(), 1);
    assert!(physics(&app).joint(joint).is_some());
}

#[test]
fn collider_or_joint_alone_may_be_disabled() {
    let mut app = app();
    ground(&mut app);
    let ball = (RigidBody::Dynamic, Collider::circle(0.1), at(0.0, 0.5));
    let ball = spawn(&mut app, ball);
    let part = (Collider::rectangle(1.0, 1.0), ChildOf(ball));
    let part = spawn(&mut app, part);
    let anchor = spawn(&mut app, (RigidBody::Static, at(0.0, 4.0)));
    let rod = spawn(&mut app, Joint::distance(anchor, ball, 3.5));
    run(&mut app, 5);
    app.world_mut().entity_mut(part).insert(Disabled);
    run(&mut app, 60);
    assert!(physics(&app).shapes(part).is_empty());
    assert!((place(&app, ball).y - 0.5).abs() < 0.01, "the rod bears it");
    app.world_mut().entity_mut(part).remove::<Disabled>();
    app.world_mut().entity_mut(rod).insert(Disabled);
    run(&mut app, 60);
    assert!(physics(&app).joint(rod).is_none());
    assert!(
        (place(&app, ball).y - 0.5).abs() < 0.01,
        "the ground bears it"
    );
    app.world_mut().entity_mut(part).insert(Disabled);
    run(&mut app, 60);
    assert!(
        (place(&app, ball).y - 0.1).abs() < 0.02,
        "it fell on its own collider"
    );
    app.world_mut().entity_mut(rod).remove::<Disabled>();
    run(&mut app, 1);
    assert!(physics(&app).joint(rod).is_some());
}

#[test]
fn kind_of_a_compound_body_changes_at_run_time() {
    let mut app = app();
    ground(&mut app);
    let die = spawn(&mut app, (RigidBody::Dynamic, at(0.0, 0.5)));
    spawn(&mut app, (Collider::rectangle(1.0, 1.0), ChildOf(die)));
    run(&mut app, 30);
    let later = spawn(&mut app, ball_at(0.0, 4.0));
    for (kind, expected) in [
        (RigidBody::Static, BodyKind::Static),
        (RigidBody::Kinematic, BodyKind::Kinematic),
        (RigidBody::Dynamic, BodyKind::Dynamic),
    ] {
        app.world_mut().entity_mut(die).insert(kind);
        run(&mut app, 90);
        assert_eq!(physics(&app).body(die).unwrap().kind(), expected);
        let height = place(&app, later).y;
        assert!((height - 1.5).abs() < 0.02, "{kind:?}: {height}");
        assert!((place(&app, die) - Vec2::new(0.0, 0.5)).length() < 0.02);
    }
    // As a dynamic body it falls again when the ground goes.
    app.world_mut()
        .get_mut::<Transform>(die)
        .unwrap()
        .translation
        .x = 30.0;
    run(&mut app, 60);
    assert!(place(&app, die).y < 0.0);
}

#[test]
fn collider_may_change_and_become_a_sensor_while_it_touches() {
    let mut app = app();
    let floor = ground(&mut app);
    let ball = spawn(&mut app, ball_at(0.0, 0.5));
    run(&mut app, 30);
    app.world_mut()
        .entity_mut(ball)
        .insert(Collider::circle(1.0));
    run(&mut app, 120);
    assert!(
        (place(&app, ball).y - 1.0).abs() < 0.02,
        "it was pushed out"
    );
    let shapes = [
        cairn2d::Circle::of_radius(0.5).into(),
        cairn2d::Polygon::rectangle(0.6, 0.6).into(),
    ];
    app.world_mut()
        .entity_mut(ball)
        .insert(Collider::compound(shapes));
    run(&mut app, 120);
    assert!((place(&app, ball).y - 0.6).abs() < 0.02);
    assert_eq!(physics(&app).body(ball).unwrap().shapes().count(), 2);
    drain::<ContactEnded>(&mut app);
    drain::<SensorEntered>(&mut app);
    app.world_mut()
        .entity_mut(ball)
        .insert((Sensor, Collider::circle(0.5), RigidBody::Kinematic));
    run(&mut app, 2);
    let ended = drain::<ContactEnded>(&mut app);
    assert!(!ended.is_empty());
    assert!(
        ended
            .iter()
            .all(|e| [e.sides.collider, e.sides.other].contains(&floor))
    );
    app.world_mut().entity_mut(ball).remove::<Collider>();
    run(&mut app, 2);
    assert_eq!(physics(&app).body(ball).unwrap().shapes().count(), 0);
}

/// Entities of a level, as those with a state of Bevy.
#[derive(Component)]
struct OfLevel;

fn load_level(app: &mut App) -> Vec<Entity> {
    let floor = (Collider::rectangle(40.0, 2.0), at(0.0, -1.0), OfLevel);
    let floor = spawn(app, floor);
    let crates: Vec<_> = (0..5)
        .map(|i| spawn(app, (ball_at(0.0, 0.5 + i as f32), OfLevel)))
        .collect();
    let gate = (Collider::rectangle(9.0, 9.0), Sensor, OfLevel);
    let gate = spawn(app, gate);
    let arm = (Collider::circle(0.1), at(0.6, 0.0), ChildOf(crates[0]));
    let arm = spawn(app, arm);
    let joint = spawn(app, (Joint::distance(crates[0], crates[1], 1.0), OfLevel));
    [vec![floor, gate, arm, joint], crates].concat()
}

#[test]
fn level_that_is_despawned_while_it_touches_leaves_nothing_behind() {
    let mut app = app();
    let empty = physics(&app).world().body_count();
    let player = spawn(&mut app, ball_at(3.0, 0.5));
    for _ in 0..3 {
        let level = load_level(&mut app);
        run(&mut app, 40);
        assert!(physics(&app).world().contacts().count() > 4);
        drain::<ContactEnded>(&mut app);
        drain::<SensorLeft>(&mut app);
        let mut of_level = app.world_mut().query_filtered::<Entity, With<OfLevel>>();
        let of_level: Vec<Entity> = of_level.iter(app.world()).collect();
        for entity in of_level {
            // Children went with their parents.
            app.world_mut().entity_mut(entity).despawn();
        }
        run(&mut app, 1);
        let ended = drain::<ContactEnded>(&mut app);
        let named = |e: &ContactEnded| [e.sides.collider, e.sides.other];
        assert!(ended.iter().any(|e| named(e).contains(&player)));
        let known = |of: &Entity| *of == player || level.contains(of);
        assert!(ended.iter().flat_map(named).all(|of| known(&of)));
        assert!(!drain::<SensorLeft>(&mut app).is_empty());
        let world = physics(&app).world();
        assert_eq!(world.body_count(), empty + 1);
        assert_eq!((world.shapes().count(), world.joints().count()), (1, 0));
        // The player falls until the next level comes.
        app.world_mut()
            .entity_mut(player)
            .insert((at(3.0, 0.5), Velocity::default()));
    }
}

#[test]
fn joint_and_its_bodies_may_go_in_any_order() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        let mut app = weightless();
        let a = spawn(&mut app, ball_at(0.0, 0.0));
        let b = spawn(&mut app, ball_at(2.0, 0.0));
        let all = [a, b, spawn(&mut app, Joint::revolute(a, b))];
        run(&mut app, 2);
        for index in order {
            app.world_mut().despawn(all[index]);
        }
        run(&mut app, 2);
        assert_eq!(physics(&app).world().body_count(), 0);
        assert_eq!(physics(&app).world().joints().count(), 0);
        assert!(drain::<PhysicsProblem>(&mut app).is_empty());
    }
}

#[derive(AppLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Server;

/// An app with a ball that falls on a floor.
fn scene(app: &mut App) -> Entity {
    ground(app);
    spawn(app, (ball_at(0.0, 5.0), PhysicsKey::new(3)))
}

#[test]
fn worlds_of_two_apps_and_of_a_sub_app_do_not_meet() {
    let mut one = app();
    let mut two = app();
    let mut inner = App::new();
    inner
        .add_plugins((TimePlugin, PhysicsPlugin::default()))
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let served = scene(&mut inner);
    let server: SubApp = core::mem::take(inner.main_mut());
    one.insert_sub_app(Server, server);
    let mut alone = app();
    let [a, b, c] = [&mut one, &mut two, &mut alone].map(scene);
    spawn(&mut two, ball_at(0.3, 9.0));
    run(&mut one, 100);
    run(&mut two, 100);
    run(&mut alone, 100);
    let hash = |app: &App| physics(app).state_hash();
    assert_eq!(hash(&one), hash(&alone));
    assert_ne!(hash(&two), hash(&alone));
    assert_eq!(place(&one, a), place(&alone, c));
    assert_ne!(place(&two, b), place(&alone, c));
    let server = one.sub_app(Server).world();
    let at = server.get::<Transform>(served).unwrap().translation;
    assert!((at.y - 0.5).abs() < 0.05, "the sub-app stepped: {at}");
}
