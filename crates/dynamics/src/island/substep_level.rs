//! Substep levels: how many substeps an island is solved with, and how stiff its contacts and joints are
//! then.

use crate::mechanisms::Mechanism;
use crate::softness::contact_hertz;
use crate::tuning::Tuning;
use core::f32::consts::FRAC_1_SQRT_2;

/// Number of substeps and stiffness of an island, relative to the world's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstepLevel {
    /// Number of times that the world's substeps are doubled.
    pub(crate) doublings: u8,
    /// Factor on the stiffness of contacts and joints [Hz per Hz]: the factor on the substeps at most.
    pub(crate) stiffness: f32,
}

/// Levels of stiffness for each doubling of the substeps.
///
/// Joints that a load has stretched close as they get stiffer. Twice the stiffness at once pulls with four
/// times the load: a bridge of 40 links is thrown into the air.
pub(crate) const RANKS_PER_DOUBLING: u8 = 4;

/// Greatest number of doublings. More would cost 32 times the world's substeps.
const MAX_SUBSTEP_DOUBLINGS: u8 = 4;

/// Share of a gain of stiffness that joints take part in: see [`SubstepLevel::joints`].
const JOINT_STIFFNESS_GAIN: f32 = 0.8;

/// Damping ratio that joints gain per factor of stiffness. At 2 a ball on a taut bridge still bounces after
/// half a minute, in another way each time; from 4 on it comes to rest in some seconds.
const JOINT_DAMPING_GAIN: f32 = 6.0;

/// Number of levels.
const LEVEL_COUNT: usize = 1 + LAST_LEVEL as usize;

/// All substep levels. The first is the world's.
pub(crate) const SUBSTEP_LEVELS: [SubstepLevel; LEVEL_COUNT] = {
    let mut levels = [SubstepLevel::of_rank(0); LEVEL_COUNT];
    let mut level = 1;
    while level < LEVEL_COUNT {
        levels[level] = SubstepLevel::of_rank(level as u8);
        level += 1;
    }
    levels
};

impl SubstepLevel {
    /// Returns the level of this rank. Stiffness grows from rank to rank, substeps with the first rank of
    /// each doubling.
    const fn of_rank(rank: u8) -> Self {
        // Powers of the fourth root of 2, of the doubling that the rank belongs to.
        const RANK_SHARES: [f32; RANKS_PER_DOUBLING as usize] =
            [1.0, 0.594_603_6, FRAC_1_SQRT_2, 0.840_896_4];
        let doublings = rank.div_ceil(RANKS_PER_DOUBLING);
        Self {
            doublings,
            stiffness: (1_u32 << doublings) as f32
                * RANK_SHARES[(rank % RANKS_PER_DOUBLING) as usize],
        }
    }

    /// Returns `true` if this is the world's level.
    pub(crate) fn is_base(&self) -> bool {
        self.doublings == 0
    }

    /// Returns the number of substeps in a world of `substeps`.
    pub(crate) fn substeps(&self, substeps: u32) -> u32 {
        substeps << self.doublings
    }

    /// Returns the stiffness of contacts between moving bodies \[Hz\] in a step of `dt` \[s\] of a world of
    /// `substeps`.
    pub(crate) fn contact_hertz(&self, tuning: &Tuning, dt: f32, substeps: u32) -> f32 {
        let h = dt / self.substeps(substeps) as f32;
        contact_hertz(self.tuning(tuning).contact_hertz, h)
    }

    /// Returns the stiffness \[Hz\] and damping ratio of joints; [`tuning`](Self::tuning) has those of their
    /// limits.
    ///
    /// At full stiffness a bounce on a bridge was amplified: a sweep over the joints no longer carried a pull
    /// to the end of the bridge before the next one. And the loads that require the stiffness exceed the
    /// masses of the joints' bodies by its square: critically damped for these masses, joints would be
    /// springs without loss for the load, and throw it back.
    pub(crate) fn joints(&self, tuning: &Tuning) -> [f32; 2] {
        let damping_gain = if tuning.uses(Mechanism::LevelJointDamping) {
            JOINT_DAMPING_GAIN
        } else {
            0.0
        };
        [
            (1.0 + JOINT_STIFFNESS_GAIN * (self.stiffness - 1.0)) * tuning.joint_hertz,
            (1.0 + damping_gain * (self.stiffness - 1.0)) * tuning.joint_damping_ratio,
        ]
    }

    /// Returns `tuning` with the stiffness of this level.
    pub(crate) fn tuning(&self, tuning: &Tuning) -> Tuning {
        Tuning {
            contact_hertz: self.stiffness * tuning.contact_hertz,
            joint_hertz: self.stiffness * tuning.joint_hertz,
            ..*tuning
        }
    }
}

/// The last level.
pub(crate) const LAST_LEVEL: u8 = MAX_SUBSTEP_DOUBLINGS * RANKS_PER_DOUBLING;

/// Iterates upward over the levels with the full stiffness of their substeps.
pub(crate) fn full_levels() -> impl DoubleEndedIterator<Item = u8> {
    (0..=MAX_SUBSTEP_DOUBLINGS).map(|doublings| doublings * RANKS_PER_DOUBLING)
}

/// Returns the next higher level with the full stiffness of its substeps.
pub(crate) fn next_full_level(level: u8) -> u8 {
    full_levels()
        .find(|&full| full > level)
        .unwrap_or(LAST_LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stiffness_follows_the_substeps() {
        let base = Tuning::default();
        for level in full_levels() {
            let record = SUBSTEP_LEVELS[usize::from(level)];
            let tuning = record.tuning(&base);
            let factor = record.substeps(4) as f32 / 4.0;
            assert_eq!(tuning.joint_hertz, factor * base.joint_hertz);
            let [hertz, damping_ratio] = record.joints(&base);
            assert!(
                hertz <= tuning.joint_hertz && hertz >= JOINT_STIFFNESS_GAIN * tuning.joint_hertz
            );
            assert!(damping_ratio >= factor * base.joint_damping_ratio);
            assert_eq!(tuning.contact_hertz, factor * base.contact_hertz);
        }
    }

    #[test]
    fn stiffness_grows_evenly_within_the_limit_of_the_substeps() {
        let growth = f32::sqrt(f32::sqrt(2.0));
        for pair in SUBSTEP_LEVELS.windows(2) {
            assert!((pair[1].stiffness / pair[0].stiffness - growth).abs() < 1.0e-5);
            assert!(pair[1].stiffness <= pair[1].substeps(4) as f32 / 4.0);
        }
    }
}
