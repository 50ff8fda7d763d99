//! Bindings of cairn2d for JavaScript and TypeScript.
//!
//! Ids are numbers: worlds have the mark 0, so the bits of an id are below 2^48. Definitions are plain objects; missing fields have
//! the defaults of the engine. The `mod` lines below are the layer order, lowest first.
#![forbid(unsafe_code)]

mod error;
mod fields;
mod definitions;
mod joints;
#[cfg(feature = "full")]
mod functions;
mod world;
mod events;
mod bodies;
mod shapes;
mod joint_access;
mod queries;
#[cfg(feature = "full")]
mod states;
#[cfg(feature = "full")]
mod hooks;
#[cfg(feature = "full")]
mod terrain;
#[cfg(feature = "full")]
mod crowds;
#[cfg(feature = "full")]
mod drawing;

pub use world::WebWorld;
