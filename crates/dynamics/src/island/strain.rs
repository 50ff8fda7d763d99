//! Strain of an island: whether iterated soft links would deflect too far under the loads that they carry.

use cairn2d_geometry::state_record;

/// Steps between two evaluations of an island. A load persists, so it may wait.
pub(crate) const EVALUATION_INTERVAL: u64 = 4;

/// Consecutive evaluations with a large measured deflection after which an island is strained: 0.2 s at 60 Hz.
/// Impacts load their links for shorter.
const EVALUATIONS_TO_RAISE: i8 = 3;

/// Consecutive evaluations without one after which it no longer is: 2 s at 60 Hz, longer than the period of a
/// structure that swings under its own load.
const EVALUATIONS_TO_LOWER: i8 = 30;

/// Whether an island is strained, and the evaluations that may change it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Strain {
    pub(crate) is_strained: bool,
    /// Consecutive evaluations that disagree.
    streak: i8,
    /// Greatest deflection at the last evaluation, or since the island became strained, relative to the allowed one.
    pub(crate) excess: f32,
}

state_record!(Strain {
    is_strained,
    streak,
    excess,
});

impl Strain {
    /// Returns `true` if the numbers, read from a save, can be those of evaluations.
    pub(crate) fn is_valid(&self) -> bool {
        (0..=EVALUATIONS_TO_LOWER).contains(&self.streak)
    }

    /// Records the result of an evaluation: the greatest deflection, relative to the allowed one.
    pub(crate) fn record(&mut self, excess: f32) {
        // A chain that goes slack in an impact will be taut again.
        let before = if self.is_strained { self.excess } else { 0.0 };
        self.excess = excess.max(before);
        if (excess > 1.0) == self.is_strained {
            self.streak = 0;
            return;
        }
        self.streak += 1;
        let needed = if self.is_strained {
            EVALUATIONS_TO_LOWER
        } else {
            EVALUATIONS_TO_RAISE
        };
        if self.streak >= needed {
            self.is_strained = !self.is_strained;
            self.streak = 0;
        }
    }

    /// Records an evaluation in which the bodies topple, or nothing links them: what they bear is no load, and after a few it is
    /// over.
    pub(crate) fn topple(&mut self) {
        self.excess = 0.0;
        self.streak += EVALUATIONS_TO_LOWER / EVALUATIONS_TO_RAISE;
        if !self.is_strained || self.streak >= EVALUATIONS_TO_LOWER {
            *self = Self::default();
        }
    }

    /// Strains the island without waiting for evaluations.
    pub(crate) fn raise(&mut self) {
        if !self.is_strained {
            self.is_strained = true;
            self.streak = 0;
        }
    }

    /// Takes over the strain of an island that is merged into this one.
    pub(crate) fn merge(&mut self, other: &Self) {
        if other.is_strained {
            self.raise();
        }
        self.excess = self.excess.max(other.excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(strain: &mut Strain, count: i8, excess: f32) -> bool {
        (0..count).for_each(|_| strain.record(excess));
        strain.is_strained
    }

    #[test]
    fn enough_evaluations_in_a_row_change_it() {
        let mut strain = Strain::default();
        assert!(!after(&mut strain, EVALUATIONS_TO_RAISE - 1, 2.0));
        assert!(!after(&mut strain, 1, 0.5));
        assert!(!after(&mut strain, EVALUATIONS_TO_RAISE - 1, 2.0));
        assert!(after(&mut strain, 1, 2.0));
        assert!(after(&mut strain, EVALUATIONS_TO_LOWER - 1, 0.5));
        assert!(!after(&mut strain, 1, 0.5));
    }

    #[test]
    fn toppling_ends_it_as_soon_as_it_began() {
        let mut strain = Strain::default();
        strain.raise();
        (1..EVALUATIONS_TO_RAISE).for_each(|_| strain.topple());
        assert!(strain.is_strained);
        strain.topple();
        assert_eq!(strain, Strain::default());
    }
}
