//! A chain of links on hinges, with a heavy weight at its end: it swings and does not stretch.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

pub(crate) const LINKS: usize = 20;

/// Length of a link \[m\].
pub(crate) const LENGTH: f32 = 0.5;

#[derive(Component)]
pub(crate) struct Weight;

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    let half = Vec2::new(0.5 * LENGTH, 0.0);
    let mut last = commands
        .spawn((RigidBody::Static, at(-0.5 * LENGTH, 0.0)))
        .id();
    for i in 0..LINKS {
        let link = Collider::rectangle(LENGTH, 0.1);
        let next = commands
            .spawn((RigidBody::Dynamic, link, at(i as f32 * LENGTH, 0.0)))
            .id();
        let anchor = if i == 0 { Vec2::ZERO } else { half };
        commands.spawn(Joint::revolute(last, next).anchors(anchor, -half));
        last = next;
    }
    let ball = (
        Weight,
        RigidBody::Dynamic,
        Collider::circle(0.4),
        Density(20.0),
    );
    let end = (LINKS as f32 - 0.5) * LENGTH;
    let ball = commands.spawn((ball, at(end, 0.0))).id();
    commands.spawn(Joint::revolute(last, ball).anchors(half, Vec2::ZERO));
}
