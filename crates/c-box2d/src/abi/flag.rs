//! A `bool` in a struct that C filled in.

use super::Zeroed;

/// C's `bool` in a struct: any byte but 0 is true. Rust's has only two valid bytes, and C may not have initialized it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Flag(u8);

// SAFETY: a byte.
unsafe impl Zeroed for Flag {}

impl Flag {
    pub(crate) const ON: Self = Self(1);

    pub(crate) const fn new(is_set: bool) -> Self {
        Self(is_set as u8)
    }

    pub(crate) const fn is_set(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Flag {
    fn from(is_set: bool) -> Self {
        Self::new(is_set)
    }
}
