//! The same shapes and questions for cairn2d, Box2D and parry2d.

pub mod generate;
pub mod box2d;
pub mod parry;
pub mod rows;
mod oracle;
pub mod case;
pub mod tally;
pub mod degenerate;
pub mod operations;
pub mod stream;
pub mod shrink;
