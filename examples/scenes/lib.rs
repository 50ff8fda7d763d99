//! Scenes: one definition for examples, benches, golden tests and pictures.

pub mod engine;
pub mod benchmark;
