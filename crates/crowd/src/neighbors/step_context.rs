//! The read-only input of a step.

use crate::neighbors::grid::Grid;
use crate::obstacles::edge_tree::EdgeTree;
use crate::store::Store;

/// Read-only input that all agents of a step share.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub(crate) store: &'a Store,
    pub(crate) grid: &'a Grid,
    /// Static and moving edges.
    pub(crate) walls: [&'a EdgeTree; 2],
    /// Step [s], above 0.
    pub(crate) step: f32,
}

impl StepContext<'_> {
    /// Returns whether there are any edges.
    #[inline]
    pub(crate) fn has_walls(&self) -> bool {
        self.walls.iter().any(|walls| !walls.edges().is_empty())
    }
}
