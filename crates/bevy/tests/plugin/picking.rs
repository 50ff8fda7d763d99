//! Picking backend.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::PhysicsPickingPlugin;
use bevy_cairn2d::prelude::*;
use bevy_camera::Camera;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Ray3d, Vec3};
use bevy_picking::Pickable;
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::pointer::PointerId;

/// An app whose only pointer looks down at (`x`, `y`) from a height of 100.
fn pointing_at(x: f32, y: f32) -> App {
    let mut app = weightless();
    let camera = spawn(
        &mut app,
        Camera {
            order: 3,
            ..Camera::default()
        },
    );
    let mut rays = RayMap::default();
    let pointer = PointerId::Mouse;
    rays.map.insert(
        RayId { camera, pointer },
        Ray3d::new(Vec3::new(x, y, 100.0), Dir3::NEG_Z),
    );
    app.insert_resource(rays)
        .add_message::<PointerHits>()
        .add_plugins(PhysicsPickingPlugin);
    app
}

fn hits(app: &mut App) -> Vec<PointerHits> {
    run(app, 1);
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .clear();
    run(app, 1);
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .drain()
        .collect()
}

#[test]
fn pointer_finds_the_colliders_under_it() {
    let mut app = pointing_at(3.2, 0.1);
    let mut front = at(3.0, 0.0);
    front.translation.z = 5.0;
    let front = spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), front, Sensor),
    );
    let back = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            at(3.0, 0.0),
        ),
    );
    spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(6.0, 0.0)),
    );
    let ignored = (
        RigidBody::Static,
        Collider::circle(0.9),
        at(3.0, 0.0),
        Pickable::IGNORE,
    );
    spawn(&mut app, ignored);
    let hits = hits(&mut app);
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].pointer, hits[0].order), (PointerId::Mouse, 3.0));
    let mut picks = hits[0].picks.clone();
    picks.sort_by(|a, b| a.1.depth.total_cmp(&b.1.depth));
    let found: Vec<(Entity, f32)> = picks.iter().map(|(e, hit)| (*e, hit.depth)).collect();
    assert_eq!(found, [(front, 95.0), (back, 100.0)]);
    assert_eq!(picks[0].1.position, Some(Vec3::new(3.2, 0.1, 0.0)));
}

#[test]
fn pointer_over_nothing_finds_nothing() {
    let mut app = pointing_at(3.2, 5.0);
    spawn(
        &mut app,
        (RigidBody::Dynamic, Collider::circle(0.5), at(3.0, 0.0)),
    );
    assert!(hits(&mut app).is_empty());
}
