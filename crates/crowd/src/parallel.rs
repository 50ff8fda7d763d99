//! The threshold of parallel loops.

use crate::tuning::PARALLEL_THRESHOLD;

/// Returns whether a loop over `count` agents of a few nanoseconds each runs in parallel.
pub(crate) fn is_parallel(count: usize) -> bool {
    count >= PARALLEL_THRESHOLD && rayon::current_num_threads() > 1
}
