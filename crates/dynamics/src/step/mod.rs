//! Stages after the solver: poses and sleep timers, the input of continuous collision, exits from the bounds.

pub(crate) mod finalize;
pub(crate) mod bounds;
