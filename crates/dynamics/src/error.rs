//! Errors of numbers that the user passes, and the checks for them.

pub(crate) use cairn2d_geometry::demand;
use cairn2d_geometry::math::Vec2;
use thiserror::Error;

/// The reason a number was refused: names the argument and the value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A number is NaN or infinite.
    #[error("{name} is {value}, which is not a finite number")]
    NotFinite {
        /// Argument or field.
        name: &'static str,
        /// Refused value.
        value: f64,
    },
    /// A number is negative where that is invalid.
    #[error("{name} is {value}, which is negative")]
    Negative {
        /// Argument or field.
        name: &'static str,
        /// Refused value.
        value: f64,
    },
    /// A number is zero or negative where that is invalid.
    #[error("{name} is {value}, which is not greater than zero")]
    NotPositive {
        /// Argument or field.
        name: &'static str,
        /// Refused value.
        value: f64,
    },
    /// A point is beyond the edge of the world.
    #[error("{name} is {value} m, which is beyond the edge of the world at {limit} m")]
    OutOfWorld {
        /// Argument or field.
        name: &'static str,
        /// Refused value \[m\].
        value: f64,
        /// Largest allowed value \[m\].
        limit: f64,
    },
    /// A number is outside its range.
    #[error("{name} is {value}, which is not in {min} to {max}")]
    OutOfRange {
        /// Argument or field.
        name: &'static str,
        /// Refused value.
        value: f64,
        /// Smallest allowed value.
        min: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// A list is so long that there is no memory for it.
    #[error("{name} needs {bytes} bytes of memory, which cannot be allocated")]
    OutOfMemory {
        /// Argument or field.
        name: &'static str,
        /// Size of the memory.
        bytes: usize,
    },
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

/// Checks that both components of a vector are finite numbers.
pub(crate) fn finite_vec(names: [&'static str; 2], vec: Vec2) -> Result<(), ValueError> {
    finite(names[0], vec.x)?;
    finite(names[1], vec.y)
}

/// Checks that `value` is a finite number greater than zero.
pub(crate) fn positive(name: &'static str, value: f32) -> Result<(), ValueError> {
    finite(name, value)?;
    if value > 0.0 {
        return Ok(());
    }
    Err(ValueError::NotPositive {
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

/// Checks that `value` is a finite number from 0 to `max`.
pub(crate) fn not_negative_up_to(
    name: &'static str,
    value: f32,
    max: f32,
) -> Result<(), ValueError> {
    not_negative(name, value)?;
    range(name, value, 0.0, max)
}

/// Checks that `value` is a finite number from `-max` to `max`.
pub(crate) fn finite_up_to(name: &'static str, value: f32, max: f32) -> Result<(), ValueError> {
    finite(name, value)?;
    range(name, value, -max, max)
}

fn range(name: &'static str, value: f32, min: f32, max: f32) -> Result<(), ValueError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(ValueError::OutOfRange {
        name,
        value: value.into(),
        min: min.into(),
        max: max.into(),
    })
}

/// Checks that `value` is not negative; infinity is allowed and means no limit.
pub(crate) fn limit(name: &'static str, value: f32) -> Result<(), ValueError> {
    if value == f32::INFINITY {
        return Ok(());
    }
    not_negative(name, value)
}
