//! Errors of the crowd, with name and value of the refused number.

use crate::tuning::MAX_MEASURE;
pub(crate) use cairn2d_geometry::demand;

/// Reason why a definition or an argument was refused; the crowd is unchanged then.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A number is infinite or not a number.
    #[error("{name} is {value}, which is not a finite number")]
    NotFinite {
        /// Name of the field or argument.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number is outside its range.
    #[error("{name} is {value}, which is not in {min} to {max}")]
    OutOfRange {
        /// Name of the field or argument.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The smallest accepted value.
        min: f64,
        /// The greatest accepted value.
        max: f64,
    },
    /// An obstacle has fewer than two distinct corners.
    #[error("an obstacle needs two distinct points, got {count}")]
    TooFewPoints {
        /// Number of distinct consecutive points.
        count: usize,
    },
}

/// Refuses numbers outside of a range, infinities and NaN.
#[inline]
pub(crate) fn range(name: &'static str, value: f64, min: f64, max: f64) -> Result<(), CrowdError> {
    if min <= value && value <= max {
        Ok(())
    } else if value.is_finite() {
        Err(CrowdError::OutOfRange {
            name,
            value,
            min,
            max,
        })
    } else {
        Err(CrowdError::NotFinite { name, value })
    }
}

/// Refuses magnitudes above `limit`, infinities and NaN.
#[inline]
pub(crate) fn within(name: &'static str, value: f64, limit: f64) -> Result<(), CrowdError> {
    range(name, value, -limit, limit)
}

/// Refuses measures that are negative, above [`MAX_MEASURE`] or not finite.
#[inline]
pub(crate) fn measure(name: &'static str, value: f32) -> Result<(), CrowdError> {
    const MOST: f32 = MAX_MEASURE as f32;
    if (0.0..=MOST).contains(&value) {
        return Ok(());
    }
    range(name, value.into(), 0.0, MAX_MEASURE)
}

/// Refuses negative limits and NaN; infinity passes and means no limit.
#[inline]
pub(crate) fn limit(name: &'static str, value: f32) -> Result<(), CrowdError> {
    if value == f32::INFINITY {
        return Ok(());
    }
    range(name, value.into(), 0.0, f32::MAX.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_field_and_the_value() {
        let check = |result: Result<(), CrowdError>, text| {
            assert_eq!(result.unwrap_err().to_string(), text);
        };
        check(
            measure("radius", -2.5),
            "radius is -2.5, which is not in 0 to 1000000000",
        );
        check(
            within("velocity.x", f64::NAN, 1.0),
            "velocity.x is NaN, which is not a finite number",
        );
        check(
            within("position.x", -2e13, 1e12),
            "position.x is -20000000000000, which is not in -1000000000000 to 1000000000000",
        );
        check(
            limit("max_acceleration", f32::NAN),
            "max_acceleration is NaN, which is not a finite number",
        );
        assert!(limit("max_acceleration", f32::INFINITY).is_ok());
    }
}
