//! Errors of joint definitions, and the checks of their numbers.

use crate::tuning::{MAX_COORDINATE, MAX_DRIVE_SPEED};

/// An invalid joint definition: the field and its value.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JointDefError {
    /// The field is infinite or not a number.
    #[error("joint field {field} must be finite, not {value}")]
    NotFinite {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: f32,
    },
    /// The field is less than zero, or not a number.
    #[error("joint field {field} must not be negative, but is {value}")]
    Negative {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: f32,
    },
    /// The field is zero, less than zero, or not a number.
    #[error("joint field {field} must be positive, not {value}")]
    NotPositive {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: f32,
    },
    /// A coordinate is beyond [`MAX_COORDINATE`].
    #[error("joint field {field} is {value} m, which is beyond the edge of the world at {limit} m")]
    OutOfWorld {
        /// Name of the field.
        field: &'static str,
        /// Its value \[m\].
        value: f32,
        /// Greatest allowed \[m\].
        limit: f32,
    },
    /// The field is larger than any sensible value.
    #[error("joint field {field} is {value}, beyond the largest magnitude of {limit}")]
    TooLarge {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: f32,
        /// Greatest allowed magnitude.
        limit: f32,
    },
    /// The lower limit is above the upper one, or one of them is not a number.
    #[error("joint field {field} must have lower <= upper, not {lower} and {upper}")]
    LimitsCross {
        /// Name of the field.
        field: &'static str,
        /// Lower limit.
        lower: f32,
        /// Upper limit.
        upper: f32,
    },
    /// Both ends are on the same body.
    #[error("a joint needs two bodies, but both ends are on the same one")]
    SameBody,
    /// Both joints of a gear are the same one.
    #[error("a gear needs two joints, but joint_a and joint_b are the same one")]
    SameJoint,
    /// A body of a gear is not one of the bodies of the joint on that side.
    #[error("the {field} of a gear must be a body of the joint on that side")]
    NotOnGearedJoint {
        /// Name of the field.
        field: &'static str,
    },
    /// The joint's kind has no such part.
    #[error("a joint of this kind has no {part}")]
    NoSuchPart {
        /// Name of the part.
        part: &'static str,
    },
    /// A gear's joint has neither angle nor translation as its only coordinate.
    #[error("a gear connects revolute and prismatic joints, but {field} is of another kind")]
    NotGearable {
        /// Name of the field.
        field: &'static str,
    },
}

/// Checks that `value` is a finite number.
pub(crate) fn finite(field: &'static str, value: f32) -> Result<(), JointDefError> {
    if value.is_finite() {
        Ok(())
    } else {
        Err(JointDefError::NotFinite { field, value })
    }
}

/// Checks that the coordinate `value` \[m\] is finite and inside the world: squares of larger arms overflow
/// in the effective mass of a joint.
pub(crate) fn coordinate(field: &'static str, value: f32) -> Result<(), JointDefError> {
    finite(field, value)?;
    let limit = MAX_COORDINATE as f32;
    if value.abs() <= limit {
        Ok(())
    } else {
        Err(JointDefError::OutOfWorld {
            field,
            value,
            limit,
        })
    }
}

/// Checks that the speed `value` [m/s] or [rad/s] is finite and at most [`MAX_DRIVE_SPEED`] in either direction.
pub(crate) fn speed(field: &'static str, value: f32) -> Result<(), JointDefError> {
    at_most(field, value, MAX_DRIVE_SPEED)
}

/// Checks that `value` [m] or [rad] is finite and at most [`MAX_COORDINATE`] in either direction.
pub(crate) fn position(field: &'static str, value: f32) -> Result<(), JointDefError> {
    at_most(field, value, MAX_COORDINATE as f32)
}

fn at_most(field: &'static str, value: f32, limit: f32) -> Result<(), JointDefError> {
    finite(field, value)?;
    if value.abs() <= limit {
        Ok(())
    } else {
        Err(JointDefError::TooLarge {
            field,
            value,
            limit,
        })
    }
}

/// Checks that `value` is 0 or more, possibly infinite.
pub(crate) fn not_negative(field: &'static str, value: f32) -> Result<(), JointDefError> {
    if value >= 0.0 {
        Ok(())
    } else {
        Err(JointDefError::Negative { field, value })
    }
}

/// Checks that `value` is finite and 0 or more.
pub(crate) fn finite_not_negative(field: &'static str, value: f32) -> Result<(), JointDefError> {
    finite(field, value)?;
    not_negative(field, value)
}

/// Checks that `value` is finite and more than 0.
pub(crate) fn positive(field: &'static str, value: f32) -> Result<(), JointDefError> {
    finite(field, value)?;
    if value > 0.0 {
        Ok(())
    } else {
        Err(JointDefError::NotPositive { field, value })
    }
}
