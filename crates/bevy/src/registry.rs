//! Entities of the objects of the engine.

use crate::key::{FIRST_AUTOMATIC, PhysicsKey};
use crate::slots::EntitySlots;
use bevy_ecs::entity::{EntityHash, EntityHashMap};
use bevy_ecs::prelude::*;
use cairn2d::crowd::AgentId;
use cairn2d::math::Pose;
use cairn2d::{BodyId, JointId, ShapeId, kind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The objects of an entity.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) key: u64,
    pub(crate) body: Option<BodyId>,
    pub(crate) shapes: Vec<ShapeId>,
    /// Entity of the body that has the shapes, and their frame in that of the body.
    pub(crate) owner: Option<(Entity, Pose)>,
    /// A stale id is that of a joint that broke.
    pub(crate) joint: Option<JointId>,
    pub(crate) agent: Option<AgentId>,
}

impl Record {
    fn new(key: u64) -> Self {
        Self {
            key,
            body: None,
            shapes: Vec::new(),
            owner: None,
            joint: None,
            agent: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.body.is_none()
            && self.shapes.is_empty()
            && self.joint.is_none()
            && self.agent.is_none()
    }
}

/// Entities by key, and the objects of each. The hash maps serve look-ups; loops follow the sorted keys.
#[derive(Clone, Debug)]
pub(crate) struct Registry {
    next_key: u64,
    /// The next key when the snapshot was made that became the state.
    saved_key: u64,
    records: EntityHashMap<Record>,
    by_key: HashMap<u64, Entity, EntityHash>,
    /// Entities of bodies and colliders, for the loops over moved bodies and events.
    bodies: EntitySlots<kind::Body>,
    shapes: EntitySlots<kind::Shape>,
    /// Entities whose objects were removed since the last step: the end of their contacts is reported after it.
    departed: Vec<(u64, Entity)>,
    /// Keys of joints that wait for a body.
    pub(crate) waiting: BTreeSet<u64>,
    /// Bodies that were borrowed for writing since the last step.
    pub(crate) touched: Vec<Entity>,
    /// Whether any body may have been changed since the last step.
    pub(crate) all_touched: bool,
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            next_key: FIRST_AUTOMATIC,
            saved_key: FIRST_AUTOMATIC,
            records: EntityHashMap::default(),
            by_key: HashMap::default(),
            bodies: EntitySlots::default(),
            shapes: EntitySlots::default(),
            departed: Vec::new(),
            waiting: BTreeSet::new(),
            touched: Vec::new(),
            all_touched: false,
        }
    }
}

impl Registry {
    pub(crate) fn take_key(&mut self) -> u64 {
        let key = self.next_key;
        self.next_key += 1;
        key
    }

    /// Notes the next key in a snapshot.
    pub(crate) const fn save_key(&mut self) {
        self.saved_key = self.next_key;
    }

    /// Goes back to the next key of the snapshot, after the last key in use. A library that makes entities anew inserts
    /// their components one by one: a body that comes before its recorded key takes a number, which would be missing later.
    pub(crate) fn restore_key(&mut self, last: Option<u64>) {
        let free = last.map_or(FIRST_AUTOMATIC, |last| last.wrapping_add(1));
        self.next_key = self.saved_key.max(free);
    }

    pub(crate) fn get(&self, entity: Entity) -> Option<&Record> {
        self.records.get(&entity)
    }

    pub(crate) fn get_mut(&mut self, entity: Entity) -> Option<&mut Record> {
        self.records.get_mut(&entity)
    }

    /// Returns the record of an entity, and makes one if there is none.
    pub(crate) fn record(&mut self, entity: Entity, key: PhysicsKey) -> &mut Record {
        self.by_key.insert(key.get(), entity);
        self.records
            .entry(entity)
            .or_insert_with(|| Record::new(key.get()))
    }

    /// Removes the record of an entity that has no object any more.
    pub(crate) fn drop_if_empty(&mut self, entity: Entity) {
        let Some(record) = self.records.get(&entity).filter(|record| record.is_empty()) else {
            return;
        };
        let key = record.key;
        self.departed.push((key, entity));
        self.records.remove(&entity);
        if self.by_key.get(&key) == Some(&entity) {
            self.by_key.remove(&key);
        }
    }

    pub(crate) fn body(&self, entity: Entity) -> Option<BodyId> {
        self.get(entity)?.body
    }

    pub(crate) fn set_body(&mut self, entity: Entity, key: PhysicsKey, body: BodyId) {
        self.record(entity, key).body = Some(body);
        self.bodies.set(body, entity);
    }

    pub(crate) fn add_shape(&mut self, entity: Entity, key: PhysicsKey, shape: ShapeId) {
        self.record(entity, key).shapes.push(shape);
        self.shapes.set(shape, entity);
    }

    /// Parts an entity from its joint, which lost a body.
    pub(crate) fn wait_for_body(&mut self, entity: Entity, key: u64) {
        if let Some(record) = self.records.get_mut(&entity) {
            record.joint = None;
            self.waiting.insert(key);
        }
    }

    /// Returns the entity of a body, also after its removal until its slot is used again.
    pub(crate) fn entity_of_body(&self, body: BodyId) -> Option<Entity> {
        self.bodies.get(body)
    }

    /// Returns the entity of a shape, as [`entity_of_body`](Self::entity_of_body) does.
    pub(crate) fn entity_of_shape(&self, shape: ShapeId) -> Option<Entity> {
        self.shapes.get(shape)
    }

    /// Returns the entity of a key, also if its objects were removed before the last step.
    pub(crate) fn entity(&self, key: u64) -> Option<Entity> {
        let departed = self.departed.iter().find(|(of, _)| *of == key);
        departed
            .map(|(_, entity)| *entity)
            .or_else(|| self.by_key.get(&key).copied())
    }

    /// Returns the entity that has objects under a key now.
    pub(crate) fn present(&self, key: u64) -> Option<Entity> {
        self.by_key.get(&key).copied()
    }

    pub(crate) const fn has_departed(&self) -> bool {
        !self.departed.is_empty()
    }

    pub(crate) fn forget_departed(&mut self) {
        self.departed.clear();
    }

    /// Returns keys and entities in order of keys.
    pub(crate) fn sorted(&self) -> Vec<(u64, Entity)> {
        let entries = self.by_key.iter();
        let mut sorted: Vec<_> = entries.map(|(key, entity)| (*key, *entity)).collect();
        sorted.sort_unstable();
        sorted
    }

    /// Gives the objects of a key to another entity, after the state of another frame was restored.
    pub(crate) fn rename(&mut self, key: u64, to: Entity) {
        let Some(from) = self.by_key.insert(key, to) else {
            return;
        };
        let Some(record) = self.records.remove(&from) else {
            return;
        };
        if let Some(body) = record.body {
            self.bodies.set(body, to);
        }
        for &shape in &record.shapes {
            self.shapes.set(shape, to);
        }
        self.records.insert(to, record);
    }

    /// Gives the shapes on the body of `from` to that of `to`: see [`rename`](Self::rename).
    pub(crate) fn rename_owners(&mut self, renamed: &BTreeMap<Entity, Entity>) {
        for record in self.records.values_mut() {
            if let Some((owner, _)) = &mut record.owner
                && let Some(new) = renamed.get(owner)
            {
                *owner = *new;
            }
        }
    }
}
