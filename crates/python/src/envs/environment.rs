//! The interface of an environment.

use crate::envs::random::Random;
use cairn2d::World;

/// Result of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) reward: f64,
    pub(crate) terminated: bool,
    /// At the end of a race, whether the lap is complete.
    pub(crate) lap_finished: Option<bool>,
}

/// Result of a step for one of the agents of an environment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AgentOutcome {
    pub(crate) reward: f64,
    pub(crate) terminated: bool,
    /// Whether the agent took part in the step.
    pub(crate) is_alive: bool,
}

/// Observation of an environment; the kind and the length never change.
#[derive(Clone, Debug)]
pub(crate) enum Observation {
    Numbers(Vec<f32>),
    /// Red, green and blue of a picture, row by row from the top.
    Pixels(Vec<u8>),
}

impl Observation {
    /// Writes numbers.
    pub(crate) fn write(&mut self, values: &[f64]) {
        if let Self::Numbers(out) = self {
            for (out, &value) in out.iter_mut().zip(values) {
                *out = value as f32;
            }
        }
    }

    /// The numbers; none of a picture.
    pub(crate) fn numbers(&self) -> &[f32] {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Pixels(_) => &[],
        }
    }

    /// The bytes of a picture; none of numbers.
    pub(crate) fn pixels(&self) -> &[u8] {
        match self {
            Self::Numbers(_) => &[],
            Self::Pixels(pixels) => pixels,
        }
    }

    /// Copies one of the same kind and length.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        match (self, other) {
            (Self::Numbers(to), Self::Numbers(from)) => to.copy_from_slice(from),
            (Self::Pixels(to), Self::Pixels(from)) => to.copy_from_slice(from),
            (to, from) => to.clone_from(from),
        }
    }
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
    /// Says that the generator was seeded.
    fn note_seed(&mut self, _random: &Random) {}

    /// Starts an episode.
    fn reset(&mut self, random: &mut Random);

    /// Keeps the colors of the last episode in the next one, if they are random.
    fn keep_colors(&mut self) {}

    /// Makes a step; the action is a valid one.
    fn step(&mut self, action: &[f32], random: &mut Random) -> Outcome;

    /// Lists the results of the last step for each agent; none of an environment with one agent.
    fn agents(&self, out: &mut Vec<AgentOutcome>) {
        out.clear();
    }

    /// Its world; none of one without bodies.
    fn world(&self) -> Option<&World> {
        None
    }

    /// Writes the observation after the last step or reset.
    fn observe(&mut self, out: &mut Observation);
}
