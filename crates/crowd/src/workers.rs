//! The threads of a step.

use std::sync::{Mutex, PoisonError};

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
    let states = &mut [(); MAX_THREADS as usize][..threads.clamp(1, MAX_THREADS) as usize];
    for_each_with(states, items, |(), item| work(item));
}

/// Calls `work` with each item, as [`for_each`] does, on a thread per state at most; each thread has one of the states.
pub(crate) fn for_each_with<S: Send, T: Send>(
    states: &mut [S],
    mut items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut S, T) + Sync,
) {
    let Some((own, others)) = states.split_first_mut() else {
        return;
    };
    if others.is_empty() {
        return items.for_each(|item| work(own, item));
    }
    let Some(first) = items.next() else { return };
    let most = items.size_hint().1.unwrap_or(usize::MAX);
    let items = Mutex::new(items);
    let take_all = |state: &mut S| {
        loop {
            // The lock must not be held during the work.
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match item {
                Some(item) => work(state, item),
                None => break,
            }
        }
    };
    let take_all = &take_all;
    rayon::in_place_scope(|scope| {
        for state in others.iter_mut().take(most) {
            scope.spawn(move |_| take_all(state));
        }
        work(own, first);
        take_all(own);
    });
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
