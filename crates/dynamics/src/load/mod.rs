//! Static loads: islands rest under the weight that they carry.
//!
//! A soft contact under a load `f` sinks in by its *static deflection* `f / (mass w^2)`. Two measures keep that
//! small: Newton's method solves islands with large deflections, which `strain.rs` finds, and a pile that
//! comes into being starts with its static equilibrium (`static_load.rs`).

pub(crate) mod deflection;
pub(crate) mod rest_load;
pub(crate) mod structure;
pub(crate) mod strain;
pub(crate) mod body_equilibrium;
pub(crate) mod pile_equilibrium;
pub(crate) mod static_load;
#[cfg(test)]
mod tests;

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::island::set::IslandSet;
use crate::joint::table::JointTable;
use crate::links::LinkTables;
use static_load::StaticLoads;

/// Scratch memory of the load stages. Results do not depend on its contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadStage {
    /// Islands that are evaluated in this step.
    evaluated: Vec<u32>,
    static_loads: StaticLoads,
}

/// The tables that the load stages read and write.
#[derive(Debug)]
pub(crate) struct LoadTables<'a> {
    pub(crate) bodies: &'a BodyTable,
    /// Rest loads, stored impulses and friction anchors are written.
    pub(crate) contacts: &'a mut ContactTable,
    pub(crate) joints: &'a JointTable,
    /// Records of loads are written.
    pub(crate) islands: &'a mut IslandSet,
}

impl LoadTables<'_> {
    /// Returns the tables that links follow from.
    pub(crate) fn links(&self) -> LinkTables<'_> {
        LinkTables {
            bodies: self.bodies,
            contacts: self.contacts,
            joints: self.joints,
        }
    }
}
