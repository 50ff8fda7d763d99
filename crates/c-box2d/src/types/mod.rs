//! The types of Box2D's headers: names and layouts are its interface.
mod ids;
mod vectors;
mod statistics;
mod callbacks;
mod geometry;
mod geometry_queries;
mod tree;
mod definitions;
mod joints;
mod events;
mod drawing;
mod replay;
mod enums;

pub(crate) use callbacks::*;
pub(crate) use definitions::*;
pub(crate) use drawing::*;
pub(crate) use enums::*;
pub(crate) use events::*;
pub(crate) use geometry::*;
pub(crate) use geometry_queries::*;
pub(crate) use ids::*;
pub(crate) use joints::*;
pub(crate) use replay::*;
pub(crate) use statistics::*;
pub(crate) use tree::*;
pub(crate) use vectors::*;

/// Returns size and offsets of all structs and the values of all enum constants, a line each: what the headers are compared with.
pub(crate) fn layout() -> Vec<String> {
    let mut lines = Vec::new();
    for list in [
        list_ids,
        list_vectors,
        list_geometry,
        list_geometry_queries,
        list_tree,
        list_definitions,
        list_joints,
        list_events,
        list_drawing,
        list_statistics,
        list_replay,
        list_enums,
    ] {
        list(&mut lines);
    }
    lines
}
