//! Checks of numbers that the user passes.

use cairn2d_dynamics::{MAX_COORDINATE, ValueError};
use cairn2d_geometry::math::WorldPoint;

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

/// Checks that `value` is finite and not negative.
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

/// Checks that `value` is finite and from `min` to `max`.
pub(crate) fn within(name: &'static str, value: f32, min: f32, max: f32) -> Result<(), ValueError> {
    finite(name, value)?;
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

/// Checks that a place is finite and in the world.
pub(crate) fn check_position(name: &'static str, place: WorldPoint) -> Result<(), ValueError> {
    check_coordinate(name, place.x)?;
    check_coordinate(name, place.y)
}

/// Checks that a coordinate of a place is finite and in the world.
pub(crate) fn check_coordinate(name: &'static str, value: f64) -> Result<(), ValueError> {
    if !value.is_finite() {
        return Err(ValueError::NotFinite { name, value });
    }
    if value.abs() > MAX_COORDINATE {
        return Err(ValueError::OutOfWorld {
            name,
            value,
            limit: MAX_COORDINATE,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_the_field_and_the_value() {
        let text = |result: Result<(), ValueError>| result.unwrap_err().to_string();
        assert_eq!(
            text(not_negative("speed", f32::NAN)),
            "speed is NaN, which is not a finite number"
        );
        assert_eq!(
            text(not_negative("speed", -2.0)),
            "speed is -2, which is negative"
        );
        assert_eq!(
            text(within("skin", 0.5, 0.0, 0.25)),
            "skin is 0.5, which is not in 0 to 0.25"
        );
        assert!(not_negative("speed", f32::INFINITY).is_err());
        assert!(within("skin", 0.25, 0.0, 0.25).is_ok());
    }
}
