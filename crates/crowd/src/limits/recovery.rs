//! Recovery from overlaps.

/// Recovery from overlaps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recovery {
    /// Time constant [s].
    pub(crate) time: f32,
    /// Greatest speed [m/s].
    pub(crate) speed: f32,
}

impl Recovery {
    /// Returns the speed at which an overlap of `depth` [m] is resolved [m/s].
    #[inline]
    pub(crate) fn opening_speed(&self, depth: f32) -> f32 {
        // A time of zero gives infinity (or NaN for no depth): `min` then selects the speed.
        (depth / self.time).min(self.speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECOVERY: Recovery = Recovery {
        time: 0.2,
        speed: 1.0,
    };

    #[test]
    fn overlaps_part_at_a_bounded_speed() {
        assert_eq!(RECOVERY.opening_speed(0.1), 0.5);
        assert_eq!(RECOVERY.opening_speed(5.0), 1.0);
        assert_eq!(
            Recovery {
                time: 0.0,
                speed: 1.0
            }
            .opening_speed(0.1),
            1.0
        );
    }
}
