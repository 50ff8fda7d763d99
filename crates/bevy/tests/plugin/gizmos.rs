//! Debug drawing with gizmos.

use crate::common::*;
use bevy_cairn2d::prelude::*;
use bevy_cairn2d::{GizmoPen, PhysicsGizmos};
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_math::Vec2;
use cairn2d::draw::{Draw, DrawOptions, Layer, Layers};

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
        let (strips, lists) = (&buffer.strip_positions, &buffer.list_positions);
        let points = strips.iter().chain(lists).map(|p| p.truncate());
        points.filter(|p| p.is_finite()).collect::<Vec<Vec2>>()
    };
    assert!(drawn(Layers::NONE).is_empty());
    let shapes = drawn(Layers::NONE.with(Layer::Shapes));
    for corner in [Vec2::new(20.0, 0.0), Vec2::new(3.5, 1.0)] {
        let nearest = shapes
            .iter()
            .map(|p| p.distance(corner))
            .fold(f32::INFINITY, f32::min);
        assert!(nearest < 0.02, "no corner at {corner}: {nearest}");
    }
    for layer in [Layer::Joints, Layer::Contacts, Layer::Ids] {
        assert!(!drawn(Layers::NONE.with(layer)).is_empty(), "{layer:?}");
    }
}
