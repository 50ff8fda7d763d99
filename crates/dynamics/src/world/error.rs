//! Why the world refuses something.

use crate::error::ValueError;
use crate::id::{BodyId, JointId, ShapeId};
use crate::joint::JointDefError;
use thiserror::Error;

/// Reason why the world refused something.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// A number makes no sense.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A joint definition makes no sense.
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
    /// An impulse is too large: the body's velocity or angular velocity would not be a finite number.
    #[error("the impulse on {0:?} is too large: its velocity would not be a finite number")]
    TooLargeImpulse(BodyId),
    /// A joint definition is of another kind, or names other bodies, than the joint that it should change.
    #[error("the definition is of another kind than {0:?}, or names other bodies")]
    OtherJoint(JointId),
}
