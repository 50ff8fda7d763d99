//! Linear algebra: small and sparse factorizations, and linear complementarity problems.

pub(crate) mod small;
pub(crate) mod sparse;
pub(crate) mod block_sparse;
