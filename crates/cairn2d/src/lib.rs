//! A 2D rigid-body physics engine.
#![forbid(unsafe_code)]
