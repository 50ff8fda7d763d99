//! A character that walks up stairs and a slope, and rides on a platform.

use super::{DT, at, floor};
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};

/// Desired velocity to the right [m/s].
#[derive(Resource, Default)]
pub(crate) struct Walk(pub(crate) f32);

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .insert_resource(Walk(2.0))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, walk);
}

fn spawn(mut commands: Commands) {
    commands.spawn(floor());
    // Four steps of 0.2 m, then a plateau, then a ramp of 20 degrees down.
    for i in 0..4 {
        let height = 0.2 * (i + 1) as f32;
        let step = Collider::rectangle(0.6, height);
        commands.spawn((
            RigidBody::Static,
            step,
            at(3.0 + 0.6 * i as f32, 0.5 * height),
        ));
    }
    commands.spawn((
        RigidBody::Static,
        Collider::rectangle(2.0, 0.8),
        at(6.1, 0.4),
    ));
    let mut ramp = at(8.2, 0.33);
    ramp.rotation = Quat::from_rotation_z(-20.0_f32.to_radians());
    commands.spawn((RigidBody::Static, Collider::rectangle(2.6, 0.1), ramp));
    let controller = CharacterController::default().steps(0.3, 0.2);
    let character = Character {
        controller,
        ..Character::default()
    };
    commands.spawn((character, Collider::capsule(0.3, 0.6), at(0.0, 0.7)));
}

fn walk(speed: Res<Walk>, mut characters: Query<(&mut Character, &CharacterState)>) {
    for (mut character, state) in &mut characters {
        let fall = if state.is_grounded() {
            0.0
        } else {
            character.velocity.y
        };
        character.velocity = Vec2::new(speed.0, fall - 10.0 * DT);
    }
}
