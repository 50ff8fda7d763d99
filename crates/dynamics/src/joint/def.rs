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
    /// Two bodies as one.
    Weld(WeldJointDef),
    /// A wheel on a suspension.
    Wheel(WheelJointDef),
    /// A drive to a velocity or a pose.
    Motor(MotorJointDef),
    /// A soft pull of a point.
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

impl JointDef {
    /// The fields that all kinds share.
    #[must_use]
    pub const fn base(&self) -> &JointBaseDef {
        match self {
            Self::Revolute(def) => &def.base,
            Self::Prismatic(def) => &def.base,
            Self::Distance(def) => &def.base,
            Self::Weld(def) => &def.base,
            Self::Wheel(def) => &def.base,
            Self::Motor(def) => &def.base,
            Self::Mouse(def) => &def.base,
            Self::Pulley(def) => &def.base,
            Self::Gear(def) => &def.base,
            Self::Filter(def) => &def.base,
        }
    }

    /// The fields that all kinds share, to be changed.
    pub const fn base_mut(&mut self) -> &mut JointBaseDef {
        match self {
            Self::Revolute(def) => &mut def.base,
            Self::Prismatic(def) => &mut def.base,
            Self::Distance(def) => &mut def.base,
            Self::Weld(def) => &mut def.base,
            Self::Wheel(def) => &mut def.base,
            Self::Motor(def) => &mut def.base,
            Self::Mouse(def) => &mut def.base,
            Self::Pulley(def) => &mut def.base,
            Self::Gear(def) => &mut def.base,
            Self::Filter(def) => &mut def.base,
        }
    }

    /// Checks all fields.
    ///
    /// # Errors
    /// If a number is not finite, negative or zero where it must not be, an anchor is beyond
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE), limits cross, or both bodies are the same.
    pub fn validate(&self) -> Result<(), JointDefError> {
        match self {
            Self::Revolute(def) => def.validate(),
            Self::Prismatic(def) => def.validate(),
            Self::Distance(def) => def.validate(),
            Self::Weld(def) => def.validate(),
            Self::Wheel(def) => def.validate(),
            Self::Motor(def) => def.validate(),
            Self::Mouse(def) => def.validate(),
            Self::Pulley(def) => def.validate(),
            Self::Gear(def) => def.validate(),
            Self::Filter(def) => def.validate(),
        }
    }
}

impl From<RevoluteJointDef> for JointDef {
    fn from(def: RevoluteJointDef) -> Self {
        Self::Revolute(def)
    }
}

impl From<PrismaticJointDef> for JointDef {
    fn from(def: PrismaticJointDef) -> Self {
        Self::Prismatic(def)
    }
}

impl From<DistanceJointDef> for JointDef {
    fn from(def: DistanceJointDef) -> Self {
        Self::Distance(def)
    }
}

impl From<WeldJointDef> for JointDef {
    fn from(def: WeldJointDef) -> Self {
        Self::Weld(def)
    }
}

impl From<WheelJointDef> for JointDef {
    fn from(def: WheelJointDef) -> Self {
        Self::Wheel(def)
    }
}

impl From<MotorJointDef> for JointDef {
    fn from(def: MotorJointDef) -> Self {
        Self::Motor(def)
    }
}

impl From<MouseJointDef> for JointDef {
    fn from(def: MouseJointDef) -> Self {
        Self::Mouse(def)
    }
}

impl From<PulleyJointDef> for JointDef {
    fn from(def: PulleyJointDef) -> Self {
        Self::Pulley(def)
    }
}

impl From<GearJointDef> for JointDef {
    fn from(def: GearJointDef) -> Self {
        Self::Gear(def)
    }
}

impl From<FilterJointDef> for JointDef {
    fn from(def: FilterJointDef) -> Self {
        Self::Filter(def)
    }
}
