//! The same shapes and questions for cairn2d, Box2D and parry2d.

pub mod generate;
pub mod box2d;
pub mod parry;
pub mod oracle;
pub mod rows;
