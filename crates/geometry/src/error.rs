//! Facts about input from which no shape can be made, and the panic of all functions with a `try_` twin.

use core::fmt::Display;

/// Why a shape was refused: the fact, and the value.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is infinite or not a number.
    #[error("{what} must be a finite number, not {value}")]
    NotFinite {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// A size is zero or negative.
    #[error("{what} must be greater than zero, not {value}")]
    NotPositive {
        /// Name of the size.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// A size is negative.
    #[error("{what} must not be negative, but is {value}")]
    Negative {
        /// Name of the size.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// A number is farther from zero than shapes may reach.
    #[error("{what} is {value}, farther from zero than {limit}")]
    TooLarge {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f32,
        /// The largest size accepted.
        limit: f32,
    },
    /// A size is greater than zero, but smaller than rounding lets a shape be.
    #[error("{what} is {value}, smaller than {limit}")]
    TooSmall {
        /// Name of the size.
        what: &'static str,
        /// Its value.
        value: f32,
        /// The smallest size accepted.
        limit: f32,
    },
    /// Two points that must differ are the same.
    #[error("the points {first} and {second} are both at ({x}, {y})")]
    SamePoint {
        /// Index of the first of the two.
        first: usize,
        /// Index of the second.
        second: usize,
        /// Horizontal coordinate of both.
        x: f32,
        /// Vertical coordinate of both.
        y: f32,
    },
    /// There are not enough points.
    #[error("{count} points are too few, at least {least} are needed")]
    TooFewPoints {
        /// Number of points.
        count: usize,
        /// Smallest number accepted.
        least: usize,
    },
    /// There are more points than an index can name.
    #[error("{count} points are too many, at most {most} are allowed")]
    TooManyPoints {
        /// Number of points.
        count: usize,
        /// Largest number accepted.
        most: usize,
    },
    /// A grid has more cells than may be outlined.
    #[error("{columns} x {rows} cells are too many, at most {most} are allowed")]
    TooManyCells {
        /// Number of columns.
        columns: usize,
        /// Number of rows.
        rows: usize,
        /// Largest number of cells accepted.
        most: usize,
    },
    /// There is not enough memory.
    #[error("{bytes} bytes of memory cannot be allocated")]
    OutOfMemory {
        /// Size of the memory.
        bytes: usize,
    },
    /// An ellipse is so flat that its curvature cannot be distinguished from that of a line.
    #[error("half axes {long} and {short} differ by more than a factor of {limit}")]
    TooFlat {
        /// The longer half axis.
        long: f32,
        /// The shorter half axis.
        short: f32,
        /// The largest factor accepted.
        limit: f32,
    },
    /// All points lie on one line.
    #[error("all {count} points lie on one line, so they enclose no area")]
    NoArea {
        /// Number of points.
        count: usize,
    },
}

/// Coordinates and sizes of a shape may reach this far from its origin \[m\].
///
/// An `f32` has a spacing of 6 cm there: points farther out could not be distinguished from their neighbors.
/// Larger: squares of squares of lengths come near the end of the range.
pub const MAX_COORDINATE: f32 = 1.0e6;

/// Radii, lengths and widths of shapes are at least this \[m\].
///
/// A micrometer: below the spacing of `f32` at 10 m, and a thousandth of the smallest visible size. Smaller: a
/// shape would vanish by rounding as soon as it is moved.
pub const MIN_SIZE: f32 = 1.0e-6;

/// Tile maps have at most this many cells: 8192 columns of 8192 rows, or any other two numbers with this product.
///
/// Outlines take a byte and a call for each cell: 64 MiB and less than a second. Larger: a number that was read from a
/// damaged file takes all memory, or minutes.
pub const MAX_CELLS: usize = 1 << 26;

/// Returns a list of `count` copies of `value`.
///
/// # Errors
/// Returns the number of bytes that cannot be allocated.
#[doc(hidden)]
pub fn try_filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, usize> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => list.resize(count, value),
        Err(_) => return Err(count.saturating_mul(size_of::<T>())),
    }
    Ok(list)
}

/// Returns the value of `result`; for the other crates of the engine.
///
/// # Panics
/// If it is an error: "cannot `action`: ...", at the line of the caller. A closure in `unwrap_or_else` would
/// lose that line.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn demand<T>(result: Result<T, impl Display>, action: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("cannot {action}: {error}"),
    }
}

/// Returns `value` if it is finite and within [`MAX_COORDINATE`].
pub(crate) fn bounded(what: &'static str, value: f32) -> Result<f32, ShapeError> {
    if !value.is_finite() {
        return Err(ShapeError::NotFinite { what, value });
    }
    if value.abs() > MAX_COORDINATE {
        return Err(ShapeError::TooLarge {
            what,
            value,
            limit: MAX_COORDINATE,
        });
    }
    Ok(value)
}

/// Returns `value` if it is a bounded length greater than zero.
pub(crate) fn positive(what: &'static str, value: f32) -> Result<f32, ShapeError> {
    match bounded(what, value)? {
        v if v > 0.0 => large_enough(what, v),
        value => Err(ShapeError::NotPositive { what, value }),
    }
}

/// Returns `value` if it is a bounded length, zero included.
pub(crate) fn not_negative(what: &'static str, value: f32) -> Result<f32, ShapeError> {
    match bounded(what, value)? {
        0.0 => Ok(0.0),
        v if v > 0.0 => large_enough(what, v),
        value => Err(ShapeError::Negative { what, value }),
    }
}

/// Returns `value` if it is at least [`MIN_SIZE`].
pub(crate) fn large_enough(what: &'static str, value: f32) -> Result<f32, ShapeError> {
    if value.is_nan() || value < MIN_SIZE {
        return Err(ShapeError::TooSmall {
            what,
            value,
            limit: MIN_SIZE,
        });
    }
    Ok(value)
}

/// Checks both coordinates of each point.
pub(crate) fn bounded_points(points: &[crate::math::Point]) -> Result<(), ShapeError> {
    for p in points {
        bounded("x", p.x)?;
        bounded("y", p.y)?;
    }
    Ok(())
}
