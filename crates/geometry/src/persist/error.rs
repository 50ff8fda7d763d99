//! Defects of a save.

use thiserror::Error;

/// A save that cannot be loaded: where, and why.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the save is invalid at byte {offset}: {reason}")]
pub struct LoadError {
    /// Distance from the start of the save \[bytes\]: of the defect, or of the table that contains it.
    pub offset: usize,
    /// Kind of the defect.
    pub reason: LoadReason,
}

/// Kinds of defects of a save.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LoadReason {
    /// The bytes end before the record does.
    #[error("it ends too early")]
    Truncated,
    /// The first bytes are not those of a save.
    #[error("it is not a save")]
    NotASave,
    /// The first bytes are not those of a delta.
    #[error("it is not a delta")]
    NotADelta,
    /// The delta was made against another base.
    #[error("it was made against another base")]
    OtherBase,
    /// The format is newer than this version of the engine.
    #[error("format {0} is not known")]
    UnknownFormat(u32),
    /// The bytes were changed since they were saved.
    #[error("the checksum does not match")]
    Checksum,
    /// Bytes follow the end of the save.
    #[error("{0} bytes follow its end")]
    TrailingBytes(usize),
    /// A list is longer than the rest of the save, or than the format allows.
    #[error("a list of {0} items does not fit")]
    Length(u64),
    /// A tag of an option, a choice or a set of flags has no meaning.
    #[error("{0} is no valid tag")]
    Tag(u64),
    /// A number is not finite, or not a number.
    #[error("{0} is no valid number")]
    Number(f64),
    /// A value is out of its range.
    #[error("{what} is out of range")]
    Range {
        /// The value.
        what: &'static str,
    },
    /// Two records contradict each other.
    #[error("{what} of {index} contradicts another record")]
    Inconsistent {
        /// The property.
        what: &'static str,
        /// Number of the first of the records.
        index: u32,
    },
}
