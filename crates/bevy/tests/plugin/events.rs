//! Events: messages and observers, with entities and data, also of despawned entities.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_cairn2d::{BodyEventKind, Sides};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

#[derive(Resource, Default)]
struct Seen(Vec<(Entity, Entity, Vec2)>);

fn drop_ball(app: &mut App) -> [Entity; 2] {
    let floor = ground(app);
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.5),
        at(0.0, 2.0),
        SurfaceMaterial::restitution(0.5),
    );
    [floor, spawn(app, ball)]
}

#[test]
fn contact_is_one_message_with_entities_and_data() {
    let mut app = app();
    let [floor, ball] = drop_ball(&mut app);
    run(&mut app, 40);
    let started = drain::<ContactStarted>(&mut app);
    assert_eq!(started.len(), 1);
    let start = started[0];
    let pair = [start.sides.collider, start.sides.other];
    assert!(pair == [floor, ball] || pair == [ball, floor], "{pair:?}");
    // It fell by 1.5 m.
    assert!((start.approach_speed - (2.0_f32 * 10.0 * 1.5).sqrt()).abs() < 0.3);
    assert!(start.normal.y.abs() > 0.999 && start.point.y.abs() < 0.05);
    let ended = drain::<ContactEnded>(&mut app);
    assert_eq!(ended.len(), 1, "it bounced");
    assert_eq!(ended[0].sides, start.sides);
    assert_eq!(drain::<ContactHit>(&mut app).len(), 1);
}

#[test]
fn observers_see_each_side_with_the_normal_away_from_it() {
    let mut app = app();
    app.init_resource::<Seen>();
    let [floor, ball] = drop_ball(&mut app);
    for entity in [floor, ball] {
        app.world_mut().entity_mut(entity).observe(
            |on: On<ContactStarted>, mut seen: ResMut<Seen>| {
                seen.0.push((on.sides.target, on.sides.other, on.normal));
            },
        );
    }
    run(&mut app, 40);
    let seen = &app.world().resource::<Seen>().0;
    assert_eq!(seen.len(), 2);
    for (target, other, normal) in seen {
        assert_ne!(target, other);
        let up = if *target == floor { 1.0 } else { -1.0 };
        assert!((normal.y - up).abs() < 1.0e-3, "{target} {normal}");
    }
}

#[test]
fn body_sees_the_contacts_of_colliders_on_its_children() {
    let mut app = app();
    app.init_resource::<Seen>();
    let floor = ground(&mut app);
    let body = spawn(&mut app, (RigidBody::Dynamic, at(0.0, 2.0)));
    let foot = spawn(&mut app, (Collider::circle(0.5), ChildOf(body)));
    app.world_mut()
        .entity_mut(body)
        .observe(|on: On<ContactStarted>, mut seen: ResMut<Seen>| {
            seen.0.push((on.sides.collider, on.sides.other, on.normal));
        });
    run(&mut app, 40);
    let seen = &app.world().resource::<Seen>().0;
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].0, seen[0].1), (foot, floor));
}

#[test]
fn end_of_a_contact_names_the_entity_that_was_despawned() {
    let mut app = app();
    let [floor, ball] = drop_ball(&mut app);
    app.world_mut()
        .entity_mut(ball)
        .insert(SurfaceMaterial::default());
    run(&mut app, 60);
    drain::<ContactEnded>(&mut app);
    app.init_resource::<Seen>();
    app.world_mut()
        .entity_mut(floor)
        .observe(|on: On<ContactEnded>, mut seen: ResMut<Seen>| {
            seen.0.push((on.sides.collider, on.sides.other, Vec2::ZERO));
        });
    app.world_mut().despawn(ball);
    // The slot and perhaps the index of the entity are in use again before the end is reported.
    spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(9.0, 5.0)),
    );
    run(&mut app, 1);
    let ended = drain::<ContactEnded>(&mut app);
    assert_eq!(ended.len(), 1);
    let sides = ended[0].sides;
    assert!([sides.collider, sides.other].contains(&ball));
    assert!([sides.body, sides.other_body].contains(&ball));
    assert_eq!(
        app.world().resource::<Seen>().0,
        [(floor, ball, Vec2::ZERO)]
    );
}

