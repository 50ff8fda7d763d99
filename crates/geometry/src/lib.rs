//! 2D convex geometry: shapes, and questions about one or two of them.
#![forbid(unsafe_code)]

pub mod math;
pub mod tolerance;
