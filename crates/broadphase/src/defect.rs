//! Invariants of the structures, checked one way for tests and for saves.

use cairn2d_geometry::{LoadError, LoadReason, Reader};

/// The invariant that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Defect(pub(crate) &'static str);

/// Returns the defect `what` if an invariant does not hold.
#[inline]
pub(crate) fn ensure(holds: bool, what: &'static str) -> Result<(), Defect> {
    if holds { Ok(()) } else { Err(Defect(what)) }
}

impl Defect {
    /// Returns the error of a save that contains the defect, at the place to which it was read.
    pub(crate) fn at(self, reader: &Reader<'_>) -> LoadError {
        reader.error(LoadReason::Range { what: self.0 })
    }
}
