//! Scenes: one definition for examples, benches, golden tests and pictures.
//!
//! The `mod` lines below are the layer order, lowest first: a module uses only those before it.
#![forbid(unsafe_code)]

pub mod mark;
pub mod random;
pub mod view;
pub mod scene;
pub mod content;
pub mod measure;
#[cfg(feature = "programs")]
pub mod picture;
pub mod kit;
pub mod ragdoll;
mod basics;
mod cards;
mod stacking;
mod hanging;
mod machines;
mod shapes;
mod surfaces;
mod fast;
mod asking;
mod hard;
mod linkages;
mod walker;
mod noticing;
mod air;
mod water;
mod tiles;
mod probing;
mod watching;
mod driven;
mod passing;
mod platformer;
mod roadmap;
mod crowd;
mod crowd_links;
mod crowd_figures;
pub mod quality;
pub mod engine;
pub mod benchmark;
pub mod validation;
mod contests;
mod reference_problems;
pub mod registry;
pub mod golden;
pub mod continued;
