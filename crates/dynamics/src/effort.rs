//! Levels of effort: how many substeps an island is solved with, and how stiff its links are then.

use crate::tuning::Tuning;
use core::f32::consts::FRAC_1_SQRT_2;

/// How hard an island is worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// How often the world's substeps are doubled.
    pub(crate) doublings: u8,
    /// Factor on the stiffness of links [Hz per Hz]: at most as the substeps.
    pub(crate) stiffness: f32,
}

/// Levels of stiffness for each doubling of the substeps.
///
/// Joints that a load has drawn apart close as they get stiffer. Twice the stiffness at once pulls with four times the
/// load: a bridge of 40 links is thrown into the air.
pub(crate) const RANKS: u8 = 4;

/// Most doublings.
const MAX_DOUBLINGS: u8 = 4;

/// Number of levels.
const LEVELS: usize = 1 + (MAX_DOUBLINGS * RANKS) as usize;

/// Levels of effort. The first is the world's.
pub(crate) const EFFORTS: [Effort; LEVELS] = {
    let mut levels = [Effort::of_rank(0); LEVELS];
    let mut level = 1;
    while level < LEVELS {
        levels[level] = Effort::of_rank(level as u8);
        level += 1;
    }
    levels
};

impl Effort {
    /// The level of this rank: stiffness grows from rank to rank, substeps with the first of each doubling.
    const fn of_rank(rank: u8) -> Self {
        // Powers of the fourth root of 2: those of the last doubling.
        const SHARES: [f32; RANKS as usize] = [1.0, 0.594_603_6, FRAC_1_SQRT_2, 0.840_896_4];
        let doublings = rank.div_ceil(RANKS);
        Self {
            doublings,
            stiffness: (1_u32 << doublings) as f32 * SHARES[(rank % RANKS) as usize],
        }
    }

    /// Says whether this is the world's.
    pub(crate) fn is_usual(&self) -> bool {
        self.doublings == 0
    }

    /// Returns the substeps where the world has `substeps`.
    pub(crate) fn substeps(&self, substeps: u32) -> u32 {
        substeps << self.doublings
    }

    /// Returns `tuning` as stiff as the substeps allow.
    pub(crate) fn tuning(&self, tuning: &Tuning) -> Tuning {
        Tuning {
            contact_hertz: self.stiffness * tuning.contact_hertz,
            joint_hertz: self.stiffness * tuning.joint_hertz,
            ..*tuning
        }
    }
}

/// The last level.
pub(crate) const LAST: u8 = EFFORTS.len() as u8 - 1;

/// Iterates over the levels that are as stiff as their substeps allow, upward.
pub(crate) fn whole_levels() -> impl DoubleEndedIterator<Item = u8> {
    (0..=MAX_DOUBLINGS).map(|doublings| doublings * RANKS)
}

/// Returns the next higher level that is as stiff as its substeps allow.
pub(crate) fn one_doubling_up(level: u8) -> u8 {
    whole_levels().find(|&whole| whole > level).unwrap_or(LAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiffness_follows_the_substeps() {
        let usual = Tuning::default();
        for level in whole_levels() {
            let effort = EFFORTS[usize::from(level)];
            let tuning = effort.tuning(&usual);
            let factor = effort.substeps(4) as f32 / 4.0;
            assert_eq!(tuning.joint_hertz, factor * usual.joint_hertz);
            assert_eq!(tuning.contact_hertz, factor * usual.contact_hertz);
        }
    }

    #[test]
    fn stiffness_grows_evenly_within_what_the_substeps_allow() {
        let growth = f32::sqrt(f32::sqrt(2.0));
        for pair in EFFORTS.windows(2) {
            assert!((pair[1].stiffness / pair[0].stiffness - growth).abs() < 1.0e-5);
            assert!(pair[1].stiffness <= pair[1].substeps(4) as f32 / 4.0);
        }
    }
}
