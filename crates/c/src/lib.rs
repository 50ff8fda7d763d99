//! The C interface of the cairn2d physics engine. `include/cairn2d.h` is generated from this crate; `docs/c.md` is its manual.
#![expect(
    non_camel_case_types,
    reason = "types have the names of the C interface"
)]

pub mod failure;
pub mod pointer;
pub mod handle;
pub mod values;
pub mod filter;
pub mod geometry;
pub mod world_def;
pub mod world;
pub mod body;
pub mod body_change;
pub mod shape;
pub mod joint_def;
pub mod joint;
pub mod forces;
pub mod query;
pub mod events;
pub mod hooks;
pub mod character;
pub mod bytes;
pub mod save;
pub mod recording;
pub mod crowd_def;
pub mod crowd;
pub mod walkers;
pub mod draw;
