//! First difference of two recordings: the first call that differs, the first step after which the states do, and the field.

use crate::replay::recording::{Recording, is_state};
use crate::replay::{Player, ReplayError};
use crate::world::record::chunk::ChunkKind;
use crate::world::{Difference, World};
use std::sync::Arc;

/// Result of [`Recording::compare`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Number of steps that both recordings have.
    pub steps: u64,
    /// First call that differs within these steps, up to the one after which the states differ.
    pub call: Option<CallDifference>,
    /// First step after which the states differ.
    pub desync: Option<Desync>,
}

/// The first call that differs between two recordings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallDifference {
    /// Number of the step to which the call belongs; the first is 1.
    pub step: u64,
    /// Index of the call within its step, counted from 0; the step itself is the last call.
    pub index: usize,
    /// The call in both recordings; `None` for a recording that has no more calls in the step.
    pub calls: [Option<String>; 2],
}

/// The first step after which the states of two recordings differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Desync {
    /// Number of the step; 0 means the state at the start.
    pub step: u64,
    /// The first field that differs, by name, and the step at which it was compared: the same, or a later one if a
    /// recording does not repeat on this machine and has no state at the step. `None` if it has no later one either.
    pub field: Option<(u64, Difference)>,
}

impl Recording {
    /// Compares two recordings: which call differs first, and after which step and in which field the states do.
    ///
    /// Steps beyond the end of the shorter recording are not compared. Calls include the answers of hooks.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, Recording, RecordingDef, World};
    /// use cairn2d_geometry::math::vec2;
    /// use std::sync::Arc;
    ///
    /// let run = |kick: f32| {
    ///     let mut world = World::default();
    ///     world.start_recording(RecordingDef::default());
    ///     let body = world.create_body(BodyDef::dynamic());
    ///     for step in 1..=5 {
    ///         if step == 3 {
    ///             world.body_mut(body).set_velocity(vec2(kick, 0.0));
    ///         }
    ///         world.step(1.0 / 60.0);
    ///     }
    ///     Arc::new(Recording::new(world.stop_recording()).unwrap())
    /// };
    /// let comparison = Recording::compare(&run(1.0), &run(2.0)).unwrap();
    /// let desync = comparison.desync.unwrap();
    /// assert_eq!(desync.step, 3);
    /// let (_, difference) = desync.field.unwrap();
    /// assert_eq!(difference.field, "bodies[0].state.velocity.x");
    /// let call = comparison.call.unwrap();
    /// assert_eq!((call.step, call.index), (3, 0));
    /// ```
    ///
    /// # Errors
    /// If a recording is invalid, or the world refuses a call of it.
    pub fn compare(a: &Arc<Self>, b: &Arc<Self>) -> Result<Comparison, ReplayError> {
        let steps = a.step_count().min(b.step_count());
        let step = first_different_step(a, b, steps)?;
        let field = match step {
            Some(step) => first_field(a, b, step, steps)?,
            None => None,
        };
        Ok(Comparison {
            steps,
            call: first_different_call(a, b, step.unwrap_or(steps))?,
            desync: step.map(|step| Desync { step, field }),
        })
    }

    /// Returns the calls of a step in words, the step itself last; empty if there is no such step.
    ///
    /// # Errors
    /// If the recording is invalid there.
    pub fn calls_of(&self, step: u64) -> Result<Vec<String>, ReplayError> {
        let mut words = Vec::new();
        for chunk in self.chunks_of(step) {
            if self.chunks()[chunk].chunk.kind == ChunkKind::Replaced {
                words.push("the state is replaced".to_owned());
            }
            for call in self.calls(chunk) {
                let (_, call) = call.map_err(|error| ReplayError::within(0, error))?;
                words.push(call.to_string());
            }
        }
        Ok(words)
    }

    /// Returns the indices of the chunks behind the step before, up to the end of `step`.
    fn chunks_of(&self, step: u64) -> core::ops::Range<usize> {
        if (1..=self.step_count()).contains(&step) {
            self.chunk_after(step - 1)..self.chunk_after(step)
        } else {
            0..0
        }
    }

    /// Returns the calls that change the world in a step, as bytes.
    fn changes_of(&self, step: u64) -> impl Iterator<Item = &[u8]> {
        let chunks = self.chunks_of(step);
        let chunks = chunks.filter(|&chunk| self.chunks()[chunk].chunk.kind != ChunkKind::Keyframe);
        chunks.map(|chunk| match self.chunks()[chunk].chunk.kind {
            ChunkKind::Step => self.call_bytes(chunk),
            _ => self.content(chunk),
        })
    }
}

/// Returns the first step up to `last` after which the hashes differ; 0 is the start.
fn first_different_step(
    a: &Recording,
    b: &Recording,
    last: u64,
) -> Result<Option<u64>, ReplayError> {
    let (start_a, start_b) = (a.state(0)?.1, b.state(0)?.1);
    if start_a.state_hash() != start_b.state_hash() {
        return Ok(Some(0));
    }
    Ok((1..=last).find(|&step| a.hash_after(step) != b.hash_after(step)))
}

/// Returns the first call up to step `last` that differs.
fn first_different_call(
    a: &Recording,
    b: &Recording,
    last: u64,
) -> Result<Option<CallDifference>, ReplayError> {
    let Some(step) = (1..=last).find(|&step| !a.changes_of(step).eq(b.changes_of(step))) else {
        return Ok(None);
    };
    let (of_a, of_b) = (a.calls_of(step)?, b.calls_of(step)?);
    let same = of_a.iter().zip(&of_b).take_while(|(a, b)| a == b).count();
    Ok(Some(CallDifference {
        step,
        index: same,
        calls: [of_a, of_b].map(|calls| calls.into_iter().nth(same)),
    }))
}

/// Returns the first field that differs after step `from`, or after the next step up to `last` at which both states are
/// known, and that step.
fn first_field(
    a: &Arc<Recording>,
    b: &Arc<Recording>,
    from: u64,
    last: u64,
) -> Result<Option<(u64, Difference)>, ReplayError> {
    for step in states_of(a, b, from, last) {
        if let (Some(a), Some(b)) = (state_after(a, step)?, state_after(b, step)?) {
            return Ok(a.first_difference(&b).map(|difference| (step, difference)));
        }
    }
    Ok(None)
}

/// Returns `from` and the later steps that have a recorded state, ascending.
fn states_of(a: &Recording, b: &Recording, from: u64, last: u64) -> Vec<u64> {
    let entries = a.chunks().iter().chain(b.chunks());
    let states = entries.filter(|entry| is_state(entry.chunk.kind));
    let mut steps: Vec<u64> = states.map(|entry| entry.step).collect();
    steps.push(from);
    steps.retain(|step| (from..=last).contains(step));
    steps.sort_unstable();
    steps.dedup();
    steps
}

/// Returns the world after a step, or `None` if this machine does not repeat it.
fn state_after(recording: &Arc<Recording>, step: u64) -> Result<Option<World>, ReplayError> {
    let mut player = Player::new(Arc::clone(recording))?;
    match player.seek(step) {
        Ok(()) => Ok(Some(player.into_world())),
        Err(ReplayError::Mismatch { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
