//! The interface of an environment.

use crate::envs::random::Random;

/// Result of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) reward: f64,
    pub(crate) terminated: bool,
}

/// Kind of action of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// One of so many choices.
    Discrete(usize),
    /// So many numbers.
    Continuous(usize),
}

impl ActionKind {
    /// Numbers of an action.
    pub(crate) const fn len(self) -> usize {
        match self {
            Self::Discrete(_) => 1,
            Self::Continuous(len) => len,
        }
    }

    /// Returns whether the numbers are an action.
    pub(crate) fn accepts(self, action: &[f32]) -> bool {
        match self {
            Self::Discrete(count) => {
                action[0] >= 0.0 && action[0] < count as f32 && action[0].fract() == 0.0
            }
            Self::Continuous(_) => action.iter().all(|x| x.is_finite()),
        }
    }
}

/// One environment of a batch.
pub(crate) trait Environment: Send + Sync {
    /// Starts an episode.
    fn reset(&mut self, random: &mut Random);

    /// Makes a step; the action is a valid one.
    fn step(&mut self, action: &[f32], random: &mut Random) -> Outcome;

    /// Writes the observation after the last step or reset.
    fn observe(&self, out: &mut [f32]);
}
