//! Results of calls, the message of the last failure of a thread, and the guard that stops panics.

use engine::crowd::CrowdError;
use engine::{
    CharacterError, ControllerError, JointDefError, LoadError, ReplayError, ShapeError, ValueError,
    WorldError,
};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Result of a call: CAIRN_OK, or why it failed. After a failure cairn_last_error() has the details, and unless it is said
/// otherwise nothing has changed.
pub type cairn_result = u32;

/// The call succeeded.
pub const CAIRN_OK: cairn_result = 0;
/// A pointer is null where it must not be, or is not aligned for its type.
pub const CAIRN_INVALID_POINTER: cairn_result = 1;
/// A body, shape, joint, contact, agent or obstacle does not exist (any more), or belongs to another world.
pub const CAIRN_STALE_ID: cairn_result = 2;
/// A number is not finite, out of range, or not one of the values of its type; or two values contradict each other.
pub const CAIRN_INVALID_VALUE: cairn_result = 3;
/// The buffer is too small: as many results as fit were written, and `count` tells how many there are.
pub const CAIRN_BUFFER_TOO_SMALL: cairn_result = 4;
/// Bytes are no save, delta or recording of a known format, or are damaged.
pub const CAIRN_INVALID_DATA: cairn_result = 5;
/// Another thread, or a function that called this callback, is using the object.
pub const CAIRN_BUSY: cairn_result = 6;
/// An earlier call on the object panicked, so its state cannot be trusted: only destroy it.
pub const CAIRN_POISONED: cairn_result = 7;
/// The library has a defect: it panicked, and the panic was stopped. Objects that the call was changing are poisoned.
pub const CAIRN_PANIC: cairn_result = 8;
/// The object is not in a state for this call, such as a recording that is not running.
pub const CAIRN_WRONG_STATE: cairn_result = 9;
/// There is not enough memory.
pub const CAIRN_OUT_OF_MEMORY: cairn_result = 10;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    code: cairn_result,
    message: String,
}

impl Failure {
    fn new(code: cairn_result, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::new(CAIRN_INVALID_POINTER, format!("{name} is null"))
    }

    pub(crate) fn misaligned(name: &str) -> Self {
        Self::new(
            CAIRN_INVALID_POINTER,
            format!("{name} is not aligned for its type"),
        )
    }

    pub(crate) fn count(name: &str, count: usize) -> Self {
        Self::new(
            CAIRN_INVALID_VALUE,
            format!("{name}: no memory holds {count} of them"),
        )
    }

    pub(crate) fn buffer(total: usize, capacity: usize) -> Self {
        Self::new(
            CAIRN_BUFFER_TOO_SMALL,
            format!("{total} results do not fit a buffer for {capacity}"),
        )
    }

    pub(crate) fn unknown(name: &str, value: u32) -> Self {
        Self::new(
            CAIRN_INVALID_VALUE,
            format!("{name} is {value}, which is not a value of its type"),
        )
    }

    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new(CAIRN_INVALID_VALUE, message)
    }

    pub(crate) fn data(message: impl Into<String>) -> Self {
        Self::new(CAIRN_INVALID_DATA, message)
    }

    pub(crate) fn state(message: impl Into<String>) -> Self {
        Self::new(CAIRN_WRONG_STATE, message)
    }

    pub(crate) fn stale(what: &str, bits: u64) -> Self {
        Self::new(
            CAIRN_STALE_ID,
            format!("{what} {bits:#x} does not exist (any more)"),
        )
    }

    pub(crate) fn busy(what: &str) -> Self {
        Self::new(
            CAIRN_BUSY,
            format!("the {what} is in use by another thread or by the caller of this callback"),
        )
    }

    pub(crate) fn poisoned(what: &str) -> Self {
        Self::new(
            CAIRN_POISONED,
            format!(
                "an earlier call on the {what} panicked, so its state cannot be trusted: destroy it"
            ),
        )
    }

    fn panicked(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Self::new(
            CAIRN_PANIC,
            format!(
                "defect in cairn2d, please report it: {}",
                text.unwrap_or("panic without a message")
            ),
        )
    }

    /// Keeps the message for [`cairn_last_error`] and returns the code.
    fn report(self) -> cairn_result {
        let message = CString::new(self.message.replace('\0', " ")).unwrap_or_default();
        // Fails only while the thread ends and its storage is gone: then nobody can ask for the message.
        let _ = LAST_ERROR.try_with(|last| last.replace(message));
        self.code
    }
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Self {
        let code = match error {
            ValueError::OutOfMemory { .. } => CAIRN_OUT_OF_MEMORY,
            _ => CAIRN_INVALID_VALUE,
        };
        Self::new(code, error.to_string())
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        let code = match error {
            ShapeError::OutOfMemory { .. } => CAIRN_OUT_OF_MEMORY,
            _ => CAIRN_INVALID_VALUE,
        };
        Self::new(code, error.to_string())
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Value(error) => error.into(),
            WorldError::NoSuchBody(_) | WorldError::NoSuchShape(_) | WorldError::NoSuchJoint(_) => {
                Self::new(CAIRN_STALE_ID, error.to_string())
            }
            _ => Self::value(error.to_string()),
        }
    }
}

