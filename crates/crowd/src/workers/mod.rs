//! The threads of a step.

#[cfg(not(feature = "threads"))]
mod alone;
#[cfg(feature = "threads")]
mod threads;

#[cfg(not(feature = "threads"))]
pub(crate) use alone::for_each_with;
#[cfg(feature = "threads")]
pub(crate) use threads::for_each_with;

/// Most threads of a step: with more, synchronization takes longer than the work.
pub const MAX_THREADS: u32 = 64;

/// Calls `work` with each item, on up to `threads` threads of the current pool of rayon, this one included.
///
/// The items are taken in order, but may be completed in any order: they must be independent.
pub(crate) fn for_each<T: Send>(
    threads: u32,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let states = core::iter::repeat_n((), threads.max(1) as usize);
    for_each_with(states, items, |(), item| work(item));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in [1, 2, 5] {
            for count in [0, 1, 2, 100] {
                let mut seen = vec![0; count];
                let sum = AtomicU32::new(0);
                for_each(threads, seen.iter_mut().zip(0..), |(seen, item)| {
                    *seen += 1;
                    sum.fetch_add(item, Ordering::Relaxed);
                });
                assert_eq!(seen, vec![1; count]);
                assert_eq!(sum.into_inner(), (0..count as u32).sum());
            }
        }
    }
}
