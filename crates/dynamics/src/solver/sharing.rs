//! Distribution of a step to workers: island batches, and the stages of large islands.

use super::batches::IslandBatches;
use super::stages::{ALL_PIECES, StagedStep, StepPlan, Workspace};
use crate::workers::Stages;
use cairn2d_simd::Lanes;
use core::hint::spin_loop;
use core::ops::Range;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// The memory of a worker that solves batches.
#[derive(Debug)]
pub(super) struct BatchWorkspace<L: Lanes> {
    workspace: Workspace<L>,
    /// Contacts that closed fast.
    pub(super) fast: Vec<u32>,
}

impl<L: Lanes> BatchWorkspace<L> {
    pub(super) fn new(simd: L::Simd) -> Self {
        Self {
            workspace: Workspace::new(simd),
            fast: Vec::new(),
        }
    }
}

/// Island batches as one stage, with one piece of work for each batch.
pub(super) struct BatchJob<'a, L: Lanes> {
    pub(super) plan: &'a StepPlan<'a>,
    pub(super) batches: &'a IslandBatches,
    pub(super) workspaces: &'a [Mutex<BatchWorkspace<L>>],
}

impl<L: Lanes> BatchJob<'_, L> {
    /// Returns an unused workspace.
    ///
    /// There are as many as workers, and a worker locks one at a time, so one is free at each moment. A
    /// search may miss it only if another worker changes workspaces during the search; the next search
    /// follows at once.
    fn free_workspace(&self) -> MutexGuard<'_, BatchWorkspace<L>> {
        loop {
            for workspace in self.workspaces {
                match workspace.try_lock() {
                    Ok(workspace) => return workspace,
                    Err(TryLockError::Poisoned(workspace)) => return workspace.into_inner(),
                    Err(TryLockError::WouldBlock) => {}
                }
            }
            spin_loop();
        }
    }
}

impl<L: Lanes> Stages for BatchJob<'_, L> {
    fn count(&self) -> usize {
        1
    }

    fn pieces(&self, _: usize) -> usize {
        self.batches.count()
    }

    fn run(&self, _: usize, pieces: Range<usize>) {
        let mut guard = self.free_workspace();
        let BatchWorkspace { workspace, fast } = &mut *guard;
        for batch in pieces {
            let lists = self.batches.lists(batch);
            workspace
                .lay_out(self.plan, &lists, self.batches.bodies(batch))
                .run();
            workspace.list_fast(fast);
        }
    }
}

/// The stages of a step that all workers share.
pub(super) struct SharedStages<'a, L: Lanes> {
    pub(super) step: StagedStep<'a, L>,
    /// Runs of stages without a barrier between them: one stage, or several that are too short to be shared.
    pub(super) runs: &'a [Range<usize>],
}

/// Blocks of constraints from which several workers share a step. The bodies of a pile travel from cache to
/// cache with every color: on two threads 314 blocks of a drum took 1.3 times as long, 714 of a stirred heap
/// a tenth less.
const BLOCKS_TO_SHARE: usize = 384;

/// Blocks of constraints for each worker.
const BLOCKS_PER_WORKER: usize = 128;

/// Pieces from which a stage is shared: a barrier takes as long as some ten pieces.
const PIECES_TO_SHARE: usize = 8;

/// Returns the number of workers that share a step of `blocks` blocks of constraints.
pub(super) fn workers_for(blocks: usize) -> usize {
    if blocks < BLOCKS_TO_SHARE {
        1
    } else {
        blocks / BLOCKS_PER_WORKER
    }
}

/// Lists the runs of stages: successive short stages follow each other on one worker.
pub(super) fn list_runs<L: Lanes>(runs: &mut Vec<Range<usize>>, step: &StagedStep<'_, L>) {
    let is_short = |stage: usize| step.pieces_of(stage) < PIECES_TO_SHARE;
    runs.clear();
    for stage in 0..step.count() {
        match runs.last_mut() {
            Some(run) if is_short(run.start) && is_short(stage) => run.end = stage + 1,
            _ => runs.push(stage..stage + 1),
        }
    }
}

impl<L: Lanes> Stages for SharedStages<'_, L> {
    fn count(&self) -> usize {
        self.runs.len()
    }

    fn pieces(&self, run: usize) -> usize {
        let stages = &self.runs[run];
        match stages.len() {
            1 => self.step.pieces_of(stages.start),
            _ => 1,
        }
    }

    fn run(&self, run: usize, pieces: Range<usize>) {
        let stages = self.runs[run].clone();
        let pieces = if stages.len() == 1 {
            pieces
        } else {
            ALL_PIECES
        };
        self.step.run_stages(stages, pieces);
    }
}
