//! The threads that work on a step.
//!
//! A step has about a hundred short stages. The thread that steps the world is the leader. The workers spin while
//! they wait for its jobs, since waking a thread takes longer than most stages. The leader waits for a worker only
//! while that has claimed pieces, so a thread that the pool starts late, or never, delays no other. The assignment of
//! pieces to threads never changes a result, since pieces use different data.
//!
//! A worker that waits too long returns its thread to the pool, and the leader starts it again with the next job.
//! This prevents deadlocks with a hook of the user that uses the same pool: the hook waits for a job of the pool, and
//! no worker keeps a thread of the pool until the leader continues. A job then depends only on jobs that began after
//! it. Two alternatives do not work: `rayon::yield_now` in the wait (a thread may start a worker on top of a job that
//! the hook waits for, and the worker would stay until the step is over), and hooks on the leader alone (slow, and a
//! hook that calls into the pool still finds all its threads taken).
//!
//! Each worker first takes the pieces of its own range of a stage, and then the rest of the ranges of others:
//! the data of its range are still in its cache from the last stage.
//!
//! Rejected alternatives: one common queue of pieces (every stage then moves its data from one cache to the other,
//! and pyramids took 1.5 times as long as they should on two threads), a barrier of all workers (which blocks while
//! one of them is not scheduled), and a parallel loop per stage (starting it takes longer than most stages).

use super::pieces::Pieces;
use super::work_ranges::WorkRanges;
use super::{OneStage, Stages};
use cairn2d_broadphase::Workers;
use core::hint::spin_loop;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use rayon::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, OnceLock};

/// The pool of a world.
pub(crate) type Pool = Arc<rayon::ThreadPool>;

/// Most threads of a step: a bit each in [`JobBoard::present`].
pub(super) const MAX_WORKERS: usize = u64::BITS as usize;

/// Number of the leader.
pub(super) const LEADER: usize = 0;

/// A job for all threads; the argument is the number of the worker.
type Job<'a> = dyn Fn(usize) -> Attendance + Sync + 'a;

/// Whether a worker waits for the next job or returns its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attendance {
    Stays,
    Leaves,
}

/// The threads of one step.
pub(crate) struct StepWorkers<'a> {
    board: &'a JobBoard,
    /// Starts the worker of a number on a thread of the pool.
    start: &'a (dyn Fn(usize) + Sync + 'a),
}

/// The job of the leader and the state of the workers, shared by all threads of a step.
struct JobBoard {
    /// Threads, the leading one included.
    size: usize,
    /// Workers that were started and have not left: bit `1 << number`.
    present: AtomicU64,
    /// The current job: a pointer to a `&Job` of the leader; null without a job.
    job: AtomicPtr<()>,
    /// Number of jobs so far.
    number: AtomicU32,
    /// Workers that may use the job pointer.
    inside: AtomicU32,
    over: AtomicBool,
    ranges: WorkRanges,
    /// Payload of the first panic of a worker.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Spins of a wait before the thread yields its core.
const SPINS: u32 = 2000;

/// Yields of a worker before it leaves: half a millisecond if no other process takes the core.
///
/// Starting the worker again takes some ten microseconds. Fewer: workers leave during the single-threaded
/// parts of a step. More: a hook that waits for the pool waits longer, at most once in each stage.
const MAX_YIELDS: u32 = 1000;

/// Waits until `done`, by spinning.
pub(super) fn wait_until(done: impl FnMut() -> bool) {
    wait(done, None);
}

/// Waits until `done`, by spinning, for at most `MAX_YIELDS` yields; returns `true` if it is done.
pub(super) fn wait_a_while(done: impl FnMut() -> bool) -> bool {
    wait(done, Some(MAX_YIELDS))
}

fn wait(mut done: impl FnMut() -> bool, max_yields: Option<u32>) -> bool {
    let (mut spins, mut yields) = (0, 0);
    while !done() {
        if spins < SPINS {
            spins += 1;
            spin_loop();
        } else if max_yields.is_none_or(|max| yields < max) {
            yields = yields.saturating_add(1);
            std::thread::yield_now();
        } else {
            return false;
        }
    }
    true
}

impl JobBoard {
    fn of(size: usize) -> Self {
        Self {
            size,
            present: AtomicU64::new(0),
            job: AtomicPtr::new(ptr::null_mut()),
            number: AtomicU32::new(0),
            inside: AtomicU32::new(0),
            over: AtomicBool::new(false),
            ranges: WorkRanges::default(),
            panic: Mutex::new(None),
        }
    }

    fn lead_in<'board, R>(
        &'board self,
        scope: &rayon::Scope<'board>,
        lead: impl FnOnce(&StepWorkers<'_>) -> R,
    ) -> R {
        let _dismissed = Dismiss(self);
        let workers = StepWorkers {
            board: self,
            start: &|worker| scope.spawn(move |_| self.serve(worker)),
        };
        workers.start_absent(self.size);
        lead(&workers)
    }

