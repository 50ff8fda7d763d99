//! Errors of the crowd, with name and value of the refused number.

use crate::store::id::{AgentId, ObstacleId};

/// Reason why a definition or an argument was refused; the crowd is unchanged then.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// A number is infinite or not a number.
    #[error("{name} must be finite, got {value}")]
    NotFinite {
        /// Name of the field or argument.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that counts or measures is negative or not a number.
    #[error("{name} must not be negative, got {value}")]
    Negative {
        /// Name of the field or argument.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number is beyond its limit.
    #[error("{name} must be at most {limit}, got {value}")]
    TooLarge {
        /// Name of the field or argument.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The greatest accepted value.
        limit: f64,
    },
    /// An obstacle has fewer than two distinct corners.
    #[error("an obstacle needs two distinct points, got {count}")]
    TooFewPoints {
        /// Number of distinct consecutive points.
        count: usize,
    },
    /// The agent was removed, or belongs to another crowd.
    #[error("{0:?} names no agent")]
    NoAgent(AgentId),
    /// The obstacle was removed, or belongs to another crowd.
    #[error("{0:?} names no obstacle")]
    NoObstacle(ObstacleId),
}

/// Returns the value of `result`.
///
/// # Panics
/// If it is an error, at the line of the caller. A closure in `unwrap_or_else` would lose that line.
#[track_caller]
pub(crate) fn demand<T>(result: Result<T, CrowdError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

/// Refuses infinities and NaN.
pub(crate) fn finite(name: &'static str, value: f64) -> Result<(), CrowdError> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(CrowdError::NotFinite { name, value })
    }
}

/// Refuses negative numbers and NaN; infinity passes.
pub(crate) fn not_negative(name: &'static str, value: f64) -> Result<(), CrowdError> {
    if value >= 0.0 {
        Ok(())
    } else {
        Err(CrowdError::Negative { name, value })
    }
}

/// Refuses numbers that are not finite or negative.
pub(crate) fn measure(name: &'static str, value: f64) -> Result<(), CrowdError> {
    finite(name, value)?;
    not_negative(name, value)
}

/// Refuses magnitudes above `limit`, infinities and NaN.
pub(crate) fn within(name: &'static str, value: f64, limit: f64) -> Result<(), CrowdError> {
    finite(name, value)?;
    if value.abs() <= limit {
        Ok(())
    } else {
        Err(CrowdError::TooLarge { name, value, limit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_field_and_the_value() {
        let text = measure("radius", -2.5).unwrap_err().to_string();
        assert_eq!(text, "radius must not be negative, got -2.5");
        let text = finite("velocity.x", f64::NAN).unwrap_err().to_string();
        assert_eq!(text, "velocity.x must be finite, got NaN");
        let text = within("position.x", -2e13, 1e12).unwrap_err().to_string();
        assert_eq!(
            text,
            "position.x must be at most 1000000000000, got -20000000000000"
        );
        assert!(not_negative("limit", f64::INFINITY).is_ok());
    }
}
