//! Errors of recordings.

use crate::world::WorldError;
use cairn2d_geometry::{LoadError, LoadReason};
use thiserror::Error;

/// A recording that cannot be read or repeated: where, and why.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The first bytes are not those of a recording.
    #[error("it is not a recording")]
    NotARecording,
    /// The format is newer than this version of the engine.
    #[error("recording format {0} is not known")]
    UnknownFormat(u32),
    /// The bytes end early, were changed, or hold a value that cannot exist.
    #[error("the recording is invalid at byte {offset}: {reason}")]
    Invalid {
        /// Distance from the start of the recording \[bytes\].
        offset: usize,
        /// Kind of the defect.
        reason: LoadReason,
    },
    /// The world refused a call that it accepted when it was recorded.
    #[error("the call at byte {offset} of the recording is refused: {reason}")]
    Refused {
        /// Distance from the start of the recording \[bytes\].
        offset: usize,
        /// Reason of the refusal.
        reason: WorldError,
    },
    /// A setter refused its arguments with a panic. Only a forged recording contains such a call.
    #[error("the call at byte {offset} of the recording panics: {message}")]
    Panicked {
        /// Distance from the start of the recording \[bytes\].
        offset: usize,
        /// Message of the panic.
        message: String,
    },
    /// The world is not as it was when it was recorded.
    #[error(
        "after step {step} the state hash is {found:016x} and not {expected:016x} as recorded; {unanswered} calls of \
         hooks were not recorded"
    )]
    Mismatch {
        /// Number of the step; the first is 1.
        step: u64,
        /// Recorded state hash.
        expected: u64,
        /// State hash of the world that repeats the calls.
        found: u64,
        /// Calls of hooks in the step that the recording has no answer for.
        unanswered: usize,
    },
}

impl ReplayError {
    /// Returns the error of a part that begins at `start` of the recording.
    pub(super) const fn within(start: usize, error: LoadError) -> Self {
        Self::Invalid {
            offset: start + error.offset,
            reason: error.reason,
        }
    }
}
