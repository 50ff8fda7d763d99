//! Whether bodies may sleep.

pub(crate) mod support;
pub(crate) mod islands;
