//! What can be wrong with a number that a user hands in, and the checks for it.

use core::fmt::Display;
use thiserror::Error;

/// Reason why a number was refused; names the argument and the value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A number is NaN or infinite.
    #[error("{name} is {value}, which is not a finite number")]
    NotFinite {
        /// Which argument or field.
        name: &'static str,
        /// What it was.
        value: f64,
    },
    /// A number is negative where none may be.
    #[error("{name} is {value}, which is negative")]
    Negative {
        /// Which argument or field.
        name: &'static str,
        /// What it was.
        value: f64,
    },
    /// A place lies further out than the world reaches.
    #[error("{name} is {value} m, which is beyond the edge of the world at {limit} m")]
    OutOfWorld {
        /// Which argument or field.
        name: &'static str,
        /// What it was \[m\].
        value: f64,
        /// Greatest allowed \[m\].
        limit: f64,
    },
    /// A number is outside its range.
    #[error("{name} is {value}, which is not in {min} to {max}")]
    OutOfRange {
        /// Which argument or field.
        name: &'static str,
        /// What it was.
        value: f64,
        /// Least allowed.
        min: f64,
        /// Greatest allowed.
        max: f64,
    },
}

/// Returns what `result` holds.
///
/// # Panics
/// If it is an error: "cannot `action`: ...", at the line of the caller. A closure handed to `unwrap_or_else` would lose that line.
#[track_caller]
pub(crate) fn demand<T>(result: Result<T, impl Display>, action: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("cannot {action}: {error}"),
    }
}

/// Checks that `value` is a finite number.
pub(crate) fn finite(name: &'static str, value: f32) -> Result<(), ValueError> {
    if value.is_finite() {
        return Ok(());
    }
    Err(ValueError::NotFinite {
        name,
        value: value.into(),
    })
}

/// Checks that `value` is a finite number and not negative.
pub(crate) fn not_negative(name: &'static str, value: f32) -> Result<(), ValueError> {
    finite(name, value)?;
    if value >= 0.0 {
        return Ok(());
    }
    Err(ValueError::Negative {
        name,
        value: value.into(),
    })
}

/// Checks that `value` is not negative; infinity is allowed and means no limit.
pub(crate) fn limit(name: &'static str, value: f32) -> Result<(), ValueError> {
    if value == f32::INFINITY {
        return Ok(());
    }
    not_negative(name, value)
}
