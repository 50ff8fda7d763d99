//! Bodies: what moves.

pub(crate) mod state;
