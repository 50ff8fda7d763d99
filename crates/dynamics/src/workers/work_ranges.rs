//! Work stealing: each worker has a range of the pieces of a stage, and helps with the ranges of others.

use super::Stages;
use super::threads::{Attendance, LEADER, MAX_WORKERS, wait_a_while, wait_until};
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Claims in which a worker takes its own range: few enough to cost little, enough to leave a part of a late
/// worker's range to others.
const CLAIMS_PER_WORKER: usize = 4;

/// The claimed and the completed pieces of a job.
#[derive(Debug)]
pub(super) struct WorkRanges {
    cursors: [Cursor; MAX_WORKERS],
    /// Completed pieces of this job, of all stages.
    done: Counter,
    /// Number of stages of all jobs so far; written by the leader.
    stages: AtomicU32,
}

/// The claimed part of a worker's range: the number of the stage in the upper half, counted from 1 over all
/// jobs, and the next piece in the lower half. On a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Cursor(AtomicU64);

/// A number on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Counter(AtomicU32);

impl Default for WorkRanges {
    fn default() -> Self {
        Self {
            cursors: core::array::from_fn(|_| Cursor::default()),
            done: Counter::default(),
            stages: AtomicU32::new(0),
        }
    }
}

impl WorkRanges {
    /// Begins a job with this number of stages, while no other is in progress. Returns the number of the
    /// first stage.
    pub(super) fn begin(&self, stages: usize) -> u32 {
        self.done.0.store(0, Ordering::Relaxed);
        1 + self.stages.fetch_add(stages as u32, Ordering::Relaxed)
    }

    /// Runs all stages of a job, the first of number `first`, as `worker` of `size`: takes unclaimed pieces
    /// of each stage, and waits until it is complete. Only the leader waits without limit; a worker without
    /// work leaves after a while.
    pub(super) fn work(
        &self,
        worker: usize,
        size: usize,
        stages: &impl Stages,
        first: u32,
    ) -> Attendance {
        let mut target = 0;
        for stage in 0..stages.count() {
            let pieces = stages.pieces(stage);
            if pieces == 0 {
                continue;
            }
            target += pieces as u32;
            let number = first + stage as u32;
            for turn in 0..size {
                let owner = (worker + turn) % size;
                self.take(owner, number, range_of(owner, size, pieces), |pieces| {
                    stages.run(stage, pieces);
                });
                if self.is_done(target) {
                    break;
                }
            }
            let is_done = || self.is_done(target);
            if worker == LEADER {
                wait_until(is_done);
            } else if !wait_a_while(is_done) {
                return Attendance::Leaves;
            }
        }
        Attendance::Stays
    }

    fn is_done(&self, target: u32) -> bool {
        self.done.0.load(Ordering::Acquire) >= target
    }

    /// Runs the unclaimed pieces of the range of `owner`.
    fn take(&self, owner: usize, stage: u32, range: Range<usize>, run: impl Fn(Range<usize>)) {
        let mut count = DoneCount {
            done: &self.done.0,
            count: 0,
        };
        while let Some(pieces) = self.claim(owner, stage, &range) {
            count.count += pieces.len() as u32;
            run(pieces);
        }
    }

    fn claim(&self, owner: usize, stage: u32, range: &Range<usize>) -> Option<Range<usize>> {
        let share = range.len().div_ceil(CLAIMS_PER_WORKER);
        let cursor = &self.cursors[owner].0;
        // Relaxed: the count of completed pieces orders the data of the stages.
        let mut seen = cursor.load(Ordering::Relaxed);
        loop {
            let (of_stage, next) = ((seen >> u32::BITS) as u32, seen as u32 as usize);
            let start = if of_stage == stage { next } else { range.start };
            if of_stage > stage || start >= range.end {
                return None;
            }
            let end = (start + share).min(range.end);
            let claimed = u64::from(stage) << u32::BITS | end as u64;
            let (relaxed, now) = (Ordering::Relaxed, seen);
            match cursor.compare_exchange_weak(now, claimed, relaxed, relaxed) {
                Ok(_) => return Some(start..end),
                Err(other) => seen = other,
            }
        }
    }
}

/// Returns the range of a worker. If there are fewer pieces than workers, the first workers have them.
fn range_of(worker: usize, size: usize, pieces: usize) -> Range<usize> {
    let start = |worker: usize| (worker * pieces).div_ceil(size);
    start(worker)..start(worker + 1)
}

/// Counts pieces as completed when dropped, also by a panic: other workers must not wait for them.
struct DoneCount<'a> {
    done: &'a AtomicU32,
    count: u32,
}

impl Drop for DoneCount<'_> {
    fn drop(&mut self) {
        if self.count > 0 {
            self.done.fetch_add(self.count, Ordering::AcqRel);
        }
    }
}
