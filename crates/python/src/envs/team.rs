//! The threads of a batch: the calling thread and helpers, which share the environments of a call.
//!
//! A call lasts for some hundred microseconds, and a thread that sleeps takes almost as long to wake up. So helpers spin for a while
//! before they sleep, and nobody waits for a helper that has not begun: the calling thread does the remaining work. With the pool
//! of rayon, which wakes its threads for each call, landers made two thirds of the steps. A process that was forked has no helpers, and
//! goes on without them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Thread};
use std::time::{Duration, Instant};

/// Work of a call below which the calling thread does all of it.
const MIN_SHARED_WORK: Duration = Duration::from_micros(50);

/// Pieces of the work for each thread: environments differ in cost, so the last piece should be small.
const PIECES: usize = 8;

/// Time for which a helper looks for the next call before it sleeps.
const MAX_SPIN: Duration = Duration::from_micros(200);

/// Work on an item with its row of numbers.
type Task<T> = dyn Fn(&mut T, &[f32]) + Send + Sync;

/// Neighboring items.
struct Piece<T> {
    items: Mutex<Vec<T>>,
    is_taken: AtomicBool,
}

/// One call: the items in pieces.
struct Job<T> {
    pieces: Vec<Piece<T>>,
    /// Numbers of the items, `len` for each.
    rows: Vec<f32>,
    len: usize,
    /// Items of a piece.
    size: usize,
    task: Box<Task<T>>,
    /// Number of finished pieces.
    finished: AtomicUsize,
    /// The last panic of a task.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The present call, for the helpers.
struct Board<T> {
    job: Mutex<Option<Arc<Job<T>>>>,
    /// Number of calls so far.
    number: AtomicU64,
    is_over: AtomicBool,
}

/// The calling thread and its helpers.
pub(crate) struct Team<T> {
    board: Arc<Board<T>>,
    helpers: Vec<Thread>,
    /// Process of the helpers. Another one was forked from it, perhaps while a helper held a lock.
    process: u32,
    /// Time of the last call on all threads that shared it.
    last_work: Duration,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Send + 'static> Team<T> {
    /// Makes a team of `threads` threads, the calling one among them.
    pub(crate) fn new(threads: usize) -> std::io::Result<Self> {
        let board = Arc::new(Board {
            job: Mutex::new(None),
            number: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        });
        let mut team = Self {
            board,
            helpers: Vec::new(),
            process: std::process::id(),
            last_work: Duration::MAX,
        };
        for number in 1..threads {
            let board = Arc::clone(&team.board);
            let helper = Builder::new().spawn(move || board.serve(number))?;
            team.helpers.push(helper.thread().clone());
        }
        Ok(team)
    }

    /// Runs `task` for each item with its `len` numbers of `rows`. The order is no part of the results.
    ///
    /// # Panics
    ///
    /// If a task does, after all items.
    pub(crate) fn for_each(
        &mut self,
        items: &mut Vec<T>,
        (rows, len): (Vec<f32>, usize),
        task: impl Fn(&mut T, &[f32]) + Send + Sync + 'static,
    ) {
        let start = Instant::now();
        let is_alone = self.helpers.is_empty() || self.process != std::process::id();
        if is_alone || self.last_work < MIN_SHARED_WORK {
            let pairs = items.iter_mut().zip(rows.chunks_exact(len));
            pairs.for_each(|(item, row)| task(item, row));
            self.last_work = start.elapsed();
            return;
        }
        let threads = self.helpers.len() + 1;
        let size = items.len().div_ceil(PIECES * threads).max(1);
        let job = Arc::new(Job::new(items, size, (rows, len), Box::new(task)));
        *lock(&self.board.job) = Some(Arc::clone(&job));
        self.board.number.fetch_add(1, Ordering::Release);
        self.helpers.iter().for_each(Thread::unpark);
        job.work(0);
        job.wait();
        *lock(&self.board.job) = None;
        for piece in &job.pieces {
            items.append(&mut lock(&piece.items));
        }
        self.last_work = start.elapsed().saturating_mul(threads as u32);
        if let Some(panic) = lock(&job.panic).take() {
            resume_unwind(panic);
        }
    }
}

impl<T> Drop for Team<T> {
    /// Lets the helpers end. They are not waited for: a process that was forked has none.
    fn drop(&mut self) {
        self.board.is_over.store(true, Ordering::Release);
        self.helpers.iter().for_each(Thread::unpark);
    }
}

impl<T> Board<T> {
    /// Works on all calls until the team is over, as the helper of this number.
    fn serve(&self, helper: usize) {
        let mut last = 0;
        while let Some(number) = self.await_call(last) {
            last = number;
            let job = lock(&self.job).clone();
            if let Some(job) = job {
                job.work(helper);
            }
        }
    }

    /// Waits for a call after the one of this number; returns its number, or `None` at the end.
    fn await_call(&self, last: u64) -> Option<u64> {
        let start = Instant::now();
        loop {
            let number = self.number.load(Ordering::Acquire);
            if self.is_over.load(Ordering::Acquire) {
                return None;
            }
            if number != last {
                return Some(number);
            }
            if start.elapsed() < MAX_SPIN {
                core::hint::spin_loop();
            } else {
                std::thread::park();
            }
        }
    }
}

impl<T> Job<T> {
    /// Takes the items into pieces of `size`.
    fn new(
        items: &mut Vec<T>,
        size: usize,
        (rows, len): (Vec<f32>, usize),
        task: Box<Task<T>>,
    ) -> Self {
        let mut all = items.drain(..);
        let mut pieces = Vec::new();
        while all.len() > 0 {
            pieces.push(Piece {
                items: Mutex::new(all.by_ref().take(size).collect()),
                is_taken: AtomicBool::new(false),
            });
        }
        drop(all);
        Self {
            pieces,
            rows,
            len,
            size,
            task,
            finished: AtomicUsize::new(0),
            panic: Mutex::new(None),
        }
    }

    /// Works on pieces until all are taken. Each thread begins with its own, whose memory it has used last, and then takes those
    /// that others have not begun.
    fn work(&self, thread: usize) {
        let count = self.pieces.len();
        for i in 0..count {
            let at = (thread * PIECES + i) % count;
            let piece = &self.pieces[at];
            if piece.is_taken.swap(true, Ordering::Relaxed) {
                continue;
            }
            let rows = &self.rows[at * self.size * self.len..];
            let run = || {
                let mut items = lock(&piece.items);
                let pairs = items.iter_mut().zip(rows.chunks_exact(self.len));
                pairs.for_each(|(item, row)| (self.task)(item, row));
            };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                *lock(&self.panic) = Some(panic);
            }
            self.finished.fetch_add(1, Ordering::Release);
        }
    }

    /// Waits until all pieces are finished: those of other threads are almost.
    fn wait(&self) {
        let start = Instant::now();
        while self.finished.load(Ordering::Acquire) < self.pieces.len() {
            if start.elapsed() < MAX_SPIN {
                core::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}
