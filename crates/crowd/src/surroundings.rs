//! What all agents of a step read, and none writes.

use crate::edge_tree::EdgeTree;
use crate::grid::Grid;
use crate::store::Store;

/// What all agents of a step read.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub(crate) store: &'a Store,
    pub(crate) grid: &'a Grid,
    /// Edges that stand, and edges that move.
    pub(crate) walls: [&'a EdgeTree; 2],
    /// Step [s], above 0.
    pub(crate) step: f32,
}

impl Surroundings<'_> {
    /// Says whether there are any edges.
    #[inline]
    pub(crate) fn has_walls(&self) -> bool {
        self.walls.iter().any(|walls| !walls.edges().is_empty())
    }
}
