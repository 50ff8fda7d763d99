//! The calling thread alone: the twin of `threads` in builds without that feature.

/// Calls `work` with each item and the first of the states, if there is one.
pub(crate) fn for_each_with<S, T>(
    states: &mut [S],
    items: impl Iterator<Item = T>,
    work: impl Fn(&mut S, T),
) {
    if let Some(own) = states.first_mut() {
        items.for_each(|item| work(own, item));
    }
}
