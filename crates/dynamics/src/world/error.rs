//! Errors of the world.

use crate::error::ValueError;
use crate::id::{BodyId, JointId, ShapeId};
use crate::joint::JointDefError;
use thiserror::Error;

/// The reason the world refused a call. The world is left unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A number is invalid.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A joint definition is invalid.
    #[error(transparent)]
    Joint(#[from] JointDefError),
    /// A body id is stale or of another world.
    #[error("{0:?} is not a body of this world (any more)")]
    NoSuchBody(BodyId),
    /// A shape id is stale or of another world.
    #[error("{0:?} is not a shape of this world (any more)")]
    NoSuchShape(ShapeId),
    /// A joint id is stale or of another world.
    #[error("{0:?} is not a joint of this world (any more)")]
    NoSuchJoint(JointId),
    /// An impulse is too large: the velocity or angular velocity of the body would not be finite.
    #[error("the impulse on {0:?} is too large: its velocity would not be a finite number")]
    TooLargeImpulse(BodyId),
    /// A joint definition is of another kind than the joint that it should change, or names other bodies.
    #[error("the definition is of another kind than {0:?}, or names other bodies")]
    OtherJoint(JointId),
}
