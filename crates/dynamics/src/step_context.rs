//! Constants of one step that every stage reads.

use crate::world_def::WorldDef;

/// The definition of the world and the length of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext<'a> {
    pub(crate) def: &'a WorldDef,
    /// Length of the step [s].
    pub(crate) dt: f32,
    /// Length of the world's substeps in the last step \[s\]; 0 before the first one was solved.
    pub(crate) last_h: f32,
    /// Number of steps taken before this one.
    pub(crate) steps: u64,
}

impl<'a> StepContext<'a> {
    pub(crate) fn new(def: &'a WorldDef, dt: f32, last_h: f32, steps: u64) -> Self {
        Self {
            def,
            dt,
            last_h,
            steps,
        }
    }
}
