//! The definition of a joint of any kind.

use super::distance::DistanceJointDef;
use super::error::JointDefError;
use super::filter::FilterJointDef;
use super::gear::GearJointDef;
use super::motor::MotorJointDef;
use super::mouse::MouseJointDef;
use super::prismatic::PrismaticJointDef;
use super::pulley::PulleyJointDef;
use super::revolute::RevoluteJointDef;
use super::shared::JointBaseDef;
use super::weld::WeldJointDef;
use super::wheel::WheelJointDef;
use cairn2d_geometry::state_variants;

/// The definition of a joint of any kind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum JointDef {
    /// A pin.
    Revolute(RevoluteJointDef),
    /// A slider.
    Prismatic(PrismaticJointDef),
    /// A rod, rope or spring.
    Distance(DistanceJointDef),
    /// Holds two bodies together.
    Weld(WeldJointDef),
    /// A wheel on a suspension.
    Wheel(WheelJointDef),
    /// A drive to a velocity, a pose, or both.
    Motor(MotorJointDef),
    /// A soft pull on a point.
    Mouse(MouseJointDef),
    /// A rope over two wheels.
    Pulley(PulleyJointDef),
    /// Ties the coordinates of two joints.
    Gear(GearJointDef),
    /// No collision between two bodies.
    Filter(FilterJointDef),
}

state_variants!(JointDef {
    Revolute(def) = 0,
    Prismatic(def) = 1,
    Distance(def) = 2,
    Weld(def) = 3,
    Wheel(def) = 4,
    Motor(def) = 5,
    Mouse(def) = 6,
    Pulley(def) = 7,
    Gear(def) = 8,
    Filter(def) = 9,
});

/// Evaluates an expression for the definition of any kind.
macro_rules! of_def {
    ($any:expr, $def:ident => $value:expr) => {
        match $any {
            JointDef::Revolute($def) => $value,
            JointDef::Prismatic($def) => $value,
            JointDef::Distance($def) => $value,
            JointDef::Weld($def) => $value,
            JointDef::Wheel($def) => $value,
            JointDef::Motor($def) => $value,
            JointDef::Mouse($def) => $value,
            JointDef::Pulley($def) => $value,
            JointDef::Gear($def) => $value,
            JointDef::Filter($def) => $value,
        }
    };
}

impl JointDef {
    /// Returns the fields that all kinds share.
    #[must_use]
    pub const fn base(&self) -> &JointBaseDef {
        of_def!(self, def => &def.base)
    }

    /// Returns the fields that all kinds share, to change them.
    pub const fn base_mut(&mut self) -> &mut JointBaseDef {
        of_def!(self, def => &mut def.base)
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative or zero where it must not be, an anchor is beyond
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE), limits cross, or both bodies are the same.
    pub fn validate(&self) -> Result<(), JointDefError> {
        of_def!(self, def => def.validate())
    }
}

/// Implements the conversion of the definition of a kind into that of any kind.
macro_rules! from_kinds {
    ($($kind:ident($def:ident)),* $(,)?) => {$(
        impl From<$def> for JointDef {
            fn from(def: $def) -> Self {
                Self::$kind(def)
            }
        }
    )*};
}

from_kinds! {
    Revolute(RevoluteJointDef),
    Prismatic(PrismaticJointDef),
    Distance(DistanceJointDef),
    Weld(WeldJointDef),
    Wheel(WheelJointDef),
    Motor(MotorJointDef),
    Mouse(MouseJointDef),
    Pulley(PulleyJointDef),
    Gear(GearJointDef),
    Filter(FilterJointDef),
}
