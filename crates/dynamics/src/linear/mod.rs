//! Linear algebra: sparse factorization.

pub(crate) mod sparse;
