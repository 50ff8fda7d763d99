//! Going back to an earlier state.

use crate::physics::Physics;
use crate::sync::reconcile::reconcile;
use crate::transforms::write_all;
use bevy_ecs::prelude::*;

/// Makes a snapshot the state of physics, and writes poses and velocities of bodies into their components.
///
/// The next step compares all entities with it: objects of entities that are gone are removed, and entities with the key of
/// a recorded object take it over, also with other bits. Entities without a recorded object start from their components. Components other than [`Transform`](bevy_transform::components::Transform)
/// and [`Velocity`](crate::Velocity) are the caller's to restore.
///
/// ```
/// # use bevy_app::prelude::*;
/// # use bevy_cairn2d::prelude::*;
/// # use bevy_ecs::prelude::*;
/// # use bevy_time::{TimePlugin, TimeUpdateStrategy};
/// # let mut app = App::new();
/// # app.add_plugins((TimePlugin, PhysicsPlugin::default()));
/// # app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// # app.world_mut().spawn((RigidBody::Dynamic, Collider::circle(0.5)));
/// # app.update();
/// # app.update();
/// let saved = app.world().resource::<Physics>().clone();
/// app.update();
/// let first = app.world().resource::<Physics>().state_hash();
/// restore(app.world_mut(), &saved);
/// app.update();
/// assert_eq!(first, app.world().resource::<Physics>().state_hash());
/// ```
///
/// # Panics
/// If the plugin was not added: [`get_resource`](World::get_resource) finds no [`Physics`] then.
pub fn restore(world: &mut World, snapshot: &Physics) {
    world.resource_mut::<Physics>().clone_from(snapshot);
    follow_physics(world);
}

/// Lets the components of entities follow a state that was restored: a part of [`restore`].
///
/// For a library that restores the resource by itself: an exclusive system of the schedule that runs after, such as
/// `LoadWorld` of `bevy_ggrs`.
///
/// # Panics
/// If the plugin was not added: [`get_resource`](World::get_resource) finds no [`Physics`] then.
pub fn follow_physics(world: &mut World) {
    let reconciled = world.run_system_cached(reconcile);
    let written = world.run_system_cached(write_all);
    assert!(
        reconciled.is_ok() && written.is_ok(),
        "PhysicsPlugin was not added"
    );
}
