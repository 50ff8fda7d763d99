//! Joints: definitions, and what the solver does with them. One file a kind; each is a list of parts.

mod error;
mod def;
pub(crate) mod parts;
pub(crate) mod base;
pub(crate) mod revolute;
pub(crate) mod sim;

pub use def::{JointBaseDef, JointFrame, JointSoftness, Limit, Motor, Spring};
pub use error::JointDefError;
pub use revolute::RevoluteJointDef;
pub use sim::JointReaction;

/// The definition of a joint of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JointDef {
    /// A pin.
    Revolute(RevoluteJointDef),
}

impl JointDef {
    /// The fields that all kinds share.
    #[must_use]
    pub const fn base(&self) -> &JointBaseDef {
        match self {
            Self::Revolute(def) => &def.base,
        }
    }
}

impl From<RevoluteJointDef> for JointDef {
    fn from(def: RevoluteJointDef) -> Self {
        Self::Revolute(def)
    }
}
