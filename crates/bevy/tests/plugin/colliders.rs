//! Colliders: compound bodies, hierarchies, settings, chains.

use crate::common::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use cairn2d::{BodyKind, Filter};

#[test]
fn descendants_make_a_compound_body() {
    let mut app = weightless();
    let body = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::rectangle(1.0, 1.0)),
    );
    let group = spawn(&mut app, (at(2.0, 0.0), ChildOf(body)));
    let arm = spawn(
        &mut app,
        (Collider::rectangle(1.0, 1.0), at(1.0, 0.0), ChildOf(group)),
    );
    run(&mut app, 1);
    let view = physics(&app).body(body).unwrap();
    assert_eq!(view.shapes().count(), 2);
    assert!((view.mass() - 2.0).abs() < 1.0e-5);
    assert!(
        (view.local_center().x - 1.5).abs() < 1.0e-5,
        "{}",
        view.local_center()
    );
    assert_eq!(physics(&app).world().body_count(), 1);
    let shape = physics(&app).shapes(arm)[0];
    assert_eq!(physics(&app).entity_of_shape(shape), Some(arm));
    // A group that moves takes its colliders along.
    app.world_mut()
        .get_mut::<Transform>(group)
        .unwrap()
        .translation
        .x = 0.0;
    run(&mut app, 1);
    let view = physics(&app).body(body).unwrap();
    assert!(
        (view.local_center().x - 0.5).abs() < 1.0e-5,
        "{}",
        view.local_center()
    );
    assert_eq!(physics(&app).shapes(arm), [shape], "the shape persists");
}

#[test]
fn collider_follows_its_entity_to_another_body() {
    let mut app = weightless();
    let [a, b] = [0.0, 9.0].map(|x| {
        spawn(
            &mut app,
            (RigidBody::Dynamic, Collider::circle(0.5), at(x, 0.0)),
        )
    });
    let part = spawn(&mut app, (Collider::circle(0.2), at(0.0, 1.0), ChildOf(a)));
    run(&mut app, 1);
    let count = |app: &bevy_app::App, body| physics(app).body(body).unwrap().shapes().count();
    assert_eq!([count(&app, a), count(&app, b)], [2, 1]);
    app.world_mut().entity_mut(part).insert(ChildOf(b));
    run(&mut app, 1);
    assert_eq!([count(&app, a), count(&app, b)], [1, 2]);
    app.world_mut().entity_mut(part).remove::<ChildOf>();
    run(&mut app, 1);
    assert_eq!([count(&app, a), count(&app, b)], [1, 1]);
    assert_eq!(app.world().get::<RigidBody>(part), Some(&RigidBody::Static));
}

#[test]
fn collider_without_body_is_static() {
    let mut app = app();
    let floor = spawn(&mut app, (Collider::rectangle(10.0, 1.0), at(0.0, -0.5)));
    let ball = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(0.0, 2.0)),
    );
    run(&mut app, 120);
    assert_eq!(physics(&app).body(floor).unwrap().kind(), BodyKind::Static);
    assert!((place(&app, ball).y - 0.5).abs() < 0.01);
}

#[test]
fn child_of_a_removed_body_becomes_a_body() {
    let mut app = weightless();
    let body = spawn(&mut app, (RigidBody::Dynamic, at(3.0, 0.0)));
    let part = spawn(
        &mut app,
        (Collider::circle(0.5), at(0.0, 1.0), ChildOf(body)),
    );
    run(&mut app, 1);
    app.world_mut().entity_mut(body).remove::<RigidBody>();
    run(&mut app, 1);
    let part = physics(&app).body(part).unwrap();
    assert_eq!((part.position().x, part.position().y), (3.0, 1.0));
    assert_eq!(physics(&app).world().body_count(), 1);
}

#[test]
fn settings_of_a_collider_reach_its_shapes() {
    let mut app = weightless();
    let body = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::circle(0.5),
            Density(4.0),
            SurfaceMaterial::friction(0.3),
            CollisionFilter::new(2, 5),
            Sensor,
        ),
    );
    run(&mut app, 1);
    let shape = physics(&app).shapes(body)[0];
    let view = physics(&app).world().shape(shape);
    assert!(view.is_sensor());
    assert_eq!((view.density(), view.material().friction), (4.0, 0.3));
    assert_eq!(
        view.filter(),
        Filter {
            category: 2,
            mask: 5,
            group: 0
        }
    );
    let mut entity = app.world_mut().entity_mut(body);
    entity.remove::<Sensor>();
    entity.insert((
        Collider::rectangle(1.0, 2.0),
        ContactReports {
            force_threshold: 3.0,
            pre_solve: true,
        },
    ));
    entity.get_mut::<Density>().unwrap().0 = 1.0;
    run(&mut app, 1);
    let view = physics(&app).world().shape(shape);
    assert!(!view.is_sensor() && view.asks_pre_solve());
    assert_eq!(view.force_event_threshold(), 3.0);
    assert!((physics(&app).body(body).unwrap().mass() - 2.0).abs() < 1.0e-5);
}

#[test]
fn ground_line_bears_from_above_at_the_place_of_its_entity() {
    let mut app = app();
    let points = [
        Vec2::new(-5.0, 0.0),
        Vec2::new(0.0, 0.0),
        Vec2::new(5.0, 0.0),
    ];
    let level = spawn(&mut app, (RigidBody::Static, at(0.0, 2.0)));
    spawn(
        &mut app,
        (Collider::ground(&points), at(0.0, 1.0), ChildOf(level)),
    );
    let ball = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(0.1, 5.0)),
    );
    run(&mut app, 150);
    assert!(
        (place(&app, ball).y - 3.5).abs() < 0.01,
        "{}",
        place(&app, ball)
    );
}
