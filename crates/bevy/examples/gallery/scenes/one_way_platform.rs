//! A platform that is solid from above only: a character jumps onto it from below, and drops through it on demand.

use super::{DT, at, floor};
use bevy_app::prelude::*;
use bevy_cairn2d::cairn2d::math::vec2;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

/// Height of the top of the platform \[m\].
pub(crate) const TOP: f32 = 2.0;

/// Input of the player in this step.
#[derive(Resource, Default)]
pub(crate) struct Input {
    pub(crate) jump: bool,
    pub(crate) drop: bool,
}

#[derive(Component)]
pub(crate) struct Platform;

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .init_resource::<Input>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, (drop_through, walk).chain());
}

fn spawn(mut commands: Commands) {
    commands.spawn(floor());
    commands.spawn((
        Platform,
        RigidBody::Static,
        Collider::rectangle(4.0, 0.2),
        SurfaceMaterial::default().with(|material| material.one_way = Some(vec2(0.0, 1.0))),
        at(0.0, TOP - 0.1),
    ));
    commands.spawn((
        Character::default(),
        Collider::capsule(0.3, 0.6),
        at(0.0, 0.65),
    ));
    commands.spawn((
        RigidBody::Dynamic,
        Collider::circle(0.25),
        at(1.2, TOP + 2.0),
    ));
}

fn walk(input: Res<Input>, mut characters: Query<(&mut Character, &CharacterState)>) {
    for (mut character, state) in &mut characters {
        let rise = if state.is_grounded() && input.jump {
            7.5
        } else if state.is_grounded() {
            -10.0 * DT
        } else {
            character.velocity.y - 10.0 * DT
        };
        character.velocity = Vec2::new(0.0, rise);
    }
}

/// The platform is not solid to the character while it drops.
fn drop_through(
    input: Res<Input>,
    platforms: Query<Entity, With<Platform>>,
    mut characters: Query<&mut Character>,
) {
    for mut character in &mut characters {
        character.ignored.clear();
        if input.drop {
            character.ignored.extend(&platforms);
        }
    }
}
