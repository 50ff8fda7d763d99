//! Continuous collision: fast bodies are swept against shapes that they could pass through in a step.
//!
//! Each fast body has a sweep: its straight motion in the rest of the step. The earliest time-of-impact (TOI)
//! event of all sweeps is resolved by one of two policies. Sweeps that it changes are tested again from
//! there, until no event is left.
//!
//! * *Clamp*: the two bodies move on together until the step ends and keep their velocities. The next step
//!   finds their contact and solves it.
//! * *Substep*: the impact is solved at its time and propagated through all touching contacts. The rest of
//!   the step is spent with the new velocities.
//!
//! Events are ordered by time, then by shape slots, so results never depend on the order of the search.

mod threshold;
mod budget;
mod deferred;
mod candidates;
mod tables;
mod box_tree;
mod sweep;
mod internal_edges;
mod cores;
mod toi;
mod other_points;
mod step;
mod fallback;
mod change;
mod find;
mod clamp;
mod substep_events;
mod bounce;
mod sensors;

pub(crate) use candidates::{mark_bounce_candidates, min_swept_travel, update_bouncy};
pub(crate) use deferred::{defer_contacts, may_defer_contacts, undefer_contacts};
pub(crate) use step::CcdStep;
pub(crate) use substep_events::{RecentImpact, recent_approach_speed};
pub(crate) use tables::{CcdInput, CcdTables};
pub(crate) use threshold::{Travel, is_swept, may_turn_into_ground, moved_far};
