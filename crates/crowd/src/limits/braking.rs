//! The braking limit: the approach speed from which an agent can still stop.

/// Returns the greatest speed towards something `gap` away from which an agent can still stop [m/s], in a step of `step`
/// seconds with the greatest deceleration `braking` [m/s^2]; infinite without a limit.
///
/// The agent moves `v h` in the step and `v^2 / 2a` while braking; this is the root of the sum, in the form that loses no
/// digits for a short braking distance.
#[inline]
pub(crate) fn approach_speed(gap: f32, step: f32, braking: f32) -> f32 {
    if braking.is_infinite() {
        return gap / step;
    }
    let root = (step * step + 2.0 * gap / braking.max(f32::MIN_POSITIVE)).sqrt();
    2.0 * gap / (step + root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// From the approach speed the agent stops within the gap, braking from the next step on.
        #[test]
        fn approach_leaves_room_to_stop(gap in 0.0f32..5.0, braking in 0.5f32..8.0) {
            let step = 0.1;
            let mut left = gap;
            let mut speed = approach_speed(gap, step, braking);
            while speed > 0.0 {
                left -= speed * step;
                speed -= braking * step;
            }
            prop_assert!(left > -1e-4);
        }
    }
}
