//! Answers of hooks within one call, for recordings: written by many threads, read back in order of shapes.

use cairn2d_geometry::save_record;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answer of the pair filter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairAnswer {
    /// Slots of the two shapes, in the order of the call.
    pub(crate) shapes: (u32, u32),
    pub(crate) is_accepted: bool,
}

save_record!(PairAnswer {
    shapes,
    is_accepted
});

/// Answer of the pre-solve hook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactAnswer {
    /// Slots of the two shapes, in the order of the call.
    pub(crate) shapes: (u32, u32),
    pub(crate) is_ignored: bool,
    /// Bits of friction, restitution and surface speed: a hook may also leave numbers that are not finite.
    pub(crate) surface: [u32; 3],
}

save_record!(ContactAnswer {
    shapes,
    is_ignored,
    surface
});

/// Answers of one call, in order of shapes; those for the same two shapes in the order in which they were given.
///
/// All threads that ask about the same two shapes at the same time see the same state, so the order does not depend on
/// the threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    pub(crate) pairs: Vec<PairAnswer>,
    pub(crate) contacts: Vec<ContactAnswer>,
}

save_record!(Answers { pairs, contacts });

/// The answers of the present call, while it runs.
#[derive(Debug, Default)]
pub(crate) struct AnswerLog(Mutex<Answers>);

impl AnswerLog {
    pub(crate) fn note_pair(&self, answer: PairAnswer) {
        self.open().pairs.push(answer);
    }

    pub(crate) fn note_contact(&self, answer: ContactAnswer) {
        self.open().contacts.push(answer);
    }

    /// Takes the answers so far, in order.
    pub(crate) fn take(&self) -> Answers {
        let mut answers = core::mem::take(&mut *self.open());
        answers.pairs.sort_by_key(|answer| answer.shapes);
        answers.contacts.sort_by_key(|answer| answer.shapes);
        answers
    }

    /// No hook runs while the log is open, so a panic of one leaves it whole.
    fn open(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_in_order_of_shapes_and_else_in_order_of_calls() {
        let log = AnswerLog::default();
        for (shapes, is_accepted) in [((2, 3), true), ((1, 9), false), ((2, 3), false)] {
            log.note_pair(PairAnswer {
                shapes,
                is_accepted,
            });
        }
        let taken = log.take().pairs;
        let taken: Vec<_> = taken.iter().map(|a| (a.shapes, a.is_accepted)).collect();
        assert_eq!(taken, [((1, 9), false), ((2, 3), true), ((2, 3), false)]);
        assert!(log.take().pairs.is_empty());
    }
}