    /// Runs jobs until the workers are dismissed, or until there was none for a while.
    fn serve(&self, worker: usize) {
        let mut last = 0;
        loop {
            let is_over = || self.over.load(Ordering::Acquire);
            let is_called =
                wait_a_while(|| self.number.load(Ordering::Acquire) != last || is_over());
            if !is_called || is_over() {
                break;
            }
            last = self.number.load(Ordering::Acquire);
            if self.join_in(worker) == Attendance::Leaves {
                break;
            }
        }
        // The leader may start the worker again from here on.
        self.present.fetch_and(!(1 << worker), Ordering::Release);
    }

    /// Runs the current job, if there is one.
    fn join_in(&self, worker: usize) -> Attendance {
        let mut attendance = Attendance::Stays;
        // The leader clears the pointer, and then waits until `inside` is 0: later workers find null.
        self.inside.fetch_add(1, Ordering::SeqCst);
        let job = self.job.load(Ordering::SeqCst).cast_const();
        if !job.is_null() {
            // SAFETY: the leader's `post` is in progress, and holds the job until `inside` is 0.
            let job = unsafe { *job.cast::<&Job<'_>>() };
            match catch_unwind(AssertUnwindSafe(|| job(worker))) {
                Ok(done) => attendance = done,
                Err(panic) => {
                    if let Ok(mut first) = self.panic.lock() {
                        first.get_or_insert(panic);
                    }
                }
            }
        }
        self.inside.fetch_sub(1, Ordering::Release);
        attendance
    }
}

impl StepWorkers<'_> {
    /// Calls `lead` with `size` threads: this one, and others of `pool`, or of the current pool of rayon.
    ///
    /// # Panics
    /// If `lead` does, or a job on any of the threads.
    pub(crate) fn with<R>(
        size: usize,
        pool: Option<&Pool>,
        lead: impl FnOnce(&StepWorkers<'_>) -> R,
    ) -> R {
        let is_alone = size > 1 && !has_pool_threads();
        let board = JobBoard::of(if is_alone {
            1
        } else {
            size.clamp(1, MAX_WORKERS)
        });
        if board.size == 1 {
            return lead(&StepWorkers {
                board: &board,
                start: &|_| {},
            });
        }
        match pool {
            Some(pool) => pool.in_place_scope(|scope| board.lead_in(scope, lead)),
            None => rayon::in_place_scope(|scope| board.lead_in(scope, lead)),
        }
    }

    /// Runs stages in order, on at most `most` threads. Only the leader may call this, outside jobs.
    ///
    /// # Panics
    /// If a stage does.
    pub(crate) fn run(&self, stages: &impl Stages, most: usize) {
        let size = self.board.size.min(most);
        if size < 2 {
            for stage in 0..stages.count() {
                stages.run(stage, 0..stages.pieces(stage));
            }
            return;
        }
        let ranges = &self.board.ranges;
        let first = ranges.begin(stages.count());
        self.post(size, &|worker| {
            if worker < size {
                ranges.work(worker, size, stages, first)
            } else {
                Attendance::Stays
            }
        });
    }

    /// Calls `task` with each piece and its number, on all threads. Only the leader may call this, outside
    /// jobs.
    ///
    /// # Panics
    /// If `task` does.
    pub(crate) fn share<P: Pieces>(&self, pieces: P, task: impl Fn(usize, P::Piece) + Sync) {
        let task = |index: usize| {
            // SAFETY: each piece is claimed once.
            task(index, unsafe { pieces.piece(index) });
        };
        self.run(&OneStage(pieces.count(), task), self.board.size);
    }

    /// Runs a job on the workers below `size`, and returns when all are done.
    fn post(&self, size: usize, job: &Job<'_>) {
        let board = self.board;
        let posted: *const &Job<'_> = &raw const job;
        board.job.store(posted.cast_mut().cast(), Ordering::SeqCst);
        {
            let _withdrawn = Withdraw(board);
            board.number.fetch_add(1, Ordering::Release);
            self.start_absent(size);
            job(LEADER);
        }
        let panic = board.panic.lock().ok().and_then(|mut panic| panic.take());
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Starts the workers below `size` that have left or were never started.
    fn start_absent(&self, size: usize) {
        let present = &self.board.present;
        let seen = present.load(Ordering::Acquire);
        for worker in 1..size {
            let bit = 1 << worker;
            if seen & bit == 0 {
                present.fetch_or(bit, Ordering::Relaxed);
                (self.start)(worker);
            }
        }
    }
}

/// Dismisses the workers when dropped.
struct Dismiss<'a>(&'a JobBoard);

impl Drop for Dismiss<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Release);
    }
}

/// Withdraws the job when dropped, also by a panic.
struct Withdraw<'a>(&'a JobBoard);

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        self.0.job.store(ptr::null_mut(), Ordering::SeqCst);
        wait_until(|| self.0.inside.load(Ordering::SeqCst) == 0);
    }
}

