//! Entities that Bevy disables: they leave the world of physics, and come back when they are enabled.

use crate::body::RigidBody;
use crate::changes::{Changes, Removal, Role};
use crate::collider::Collider;
use crate::crowd::CrowdAgent;
use crate::joint::Joint;
use crate::key::PhysicsKey;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;

/// Whether an entity has the components of each of [`Role::ALL`].
pub(crate) type Roles = (Has<Joint>, Has<CrowdAgent>, Has<Collider>, Has<RigidBody>);

/// Removes the objects of an entity that is disabled, as if it lost its components.
pub(crate) fn note_disabled(
    on: On<'_, '_, Add, Disabled>,
    entities: Query<'_, '_, (&PhysicsKey, Roles), Allow<Disabled>>,
    mut changes: ResMut<'_, Changes>,
) {
    let entity = on.entity;
    let Ok((key, (joint, agent, collider, body))) = entities.get(entity) else {
        return;
    };
    let roles = Role::ALL.into_iter().zip([joint, agent, collider, body]);
    let lost = roles.filter(|(_, has)| *has);
    let key = key.get();
    changes
        .removed
        .extend(lost.map(|(role, _)| Removal { role, key, entity }));
}

/// Components that create objects.
type Makers = (
    Option<&'static mut RigidBody>,
    Option<&'static mut Collider>,
    Option<&'static mut Joint>,
    Option<&'static mut CrowdAgent>,
);

/// Creates the objects of an entity again when it is enabled again.
pub(crate) fn note_enabled(
    on: On<'_, '_, Remove, Disabled>,
    mut entities: Query<'_, '_, Makers, Allow<Disabled>>,
) {
    let Ok((body, collider, joint, agent)) = entities.get_mut(on.entity) else {
        return;
    };
    body.into_iter().for_each(|mut of| of.set_changed());
    collider.into_iter().for_each(|mut of| of.set_changed());
    joint.into_iter().for_each(|mut of| of.set_changed());
    agent.into_iter().for_each(|mut of| of.set_changed());
}
