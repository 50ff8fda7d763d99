//! Changes that change detection cannot see: removed components, and colliders that moved with their parents.

use crate::key::PhysicsKey;
use crate::physics::Physics;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;

/// Roles of an entity in the physics; it may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Joint,
    Agent,
    Collider,
    Body,
}

impl Role {
    /// In the order in which they are removed.
    pub(crate) const ALL: [Self; 4] = [Self::Joint, Self::Agent, Self::Collider, Self::Body];
}

/// A role that an entity lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Removal {
    /// Joints go before shapes and bodies, which would take them along.
    pub(crate) role: Role,
    pub(crate) key: u64,
    pub(crate) entity: Entity,
}

/// The changes since the last step. Commands may add them in any order: the step sorts them.
#[derive(Resource, Debug, Default)]
pub(crate) struct Changes {
    pub(crate) removed: Vec<Removal>,
    /// Keys and entities of new and changed bodies.
    pub(crate) bodies: Vec<(u64, Entity)>,
    /// Entities whose colliders, or those below them, must be compared with the world.
    pub(crate) colliders: Vec<Entity>,
    /// Colliders without a body.
    pub(crate) bodiless: Vec<Entity>,
}

pub(crate) fn has_removals(changes: Res<'_, Changes>, physics: Res<'_, Physics>) -> bool {
    !changes.removed.is_empty() || physics.registry.has_departed()
}

pub(crate) fn has_bodiless(changes: Res<'_, Changes>) -> bool {
    !changes.bodiless.is_empty()
}

pub(crate) fn has_listed_bodies(changes: Res<'_, Changes>) -> bool {
    !changes.bodies.is_empty()
}

pub(crate) fn has_listed_colliders(changes: Res<'_, Changes>) -> bool {
    !changes.colliders.is_empty()
}

fn note_removal(mut world: DeferredWorld<'_>, entity: Entity, role: Role) {
    let Some(key) = world.get::<PhysicsKey>(entity).map(|key| key.get()) else {
        return;
    };
    if let Some(mut changes) = world.get_resource_mut::<Changes>() {
        changes.removed.push(Removal { role, key, entity });
    }
}

pub(crate) fn body_removed(world: DeferredWorld<'_>, context: HookContext) {
    note_removal(world, context.entity, Role::Body);
}

pub(crate) fn collider_removed(world: DeferredWorld<'_>, context: HookContext) {
    note_removal(world, context.entity, Role::Collider);
}

pub(crate) fn joint_removed(world: DeferredWorld<'_>, context: HookContext) {
    note_removal(world, context.entity, Role::Joint);
}

pub(crate) fn agent_removed(world: DeferredWorld<'_>, context: HookContext) {
    note_removal(world, context.entity, Role::Agent);
}

/// Hook of components of colliders that come and go, such as [`Sensor`](crate::Sensor).
pub(crate) fn collider_changed(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut changes) = world.get_resource_mut::<Changes>() {
        changes.colliders.push(context.entity);
    }
}

/// Notes entities that get another parent. Bodies stay where they are, so their transforms must be written.
pub(crate) fn note_new_parent(
    on: On<'_, '_, Insert, ChildOf>,
    mut changes: ResMut<'_, Changes>,
    mut physics: ResMut<'_, Physics>,
) {
    changes.colliders.push(on.entity);
    physics.registry.touched.push(on.entity);
}

/// Notes entities that lose their parent.
pub(crate) fn note_lost_parent(
    on: On<'_, '_, Remove, ChildOf>,
    mut changes: ResMut<'_, Changes>,
    mut physics: ResMut<'_, Physics>,
) {
    changes.colliders.push(on.entity);
    physics.registry.touched.push(on.entity);
}
