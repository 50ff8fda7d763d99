//! The threads that a step runs on.

/// Runs `task` on the threads of `pool`, or of rayon's current one.
pub(crate) fn run_on<R: Send>(
    pool: Option<&rayon::ThreadPool>,
    task: impl FnOnce() -> R + Send,
) -> R {
    match pool {
        Some(pool) => pool.install(task),
        None => task(),
    }
}
