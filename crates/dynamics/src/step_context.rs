//! Constants of one step that every stage reads.

use crate::world_def::WorldDef;

/// The definition of the world and the length of the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext<'a> {
    pub(crate) def: &'a WorldDef,
    /// Length of the step [s].
    pub(crate) dt: f32,
    /// Length of the world's substeps in the last step \[s\]; 0 before the end of the first step.
    pub(crate) last_h: f32,
    /// Number of steps taken before this one.
    pub(crate) steps: u64,
}
