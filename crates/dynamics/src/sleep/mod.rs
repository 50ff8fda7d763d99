//! Sleep: the tests that a body and its island must pass.

pub(crate) mod support;
pub(crate) mod islands;
