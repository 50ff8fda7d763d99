//! Impacts that are solved before the substeps: bodies of high mass ratio, and fast bodies on static ground.
//!
//! The substeps are Gauss-Seidel sweeps with soft contacts. They spread an impact over some steps, pass it
//! along a chain of contacts link by link, and know no points beyond the speculative distance. Two kinds of
//! impacts need more: a heavy body that hits a light one (`heavy_impact.rs`), and a body that hits static
//! ground at several points (`static_impact.rs`). All contact points that take part form one linear
//! complementarity problem with friction (`solve.rs`). Its impulses change the velocities with which the
//! substeps begin.

pub(crate) mod mass_ratio;
mod speculative_vertices;
mod rows;
mod solve;
mod heavy_impact;
pub(crate) mod static_impact;
pub(crate) mod warm_start_reset;

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::mechanisms::Mechanisms;
use crate::shape::table::ShapeTable;
use heavy_impact::HeavyImpacts;
use solve::ImpactProblem;
use static_impact::StaticImpacts;

/// The stages that solve impacts, and their memory. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpactStage {
    heavy: HeavyImpacts,
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
    pub(crate) mechanisms: Mechanisms,
}

impl ImpactStage {
    /// Drops the impulses of the last step.
    pub(crate) fn begin_step(&mut self) {
        self.heavy.clear();
        self.problem.clear_impulses();
    }

    /// Adds the impulses of this step to the totals of the substeps, and their contacts to `hits`.
    pub(crate) fn store_impulses(&self, contacts: &mut ContactTable, hits: &mut Vec<u32>) {
        self.problem.store_impulses(contacts, hits);
    }
}
