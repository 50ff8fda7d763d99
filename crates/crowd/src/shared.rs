//! What goes over the threads of the pool.

use crate::tuning::SHARED;

/// Says whether what takes a few nanoseconds for each of so many agents goes over the threads of the pool.
pub(crate) fn is_shared(count: usize) -> bool {
    count >= SHARED && rayon::current_num_threads() > 1
}
