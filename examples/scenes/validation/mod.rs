//! Reference problems with answers that are known without an engine, for every [`Engine`](crate::engine::Engine).
//!
//! Each case runs at the defaults of its engine: steps of 1/60 s with 4 substeps, if it does not say otherwise.

pub mod lab;
pub mod exact;
mod maximal;
pub mod pendulum;
pub mod four_bar;
pub mod squeezer;
pub mod arch;
pub mod blocks;
pub mod friction;
pub mod impacts;
pub mod gas;
pub mod hopper;
pub mod orders;
pub mod plot;

pub use lab::{Figure, Maker, number};

/// A problem with one or more figures.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Name by which it is called.
    pub name: &'static str,
    /// Runs it in worlds of an engine.
    pub measure: fn(&Maker<'_>) -> Vec<Figure>,
}

/// All cases, by subject.
#[must_use]
pub fn all() -> Vec<Case> {
    [
        pendulum::CASES,
        four_bar::CASES,
        squeezer::CASES,
        arch::CASES,
        blocks::CASES,
        friction::CASES,
        impacts::CASES,
        gas::CASES,
        hopper::CASES,
    ]
    .concat()
}
