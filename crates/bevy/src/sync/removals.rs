//! Removes the objects of entities that lost their components.

use crate::changes::{Changes, Removal, Role};
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use cairn2d::BodyId;

/// Removes joints, agents, shapes and bodies, in this order and by key. The events of the last step were sent, so
/// entities that left before it are forgotten.
pub(crate) fn apply_removals(mut physics: ResMut<'_, Physics>, mut changes: ResMut<'_, Changes>) {
    physics.registry.forget_departed();
    let mut removed = core::mem::take(&mut changes.removed);
    removed.sort_unstable();
    for Removal { role, entity, .. } in removed {
        match role {
            Role::Joint => remove_joint(&mut physics, entity),
            Role::Agent => remove_agent(&mut physics, entity),
            Role::Collider => remove_shapes(&mut physics, entity),
            Role::Body => remove_body(&mut physics, &mut changes, entity),
        }
        physics.registry.drop_if_empty(entity);
    }
}

fn remove_joint(physics: &mut Physics, entity: Entity) {
    if let Some(record) = physics.registry.get_mut(entity) {
        if let Some(joint) = record.joint.take() {
            physics.world.destroy_joint(joint);
        }
        let key = record.key;
        physics.registry.waiting.remove(&key);
    }
}

fn remove_agent(physics: &mut Physics, entity: Entity) {
    let agent = physics
        .registry
        .get_mut(entity)
        .and_then(|r| r.agent.take());
    if let Some(agent) = agent {
        physics.walkers.detach(&mut physics.world, agent);
    }
}

/// Removes the shapes of a collider.
pub(super) fn remove_shapes(physics: &mut Physics, entity: Entity) {
    if let Some(record) = physics.registry.get_mut(entity) {
        record.owner = None;
        for shape in core::mem::take(&mut record.shapes) {
            physics.world.destroy_shape(shape);
        }
    }
}

/// Removes a body. Colliders of other entities on it look for another body, and its joints wait for its return.
fn remove_body(physics: &mut Physics, changes: &mut Changes, entity: Entity) {
    let body = physics.registry.get_mut(entity).and_then(|r| r.body.take());
    let Some(body) = body else {
        return;
    };
    for owned in owned_entities(physics, body) {
        release(physics, changes, owned, entity);
    }
    physics.world.destroy_body(body);
}

/// Parts joint and shapes of `owned` from the body of `entity`.
fn release(physics: &mut Physics, changes: &mut Changes, owned: Entity, entity: Entity) {
    let Some(record) = physics.registry.get_mut(owned) else {
        return;
    };
    let key = record.key;
    if record.owner.is_some_and(|(owner, _)| owner == entity) {
        record.shapes.clear();
        record.owner = None;
        changes.colliders.push(owned);
    }
    let joint = record.joint.and_then(|id| physics.world.get_joint(id));
    let body_gone = |id: BodyId| physics.registry.entity_of_body(id) == Some(entity);
    if joint.is_some_and(|joint| joint.bodies().into_iter().any(body_gone)) {
        physics.registry.wait_for_body(owned, key);
    }
    if owned != entity && !physics.registry.waiting.contains(&key) {
        physics.registry.drop_if_empty(owned);
    }
}

/// Returns the entities of the shapes and joints on a body.
fn owned_entities(physics: &Physics, body: BodyId) -> Vec<Entity> {
    let Some(view) = physics.world.get_body(body) else {
        return Vec::new();
    };
    let shapes = view.shapes().map(|shape| shape.user_data());
    let joints = view.joints().map(|joint| joint.user_data());
    let mut keys: Vec<u64> = shapes.chain(joints).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter()
        .filter_map(|key| physics.registry.entity(key))
        .collect()
}
