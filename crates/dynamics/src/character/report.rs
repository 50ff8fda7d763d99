//! What a character reports of a step: where it goes, on what it stands, what it ran into.

use crate::error::ValueError;
use crate::id::{BodyId, ShapeId};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use thiserror::Error;

/// On what a character stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Footing {
    /// On nothing.
    #[default]
    Air,
    /// Only on what is too steep to climb.
    Slope,
    /// On ground that it can walk on.
    Ground,
}

/// The ground under a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacterGround {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Where the character stands on it \[m\].
    pub point: WorldPoint,
    /// Unit normal of the surface; on the edge of a step that of its top.
    pub normal: Vec2,
    /// Velocity of the ground at that point [m/s].
    pub velocity: Vec2,
}

/// Something that a character ran into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacterHit {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Where \[m\].
    pub point: WorldPoint,
    /// Unit normal out of the shape, towards the character.
    pub normal: Vec2,
    /// How much farther the character would have gone into the shape \[m\].
    pub blocked: f32,
    /// How far the whole wish led towards the shape \[m\].
    pub approach: f32,
}

/// Where a character goes in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharacterMove {
    /// How far and in which direction \[m\]; the ride on moving ground is part of it.
    pub translation: Vec2,
    /// On what it stands in the end.
    pub footing: Footing,
    /// The ground that it stands on in the end; `None` unless the footing is [`Footing::Ground`].
    pub ground: Option<CharacterGround>,
    /// What it ran into, each shape once, in the order in which it was met.
    pub hits: Vec<CharacterHit>,
}

impl CharacterMove {
    /// Says whether it stands on ground that it can walk on.
    #[must_use]
    pub fn is_grounded(&self) -> bool {
        self.footing == Footing::Ground
    }
}

/// Reason why a character was not moved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// A number of the controller, or of the call.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The body is gone, or belongs to another world.
    #[error("{0:?} names no body of this world")]
    NoBody(BodyId),
    /// The body has no solid shape.
    #[error("{0:?} has no solid shape to walk in")]
    NoShape(BodyId),
    /// The body is static.
    #[error("{0:?} is static: only kinematic and dynamic bodies can walk")]
    StaticBody(BodyId),
}