impl From<JointDefError> for Failure {
    fn from(error: JointDefError) -> Self {
        Self::value(error.to_string())
    }
}

impl From<CharacterError> for Failure {
    fn from(error: CharacterError) -> Self {
        match error {
            CharacterError::Value(error) => error.into(),
            CharacterError::NoBody(_) => Self::new(CAIRN_STALE_ID, error.to_string()),
            _ => Self::value(error.to_string()),
        }
    }
}

impl From<CrowdError> for Failure {
    fn from(error: CrowdError) -> Self {
        Self::value(error.to_string())
    }
}

impl From<ControllerError> for Failure {
    fn from(error: ControllerError) -> Self {
        match error {
            ControllerError::Value(error) => error.into(),
            ControllerError::NoBody(_) | ControllerError::NoWalker(_) => {
                Self::new(CAIRN_STALE_ID, error.to_string())
            }
            _ => Self::value(error.to_string()),
        }
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::data(error.to_string())
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        Self::data(error.to_string())
    }
}

/// Runs the body of an exported function: panics end here, and failures are kept for [`cairn_last_error`].
pub(crate) fn call(body: impl FnOnce() -> Result<(), Failure>) -> cairn_result {
    // Locks are poisoned by a panic, which is how later calls learn about it; nothing else is shared.
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => CAIRN_OK,
        Ok(Err(failure)) => failure.report(),
        Err(payload) => Failure::panicked(payload.as_ref()).report(),
    }
}

/// Returns why the last failed call of this thread failed, as UTF-8 text; an empty text if none failed. The text belongs to
/// the library and stays valid until the next failed call of this thread, or the end of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|last| last.borrow().as_ptr())
        .unwrap_or(ptr::null())
}

/// Returns the name of a result, such as "CAIRN_STALE_ID". The text belongs to the library and is valid forever.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_result_name(result: cairn_result) -> *const c_char {
    let name = match result {
        CAIRN_OK => c"CAIRN_OK",
        CAIRN_INVALID_POINTER => c"CAIRN_INVALID_POINTER",
        CAIRN_STALE_ID => c"CAIRN_STALE_ID",
        CAIRN_INVALID_VALUE => c"CAIRN_INVALID_VALUE",
        CAIRN_BUFFER_TOO_SMALL => c"CAIRN_BUFFER_TOO_SMALL",
        CAIRN_INVALID_DATA => c"CAIRN_INVALID_DATA",
        CAIRN_BUSY => c"CAIRN_BUSY",
        CAIRN_POISONED => c"CAIRN_POISONED",
        CAIRN_PANIC => c"CAIRN_PANIC",
        CAIRN_WRONG_STATE => c"CAIRN_WRONG_STATE",
        CAIRN_OUT_OF_MEMORY => c"CAIRN_OUT_OF_MEMORY",
        _ => c"unknown result",
    };
    name.as_ptr()
}
