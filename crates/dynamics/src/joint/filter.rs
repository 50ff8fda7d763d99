//! Filter joint: no constraint. The two bodies do not collide; they sleep and wake independently.

use super::error::JointDefError;
use super::shared::JointBaseDef;
use crate::id::BodyId;
use cairn2d_geometry::state_record;

/// Keeps two bodies from colliding with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct FilterJointDef {
    /// Settings common to all joints; frames and break limits are ignored.
    pub base: JointBaseDef,
}

state_record!(FilterJointDef { base });

impl FilterJointDef {
    /// Returns the filter between the two bodies.
    #[must_use]
    pub const fn new(body_a: BodyId, body_b: BodyId) -> Self {
        Self {
            base: JointBaseDef::new(body_a, body_b),
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, or both bodies are the same.
    pub fn validate(&self) -> Result<(), JointDefError> {
        self.base.validate()
    }
}
