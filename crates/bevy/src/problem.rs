//! Changes that the engine refused.

use bevy_ecs::prelude::*;
use cairn2d::{CharacterError, ControllerError, JointDefError, ShapeError, ValueError, WorldError};
use thiserror::Error;

/// A change of components that the engine refused, such as a position that is not finite. The object keeps its state, or
/// is not created until the component changes again.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct PhysicsProblem {
    /// The entity with the component.
    pub entity: Entity,
    /// The reason.
    pub error: PhysicsError,
}

/// Reason why a change was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PhysicsError {
    /// The world refused a definition.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A shape is not valid at its place on the body.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The controller of a character, or its motion, is not valid.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// The crowd refused an agent or a route.
    #[error(transparent)]
    Agent(#[from] ControllerError),
    /// Another entity has the same key.
    #[error("{other} has the same physics key {key}")]
    SameKey {
        /// The key.
        key: u64,
        /// The other entity.
        other: Entity,
    },
}

impl From<ValueError> for PhysicsError {
    fn from(error: ValueError) -> Self {
        Self::World(error.into())
    }
}

impl From<JointDefError> for PhysicsError {
    fn from(error: JointDefError) -> Self {
        Self::World(error.into())
    }
}

/// Sends the errors of refused calls.
pub(crate) fn report(
    problems: &mut MessageWriter<'_, PhysicsProblem>,
    entity: Entity,
    result: Result<(), PhysicsError>,
) {
    if let Err(error) = result {
        log::warn!("physics refused a change of {entity}: {error}");
        problems.write(PhysicsProblem { entity, error });
    }
}
