//! The calling thread in place of a pool: the twin of `pool` in builds without the feature `threads`.

/// Returns the number of threads: the calling one.
pub(crate) fn threads() -> usize {
    1
}

/// Calls `task` with each number below `pieces`.
pub(crate) fn share(pieces: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..pieces).for_each(task);
}
