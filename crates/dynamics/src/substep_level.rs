//! Levels of effort: how many substeps an island is solved with, and how stiff its links are then.

use crate::softness::contact_hertz;
use crate::tuning::{MAX_CONTACT_HERTZ_SHARE, Tuning};
use core::f32::consts::FRAC_1_SQRT_2;

/// Steps between two evaluations of an island.
///
/// Static loads last, so they can wait; an impact is over by the next evaluation.
pub(crate) const EVALUATION_INTERVAL: u64 = 4;

/// How hard an island is worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstepLevel {
    /// How often the world's substeps are doubled.
    pub(crate) doublings: u8,
    /// Factor on the stiffness of links [Hz per Hz]: as the substeps at most, but in the last levels.
    pub(crate) stiffness: f32,
}

/// Levels of stiffness for each doubling of the substeps.
///
/// Joints that a load has drawn apart close as they get stiffer. Twice the stiffness at once pulls with four times the
/// load: a bridge of 40 links is thrown into the air.
pub(crate) const RANKS: u8 = 4;

/// Most doublings.
const MAX_DOUBLINGS: u8 = 4;

/// The level with the most substeps that is as stiff as they allow everywhere.
const LAST_USUAL: u8 = MAX_DOUBLINGS * RANKS;

/// Stiffness of contacts relative to what substeps allow everywhere, in the levels beyond.
///
/// An island that needs still more is a column or little else, and sweeps carry a push through it sooner than through a pile. With
/// 1.33 (0.2 of the substep rate) a stack of 100 with offsets of 5 cm drifts by 16 cm instead of 55; with 1.67 it falls.
const BEYOND: [f32; 2] = [1.15, 1.33];

/// Stiffness that joints gain, relative to what the substeps allow.
const JOINTS: f32 = 0.8;

/// Damping ratio that joints gain with their stiffness. With 2 a ball on a taut bridge still bounces for half a minute, in another way each time; from
/// 4 on it comes to rest in some seconds.
const DAMPING: f32 = 6.0;

/// Number of levels.
const LEVELS: usize = 1 + LAST_USUAL as usize + BEYOND.len();

/// Levels of effort. The first is the world's.
pub(crate) const SUBSTEP_LEVELS: [SubstepLevel; LEVELS] = {
    let mut levels = [SubstepLevel::of_rank(0); LEVELS];
    let mut level = 1;
    while level < LEVELS {
        levels[level] = SubstepLevel::of_rank(level as u8);
        level += 1;
    }
    levels
};

impl SubstepLevel {
    /// The level of this rank: stiffness grows from rank to rank, substeps with the first of each doubling.
    const fn of_rank(rank: u8) -> Self {
        // Powers of the fourth root of 2: those of the last doubling.
        const SHARES: [f32; RANKS as usize] = [1.0, 0.594_603_6, FRAC_1_SQRT_2, 0.840_896_4];
        if rank > LAST_USUAL {
            return Self {
                doublings: MAX_DOUBLINGS,
                stiffness: (1_u32 << MAX_DOUBLINGS) as f32
                    * BEYOND[(rank - LAST_USUAL - 1) as usize],
            };
        }
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

    /// Greatest share of the substep rate used as the stiffness of contacts.
    pub(crate) fn contact_share(&self) -> f32 {
        MAX_CONTACT_HERTZ_SHARE * (self.stiffness / self.more_substeps()).max(1.0)
    }

    /// Stiffness of contacts between bodies that move \[Hz\] in a step of `dt` \[s\], where the world has `substeps`.
    pub(crate) fn contact_hertz(&self, tuning: &Tuning, dt: f32, substeps: u32) -> f32 {
        let h = dt / self.substeps(substeps) as f32;
        contact_hertz(self.tuning(tuning).contact_hertz, self.contact_share(), h)
    }

    /// Returns stiffness \[Hz\] and damping ratio of what joints hold together; [`tuning`](Self::tuning) has those of limits.
    ///
    /// As stiff as the substeps allow, what bounced on a bridge was thrown again and again: a sweep over the joints no longer carries a
    /// pull to the end of it before the next one. And the loads that ask for it are heavier than the joints' bodies by the square of the
    /// stiffness: damped critically for these, joints would be springs without loss for the load, and throw it back.
    pub(crate) fn joints(&self, tuning: &Tuning) -> [f32; 2] {
        let stiffness = self.stiffness.min(self.more_substeps());
        [
            (1.0 + JOINTS * (stiffness - 1.0)) * tuning.joint_hertz,
            (1.0 + DAMPING * (stiffness - 1.0)) * tuning.joint_damping_ratio,
        ]
    }

    /// How many times the world's substeps these are.
    fn more_substeps(&self) -> f32 {
        (1_u32 << self.doublings) as f32
    }

    /// Returns `tuning` as stiff as the substeps allow.
    pub(crate) fn tuning(&self, tuning: &Tuning) -> Tuning {
        Tuning {
            contact_hertz: self.stiffness * tuning.contact_hertz,
            joint_hertz: self.stiffness.min(self.more_substeps()) * tuning.joint_hertz,
            ..*tuning
        }
    }
}

/// The last level.
pub(crate) const LAST: u8 = SUBSTEP_LEVELS.len() as u8 - 1;

/// Iterates over the levels that are as stiff as their substeps allow, upward, and the last one.
pub(crate) fn whole_levels() -> impl DoubleEndedIterator<Item = u8> {
    let usual = (0..=MAX_DOUBLINGS).map(|doublings| doublings * RANKS);
    usual.chain([LAST])
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
            let effort = SUBSTEP_LEVELS[usize::from(level)];
            let tuning = effort.tuning(&usual);
            let factor = effort.substeps(4) as f32 / 4.0;
            let beyond = effort.contact_share() / MAX_CONTACT_HERTZ_SHARE;
            assert_eq!(tuning.joint_hertz, factor * usual.joint_hertz);
            let [hertz, damping_ratio] = effort.joints(&usual);
            assert!(hertz <= tuning.joint_hertz && hertz >= JOINTS * tuning.joint_hertz);
            assert!(damping_ratio >= factor * usual.joint_damping_ratio);
            assert_eq!(tuning.contact_hertz, factor * beyond * usual.contact_hertz);
            assert!(level == LAST || beyond == 1.0);
        }
    }

    #[test]
    fn stiffness_grows_evenly_within_what_the_substeps_allow() {
        let growth = f32::sqrt(f32::sqrt(2.0));
        for pair in SUBSTEP_LEVELS[..=usize::from(LAST_USUAL)].windows(2) {
            assert!((pair[1].stiffness / pair[0].stiffness - growth).abs() < 1.0e-5);
            assert!(pair[1].stiffness <= pair[1].substeps(4) as f32 / 4.0);
        }
    }
}
