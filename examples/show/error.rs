//! Errors of the program, and their exit codes.

use scenes::registry::NoSuchScene;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;

/// Exit code for words that make no sense, as is usual for commands.
const USAGE: u8 = 2;

/// Exit code for everything else.
const FAILURE: u8 = 1;

/// Reason why the command did not do its work.
#[derive(Debug)]
pub(crate) enum ShowError {
    /// No scene of that name.
    NoSuchScene(NoSuchScene),
    /// The words on the command line.
    Usage(lexopt::Error),
    /// The value of an option makes no sense.
    BadValue {
        option: &'static str,
        value: String,
        expected: &'static str,
    },
    /// An option that the command does not take.
    Useless {
        option: &'static str,
        command: &'static str,
    },
    /// A file could not be read.
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A page lacks a table of the charts, or a number in it.
    NoTable { path: PathBuf },
    /// A file could not be written.
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    /// A picture could not be encoded or written.
    Encode {
        path: PathBuf,
        source: png::EncodingError,
    },
}

impl ShowError {
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Read { .. } | Self::NoTable { .. } | Self::Write { .. } | Self::Encode { .. } => {
                FAILURE
            }
            Self::NoSuchScene(_)
            | Self::Usage(_)
            | Self::BadValue { .. }
            | Self::Useless { .. } => USAGE,
        })
    }
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchScene(error) => write!(f, "{error}; `show list` names them all"),
            Self::Usage(error) => write!(f, "{error}; `show help` says what is possible"),
            Self::BadValue {
                option,
                value,
                expected,
            } => write!(f, "{option} is '{value}', but should be {expected}"),
            Self::Useless { option, command } => {
                write!(f, "`show {command}` does not take {option}")
            }
            Self::Read { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::NoTable { path } => {
                write!(
                    f,
                    "{} lacks a table of the charts, or a number in it",
                    path.display()
                )
            }
            Self::Write { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Self::Encode { path, source } => write!(f, "cannot write {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for ShowError {}

impl From<lexopt::Error> for ShowError {
    fn from(error: lexopt::Error) -> Self {
        Self::Usage(error)
    }
}

impl From<NoSuchScene> for ShowError {
    fn from(error: NoSuchScene) -> Self {
        Self::NoSuchScene(error)
    }
}
