//! Low-pass filtered velocity of a body: one that jitters in place counts as slow.

use super::state::BodyState;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::state_record;

/// Share of a new step in the filtered velocity.
///
/// Smaller: slower jitter is filtered out, too. Larger: a body that starts to move slowly is noticed sooner.
const FILTER_SHARE: f32 = 0.125;

/// Greatest speed of a body that may count as jittering, in multiples of its sleep speed.
///
/// A box that leans on something round jitters at up to 0.2 m/s, twenty times a second, by a millimeter.
pub(crate) const MAX_JITTER: f32 = 4.0;

/// Velocity of a body, filtered over the last steps in which it may have jittered.
///
/// The value of before these steps fades within eight of them; a body must be slow for thirty before it
/// sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FilteredVelocity {
    /// Of the center of mass [m/s].
    velocity: Vec2,
    /// [rad/s]
    angular_velocity: f32,
}

state_record!(FilteredVelocity {
    velocity,
    angular_velocity,
});

impl FilteredVelocity {
    /// Adds the motion of a step of `dt` [s], and returns the filtered speed of a point at the distance
    /// `extent` [m/s].
    ///
    /// The motion, not the velocity: overlap is pushed out without a velocity.
    pub(crate) fn update(&mut self, state: &BodyState, dt: f32, extent: f32) -> f32 {
        self.velocity += FILTER_SHARE * (state.delta_position / dt - self.velocity);
        let angular_velocity = state.delta_rotation.y / dt;
        self.angular_velocity += FILTER_SHARE * (angular_velocity - self.angular_velocity);
        self.velocity.norm() + self.angular_velocity.abs() * extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    fn moving(speed: f32) -> BodyState {
        BodyState {
            delta_position: Vec2::new(speed * DT, 0.0),
            delta_rotation: Vec2::new(1.0, -speed * DT),
            ..BodyState::IDENTITY
        }
    }

    #[test]
    fn jitter_is_filtered_out() {
        let mut filtered = FilteredVelocity::default();
        for i in 0..100 {
            let speed = if i % 2 == 0 { 0.2 } else { -0.2 };
            assert!(filtered.update(&moving(speed), DT, 0.5) < 0.2 * 1.5 * FILTER_SHARE * 1.01);
        }
    }

    #[test]
    fn steady_motion_passes_the_filter() {
        let mut filtered = FilteredVelocity::default();
        let last = (0..60)
            .map(|_| filtered.update(&moving(0.2), DT, 0.5))
            .last();
        assert!((last.unwrap() - 0.3).abs() < 1.0e-3);
    }
}
