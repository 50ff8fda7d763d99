//! Box2D 3's C functions, done by the engine `cairn2d`: a program that was compiled against Box2D's headers links this library
//! instead of Box2D, and runs unchanged.
//!
//! * `abi`: pointers, structs and exported functions; faults and panics end there.
//! * `types`: the headers' structs, enums and callbacks.
//! * `convert`, `shape_convert`: C's types as the engine's, and back.
//! * `worlds`, `slot`: the table of worlds, and what C attached to the objects of each.
//! * All other modules: the functions, by group of the headers.
//!
//! What differs from Box2D is in `docs/from-box2d-c.md`.

#![expect(
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    reason = "the names of the headers"
)]

#[macro_use]
mod abi;
mod types;
mod math;
mod base;
mod convert;
mod shape_convert;
mod defaults;
mod proxy;
mod registry;
mod polygon;
mod geometry;
mod distance;
mod manifold;
mod mover;
mod tree;
mod hook_view;
mod chain_table;
mod joint_settings;
mod events;
mod slot;
mod hooks;
mod worlds;
mod world;
mod world_reads;
mod body;
mod body_forces;
mod shape;
mod shape_queries;
mod chain;
mod contact;
mod joint;
mod joint_kinds;
mod queries;
mod snapshot;
mod stream;
mod recording;
mod replay;
mod snapshot_list;
mod draw_list;
mod draw;

/// Returns sizes, offsets and enum values of the C types, for the comparison with the headers.
#[doc(hidden)]
#[must_use]
pub fn layout() -> Vec<String> {
    types::layout()
}
