//! Shapes in straight motion.

mod shape;

pub use shape::{CastHit, shape_cast, shape_cast_of, shape_cast_to_gap};
