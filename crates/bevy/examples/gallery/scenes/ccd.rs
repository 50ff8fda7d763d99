//! Fast balls against thin walls: swept motion stops them, and bullets also stop at moving plates.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;

/// Speed of the balls [m/s]: 10 m in a step, 500 times the thickness of the walls.
pub(crate) const SPEED: f32 = 600.0;

/// Place of the walls \[m\].
pub(crate) const WALL: f32 = 8.0;

/// A ball, and its target.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ball {
    AtWall,
    BulletAtPlate,
}

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::new(WorldDef::weightless()))
        .add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    let thin = Collider::rectangle(0.02, 2.0);
    commands.spawn((RigidBody::Static, thin.clone(), at(WALL, 0.0)));
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.05),
        Velocity::linear(SPEED, 0.0),
    );
    commands.spawn((Ball::AtWall, ball.clone(), at(0.0, 0.0)));

    let plate = (RigidBody::Dynamic, thin, Density(1.0e4), at(WALL, 5.0));
    commands.spawn(plate);
    let bullet = BodyOptions::default().with(|def| def.bullet = true);
    commands.spawn((Ball::BulletAtPlate, ball, bullet, at(0.0, 5.0)));
}
