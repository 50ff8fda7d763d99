//! All joints of a world: cold records under ids, hot records in arrays beside them.

use crate::graph::GraphPlace;
use crate::id::{Slots, WorldMark, kind};
use crate::joint::JointDef;
use crate::joint::sim::{JointSim, JointTraits};
use cairn2d_geometry::{HashState, StateHasher};

/// What is rarely needed of a joint.
#[derive(Clone, Debug)]
pub(crate) struct JointRecord {
    pub(crate) def: JointDef,
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// Place in the constraint graph, while awake.
    pub(crate) graph: GraphPlace,
    /// Both bodies are enabled and at least one is dynamic.
    pub(crate) active: bool,
}

/// Joints by slot; the arrays are as long as the largest slot ever used.
#[derive(Clone, Debug)]
pub(crate) struct JointTable {
    pub(crate) slots: Slots<kind::Joint, JointRecord>,
    pub(crate) sims: Vec<JointSim>,
    pub(crate) traits: Vec<JointTraits>,
}

/// The hot records of joints that exist: a new joint resets them.
impl HashState for JointTable {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slots,
            sims,
            traits,
        } = self;
        hash.add(slots);
        for (slot, _) in slots.iter() {
            let slot = slot as usize;
            hash.add(&sims[slot]).add(&traits[slot]);
        }
    }
}

impl JointTable {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            slots: Slots::new(mark),
            sims: Vec::new(),
            traits: Vec::new(),
        }
    }
}
