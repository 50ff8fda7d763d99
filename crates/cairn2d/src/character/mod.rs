//! A kinematic character controller: [`CharacterController`]. It is a user of the world like any program, and calls
//! public methods only.
//!
//! A call finds the surfaces near the character (`surroundings`), slides along them (`slide`), climbs steps
//! (`stairs`), follows the ground and moving platforms (`walk`), and afterward gives impulses to the dynamic
//! bodies that were hit (`push`). The controller has no state between calls.
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
