//! The schedule of a step: which agents decide, on which thread, in which batch; and the recorded results.

pub(crate) mod slices;
pub(crate) mod event;
pub(crate) mod workspace;
pub(crate) mod stages;
