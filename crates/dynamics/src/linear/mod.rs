//! Linear algebra: small and sparse factorizations.

pub(crate) mod small;
pub(crate) mod block_sparse;
