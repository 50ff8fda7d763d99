//! Broad phase: overlapping pairs and queries of boxes.
//!
//! [`BroadPhase`] holds a box for each shape and reports the pairs that begin to overlap. It searches by a tree, by
//! sweep and prune or on a grid ([`BroadPhaseKind`]); [`tree::Tree`] can be used alone.
#![forbid(unsafe_code)]

mod curve;
mod lanes;
mod defect;
mod broad_phase_kind;
mod pair_set;
mod proxy;
mod cast;
#[cfg(feature = "threads")]
mod pool;
#[cfg(not(feature = "threads"))]
#[path = "no_pool.rs"]
mod pool;
mod parallel;
pub mod tree;
mod sweep_and_prune;
mod grid;
mod flat;
mod structure;
mod ended_pairs;
mod broad_phase;

pub use broad_phase::{BroadPhase, BroadPhaseStats};
pub use broad_phase_kind::BroadPhaseKind;
pub use pair_set::Pair;
pub use parallel::{Sharing, Workers};
pub use proxy::{BoxError, Pairing, ProxyId, ProxyKind};
pub use tree::QueryStats;

/// The program of the page of the crate, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
