//! The constraints that the substeps iterate, while others of the graph are solved by Newton's method.

use super::batches::UsedLists;
use crate::body::table::BodyTable;
use crate::graph::{COLORS, ConstraintGraph, ConstraintList};
use crate::id::NO_SLOT;
use crate::island::set::IslandSet;

/// Lists by color. Filled in steps in which Newton's method solves islands; no part of the
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
        let is_iterated = |owner: u32| {
            owner == NO_SLOT || {
                let island = bodies.tracks[owner as usize].island;
                !islands.newton.contains(island)
            }
        };
        for color in graph.used_colors().chain([COLORS]) {
            let contacts = graph.colors[color].contacts.iter();
            let iterated = contacts.filter(|&(_, owner)| is_iterated(owner));
            let list = &mut self.contacts[color];
            list.clear();
            iterated.for_each(|(slot, owner)| list.push(slot, owner));
        }
    }

    /// Returns the lists of these contacts, and of all joints.
    pub(crate) fn lists<'a>(&'a self, graph: &'a ConstraintGraph) -> UsedLists<'a> {
        let colors = graph.used_colors().chain([COLORS]);
        let lists = colors.map(|color| [&self.contacts[color], &graph.colors[color].joints]);
        lists.collect()
    }
}

/// Returns the lists of the whole graph.
pub(crate) fn lists_of(graph: &ConstraintGraph) -> UsedLists<'_> {
    let colors = graph.used_colors().chain([COLORS]);
    let lists = colors.map(|color| &graph.colors[color]);
    lists
        .map(|lists| [&lists.contacts, &lists.joints])
        .collect()
}
