//! Links: the contacts and joints of the constraint graph, as edges between bodies.

use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::island::set::NO_ISLAND;
use crate::joint::table::JointTable;

/// The tables from which links follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkTables<'a> {
    pub(crate) bodies: &'a BodyTable,
    pub(crate) contacts: &'a ContactTable,
    pub(crate) joints: &'a JointTable,
}

/// Returns the body at which a loop over the contacts of the bodies of an island visits a contact, so that it
/// visits each once: B, unless B is in no island.
pub(crate) fn visiting_body(table: &BodyTable, [a, b]: [u32; 2]) -> u32 {
    if table.tracks[b as usize].island == NO_ISLAND {
        a
    } else {
        b
    }
}
