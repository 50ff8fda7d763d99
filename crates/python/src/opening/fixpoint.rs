//! The end of iterations that change nothing any more.

/// Recognizes when an iteration has left all numbers as they were, to the bit. An iteration that depends on nothing else will not change
/// them again, so those that remain can be left out with the same result.
///
/// Walkers of Gymnasium ask for 180 iterations, and a single body that hits the ground needs a few of them. Linkages do not get there: their
/// last bits change in all iterations.
#[derive(Debug, Default)]
pub(super) struct Fixpoint {
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Fixpoint {
    /// Takes the bits of all numbers after an iteration; returns whether they are those after the one before.
    pub(super) fn is_reached(&mut self, numbers: impl Iterator<Item = f32>) -> bool {
        core::mem::swap(&mut self.before, &mut self.after);
        self.after.clear();
        self.after.extend(numbers.map(f32::to_bits));
        self.after == self.before
    }
}
