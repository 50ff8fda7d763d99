//! The braking limit: the approach speed from which an agent can still stop.

/// Limits of one step on the closing speed of a gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrakingLimit {
    /// Step [s].
    pub(crate) step: f32,
    /// Greatest deceleration of the agent [m/s^2]; infinite without a limit.
    pub(crate) braking: f32,
}

impl BrakingLimit {
    /// Returns the greatest speed towards something `gap` away from which the agent can still stop [m/s].
    ///
    /// The agent moves `v h` in the step and `v^2 / 2a` while braking; this is the root of the sum, in the form that
    /// loses no digits for a short braking distance.
    #[inline]
    pub(crate) fn approach(&self, gap: f32) -> f32 {
        if self.braking.is_infinite() {
            return gap / self.step;
        }
        let root = (self.step * self.step + 2.0 * gap / self.braking.max(f32::MIN_POSITIVE)).sqrt();
        2.0 * gap / (self.step + root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// From the approach speed the agent stops within the gap, braking from the next step on.
        #[test]
        fn approach_leaves_room_to_stop(gap in 0.0f32..5.0, braking in 0.5f32..8.0) {
            let limit = BrakingLimit { step: 0.1, braking };
            let mut left = gap;
            let mut speed = limit.approach(gap);
            while speed > 0.0 {
                left -= speed * limit.step;
                speed -= braking * limit.step;
            }
            prop_assert!(left > -1e-4);
        }
    }
}
