//! Sharing out the search for pairs.

use rayon::prelude::*;

/// Items below which one thread is faster than several.
const MIN_PARALLEL: usize = 256;

/// Items that a worker takes at a time.
const ITEMS_PER_TASK: usize = 32;

/// Calls `collect` with all items, or with runs of them on several threads where there are many;
/// what it appends ends up in `out`, in the order of the items.
pub(crate) fn collect_in_parallel(
    items: &[u32],
    out: &mut Vec<u64>,
    collect: impl Fn(&[u32], &mut Vec<u64>) + Sync,
) {
    if items.len() < MIN_PARALLEL || rayon::current_num_threads() == 1 {
        collect(items, out);
        return;
    }
    let found: Vec<Vec<u64>> = items
        .par_chunks(ITEMS_PER_TASK)
        .map(|run| {
            let mut keys = Vec::new();
            collect(run, &mut keys);
            keys
        })
        .collect();
    out.extend(found.iter().flatten());
}
