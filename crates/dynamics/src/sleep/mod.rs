//! Whether bodies may sleep.

pub(crate) mod support;
