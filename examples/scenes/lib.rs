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
mod machines;
mod shapes;
mod surfaces;
mod continuous;
mod queries;
mod robustness;
mod linkages;
mod bridges_and_chains;
mod walker;
mod events;
mod wind;
mod water;
mod tiles;
mod shape_queries;
mod event_polling;
mod drives;
mod filters;
mod platformer;
mod roadmap;
mod crowd;
mod crowd_links;
mod crowd_figures;
pub mod quality;
pub mod engine;
pub mod benchmark;
pub mod validation;
mod benchmark_scenes;
mod reference_problems;
pub mod registry;
pub mod golden;
pub mod continued;
