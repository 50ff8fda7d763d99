//! Hysteresis of substep levels: an island changes its level only if several evaluations in a row request it.

use cairn2d_geometry::{HashState, StateHasher};
use core::cmp::Ordering;

/// Steps between two evaluations of the substep level of an island.
///
/// A load that needs more substeps persists, so it may wait; an impact is over by the next evaluation.
pub(crate) const EVALUATION_INTERVAL: u64 = 4;

/// Consecutive evaluations that must request a higher level before it becomes the target: 0.8 s at 60 Hz.
///
/// Impacts, collapsing piles and bridges that swing load their links for shorter. A link that gets stiffer
/// while it is stretched throws what hangs on it.
const EVALUATIONS_TO_RAISE: i8 = 12;

/// Consecutive evaluations that must request a lower level before it becomes the target: 2 s at 60 Hz, longer
/// than the period of a structure that swings under its own load. A bridge that was softened whenever it flew
/// up, and stiffened when it came down, would never come to rest.
const EVALUATIONS_TO_LOWER: i8 = 30;

/// The target level of an island, and the requests that may change it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LevelHysteresis {
    /// Level that the island is led to.
    pub(crate) target: u8,
    /// Consecutive evaluations that requested more than the target, or, if negative, less.
    streak: i8,
    /// The request of the streak that is nearest to the target.
    nearest_request: u8,
}

impl HashState for LevelHysteresis {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            target,
            streak,
            nearest_request,
        } = self;
        hash.add(target).add(streak).add(nearest_request);
    }
}

impl LevelHysteresis {
    /// Records the level that an evaluation requested. After enough requests above, or below, the target
    /// becomes the one of them that is nearest to it.
    pub(crate) fn record(&mut self, requested: u8) {
        match requested.cmp(&self.target) {
            Ordering::Equal => self.streak = 0,
            Ordering::Greater if self.streak > 0 => {
                self.streak += 1;
                self.nearest_request = self.nearest_request.min(requested);
            }
            Ordering::Greater => (self.streak, self.nearest_request) = (1, requested),
            Ordering::Less if self.streak < 0 => {
                self.streak -= 1;
                self.nearest_request = self.nearest_request.max(requested);
            }
            Ordering::Less => (self.streak, self.nearest_request) = (-1, requested),
        }
        if self.streak >= EVALUATIONS_TO_RAISE || self.streak <= -EVALUATIONS_TO_LOWER {
            (self.streak, self.target) = (0, self.nearest_request);
        }
    }

    /// Raises the target to `level`, if it is lower, without waiting for requests.
    pub(crate) fn raise(&mut self, level: u8) {
        self.target = self.target.max(level);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_follows_the_nearest_of_enough_requests() {
        let mut levels = LevelHysteresis::default();
        for request in (4..=EVALUATIONS_TO_RAISE as u8 + 3).rev() {
            assert_eq!(levels.target, 0);
            levels.record(request);
        }
        assert_eq!(levels.target, 4);
    }

    #[test]
    fn interrupted_requests_change_nothing() {
        let mut levels = LevelHysteresis::default();
        for _ in 0..10 {
            (1..EVALUATIONS_TO_RAISE).for_each(|_| levels.record(3));
            levels.record(0);
        }
        assert_eq!(levels.target, 0);
    }
}
