//! Stable keys of physics entities: the order in which changes apply, and the identity across runs and peers.

use crate::physics::Physics;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;

/// Key before the plugin has assigned one.
const UNSET: u64 = u64::MAX;

/// First of the keys that the plugin assigns. Keys of the user are below.
pub(crate) const FIRST_AUTOMATIC: u64 = 1 << 63;

/// Stable key of a body, collider, joint or agent.
///
/// Changes of a step apply in ascending order of keys, and the engine identifies an entity by its key alone. So results
/// depend neither on archetypes, nor on the bits of entities, nor on the threads of the executor.
///
/// By default the plugin numbers entities in the order in which they are spawned, after all keys of the user. Give
/// keys yourself where that order differs between runs or peers, such as for entities that arrive by network. Keys
/// must be unique, and must not be replaced while the entity takes part in physics. A clone of an entity gets a key of
/// its own.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[component(on_add = assign_key, clone_behavior = Ignore)]
#[reflect(Component)]
pub struct PhysicsKey(u64);

impl PhysicsKey {
    /// Returns the key of the number `key`.
    ///
    /// # Panics
    /// If `key` is 2^63 or more: these are assigned by the plugin.
    #[must_use]
    #[track_caller]
    pub const fn new(key: u64) -> Self {
        assert!(key < FIRST_AUTOMATIC, "keys of the user are below 2^63");
        Self(key)
    }

    /// Returns the key whose number [`get`](Self::get) returned, for an entity that is created again after a restore.
    #[must_use]
    pub const fn recorded(key: u64) -> Self {
        Self(key)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl Default for PhysicsKey {
    /// Returns the key that the plugin replaces by the next free number.
    fn default() -> Self {
        Self(UNSET)
    }
}

/// Numbers an entity without a key.
fn assign_key(mut world: DeferredWorld<'_>, context: HookContext) {
    let is_unset = |key: &PhysicsKey| key.0 == UNSET;
    if !world
        .get::<PhysicsKey>(context.entity)
        .is_some_and(is_unset)
    {
        return;
    }
    // A world of a scene has no physics: the key is assigned where the scene is spawned.
    let Some(mut physics) = world.get_resource_mut::<Physics>() else {
        return;
    };
    let next = physics.registry.take_key();
    if let Some(mut key) = world.get_mut::<PhysicsKey>(context.entity) {
        key.0 = next;
    }
}

/// Numbers the entities that were spawned before the plugin was added, in order of their indices.
pub(crate) fn assign_missing(world: &mut World) {
    let mut keys = world.query::<(Entity, &PhysicsKey)>();
    let unset = keys.iter(world).filter(|(_, key)| key.0 == UNSET);
    let mut unset: Vec<Entity> = unset.map(|(entity, _)| entity).collect();
    unset.sort_unstable_by_key(|entity| entity.index_u32());
    for entity in unset {
        let next = world.resource_mut::<Physics>().registry.take_key();
        if let Some(mut key) = world.get_mut::<PhysicsKey>(entity) {
            key.0 = next;
        }
    }
}
