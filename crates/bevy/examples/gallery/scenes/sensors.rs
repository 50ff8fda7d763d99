//! A gate that counts the balls inside it, by observers of its sensor.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;

/// Balls inside the gate, and number of balls that passed.
#[derive(Component, Default, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) inside: usize,
    pub(crate) passed: usize,
}

pub(crate) const BALLS: usize = 8;

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    commands
        .spawn((
            RigidBody::Static,
            Collider::rectangle(4.0, 1.0),
            Sensor,
            Count::default(),
        ))
        .observe(|on: On<SensorEntered>, mut counts: Query<&mut Count>| {
            if let Ok(mut count) = counts.get_mut(on.sides.target) {
                count.inside += 1;
            }
        })
        .observe(|on: On<SensorLeft>, mut counts: Query<&mut Count>| {
            if let Ok(mut count) = counts.get_mut(on.sides.target) {
                count.inside -= 1;
                count.passed += 1;
            }
        });
    for i in 0..BALLS {
        let ball = (RigidBody::Dynamic, Collider::circle(0.2));
        commands.spawn((ball, at(0.3 * (i % 3) as f32 - 0.3, 3.0 + i as f32)));
    }
}
