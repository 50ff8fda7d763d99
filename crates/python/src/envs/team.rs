//! The threads of a batch: the calling thread and helpers, which share the environments of a call.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work of a call below which the calling thread does all of it: helpers take some ten microseconds to wake up.
const MIN_SHARED_WORK: Duration = Duration::from_micros(150);

/// Pieces of the work for each thread: environments differ in cost, so the last piece should be small.
const PIECES: usize = 8;

/// Longest time for which the calling thread looks for the end of the helpers' work before it sleeps until then: to wake up takes
/// longer than a piece of the work.
const MAX_SPIN: Duration = Duration::from_micros(200);

/// The calling thread and its helpers.
pub(crate) struct Team {
    helpers: Option<ThreadPool>,
    threads: usize,
    /// Time of the last call on all threads that shared it.
    last_work: Duration,
}

impl Team {
    /// Makes a team of `threads` threads, the calling one among them.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let helpers = if threads > 1 {
            let pool = ThreadPoolBuilder::new().num_threads(threads - 1);
            Some(pool.build()?)
        } else {
            None
        };
        Ok(Self {
            helpers,
            threads,
            last_work: Duration::MAX,
        })
    }

    /// Runs `task` for each item with its `len` numbers of `rows`. The order is no part of the results.
    pub(crate) fn for_each<T: Send>(
        &mut self,
        items: &mut [T],
        (rows, len): (&[f32], usize),
        task: impl Fn(&mut T, &[f32]) + Sync,
    ) {
        let start = Instant::now();
        let run = |items: &mut [T], rows: &[f32]| {
            let pairs = items.iter_mut().zip(rows.chunks_exact(len));
            pairs.for_each(|(item, row)| task(item, row));
        };
        match &self.helpers {
            Some(helpers) if self.last_work >= MIN_SHARED_WORK => {
                let piece = items.len().div_ceil(PIECES * self.threads);
                let pieces = items.chunks_mut(piece).zip(rows.chunks(piece * len));
                let queue = Mutex::new(pieces);
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let busy = AtomicUsize::new(self.threads);
                let work = || {
                    while let Some((items, rows)) = next() {
                        run(items, rows);
                    }
                    busy.fetch_sub(1, Ordering::Release);
                };
                helpers.in_place_scope(|scope| {
                    (1..self.threads).for_each(|_| scope.spawn(|_| work()));
                    work();
                    let end = Instant::now();
                    while busy.load(Ordering::Acquire) > 0 && end.elapsed() < MAX_SPIN {
                        core::hint::spin_loop();
                    }
                });
                self.last_work = start.elapsed() * self.threads as u32;
            }
            _ => {
                run(items, rows);
                self.last_work = start.elapsed();
            }
        }
    }
}
