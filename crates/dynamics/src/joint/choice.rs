//! Access to the parts that several kinds of joints have.

use super::def::JointDef;
use super::shared::{Limit, Motor, Spring};

impl JointDef {
    /// The motor, if the joint has one.
    #[must_use]
    pub fn motor(mut self) -> Option<Motor> {
        self.motor_mut().and_then(|motor| *motor)
    }

    /// The motor, to be changed; `None` for kinds that cannot have one.
    pub const fn motor_mut(&mut self) -> Option<&mut Option<Motor>> {
        match self {
            Self::Revolute(def) => Some(&mut def.motor),
            Self::Prismatic(def) => Some(&mut def.motor),
            Self::Distance(def) => Some(&mut def.motor),
            Self::Wheel(def) => Some(&mut def.motor),
            _ => None,
        }
    }

    /// The limit, if the joint has one.
    #[must_use]
    pub fn limit(mut self) -> Option<Limit> {
        self.limit_mut().and_then(|limit| *limit)
    }

    /// The limit, to be changed; `None` for kinds that cannot have one.
    pub const fn limit_mut(&mut self) -> Option<&mut Option<Limit>> {
        match self {
            Self::Revolute(def) => Some(&mut def.limit),
            Self::Prismatic(def) => Some(&mut def.limit),
            Self::Distance(def) => Some(&mut def.limit),
            Self::Wheel(def) => Some(&mut def.limit),
            _ => None,
        }
    }

    /// The spring on the joint's angle or translation, if the joint has one.
    #[must_use]
    pub fn spring(mut self) -> Option<Spring> {
        self.spring_mut().and_then(|spring| *spring)
    }

    /// The spring on the joint's angle or translation, to be changed; `None` for kinds that cannot have one.
    pub const fn spring_mut(&mut self) -> Option<&mut Option<Spring>> {
        match self {
            Self::Revolute(def) => Some(&mut def.spring),
            Self::Prismatic(def) => Some(&mut def.spring),
            Self::Distance(def) => Some(&mut def.spring),
            Self::Wheel(def) => Some(&mut def.spring),
            _ => None,
        }
    }
}
