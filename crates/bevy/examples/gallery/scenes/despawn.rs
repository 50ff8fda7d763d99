//! Bricks that are despawned when a ball touches them; the ends of their contacts still name them.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;

#[derive(Component)]
pub(crate) struct Brick;

/// Bricks that were hit, and bricks that were named by ended contacts.
#[derive(Resource, Default)]
pub(crate) struct Score {
    pub(crate) hit: Vec<Entity>,
    pub(crate) ended: Vec<Entity>,
}

pub(crate) const BRICKS: usize = 24;

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::new(WorldDef::weightless()))
        .init_resource::<Score>()
        .add_systems(Startup, spawn)
        .add_systems(Update, read_ends)
        .add_observer(hit_brick);
}

fn spawn(mut commands: Commands) {
    for (x, y, width, height) in [
        (0.0, -5.5, 12.0, 1.0),
        (0.0, 5.5, 12.0, 1.0),
        (-5.5, 0.0, 1.0, 10.0),
        (5.5, 0.0, 1.0, 10.0),
    ] {
        let wall = (
            RigidBody::Static,
            Collider::rectangle(width, height),
            at(x, y),
        );
        commands.spawn((wall, perfect()));
    }
    for i in 0..BRICKS {
        let (x, y) = ((i % 8) as f32 * 1.2 - 4.2, 2.0 + (i / 8) as f32);
        let brick = (
            Brick,
            RigidBody::Static,
            Collider::rectangle(1.0, 0.5),
            at(x, y),
        );
        commands.spawn((brick, perfect()));
    }
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.2),
        at(0.0, -2.0),
        perfect(),
    );
    commands.spawn((ball, Velocity::linear(5.3, 9.1)));
}

/// A surface without loss.
fn perfect() -> SurfaceMaterial {
    SurfaceMaterial::restitution(1.0).with(|material| material.friction = 0.0)
}

fn hit_brick(
    on: On<ContactStarted>,
    bricks: Query<(), With<Brick>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if bricks.contains(on.sides.target) {
        score.hit.push(on.sides.target);
        commands.entity(on.sides.target).despawn();
    }
}

fn read_ends(mut ended: MessageReader<ContactEnded>, mut score: ResMut<Score>) {
    for end in ended.read() {
        let pair = [end.sides.collider, end.sides.other];
        let hit: Vec<Entity> = pair.into_iter().filter(|e| score.hit.contains(e)).collect();
        score.ended.extend(hit);
    }
}
