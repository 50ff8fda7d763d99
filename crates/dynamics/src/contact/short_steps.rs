//! Loads of contacts across steps of different length.
//!
//! A contact stores the impulses of a substep, and the next step starts from them, scaled to the length of its own
//! substeps. But an impulse consists of a load times the length of the substep and a remainder of corrections that
//! have not converged, which is no load. In alternating steps of 1/240 and 1/20 s, twelve times this remainder threw
//! a stack of ten boxes 88 m high. So the load of a step that is shorter than the ones before counts in proportion to
//! its length: `f = (1 - h / l) f + (h / l) x / h`, with the length `l` of the substeps to which the stored impulses
//! refer ([`StepHistory::last_h`]). When the remainder is scaled up later, it is no larger than before. In steps of
//! equal length h = l, and nothing changes.

use super::table::ContactTable;
use crate::graph::ConstraintGraph;
use crate::step_context::StepHistory;

/// The impulses that contacts had stored before a step that is shorter than the ones before. This is memory only, no
/// state.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadsBefore {
    /// Contact slots, and the impulses of both points, normal and tangent, and of rolling.
    contacts: Vec<(u32, [f32; 5])>,
    /// Length of the substeps to which they refer \[s\].
    length: f32,
}

impl LoadsBefore {
    /// Keeps the impulses of the contacts in the graph, if the substeps of `h` \[s\] are shorter than those
    /// to which they refer.
    pub(crate) fn keep(
        &mut self,
        history: &StepHistory,
        h: f32,
        graph: &ConstraintGraph,
        contacts: &ContactTable,
    ) {
        self.contacts.clear();
        self.length = history.last_h;
        if history.length_after(h) == h {
            return;
        }
        for &slot in graph.colors.iter().flat_map(|color| &color.contacts.slots) {
            self.contacts.push((slot, contacts.stored_impulses(slot)));
        }
    }

    /// Adds these impulses to those of the step with substeps of `h` \[s\], by the law above. From then on they refer
    /// to substeps of `length` \[s\].
    pub(crate) fn add_to_step(&self, h: f32, length: f32, contacts: &mut ContactTable) {
        let (scale, kept) = (length / self.length, 1.0 - h / self.length);
        for &(slot, before) in &self.contacts {
            let step = contacts.stored_impulses(slot);
            let mean = |i: usize| scale * (kept * before[i] + step[i]);
            contacts.store_impulses(slot, core::array::from_fn(mean));
        }
    }
}
