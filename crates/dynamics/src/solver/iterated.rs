//! The constraints that the substeps iterate, while others of the graph are solved by Newton's method.

use super::batches::OwnedLists;
use crate::body::table::BodyTable;
use crate::graph::{COLORS, ConstraintGraph, ConstraintList};
use crate::id::NO_SLOT;
use crate::island::set::IslandSet;

/// Lists by color, the overflow last. Filled in steps in which Newton's method solves islands; no part of the
/// state.
#[derive(Clone, Debug, Default)]
pub(crate) struct IteratedLists {
    contacts: Vec<ConstraintList>,
}

impl IteratedLists {
    /// Lists the contacts of all islands but those of Newton's method. Their joints have a class of their own.
    pub(crate) fn fill(
        &mut self,
        graph: &ConstraintGraph,
        bodies: &BodyTable,
        islands: &IslandSet,
    ) {
        self.contacts
            .resize_with(COLORS + 1, ConstraintList::default);
        self.contacts.iter_mut().for_each(ConstraintList::clear);
        let is_iterated = |owner: u32| {
            owner == NO_SLOT || {
                let island = bodies.tracks[owner as usize].island;
                !islands.newton.contains(island)
            }
        };
        for (list, color) in self.contacts.iter_mut().zip(&graph.colors) {
            let iterated = color
                .contacts
                .iter()
                .filter(|&(_, owner)| is_iterated(owner));
            iterated.for_each(|(slot, owner)| list.push(slot, owner));
        }
    }

    /// Returns the lists of these contacts, and of all joints.
    pub(crate) fn lists<'a>(&'a self, graph: &'a ConstraintGraph) -> [OwnedLists<'a>; COLORS + 1] {
        core::array::from_fn(|color| [&self.contacts[color], &graph.colors[color].joints])
    }
}

/// Returns the lists of the whole graph by color, the overflow last.
pub(crate) fn lists_of(graph: &ConstraintGraph) -> [OwnedLists<'_>; COLORS + 1] {
    core::array::from_fn(|color| {
        let color = &graph.colors[color];
        [&color.contacts, &color.joints]
    })
}
