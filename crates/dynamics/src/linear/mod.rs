//! Linear algebra: small and sparse factorizations.

pub(crate) mod small;
mod block_pattern;
pub(crate) mod block_sparse;
