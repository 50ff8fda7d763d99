//! The calling thread alone: the twin of `threads` in builds without that feature.

/// Calls `work` with each item and the first of the states, if there is one.
pub(crate) fn for_each_with<S, T>(
    mut states: impl Iterator<Item = S>,
    items: impl Iterator<Item = T>,
    work: impl Fn(&mut S, T),
) {
    if let Some(mut own) = states.next() {
        items.for_each(|item| work(&mut own, item));
    }
}
