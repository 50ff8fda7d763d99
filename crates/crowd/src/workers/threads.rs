//! Items handed out to threads of the current pool of rayon.

use std::sync::{Mutex, PoisonError};

/// Calls `work` with each item, as [`for_each`](super::for_each) does, on a thread per state at most; each thread has one of the states.
pub(crate) fn for_each_with<S: Send, T: Send>(
    mut states: impl ExactSizeIterator<Item = S>,
    mut items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut S, T) + Sync,
) {
    let Some(mut own) = states.next() else { return };
    if states.len() == 0 {
        return items.for_each(|item| work(&mut own, item));
    }
    let Some(first) = items.next() else { return };
    let most = items.size_hint().1.unwrap_or(usize::MAX);
    let items = Mutex::new(items);
    let take_all = |mut state: S| {
        loop {
            // The lock must not be held during the work.
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match item {
                Some(item) => work(&mut state, item),
                None => break,
            }
        }
    };
    let take_all = &take_all;
    rayon::in_place_scope(|scope| {
        for state in states.take(most) {
            scope.spawn(move |_| take_all(state));
        }
        work(&mut own, first);
        take_all(own);
    });
}
