//! Scenes: one definition for examples, benches, golden tests and pictures.