#[test]
fn events_of_two_entities_with_one_key_name_each() {
    let mut app = app();
    ground(&mut app);
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.5),
        at(0.0, 0.5),
        PhysicsKey::new(7),
    );
    let first = spawn(&mut app, ball.clone());
    run(&mut app, 10);
    drain::<ContactStarted>(&mut app);
    app.world_mut().despawn(first);
    let second = spawn(&mut app, ball);
    run(&mut app, 1);
    let ended = drain::<ContactEnded>(&mut app);
    let started = drain::<ContactStarted>(&mut app);
    assert_eq!((ended.len(), started.len()), (1, 1));
    let names = |sides: Sides| [sides.collider, sides.other];
    assert!(names(ended[0].sides).contains(&first));
    assert!(names(started[0].sides).contains(&second));
}

#[test]
fn sensor_reports_visitors_that_come_leave_and_are_despawned() {
    let mut app = weightless();
    let gate = spawn(
        &mut app,
        (RigidBody::Static, Collider::rectangle(1.0, 4.0), Sensor),
    );
    let flier = |x| {
        (
            RigidBody::Dynamic,
            Collider::circle(0.2),
            at(x, 0.0),
            Velocity::linear(6.0, 0.0),
        )
    };
    let first = spawn(&mut app, flier(-2.0));
    run(&mut app, 45);
    let entered = drain::<SensorEntered>(&mut app);
    assert_eq!(entered.len(), 1);
    assert_eq!(
        (
            entered[0].sensor,
            entered[0].sides.collider,
            entered[0].sides.other
        ),
        (gate, gate, first)
    );
    assert_eq!(drain::<SensorLeft>(&mut app).len(), 1);
    let second = spawn(&mut app, (RigidBody::Dynamic, Collider::circle(0.2)));
    run(&mut app, 2);
    app.world_mut().despawn(second);
    run(&mut app, 1);
    let left = drain::<SensorLeft>(&mut app);
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].sensor, left[0].sides.other), (gate, second));
}

#[test]
fn forces_above_the_threshold_are_reported_in_each_step() {
    let mut app = app();
    ground(&mut app);
    let heavy = (
        RigidBody::Dynamic,
        Collider::rectangle(1.0, 1.0),
        at(0.0, 0.5),
        Density(10.0),
    );
    let heavy = spawn(
        &mut app,
        (
            heavy,
            ContactReports {
                force_threshold: 50.0,
                ..Default::default()
            },
        ),
    );
    run(&mut app, 20);
    drain::<ContactForce>(&mut app);
    run(&mut app, 3);
    let forces = drain::<ContactForce>(&mut app);
    assert_eq!(forces.len(), 3);
    for force in forces {
        assert!([force.sides.collider, force.sides.other].contains(&heavy));
        assert!((force.force - 100.0).abs() < 2.0, "{}", force.force);
    }
}

#[test]
fn sleep_is_an_event_of_the_body() {
    let mut app = app();
    ground(&mut app);
    let crate_ = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            at(0.0, 0.5),
        ),
    );
    run(&mut app, 120);
    let events = drain::<BodyEvent>(&mut app);
    assert!(events.contains(&BodyEvent {
        entity: crate_,
        kind: BodyEventKind::FellAsleep
    }));
    app.world_mut()
        .get_mut::<Velocity>(crate_)
        .unwrap()
        .linear
        .x = 1.0;
    run(&mut app, 1);
    let events = drain::<BodyEvent>(&mut app);
    assert_eq!(
        events,
        [BodyEvent {
            entity: crate_,
            kind: BodyEventKind::Woke
        }]
    );
}

#[test]
fn observer_may_despawn_its_body_and_the_other() {
    let mut app = app();
    let [floor, ball] = drop_ball(&mut app);
    let bomb = |on: On<ContactStarted>, mut commands: Commands| {
        commands.entity(on.sides.body).despawn();
        commands.entity(on.sides.other_body).despawn();
    };
    app.world_mut().entity_mut(ball).observe(bomb);
    run(&mut app, 60);
    assert!(app.world().get_entity(floor).is_err() && app.world().get_entity(ball).is_err());
    assert_eq!(physics(&app).world().body_count(), 0);
}
