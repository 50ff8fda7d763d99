//! Agents of a crowd that walk in bodies.

use crate::body::RigidBody;
use crate::changes::agent_removed;
use crate::key::PhysicsKey;
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use cairn2d::{ControllerEventKind, CrowdBodyDef, Route};

/// Lets an agent of the crowd walk in the body of the entity: it avoids others, walls and moving bodies.
#[derive(Component, Clone, Debug, Default, PartialEq)]
#[require(PhysicsKey, RigidBody, AgentState)]
#[component(on_remove = agent_removed)]
pub struct CrowdAgent {
    /// The definition; `None` fits one to the shapes and the mass of the body: see [`CrowdBodyDef::around`].
    pub def: Option<CrowdBodyDef>,
}

/// Route of an agent: the engine's [`Route`]. An agent without route follows the target or preferred velocity that
/// [`Physics::crowd_mut`](crate::Physics::crowd_mut) sets.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct CrowdRoute(pub Route);

/// State of an agent, written after each step.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct AgentState {
    /// Whether it has arrived at its target.
    pub has_arrived: bool,
    /// Whether it has made no progress for some time.
    pub is_stuck: bool,
}

/// An event of an agent: see [`ControllerEventKind`].
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentEvent {
    /// The agent's entity.
    pub entity: Entity,
    /// The kind of event.
    pub kind: ControllerEventKind,
}
