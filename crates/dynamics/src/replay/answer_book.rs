//! Recorded answers of hooks, from which hooks of the replay answer.

use crate::answers::Answers;
use crate::hook::{HookShape, Hooks, PreSolve};
use crate::world::record::chunk::hook_bits;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The answers within one call. Shared by the player and the hooks of its world.
#[derive(Clone, Debug, Default)]
pub(super) struct AnswerBook(Arc<Mutex<Pages>>);

#[derive(Debug, Default)]
struct Pages {
    answers: Answers,
    /// For each answer whether it was given.
    given: [Vec<bool>; 2],
    /// Questions without an answer.
    unanswered: usize,
}

impl AnswerBook {
    /// Begins a call with these answers.
    pub(super) fn open(&self, answers: Answers) {
        let given = [answers.pairs.len(), answers.contacts.len()];
        *self.pages() = Pages {
            answers,
            given: given.map(|len| vec![false; len]),
            unanswered: 0,
        };
    }

    /// Number of questions without an answer in the present call.
    pub(super) fn unanswered(&self) -> usize {
        self.pages().unanswered
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the hooks that the bits name, which answer from the book.
    pub(super) fn hooks(&self, bits: u8) -> Hooks {
        let (filter, pre_solve) = (self.clone(), self.clone());
        let has = |bit: u8| bits & bit != 0;
        Hooks {
            pair_filter: has(hook_bits::PAIR_FILTER).then(|| {
                Arc::new(move |a: HookShape<'_>, b: HookShape<'_>| filter.accepts(a, b)) as _
            }),
            pre_solve: has(hook_bits::PRE_SOLVE).then(|| {
                Arc::new(move |contact: &mut PreSolve<'_>| pre_solve.change(contact)) as _
            }),
        }
    }

    fn accepts(&self, a: HookShape<'_>, b: HookShape<'_>) -> bool {
        let shapes = (a.id().index(), b.id().index());
        let pages = &mut *self.pages();
        let Pages { answers, given, .. } = pages;
        let place = next_place(
            &answers.pairs,
            |answer| answer.shapes,
            shapes,
            &mut given[0],
        );
        if place.is_none() {
            pages.unanswered += 1;
        }
        place.is_none_or(|place| pages.answers.pairs[place].is_accepted)
    }

    fn change(&self, contact: &mut PreSolve<'_>) {
        let [a, b] = contact.shapes().map(|shape| shape.id().index());
        let pages = &mut *self.pages();
        let Pages { answers, given, .. } = pages;
        let place = next_place(
            &answers.contacts,
            |answer| answer.shapes,
            (a, b),
            &mut given[1],
        );
        let Some(place) = place else {
            pages.unanswered += 1;
            return;
        };
        let answer = &pages.answers.contacts[place];
        [contact.friction, contact.restitution, contact.surface_speed] =
            answer.surface.map(f32::from_bits);
        if answer.is_ignored {
            contact.ignore();
        }
    }
}

/// Returns the place of the first answer for two shapes that was not given yet, or else of the last one.
fn next_place<T>(
    answers: &[T],
    shapes_of: impl Fn(&T) -> (u32, u32),
    shapes: (u32, u32),
    given: &mut [bool],
) -> Option<usize> {
    let start = answers.partition_point(|answer| shapes_of(answer) < shapes);
    let len = answers[start..].partition_point(|answer| shapes_of(answer) == shapes);
    let last = start + len.checked_sub(1)?;
    let place = (start..last).find(|&place| !given[place]).unwrap_or(last);
    given[place] = true;
    Some(place)
}
