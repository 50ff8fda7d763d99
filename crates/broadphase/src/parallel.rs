//! Distribution of the search for pairs over threads.

use crate::pool;
use std::sync::Mutex;

/// Items below which one thread is faster than several.
const MIN_PARALLEL: usize = 256;

/// Items that a worker takes at a time.
const ITEMS_PER_TASK: usize = 64;

/// Threads of the caller's.
pub trait Workers: Sync {
    /// Number of threads.
    fn count(&self) -> usize;

    /// Calls `task` with each number below `pieces`, once, on any of the threads; returns when all are done.
    fn for_each(&self, pieces: usize, task: &(dyn Fn(usize) + Sync));
}

/// Threads that search for pairs.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum Sharing<'a> {
    /// The threads of rayon's current pool, if much has moved; without the feature `threads`, the calling thread.
    #[default]
    Pool,
    /// Threads of the caller, if much has moved.
    Workers(&'a dyn Workers),
    /// The calling thread alone.
    Alone,
}

impl Sharing<'_> {
    fn threads(&self) -> usize {
        match self {
            Self::Pool => pool::threads(),
            Self::Workers(workers) => workers.count(),
            Self::Alone => 1,
        }
    }

    fn for_each(&self, pieces: usize, task: &(dyn Fn(usize) + Sync)) {
        match self {
            Self::Pool => pool::share(pieces, task),
            Self::Workers(workers) => workers.for_each(pieces, task),
            Self::Alone => (0..pieces).for_each(task),
        }
    }
}

/// Calls `collect` with all items, or with runs of them on several threads where there are many;
/// the results are appended to `out` in the order of the items.
pub(crate) fn collect_in_parallel(
    items: &[u32],
    sharing: Sharing<'_>,
    out: &mut Vec<u64>,
    collect: impl Fn(&[u32], &mut Vec<u64>) + Sync,
) {
    if items.len() < MIN_PARALLEL || sharing.threads() == 1 {
        collect(items, out);
        return;
    }
    let runs: Vec<_> = items
        .chunks(ITEMS_PER_TASK)
        .map(|run| (run, Mutex::new(Vec::new())))
        .collect();
    sharing.for_each(runs.len(), &|index| {
        let (run, found) = &runs[index];
        // Each run belongs to one thread, so no thread waits; a lock is poisoned only if a panic is unwinding.
        if let Ok(mut found) = found.lock() {
            collect(run, &mut found);
        }
    });
    for (_, found) in runs {
        out.extend(found.into_inner().unwrap_or_default());
    }
}
