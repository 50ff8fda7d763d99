//! What trembles in place rests: the way of a body, averaged over some steps.

use super::state::BodyState;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, StateHasher};

/// Share of a new step in the average.
///
/// Smaller: what trembles slowly is found too. Larger: what begins to move slowly is noticed sooner.
const SHARE: f32 = 0.125;

/// Times its sleep speed up to which a body may tremble and still count as slow.
///
/// A box that leans on something round trembles at up to 0.2 m/s, twenty times a second, by a millimetre.
pub(crate) const TREMBLING: f32 = 4.0;

/// Speed at which a body gets on, averaged over the last steps in which it may have trembled.
///
/// What it was before such steps fades within eight of them; a body must be slow for thirty before it sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drift {
    /// Of the centre of mass [m/s].
    velocity: Vec2,
    /// [rad/s]
    spin: f32,
}

impl HashState for Drift {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { velocity, spin } = self;
        hash.add(velocity).add(spin);
    }
}

impl Drift {
    /// Takes in the way of a step of `dt` [s], and returns the average speed of a point at the distance `extent` [m/s].
    ///
    /// The way, not the velocity: what is pushed out of an overlap has none.
    pub(crate) fn follow(&mut self, state: &BodyState, dt: f32, extent: f32) -> f32 {
        self.velocity += SHARE * (state.delta_position / dt - self.velocity);
        self.spin += SHARE * (state.delta_rotation.y / dt - self.spin);
        self.velocity.norm() + self.spin.abs() * extent
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
    fn what_turns_back_in_each_step_does_not_drift() {
        let mut drift = Drift::default();
        for i in 0..100 {
            let speed = if i % 2 == 0 { 0.2 } else { -0.2 };
            assert!(drift.follow(&moving(speed), DT, 0.5) < 0.2 * 1.5 * SHARE * 1.01);
        }
    }

    #[test]
    fn what_moves_on_drifts_with_its_own_speed() {
        let mut drift = Drift::default();
        let last = (0..60).map(|_| drift.follow(&moving(0.2), DT, 0.5)).last();
        assert!((last.unwrap() - 0.3).abs() < 1.0e-3);
    }
}
