//! Entities by slot of the engine's objects: look-ups without hashing.

use bevy_ecs::prelude::*;
use cairn2d::{Id, IdKind};

/// The entity of the last object in each slot, with its id. Objects that were removed keep their entity until the slot is used again.
#[derive(Clone, Debug)]
pub(crate) struct EntitySlots<K: IdKind>(Vec<(Id<K>, Entity)>);

impl<K: IdKind> Default for EntitySlots<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: IdKind> EntitySlots<K> {
    pub(crate) fn set(&mut self, id: Id<K>, entity: Entity) {
        let slot = id.index() as usize;
        if slot >= self.0.len() {
            let unused = (Id::from_bits(u64::MAX), Entity::PLACEHOLDER);
            self.0.resize(slot + 1, unused);
        }
        self.0[slot] = (id, entity);
    }

    pub(crate) fn get(&self, id: Id<K>) -> Option<Entity> {
        let (of, entity) = *self.0.get(id.index() as usize)?;
        (of == id).then_some(entity)
    }
}
