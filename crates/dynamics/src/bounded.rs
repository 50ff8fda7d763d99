//! Numbers within bounds that were computed.
//!
//! `clamp` panics if a bound is not a number or the bounds cross. Bounds that were computed, such as the friction
//! coefficient times a normal force, must not decide whether a step panics, so only constant bounds are passed to
//! `clamp`.

/// Returns `value`, within `-bound` to `bound`: the result of `clamp` for all bounds that it accepts. A bound that is
/// not a number is none, and a value that is not a number stays so.
#[inline(always)]
pub(crate) fn bounded(value: f32, bound: f32) -> f32 {
    between(value, -bound, bound)
}

/// Returns `value`, within `-bound` to `bound`: see [`bounded`].
#[inline(always)]
pub(crate) fn bounded_f64(value: f64, bound: f64) -> f64 {
    between(value, -bound, bound)
}

/// Returns `value`, within `least` to `most`: see [`bounded`].
#[inline(always)]
pub(crate) fn between<T: PartialOrd>(value: T, least: T, most: T) -> T {
    let value = if value < least { least } else { value };
    if value > most { most } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_act_as_those_of_clamp_and_never_panic() {
        let values = [f32::NEG_INFINITY, -2.0, -0.0, 0.0, 1.0e-45, 1.0, f32::MAX];
        for bound in [0.0, 1.0e-45, 1.5, f32::MAX, f32::INFINITY] {
            for value in values {
                let clamped = value.clamp(-bound, bound);
                assert_eq!(bounded(value, bound).to_bits(), clamped.to_bits());
            }
        }
        assert_eq!(bounded(2.0, f32::NAN), 2.0);
        assert_eq!(bounded_f64(2.0, f64::NAN), 2.0);
        assert!(bounded(f32::NAN, 1.0).is_nan());
        assert_eq!(between(0.5, 1.0, -1.0), -1.0);
    }
}
