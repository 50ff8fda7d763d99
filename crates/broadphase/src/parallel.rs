//! Sharing out the search for pairs.

use rayon::prelude::*;

/// Items below which one thread is faster than several.
const MIN_PARALLEL: usize = 256;

/// Items that a worker takes at a time.
const ITEMS_PER_TASK: usize = 32;

/// Who searches for pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// The threads of rayon's current pool, where much has moved.
    #[default]
    Pool,
    /// The calling thread alone.
    Alone,
}

/// Calls `collect` with all items, or with runs of them on several threads where there are many;
/// what it appends ends up in `out`, in the order of the items.
pub(crate) fn collect_in_parallel(
    items: &[u32],
    sharing: Sharing,
    out: &mut Vec<u64>,
    collect: impl Fn(&[u32], &mut Vec<u64>) + Sync,
) {
    let few = items.len() < MIN_PARALLEL;
    if few || sharing == Sharing::Alone || rayon::current_num_threads() == 1 {
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
