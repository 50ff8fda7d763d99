//! Work of a step, by which keyframes are placed: an estimate of its time that is the same on every machine.

use crate::world::World;

/// Work of a step in which everything sleeps: its fixed stages. Work is counted in awake bodies, contacts and joints, up
/// to a fifth of a microsecond each.
const FIXED_WORK: u64 = 32;

/// Work of a body of a linkage that is solved directly, a joint to each: as much of the solver's budget.
const LINKAGE_WORK: u64 = 32;

impl World {
    /// Returns the work of the last step.
    pub(crate) fn last_work(&self) -> u64 {
        let islands = &self.islands;
        let awake = |island: &u32| islands.awake.contains(*island);
        let record = |island: u32| &islands.slots[island as usize];
        // The unit of the budget, a thousand operations, takes about as long as that of this work.
        let newton = islands.newton.iter().filter(awake);
        let newton: u64 = newton
            .map(|island| u64::from(record(island).newton.work))
            .sum();
        let direct = islands.direct.iter().filter(awake);
        let linked: usize = direct.map(|island| record(island).bodies.len()).sum();
        let constraints = self.counters.awake_contacts + self.graph.joints();
        let iterated = self.scratch.awake.len() + constraints;
        FIXED_WORK + iterated as u64 + LINKAGE_WORK * linked as u64 + newton
    }
}