/// Returns the answer to each item, in order; threads of `pool`, or of the current pool of rayon, take at least `per_task`
/// items at a time.
pub(crate) fn map_on_pool<T: Sync, A: Send>(
    pool: Option<&Pool>,
    per_task: usize,
    items: &[T],
    answer: impl Fn(&T) -> A + Send + Sync,
) -> Vec<A> {
    if !has_pool_threads() {
        return items.iter().map(answer).collect();
    }
    let run = || {
        let tasks = items.par_iter().with_min_len(per_task);
        tasks.map(&answer).collect()
    };
    match pool {
        Some(pool) => pool.install(run),
        None => run(),
    }
}

/// Returns `true` if the threads of pools run in this process.
///
/// A fork copies the memory of a pool, but none of its threads: a job for it would wait forever. So the first process that uses a pool
/// is noted, and processes that are forked from it later work on the calling thread alone; results are the same for any number of threads.
/// Python's `multiprocessing` forks like that. A child could make a pool of its own, but not in place of rayon's global one.
fn has_pool_threads() -> bool {
    static POOL_PROCESS: OnceLock<u32> = OnceLock::new();
    let process = std::process::id();
    *POOL_PROCESS.get_or_init(|| process) == process
}

impl Workers for StepWorkers<'_> {
    fn count(&self) -> usize {
        self.board.size
    }
    fn for_each(&self, pieces: usize, task: &(dyn Fn(usize) + Sync)) {
        self.run(&OneStage(pieces, task), self.board.size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workers::Chunks;
    use core::ops::Range;
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
                let neighbor = (piece + 1) % self.cells.len();
                let before = (0..stage).filter(|s| s % 7 != 3).count();
                assert!(self.cells[neighbor].load(Ordering::Relaxed) >= before);
                self.cells[piece].fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn stages_run_in_order_for_any_number_of_threads() {
        for size in [1, 2, 3, 8] {
            for cells in [1, 2, 23] {
                let chain = Chain {
                    cells: (0..cells).map(|_| AtomicUsize::new(0)).collect(),
                    stages: 50,
                };
                // Jobs of the same workers, one after the other.
                StepWorkers::with(size, None, |workers| {
                    workers.run(&chain, 2);
                    workers.run(&chain, 64);
                });
                let expected = 2 * (0..50).filter(|s| s % 7 != 3).count();
                for cell in &chain.cells {
                    assert_eq!(cell.load(Ordering::Relaxed), expected);
                }
            }
        }
    }

    #[test]
    fn every_piece_is_handed_out_once() {
        let mut numbers: Vec<usize> = (0..1000).collect();
        let mut sums = vec![0; 1000_usize.div_ceil(7)];
        StepWorkers::with(4, None, |workers| {
            let pieces = (Chunks::new(&mut numbers, 7), Chunks::new(&mut sums, 1));
            workers.share(pieces, |index, (numbers, sum)| {
                assert_eq!(numbers[0], 7 * index);
                sum[0] += numbers.iter().sum::<usize>();
                numbers.fill(0);
            });
        });
        assert_eq!(sums.iter().sum::<usize>(), 999 * 1000 / 2);
        assert!(numbers.iter().all(|&number| number == 0));
    }

    #[test]
    fn panic_of_a_job_reaches_the_caller_and_leaves_no_one_waiting() {
        for guilty in [0, 99] {
            let caught = catch_unwind(|| {
                StepWorkers::with(3, None, |workers| {
                    workers.run(&OneStage(100, |piece| assert_ne!(piece, guilty)), 3);
                });
            });
            assert!(caught.is_err());
        }
    }

    #[test]
    fn idle_worker_gives_its_thread_back_and_comes_again() {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .map(Arc::new)
            .expect("a pool of one");
        // A worker that is about to leave misses a job: some rounds pass without it.
        let comes = |workers: &StepWorkers<'_>| {
            // The only thread of the pool is the worker's.
            assert_eq!(pool.install(|| 7), 7);
            let (arrived, threads) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
            let meet = |_| {
                arrived.fetch_add(1, Ordering::SeqCst);
                wait_a_while(|| arrived.load(Ordering::SeqCst) == 2);
                let mut threads = threads.lock().expect("no panic");
                threads.push(std::thread::current().id());
            };
            workers.run(&OneStage(2, meet), 2);
            let threads = threads.into_inner().expect("no panic");
            threads.len() == 2 && threads[0] != threads[1]
        };
        let rounds = StepWorkers::with(2, Some(&pool), |workers| {
            (0..1000).filter(|_| comes(workers)).take(3).count()
        });
        assert_eq!(rounds, 3);
    }

    #[test]
    fn pool_of_the_caller_is_used_from_inside_and_outside() {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .build()
            .map(Arc::new)
            .expect("a pool of two");
        let done = AtomicUsize::new(0);
        let step = || {
            StepWorkers::with(2, Some(&pool), |workers| {
                workers.run(
                    &OneStage(10, |_| {
                        done.fetch_add(1, Ordering::Relaxed);
                    }),
                    2,
                );
            });
        };
        step();
        pool.install(step);
        assert_eq!(done.into_inner(), 20);
    }
}
