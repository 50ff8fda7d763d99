//! Who does which pieces of a stage.

use super::{Attendance, LEADER, MAX_WORKERS, Stages, wait_a_while, wait_until};
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// WorkRanges that a worker makes on its own pieces of a stage: few enough to cost little, enough that others find something
/// left of the pieces of a late one.
const CLAIMS_PER_WORKER: usize = 4;

/// What is claimed and done of the stages of a job.
#[derive(Debug)]
pub(super) struct WorkRanges {
    cursors: [Cursor; MAX_WORKERS],
    /// Pieces of this job that are done, of all stages.
    done: Counter,
    /// Stages of all jobs so far; written by the leader.
    stages: AtomicU32,
}

/// How far the pieces at a worker's place are claimed: the number of the stage, counted from 1 on over all jobs, in the upper
/// half, and the next piece in the lower. On a cache line of its own.
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
    /// Begins a job of so many stages; nobody works on another one. Returns the number of the first.
    pub(super) fn begin(&self, stages: usize) -> u32 {
        self.done.0.store(0, Ordering::Relaxed);
        1 + self.stages.fetch_add(stages as u32, Ordering::Relaxed)
    }

    /// Goes through all stages of a job, the first of number `first`, as `worker` of a workers of `size`: takes what is left of each, and
    /// waits until it is done. Only the leader waits to the end: a worker for which nothing is left to do for a while leaves.
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
                self.take(owner, number, place_of(owner, size, pieces), |pieces| {
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

    /// Does what is not claimed yet of the pieces at the place of `owner`.
    fn take(&self, owner: usize, stage: u32, place: Range<usize>, run: impl Fn(Range<usize>)) {
        let mut count = DoneCount {
            done: &self.done.0,
            count: 0,
        };
        while let Some(pieces) = self.claim(owner, stage, &place) {
            count.count += pieces.len() as u32;
            run(pieces);
        }
    }

    fn claim(&self, owner: usize, stage: u32, place: &Range<usize>) -> Option<Range<usize>> {
        let share = place.len().div_ceil(CLAIMS_PER_WORKER);
        let cursor = &self.cursors[owner].0;
        // What the pieces' data depends on is ordered by the count of what is done.
        let mut seen = cursor.load(Ordering::Relaxed);
        loop {
            let (of_stage, next) = ((seen >> u32::BITS) as u32, seen as u32 as usize);
            let start = if of_stage == stage { next } else { place.start };
            if of_stage > stage || start >= place.end {
                return None;
            }
            let end = (start + share).min(place.end);
            let claimed = u64::from(stage) << u32::BITS | end as u64;
            let (relaxed, now) = (Ordering::Relaxed, seen);
            match cursor.compare_exchange_weak(now, claimed, relaxed, relaxed) {
                Ok(_) => return Some(start..end),
                Err(other) => seen = other,
            }
        }
    }
}

/// The pieces that a worker takes first: few pieces are the first workers'.
fn place_of(worker: usize, size: usize, pieces: usize) -> Range<usize> {
    let start = |worker: usize| (worker * pieces).div_ceil(size);
    start(worker)..start(worker + 1)
}

/// Counts pieces as done when dropped, also by a panic: the others must not wait for them.
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
