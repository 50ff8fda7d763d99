//! A character that walks by limits instead of forces: [`CharacterController`].
//!
//! It asks the world what is round it (`around`), moves along what it meets (`slide`), steps onto what is low (`stairs`), and
//! follows the ground (`walk`). What it pushes gets impulses afterwards (`push`). It keeps nothing between two calls.
//!
//! The `mod` lines below are the layer order, lowest first.

mod def;
mod report;
mod surroundings;
mod slide;
mod stairs;
mod walk;
mod push;

pub use def::CharacterController;
pub use report::{CharacterError, CharacterGround, CharacterHit, CharacterMove, Footing};
