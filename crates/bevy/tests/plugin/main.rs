//! Tests of the plugin, in one binary: a link of Bevy takes longer than most of them.

mod common;
mod bodies;
mod colliders;
mod joints;
mod transforms;
mod hierarchies;
mod time;
mod lifecycle;
mod events;
mod queries;
mod characters_and_crowds;
mod determinism;
mod rollback;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "picking")]
mod picking;
