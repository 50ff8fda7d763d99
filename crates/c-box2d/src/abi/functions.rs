//! Exported functions: faults and panics end here, and reach the log instead of the caller.

use super::{In, Zeroed};
use cairn2d::{JointDefError, ShapeError, ValueError, WorldError};
use core::ffi::{CStr, c_char, c_int};
use std::ffi::CString;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::RwLock;

/// What a caller did wrong.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// A pointer is null that must not be.
    Null,
    /// A pointer is not a multiple of its object's alignment.
    Unaligned,
    /// A count or index is out of range.
    Count(c_int),
    /// An id of this kind names nothing.
    Stale(&'static str),
    /// An object is of another kind than the function's.
    Kind,
    /// A definition was not made by its default function.
    Definition,
    /// There are as many worlds as there can be.
    TooManyWorlds,
    /// A world is in a step, and this call is from one of its callbacks.
    Locked,
    /// A number is invalid.
    Value(&'static str),
    /// The engine refused.
    Engine(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => write!(f, "a pointer is null"),
            Self::Unaligned => write!(f, "a pointer is not aligned"),
            Self::Count(count) => write!(f, "the count or index {count} is out of range"),
            Self::Stale(kind) => write!(f, "the {kind} id names nothing"),
            Self::Kind => write!(f, "the object is of another kind"),
            Self::Definition => write!(f, "the definition was not made by its default function"),
            Self::TooManyWorlds => write!(f, "there are too many worlds"),
            Self::Locked => write!(f, "the world is in a step"),
            Self::Value(name) => write!(f, "{name} is invalid"),
            Self::Engine(message) => write!(f, "{message}"),
        }
    }
}

macro_rules! from_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::Engine(error.to_string())
            }
        })*
    };
}

from_errors!(WorldError, ValueError, ShapeError, JointDefError);

/// What a function of the border makes of its work.
pub(crate) type Outcome<R> = Result<R, Fault>;

type LogFn = extern "C" fn(message: In<c_char>);
type AssertFn = extern "C" fn(In<c_char>, In<c_char>, c_int) -> c_int;

static LOG: RwLock<Option<LogFn>> = RwLock::new(None);
static ASSERT: RwLock<Option<AssertFn>> = RwLock::new(None);

pub(crate) fn set_log(log: Option<LogFn>) {
    *LOG.write().unwrap_or_else(|e| e.into_inner()) = log;
}

pub(crate) fn set_assert(assert: Option<AssertFn>) {
    *ASSERT.write().unwrap_or_else(|e| e.into_inner()) = assert;
}

/// Hands a message to the user's log function; without one, to the standard error stream in debug builds.
pub(crate) fn log(message: &str) {
    let function = *LOG.read().unwrap_or_else(|e| e.into_inner());
    match (function, CString::new(message)) {
        (Some(function), Ok(text)) => function(In::of_str(&text)),
        _ if cfg!(debug_assertions) => eprintln!("{message}"),
        _ => {}
    }
}

/// Hands a failed assertion to the user's function. Returns what it returns; 1 without one.
pub(crate) fn logged(condition: &CStr, file: &CStr, line: c_int) -> c_int {
    let function = *ASSERT.read().unwrap_or_else(|e| e.into_inner());
    match function {
        Some(function) => function(In::of_str(condition), In::of_str(file), line),
        None => {
            eprintln!("assertion: {}", condition.to_string_lossy());
            1
        }
    }
}

/// Logs a fault. In a debug build the user's assert function gets it too, and the program ends unless that returns 0.
fn report(function: &str, fault: &dyn fmt::Display) {
    let message = format!("{function}: {fault}");
    if cfg!(debug_assertions) {
        assert_never(&message);
    }
    log(&message);
}

/// Hands a message to the user's assert function, if there is one, and ends the program unless it returns 0.
fn assert_never(message: &str) {
    let is_set = ASSERT.read().is_ok_and(|function| function.is_some());
    let text = CString::new(message).unwrap_or_default();
    if is_set && logged(&text, c"cairn2d", 0) != 0 {
        std::process::abort();
    }
}

/// Does the work of an exported function. If it fails or panics, the fault is logged and zero bytes are the result.
pub(crate) fn export<R: Zeroed>(function: &str, work: impl FnOnce() -> Outcome<R>) -> R {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(result)) => result,
        Ok(Err(fault)) => {
            report(function, &fault);
            R::zeroed()
        }
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            report(function, &text.unwrap_or("panicked"));
            R::zeroed()
        }
    }
}

/// Exports C functions. A body may use `?` on an [`Outcome`]; a fault is logged, and zero bytes are the result.
macro_rules! c_functions {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $ret:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            #[unsafe(no_mangle)]
            pub(crate) extern "C" fn $name($($arg: $type),*) $(-> $ret)? {
                $crate::abi::export(stringify!($name), move || Ok($body))
            }
        )*
    };
}
