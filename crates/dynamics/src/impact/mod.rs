//! Impacts of fast bodies on static ground, solved before the substeps.
//!
//! The substeps are Gauss-Seidel sweeps with soft contacts. They pass an impact along a chain of contacts link
//! by link, and know no vertices that land later in the step. All contact points of a body that hits static
//! ground form one linear complementarity problem with friction (`solve.rs`). Its impulses change the
//! velocities with which the substeps begin.

mod speculative_vertices;
mod rows;
mod solve;
pub(crate) mod static_impact;

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::shape::table::ShapeTable;
use solve::ImpactProblem;
use static_impact::StaticImpacts;

/// The stages that solve impacts, and their memory. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpactStage {
    pub(crate) on_static: StaticImpacts,
    problem: ImpactProblem,
}

/// The tables in which impacts are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactScene<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) shapes: &'a ShapeTable,
    pub(crate) contacts: &'a ContactTable,
    /// Length of the step [s].
    pub(crate) dt: f32,
}

impl ImpactStage {
    /// Drops the impulses of the last step.
    pub(crate) fn begin_step(&mut self) {
        self.problem.clear_impulses();
    }

    /// Adds the impulses of this step to the totals of the substeps, and their contacts to `hits`.
    pub(crate) fn store_impulses(&self, contacts: &mut ContactTable, hits: &mut Vec<u32>) {
        self.problem.store_impulses(contacts, hits);
    }
}
