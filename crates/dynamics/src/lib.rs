//! Bodies, contacts, joints, islands, solver, continuous collision and the world.
//!
//! The `mod` lines below are the layer order, lowest first: a module uses only those before it.

pub mod id;
pub mod tuning;
mod softness;
mod body;
mod contact;
mod simd;
pub mod joint;
mod solver;

pub use id::{BodyId, ContactId, JointId, ShapeId};
