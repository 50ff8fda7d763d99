//! The physics state: one resource that holds the world of the engine.

use crate::registry::Registry;
use bevy_ecs::prelude::*;
use cairn2d::crowd::AgentId;
use cairn2d::{
    BodyId, BodyMut, BodyRef, CrowdController, JointId, JointMut, JointRef, ShapeId, World,
};

/// The whole state of physics: the engine's [`World`], the agents in its bodies, and the entities of both.
///
/// A clone is a snapshot: [`restore`](crate::restore) goes back to it, and continues with the same bits.
///
/// Objects are made by components. [`body_mut`](Self::body_mut) and the like give access to all methods of the engine for
/// one, such as impulses:
///
/// ```
/// use bevy_cairn2d::{Physics, RigidBody};
/// use bevy_ecs::prelude::*;
/// use cairn2d::math::vec2;
///
/// fn kick(mut physics: ResMut<Physics>, balls: Query<Entity, With<RigidBody>>) {
///     for ball in &balls {
///         if let Some(mut body) = physics.body_mut(ball) {
///             body.apply_impulse(vec2(0.0, 3.0));
///         }
///     }
/// }
/// ```
#[derive(Resource, Debug)]
pub struct Physics {
    pub(crate) world: World,
    pub(crate) walkers: CrowdController,
    pub(crate) registry: Registry,
    /// Whether this is a snapshot that became the state: entities must be compared with it.
    pub(crate) restored: bool,
}

impl Clone for Physics {
    fn clone(&self) -> Self {
        let mut registry = self.registry.clone();
        registry.save_key();
        Self {
            world: self.world.clone(),
            walkers: self.walkers.clone(),
            registry,
            restored: true,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.world.clone_from(&source.world);
        self.walkers.clone_from(&source.walkers);
        self.registry.clone_from(&source.registry);
        self.registry.save_key();
        self.restored = true;
    }
}

impl Physics {
    pub(crate) fn new(world: World, walkers: CrowdController) -> Self {
        Self {
            world,
            walkers,
            registry: Registry::default(),
            restored: false,
        }
    }

    /// Returns the world of the engine.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world of the engine, to change its settings, set hooks, or read and write its bodies by id. Objects that
    /// are created here have no entity; do not destroy those of entities.
    #[must_use]
    pub const fn world_mut(&mut self) -> &mut World {
        self.registry.all_touched = true;
        &mut self.world
    }

    /// Returns the agents of the crowd.
    #[must_use]
    pub const fn crowd(&self) -> &CrowdController {
        &self.walkers
    }

    /// Returns the agents of the crowd, to change routes and obstacles.
    #[must_use]
    pub const fn crowd_mut(&mut self) -> &mut CrowdController {
        &mut self.walkers
    }

    /// Returns a hash of the state that later steps read. It is equal on all peers, and does not depend on the bits of entities.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let crowd = self.walkers.crowd().state_hash();
        self.world.state_hash() ^ crowd.rotate_left(1)
    }

    /// Returns the id of the body of an entity; `None` before the first step with it.
    #[must_use]
    pub fn body_id(&self, entity: Entity) -> Option<BodyId> {
        self.registry.body(entity)
    }

    /// Returns a view of the body of an entity.
    #[must_use]
    pub fn body(&self, entity: Entity) -> Option<BodyRef<'_>> {
        self.world.get_body(self.body_id(entity)?)
    }

    /// Returns a view that can change the body of an entity. Its components follow after the next step.
    pub fn body_mut(&mut self, entity: Entity) -> Option<BodyMut<'_>> {
        let body = self.body_id(entity)?;
        self.registry.touched.push(entity);
        self.world.get_body_mut(body)
    }

    /// Returns the shapes of the collider of an entity, in the order of [`Collider::shapes`](crate::Collider::shapes).
    #[must_use]
    pub fn shapes(&self, entity: Entity) -> &[ShapeId] {
        let record = self.registry.get(entity);
        record.map_or(&[], |record| &record.shapes)
    }

    /// Returns the id of the joint of an entity; `None` while it waits for its bodies, or after it broke.
    #[must_use]
    pub fn joint_id(&self, entity: Entity) -> Option<JointId> {
        let joint = self.registry.get(entity)?.joint?;
        self.world.get_joint(joint).map(|joint| joint.id())
    }

    /// Returns a view of the joint of an entity.
    #[must_use]
    pub fn joint(&self, entity: Entity) -> Option<JointRef<'_>> {
        self.world.get_joint(self.joint_id(entity)?)
    }

    /// Returns a view that can change the joint of an entity, until its component changes.
    pub fn joint_mut(&mut self, entity: Entity) -> Option<JointMut<'_>> {
        let joint = self.joint_id(entity)?;
        self.world.get_joint_mut(joint)
    }

    /// Returns the agent of an entity.
    #[must_use]
    pub fn agent_id(&self, entity: Entity) -> Option<AgentId> {
        self.registry.get(entity)?.agent
    }

    /// Returns the entity of a body.
    #[must_use]
    pub fn entity_of_body(&self, body: BodyId) -> Option<Entity> {
        self.world.get_body(body)?;
        self.registry.entity_of_body(body)
    }

    /// Returns the entity of the collider of a shape.
    #[must_use]
    pub fn entity_of_shape(&self, shape: ShapeId) -> Option<Entity> {
        self.world.get_shape(shape)?;
        self.registry.entity_of_shape(shape)
    }

    /// Returns the entity of a joint.
    #[must_use]
    pub fn entity_of_joint(&self, joint: JointId) -> Option<Entity> {
        let joint = self.world.get_joint(joint)?;
        self.registry.present(joint.user_data())
    }
}
