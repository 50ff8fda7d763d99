//! The workers of a step: the threads of a pool, or the calling thread in builds without the feature `threads`.
//!
//! Both have one interface: `StepWorkers`, `Pool` and [`map_on_pool`].

#[cfg(not(feature = "threads"))]
mod alone;
mod pieces;
#[cfg(feature = "threads")]
mod threads;
#[cfg(feature = "threads")]
mod work_ranges;

#[cfg(not(feature = "threads"))]
pub(crate) use alone::{LoneWorker as StepWorkers, NoPool as Pool, map_on_pool};
pub(crate) use pieces::{Chunks, Selected};
#[cfg(feature = "threads")]
pub(crate) use threads::{Pool, StepWorkers, map_on_pool};

use core::ops::Range;

/// A list of stages that run one after the other.
pub(crate) trait Stages: Sync {
    /// Number of stages.
    fn count(&self) -> usize;
    /// Number of pieces of a stage; they use different data.
    fn pieces(&self, stage: usize) -> usize;
    /// Runs the given pieces of a stage.
    fn run(&self, stage: usize, pieces: Range<usize>);
}

/// One stage: a number of pieces, and the task for each.
struct OneStage<F>(usize, F);

impl<F: Fn(usize) + Sync> Stages for OneStage<F> {
    fn count(&self) -> usize {
        1
    }
    fn pieces(&self, _: usize) -> usize {
        self.0
    }
    fn run(&self, _: usize, pieces: Range<usize>) {
        pieces.for_each(&self.1);
    }
}
