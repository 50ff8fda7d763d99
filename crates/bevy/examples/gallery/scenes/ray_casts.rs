//! A lidar: a fan of rays from a point measures distances in each step.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

pub(crate) const RAYS: usize = 64;

/// Range of the lidar \[m\].
pub(crate) const RANGE: f32 = 10.0;

/// The readings of the last step: the entity that each ray hit, and its distance \[m\].
#[derive(Resource, Default)]
pub(crate) struct Readings(pub(crate) Vec<Option<(Entity, f32)>>);

#[derive(Component)]
pub(crate) struct Lidar;

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .init_resource::<Readings>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, measure);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Lidar,
        RigidBody::Static,
        Collider::circle(0.5),
        at(0.0, 0.0),
    ));
    commands.spawn((
        RigidBody::Static,
        Collider::rectangle(2.0, 8.0),
        at(6.0, 0.0),
    ));
    let mover = (RigidBody::Kinematic, Collider::circle(1.0), at(0.0, 4.0));
    commands.spawn((mover, Velocity::linear(0.0, 1.0)));
}

/// Returns the direction of a ray.
pub(crate) fn direction(ray: usize) -> Vec2 {
    Vec2::from_angle(ray as f32 * core::f32::consts::TAU / RAYS as f32)
}

fn measure(
    lidars: Query<Entity, With<Lidar>>,
    space: SpatialQuery,
    mut readings: ResMut<Readings>,
) {
    let own: Vec<Entity> = lidars.iter().collect();
    let filter = SpatialFilter::excluding(&own);
    readings.0.clear();
    readings.0.extend((0..RAYS).map(|ray| {
        let hit = space.cast_ray(Vec2::ZERO, direction(ray) * RANGE, &filter)?;
        Some((hit.collider, hit.fraction * RANGE))
    }));
}
