//! The current pool of rayon.

use core::sync::atomic::{AtomicUsize, Ordering};

/// Returns the number of threads of the pool.
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Calls `task` with each number below `pieces`, on the calling thread and those of the pool that come to help: the
/// caller does not wait for sleepers to wake.
pub(crate) fn share(pieces: usize, task: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        let ours = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|piece| *piece < pieces);
        core::iter::from_fn(ours).for_each(task);
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
}
