//! After a restore: compares the entities with the state of another frame.

use crate::changes::{Changes, Removal, Role};
use crate::disabling::Roles;
use crate::key::PhysicsKey;
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use std::collections::BTreeMap;

/// Runs when a snapshot became the state. Objects without entity are removed, and entities that were spawned anew take over
/// the objects of their key; entities without objects get them in the systems that follow.
pub(crate) fn reconcile(
    mut physics: ResMut<'_, Physics>,
    mut changes: ResMut<'_, Changes>,
    entities: Query<'_, '_, (Entity, &PhysicsKey, Roles)>,
) {
    // The removals were noted in the frame that is undone.
    changes.removed.clear();
    let present: BTreeMap<u64, (Entity, [bool; 4])> = entities
        .iter()
        .map(|(entity, key, (joint, agent, collider, body))| {
            (key.get(), (entity, [joint, agent, collider, body]))
        })
        .collect();
    let last = present.last_key_value().map(|(key, _)| *key);
    physics.registry.restore_key(last);
    let mut renamed = BTreeMap::new();
    for (key, entity) in physics.registry.sorted() {
        let (now, roles) = present.get(&key).copied().unwrap_or((entity, [false; 4]));
        if now != entity {
            physics.registry.rename(key, now);
            renamed.insert(entity, now);
        }
        let lost = Role::ALL.into_iter().zip(roles).filter(|(_, has)| !has);
        changes.removed.extend(lost.map(|(role, _)| Removal {
            role,
            key,
            entity: now,
        }));
    }
    physics.registry.rename_owners(&renamed);
}

pub(crate) fn is_restored(physics: Res<'_, Physics>) -> bool {
    physics.restored
}
