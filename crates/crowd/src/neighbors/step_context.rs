//! The read-only input of a step.

use crate::neighbors::grid::Grid;
use crate::obstacles::edge_tree::EdgeTree;
use crate::store::agent::{Params, Target};
use crate::store::{Memory, Store};
use core::cmp::Ordering;

/// Read-only input that all agents of a step share. Agents are given by their indices in the grid.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub(crate) store: &'a Store,
    pub(crate) grid: &'a Grid,
    /// Static and moving edges.
    pub(crate) walls: [&'a EdgeTree; 2],
    /// Time until the next decision of an agent that decides now [s], above 0.
    pub(crate) step: f32,
    /// Time for which contacts are settled: the present step [s], above 0.
    pub(crate) contact_step: f32,
}

impl<'a> StepContext<'a> {
    /// Returns whether there are any edges.
    #[inline]
    pub(crate) fn has_walls(&self) -> bool {
        self.walls.iter().any(|walls| !walls.edges().is_empty())
    }

    /// Returns the row of an agent in the store.
    #[inline(always)]
    pub(crate) fn row(&self, agent: u32) -> usize {
        self.grid.order[agent as usize] as usize
    }

    /// Returns the parameters of an agent.
    #[inline(always)]
    pub(crate) fn params(&self, agent: u32) -> &'a Params {
        self.store.params(self.row(agent))
    }

    /// Returns the state of an agent.
    #[inline(always)]
    pub(crate) fn memory(&self, agent: u32) -> &'a Memory {
        &self.store.memory[self.row(agent)]
    }

    /// Returns the target of an agent.
    #[inline]
    pub(crate) fn target(&self, agent: u32) -> Option<&'a Target> {
        self.store.target(self.row(agent))
    }

    /// Returns the slot of an agent's id.
    #[inline]
    pub(crate) fn slot(&self, agent: u32) -> u32 {
        self.store.slots[self.row(agent)]
    }

    /// Compares two agents by position, ties by id.
    pub(crate) fn by_place(&self, a: u32, b: u32) -> Ordering {
        let (p, q) = (
            self.grid.position(a as usize),
            self.grid.position(b as usize),
        );
        let place = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
        place.then_with(|| self.slot(a).cmp(&self.slot(b)))
    }
}
