//! The result of a step of a character: its translation, its footing and its hits.

use cairn2d_dynamics::{BodyId, ShapeId, ValueError};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use thiserror::Error;

/// Kind of support of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Footing {
    /// No support.
    #[default]
    Air,
    /// Only surfaces too steep to climb.
    Slope,
    /// Ground that it can walk on.
    Ground,
}

/// The ground under a character.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CharacterGround {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Point of support in the world \[m\].
    pub point: WorldPoint,
    /// Unit normal of the surface in the world; at the edge of a step, the normal of its top.
    pub normal: Vec2,
    /// Velocity of the ground at `point` [m/s].
    pub velocity: Vec2,
}

/// A shape that a character ran into.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CharacterHit {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Point of the hit in the world \[m\].
    pub point: WorldPoint,
    /// Unit normal out of the shape, toward the character, in the world.
    pub normal: Vec2,
    /// Length of the remaining motion into the shape that the hit stopped \[m\].
    pub blocked: f32,
    /// Length of the part of the whole desired translation that points toward the shape \[m\].
    pub approach: f32,
}

/// The motion of a character in a step.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CharacterMove {
    /// Translation \[m\], including the motion of the ground that carries the character.
    pub translation: Vec2,
    /// Support at the end.
    pub footing: Footing,
    /// Ground at the end; `None` unless the footing is [`Footing::Ground`].
    pub ground: Option<CharacterGround>,
    /// The shapes that it ran into, each once, in order of the first hit.
    pub hits: Vec<CharacterHit>,
}

impl CharacterMove {
    /// Returns `true` if the character stands on ground that it can walk on.
    #[must_use]
    pub fn is_grounded(&self) -> bool {
        self.footing == Footing::Ground
    }
}

/// The reason a character was not moved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// A number of the controller or of the call is invalid.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The body does not exist, or belongs to another world.
    #[error("{0:?} names no body of this world")]
    NoBody(BodyId),
    /// The body has no solid shape.
    #[error("{0:?} has no solid shape to walk in")]
    NoShape(BodyId),
    /// The body is static.
    #[error("{0:?} is static: only kinematic and dynamic bodies can walk")]
    StaticBody(BodyId),
}
