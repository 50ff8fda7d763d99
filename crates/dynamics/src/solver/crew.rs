//! Several threads that run one list of stages: pieces of work are claimed, and a stage ends when all its pieces are done.
//!
//! There are some hundred short stages a step, so threads meet by spinning on a counter. No thread is
//! waited for but by its claimed pieces: a worker that the pool starts late, or never, holds up nobody. Which
//! thread does which piece changes nothing in the result, since pieces of a stage touch different data.
//! Rivals: a barrier of all workers (stands still while one of them is not scheduled), a parallel loop per stage
//! (costs more than most stages take).

use core::hint::spin_loop;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

/// How many threads a step may use, and whose.
#[derive(Clone, Copy)]
pub(crate) struct Threads<'a> {
    /// At least 1; with 1 nothing of this is used.
    pub(crate) count: usize,
    /// `None` is rayon's global pool.
    pub(crate) pool: Option<&'a rayon::ThreadPool>,
}

/// A list of stages.
pub(crate) trait Stages: Sync {
    /// Number of stages.
    fn count(&self) -> usize;
    /// Number of pieces of a stage.
    fn pieces(&self, stage: usize) -> usize;
    /// Does the given pieces of a stage.
    fn run(&self, stage: usize, pieces: Range<usize>);
}

/// Counters of a stage.
#[derive(Debug, Default)]
struct Progress {
    claimed: AtomicU32,
    done: AtomicU32,
}

/// Memory of the crew.
#[derive(Debug, Default)]
pub(crate) struct Crew {
    progress: Vec<Progress>,
}

/// Pieces that a worker claims at once are such that each worker claims about this often in a stage: few enough claims to cost
/// little, enough that a late worker finds something left.
const CLAIMS_PER_WORKER: usize = 3;

/// Looks at a counter before the thread offers its place to others.
const SPINS: u32 = 2000;

impl Crew {
    /// Runs all stages in order.
    pub(crate) fn run(&mut self, stages: &impl Stages, threads: Threads<'_>) {
        if threads.count < 2 {
            for stage in 0..stages.count() {
                stages.run(stage, 0..stages.pieces(stage));
            }
            return;
        }
        self.progress.clear();
        self.progress.resize_with(stages.count(), Progress::default);
        let progress = &self.progress[..];
        let start = || spread(stages, progress, threads.count, threads.count);
        match threads.pool {
            Some(pool) => pool.install(start),
            None => start(),
        }
    }
}

/// Starts `workers` of a crew of `crew`: halves go to other threads where there are any, without allocating.
fn spread(stages: &impl Stages, progress: &[Progress], workers: usize, crew: usize) {
    if workers == 1 {
        work(stages, progress, crew);
    } else {
        let half = workers / 2;
        rayon::join(
            || spread(stages, progress, workers - half, crew),
            || spread(stages, progress, half, crew),
        );
    }
}

/// Goes through all stages: takes what is left of each, and waits until it is done.
fn work(stages: &impl Stages, progress: &[Progress], crew: usize) {
    for (stage, counters) in progress.iter().enumerate() {
        let pieces = stages.pieces(stage);
        let share = pieces.div_ceil(crew * CLAIMS_PER_WORKER).max(1);
        loop {
            let start = counters.claimed.fetch_add(share as u32, Ordering::Relaxed) as usize;
            if start >= pieces {
                break;
            }
            let end = (start + share).min(pieces);
            stages.run(stage, start..end);
            counters
                .done
                .fetch_add((end - start) as u32, Ordering::Release);
        }
        let mut spins = 0;
        while (counters.done.load(Ordering::Acquire) as usize) < pieces {
            spins += 1;
            if spins < SPINS {
                spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicUsize;

    /// Each stage adds its number to all cells, and checks that the stage before is complete.
    struct Chain {
        cells: Vec<AtomicUsize>,
        stages: usize,
    }

    impl Stages for Chain {
        fn count(&self) -> usize {
            self.stages
        }
        fn pieces(&self, stage: usize) -> usize {
            if stage % 7 == 3 { 0 } else { self.cells.len() }
        }
        fn run(&self, stage: usize, pieces: Range<usize>) {
            for piece in pieces {
                let neighbour = (piece + 1) % self.cells.len();
                let before = (0..stage).filter(|s| s % 7 != 3).count();
                assert!(self.cells[neighbour].load(Ordering::Relaxed) >= before);
                self.cells[piece].fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn stages_run_in_order_for_any_number_of_threads() {
        for count in [1, 2, 3, 8] {
            let chain = Chain {
                cells: (0..23).map(|_| AtomicUsize::new(0)).collect(),
                stages: 50,
            };
            let threads = Threads { count, pool: None };
            Crew::default().run(&chain, threads);
            let expected = (0..50).filter(|s| s % 7 != 3).count();
            for cell in &chain.cells {
                assert_eq!(cell.load(Ordering::Relaxed), expected);
            }
        }
    }
}
