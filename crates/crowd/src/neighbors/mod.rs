//! Neighbors: the agents in a grid (the k-d tree of RVO2), and the search for the nearest ones.

pub(crate) mod yielding;
pub(crate) mod moving_disc;
pub(crate) mod grid;
pub(crate) mod step_context;
pub(crate) mod window;
pub(crate) mod candidates;
pub(crate) mod list;
pub(crate) mod search;
