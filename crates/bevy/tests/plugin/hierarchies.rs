//! Hierarchies: scales, animated colliders, bodies that change their parents, deep trees.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::PhysicsProblem;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};

fn ball() -> (RigidBody, Collider) {
    (RigidBody::Dynamic, Collider::circle(0.5))
}

fn position(app: &App, entity: Entity) -> Vec2 {
    bevy_cairn2d::from_world_point(physics(app).body(entity).unwrap().position_exact())
}

fn shown(app: &App, entity: Entity) -> Vec2 {
    let global = app.world().get::<GlobalTransform>(entity).unwrap();
    global.translation().truncate()
}

#[test]
fn scales_change_pictures_only() {
    let mut app = app();
    ground(&mut app);
    let mut scaled = at(0.0, 3.0);
    scaled.scale = Vec3::new(3.0, 2.0, 1.0);
    let body = spawn(&mut app, (RigidBody::Dynamic, scaled));
    let part = (Collider::circle(0.5), at(0.4, 0.0), ChildOf(body));
    spawn(&mut app, part);
    run(&mut app, 1);
    let center = physics(&app).body(body).unwrap().local_center();
    assert!((center.x - 0.4).abs() < 1.0e-6, "{center}");
    run(&mut app, 180);
    assert!((physics(&app).body(body).unwrap().center().y - 0.5).abs() < 0.01);
    let scale = app.world().get::<Transform>(body).unwrap().scale;
    assert_eq!(scale, Vec3::new(3.0, 2.0, 1.0), "it belongs to the user");
}

#[test]
fn body_below_a_scaled_parent_is_where_the_parent_shows_it() {
    let mut app = weightless();
    let mut group = at(10.0, 0.0);
    group.scale = Vec3::splat(2.0);
    let group = spawn(&mut app, group);
    let body = (ball(), at(3.0, 1.0), Velocity::linear(6.0, 0.0));
    let body = spawn(&mut app, (body, ChildOf(group)));
    run(&mut app, 1);
    assert!((position(&app, body) - Vec2::new(16.1, 2.0)).length() < 1.0e-4);
    // A pop-in: the parent grows from nothing. The body keeps its pose in the world.
    for scale in [0.0, 0.25, 0.5, 1.0] {
        let mut parent = app.world_mut().get_mut::<Transform>(group).unwrap();
        parent.scale = Vec3::splat(scale);
        run(&mut app, 1);
        let local = app.world().get::<Transform>(body).unwrap();
        assert!(local.is_finite(), "{local:?} at {scale}");
    }
    run(&mut app, 1);
    let error = shown(&app, body) - (position(&app, body) - Vec2::new(0.1, 0.0));
    assert!(error.length() < 1.0e-4, "off by {error}");
    assert!((position(&app, body).x - 16.6).abs() < 1.0e-3);
    assert!(drain::<PhysicsProblem>(&mut app).is_empty());
}

#[test]
fn collider_that_an_animation_moves_pushes_what_it_meets() {
    let mut app = app();
    let machine = spawn(&mut app, (RigidBody::Static, at(0.0, 0.0)));
    let floor = (
        Collider::rectangle(40.0, 1.0),
        at(0.0, -0.5),
        ChildOf(machine),
    );
    spawn(&mut app, floor);
    let piston = (
        Collider::rectangle(1.0, 1.0),
        at(-3.0, 0.5),
        ChildOf(machine),
    );
    let piston = spawn(&mut app, piston);
    let ball = spawn(&mut app, (ball(), at(0.0, 0.5)));
    run(&mut app, 300);
    assert!(!physics(&app).body(ball).unwrap().is_awake());
    let shapes = physics(&app).shapes(piston).to_vec();
    for _ in 0..120 {
        let mut piston = app.world_mut().get_mut::<Transform>(piston).unwrap();
        piston.translation.x += 0.025;
        run(&mut app, 1);
    }
    assert_eq!(physics(&app).shapes(piston), shapes, "shapes persist");
    assert!(place(&app, ball).x > 0.9, "{}", place(&app, ball));
}

#[test]
fn body_stays_where_it_is_when_its_parent_changes() {
    let mut app = weightless();
    let mut turned = at(5.0, 1.0);
    turned.rotation = Quat::from_rotation_z(1.0);
    let groups = [at(2.0, 3.0), turned].map(|at| spawn(&mut app, at));
    let still = spawn(
        &mut app,
        (RigidBody::Static, Collider::circle(0.5), at(1.0, 1.0)),
    );
    let moving = spawn(&mut app, (ball(), at(1.0, 4.0), Velocity::linear(0.6, 0.0)));
    run(&mut app, 1);
    let parents = [
        Some(groups[0]),
        Some(groups[1]),
        None,
        Some(groups[1]),
        None,
    ];
    for (change, parent) in parents.into_iter().enumerate() {
        for entity in [still, moving] {
            let mut entity = app.world_mut().entity_mut(entity);
            match parent {
                Some(parent) => entity.insert(ChildOf(parent)),
                None => entity.remove::<ChildOf>(),
            };
        }
        run(&mut app, 1);
        assert!((position(&app, still) - Vec2::new(1.0, 1.0)).length() < 1.0e-5);
        assert!(
            (shown(&app, still) - Vec2::new(1.0, 1.0)).length() < 1.0e-5,
            "change {change}"
        );
        let error = position(&app, moving) - Vec2::new(1.01 + 0.01 * (change + 1) as f32, 4.0);
        assert!(error.length() < 1.0e-4, "change {change}: off by {error}");
        let late = position(&app, moving) - shown(&app, moving);
        assert!(late.length() < 0.011, "change {change}: late by {late}");
    }
}

#[test]
fn many_bodies_at_many_levels_are_shown_where_they_are() {
    let mut app = weightless();
    let mut parent = spawn(&mut app, at(0.5, -0.25));
    let mut bodies = Vec::new();
    // A chain of 60 groups, with bodies at each: some are parents of the next group.
    for level in 0..60 {
        let mut group = at(0.3, 0.1);
        group.rotation = Quat::from_rotation_z(0.05);
        let group = spawn(&mut app, (group, ChildOf(parent)));
        let body = (
            RigidBody::Dynamic,
            Collider::circle(0.05),
            CollisionFilter::new(1, 0),
            Velocity::linear(0.1 * level as f32, 1.0).with_angular(0.5),
            at(0.2, 0.0),
        );
        let [first, second] = [0, 1].map(|_| spawn(&mut app, (body.clone(), ChildOf(group))));
        bodies.extend([first, second]);
        parent = if level % 3 == 0 { second } else { group };
    }
    run(&mut app, 2);
    for _ in 0..60 {
        app.update();
        for &body in &bodies {
            let view = physics(&app).body(body).unwrap();
            let (exact, _) = view.pose_within_step(0.0);
            let error = shown(&app, body) - bevy_cairn2d::from_world_point(exact);
            assert!(error.length() < 2.0e-4, "{body}: off by {error}");
        }
    }
    assert!(drain::<PhysicsProblem>(&mut app).is_empty());
}
