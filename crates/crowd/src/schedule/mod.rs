//! The schedule of a step: which agents decide, on which thread, in which batch; and what is recorded.

pub(crate) mod slices;
pub(crate) mod event;
pub(crate) mod workspace;
pub(crate) mod stages;
