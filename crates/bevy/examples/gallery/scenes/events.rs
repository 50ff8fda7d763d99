//! A ball that bounces: messages count its hits, an observer notes how hard the first one was.

use super::{at, floor};
use bevy_app::prelude::*;
use bevy_cairn2d::ContactHit;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;

/// Height from which the ball falls \[m\], of its lowest point.
pub(crate) const HEIGHT: f32 = 5.0;

#[derive(Resource, Default, Debug)]
pub(crate) struct Log {
    pub(crate) started: usize,
    pub(crate) ended: usize,
    pub(crate) hits: Vec<f32>,
    pub(crate) observed: usize,
}

pub(crate) fn scene(app: &mut App) {
    app.add_plugins(PhysicsPlugin::default())
        .init_resource::<Log>()
        .add_systems(Startup, spawn)
        .add_systems(Update, read);
}

fn spawn(mut commands: Commands) {
    commands.spawn(floor());
    let ball = (
        RigidBody::Dynamic,
        Collider::circle(0.3),
        at(0.0, HEIGHT + 0.3),
    );
    commands
        .spawn((ball, SurfaceMaterial::restitution(0.6)))
        .observe(|on: On<ContactStarted>, mut log: ResMut<Log>| {
            // The normal points from the observed side to the other: down.
            log.observed += usize::from(on.normal.y < -0.9);
        });
}

fn read(
    mut started: MessageReader<ContactStarted>,
    mut ended: MessageReader<ContactEnded>,
    mut hits: MessageReader<ContactHit>,
    mut log: ResMut<Log>,
) {
    log.started += started.read().count();
    log.ended += ended.read().count();
    log.hits.extend(hits.read().map(|hit| hit.approach_speed));
}
