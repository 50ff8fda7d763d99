//! Debug drawing with gizmos.

use crate::common::*;
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_cairn2d::prelude::*;
use bevy_cairn2d::{GizmoPen, PhysicsGizmoOptions, PhysicsGizmos, PhysicsGizmosPlugin};
use bevy_gizmos::config::GizmoConfigStore;
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy_math::{Vec2, Vec3};
use cairn2d::draw::{Draw, DrawOptions, Layer, Layers};
use core::any::TypeId;

fn points(strips: &[Vec3], lists: &[Vec3]) -> Vec<Vec2> {
    let points = strips.iter().chain(lists).map(|p| p.truncate());
    points.filter(|p| p.is_finite()).collect()
}

/// Distance from `at` to the nearest point \[m\].
fn distance(points: &[Vec2], at: Vec2) -> f32 {
    let distances = points.iter().map(|p| p.distance(at));
    distances.fold(f32::INFINITY, f32::min)
}

/// Points of the lines of physics that a renderer of the app draws in this frame.
fn rendered(app: &App) -> Vec<Vec2> {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let handle = handles[&TypeId::of::<PhysicsGizmos>()].as_ref();
    let lines = app.world().resource::<Assets<GizmoAsset>>();
    let lines = handle.and_then(|handle| lines.get(handle));
    lines.map_or(Vec::new(), |lines| {
        points(&lines.strip_positions, &lines.list_positions)
    })
}

#[test]
fn running_app_draws_bodies_where_they_are_in_each_frame() {
    let mut app = app();
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin::default(),
        GizmoPlugin,
        PhysicsGizmosPlugin,
    ));
    let floor = ground(&mut app);
    let falling = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            Velocity::linear(2.0, 0.0),
            at(3.0, 9.0),
        ),
    );
    for _ in 0..60 {
        run(&mut app, 1);
        let lines = rendered(&app);
        let corner = physics(&app).body(falling).unwrap();
        let corner = corner.to_world(cairn2d::math::point(0.5, 0.5));
        for corner in [Vec2::new(corner.x, corner.y), Vec2::new(20.0, 0.0)] {
            let nearest = distance(&lines, corner);
            assert!(nearest < 1.0e-3, "no corner at {corner}: {nearest}");
        }
    }
    app.world_mut().despawn(floor);
    run(&mut app, 1);
    assert!(distance(&rendered(&app), Vec2::new(20.0, 0.0)) > 5.0);
    let mut options = app.world_mut().resource_mut::<PhysicsGizmoOptions>();
    options.draw.layers = Layers::NONE;
    run(&mut app, 1);
    assert!(rendered(&app).is_empty());
    let mut options = app.world_mut().resource_mut::<PhysicsGizmoOptions>();
    options.draw.layers = Layers::NONE.with(Layer::Shapes);
    let mut groups = app.world_mut().resource_mut::<GizmoConfigStore>();
    groups.config_mut::<PhysicsGizmos>().0.enabled = false;
    run(&mut app, 1);
    assert!(rendered(&app).is_empty());
}

#[test]
fn pen_draws_shapes_contacts_and_joints_where_they_are() {
    let mut app = app();
    ground(&mut app);
    let crate_ = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            at(3.0, 0.5),
        ),
    );
    let ball = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(3.0, 1.5)),
    );
    spawn(&mut app, Joint::distance(crate_, ball, 1.0));
    run(&mut app, 5);
    let drawn = |layers| {
        let mut buffer = GizmoBuffer::<PhysicsGizmos, ()>::default();
        let mut pen = GizmoPen {
            buffer: &mut buffer,
            pixels_per_meter: 40.0,
        };
        let options = DrawOptions {
            layers,
            ..DrawOptions::default()
        };
        physics(&app).world().draw(&mut pen, &options);
        points(&buffer.strip_positions, &buffer.list_positions)
    };
    assert!(drawn(Layers::NONE).is_empty());
    let shapes = drawn(Layers::NONE.with(Layer::Shapes));
    for corner in [Vec2::new(20.0, 0.0), Vec2::new(3.5, 1.0)] {
        let nearest = distance(&shapes, corner);
        assert!(nearest < 0.02, "no corner at {corner}: {nearest}");
    }
    for layer in [Layer::Joints, Layer::Contacts, Layer::Ids] {
        assert!(!drawn(Layers::NONE.with(layer)).is_empty(), "{layer:?}");
    }
}
