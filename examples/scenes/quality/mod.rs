//! Physical accuracy at the default settings: one figure for each question, beside a goal.

mod rig;
mod piles;
mod hanging;
mod motion;
mod seams;
mod bounces;
mod fast;
mod rest;
mod overlaps;
mod linkages;
mod repeat;

pub use rig::Figure;

/// A question with one or more figures for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Name by which it is called.
    pub name: &'static str,
    /// Measures.
    pub measure: fn() -> Vec<Figure>,
}

/// All questions, by subject.
#[must_use]
pub fn all() -> Vec<Question> {
    [
        piles::QUESTIONS,
        hanging::QUESTIONS,
        linkages::QUESTIONS,
        motion::QUESTIONS,
        seams::QUESTIONS,
        bounces::QUESTIONS,
        fast::QUESTIONS,
        overlaps::QUESTIONS,
        rest::QUESTIONS,
        repeat::QUESTIONS,
    ]
    .concat()
}
