//! How fast something may be approached so that the agent can still stop before it.

/// Limits of one step that decide how fast a gap may be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Step [s].
    pub(crate) step: f32,
    /// Deceleration that the agent has [m/s^2]; infinite without a limit.
    pub(crate) braking: f32,
}

impl Pace {
    /// Returns the speed towards something `gap` away, from which the agent can still stop [m/s].
    ///
    /// It walks `v h` in the step and `v^2 / 2a` while braking; the root of the sum, in the form
    /// that loses no digits when the braking way is short.
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
            let pace = Pace { step: 0.1, braking };
            let mut left = gap;
            let mut speed = pace.approach(gap);
            while speed > 0.0 {
                left -= speed * pace.step;
                speed -= braking * pace.step;
            }
            prop_assert!(left > -1e-4);
        }
    }
}
