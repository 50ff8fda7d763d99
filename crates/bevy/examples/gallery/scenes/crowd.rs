//! Two groups of walkers that cross a room with a pillar.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::cairn2d::Route;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;

/// Walkers of a group.
pub(crate) const GROUP: usize = 6;

pub(crate) fn scene(app: &mut App) {
    // Seen from above: no gravity.
    app.add_plugins(PhysicsPlugin::new(WorldDef::weightless()))
        .add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    commands.spawn((RigidBody::Static, Collider::circle(0.6), at(0.0, 0.0)));
    for i in 0..2 * GROUP {
        let side = if i < GROUP { -1.0 } else { 1.0 };
        let (row, line) = ((i % GROUP / 3) as f32, (i % 3) as f32);
        let y = 1.0 * (line - 1.0) + 0.1 * side;
        let walker = (
            RigidBody::Dynamic,
            Collider::circle(0.3),
            at(side * (6.0 + row), y),
        );
        let route = Route::through([(-side * (6.0 + row), y)]);
        commands.spawn((walker, CrowdAgent::default(), CrowdRoute(route)));
    }
}
