//! Joints: definitions and solver records. One file a kind; each kind is a list of parts.

mod error;
mod shared;
pub(crate) mod row_request;
pub(crate) mod base;
pub(crate) mod parts;
pub(crate) mod revolute;
mod prismatic;
pub(crate) mod distance;
mod weld;
mod wheel;
mod motor;
mod mouse;
mod pulley;
mod filter;
pub(crate) mod gear;
mod def;
mod choice;
pub(crate) mod rows;
pub(crate) mod sim;
mod crowding;
pub(crate) mod table;
mod measure;

pub use def::JointDef;
pub use distance::DistanceJointDef;
pub use error::JointDefError;
pub use filter::FilterJointDef;
pub use gear::GearJointDef;
pub use motor::MotorJointDef;
pub use mouse::MouseJointDef;
pub use prismatic::PrismaticJointDef;
pub use pulley::PulleyJointDef;
pub use revolute::RevoluteJointDef;
pub use shared::{JointBaseDef, JointFrame, JointSoftness, Limit, Motor, Spring};
pub use sim::JointReaction;
pub use weld::WeldJointDef;
pub use wheel::WheelJointDef;
