//! A joint of each common kind, as an entity beside its bodies.

use super::{at, floor};
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

/// Name of an entity that a test reads.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Propeller,
    Slider,
    Lamp,
    Welded,
    Car,
    Fragile,
}

/// Speed of the propeller [rad/s].
pub(crate) const SPEED: f32 = 5.0;

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .add_systems(Startup, (spawn_driven, spawn_held, spawn_car));
}

fn spawn_driven(mut commands: Commands) {
    let post = commands.spawn((RigidBody::Static, at(-12.0, 5.0))).id();
    let blade = Collider::rectangle(3.0, 0.2);
    let blade = (Part::Propeller, RigidBody::Dynamic, blade, at(-12.0, 5.0));
    let blade = commands.spawn(blade).id();
    commands.spawn(Joint::revolute(post, blade).motor(Motor::new(SPEED, 1000.0)));

    let rail = commands.spawn((RigidBody::Static, at(-8.0, 4.0))).id();
    let slider = Collider::rectangle(1.0, 0.5);
    let slider = (Part::Slider, RigidBody::Dynamic, slider, at(-8.0, 4.0));
    let slider = commands.spawn(slider).id();
    let joint = Joint::prismatic(rail, slider).limit(Limit::new(-1.5, 1.5));
    commands.spawn(joint.motor(Motor::new(1.0, 100.0)));
}

fn spawn_held(mut commands: Commands) {
    let ceiling = commands.spawn((RigidBody::Static, at(-3.0, 6.0))).id();
    let lamp = (
        Part::Lamp,
        RigidBody::Dynamic,
        Collider::circle(0.3),
        at(-2.0, 6.0),
    );
    let lamp = commands.spawn(lamp).id();
    commands.spawn(Joint::distance(ceiling, lamp, 1.0));

    let wall = commands.spawn((RigidBody::Static, at(2.0, 5.0))).id();
    let beam = Collider::rectangle(2.0, 0.3);
    let welded = (Part::Welded, RigidBody::Dynamic, beam.clone(), at(3.0, 5.0));
    let welded = commands.spawn(welded).id();
    let anchors = (Vec2::ZERO, Vec2::new(-1.0, 0.0));
    commands.spawn(Joint::weld(wall, welded).anchors(anchors.0, anchors.1));

    let wall = commands.spawn((RigidBody::Static, at(6.0, 5.0))).id();
    let fragile = (Part::Fragile, RigidBody::Dynamic, beam, at(7.0, 5.0));
    let fragile = commands.spawn(fragile).id();
    let joint = Joint::weld(wall, fragile).anchors(anchors.0, anchors.1);
    commands.spawn(joint.break_at(f32::INFINITY, 1.0));
}

fn spawn_car(mut commands: Commands) {
    commands.spawn(floor());
    let chassis = Collider::rectangle(2.0, 0.4);
    let car = (Part::Car, RigidBody::Dynamic, chassis, at(12.0, 1.0));
    let car = commands.spawn(car).id();
    for x in [-0.8, 0.8] {
        let wheel = (RigidBody::Dynamic, Collider::circle(0.4), at(12.0 + x, 0.5));
        let wheel = commands.spawn((wheel, SurfaceMaterial::friction(1.0))).id();
        // The axis of the suspension is upright.
        let upright = core::f32::consts::FRAC_PI_2;
        let joint = Joint::wheel(car, wheel)
            .anchors(Vec2::new(x, -0.5), Vec2::ZERO)
            .frame_angles(upright, 0.0)
            .spring(Spring::new(5.0, 0.7));
        commands.spawn(joint.motor(Motor::new(-10.0, 20.0)));
    }
}
