//! The player: repeats a recording, and goes to any step of it.

use crate::hook::Hooks;
use crate::replay::ReplayError;
use crate::replay::answer_book::AnswerBook;
use crate::replay::apply::apply;
use crate::replay::recording::{Recording, is_state};
use crate::world::World;
use crate::world::record::call::Call;
use crate::world::record::chunk::ChunkKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A world that repeats a recording bit for bit, without the hooks that were recorded.
///
/// After each step it compares the state hash with the recorded one. See [`World::start_recording`].
#[derive(Debug)]
pub struct Player {
    recording: Arc<Recording>,
    world: World,
    book: AnswerBook,
    /// Steps that the world has taken since the start of the recording.
    step: u64,
    /// Index of the chunk that comes next.
    next: usize,
    threads: Option<u32>,
}

impl Player {
    /// Starts at the first state of a recording.
    ///
    /// # Errors
    /// If that state is invalid.
    pub fn new(recording: impl Into<Arc<Recording>>) -> Result<Self, ReplayError> {
        let mut player = Self {
            recording: recording.into(),
            world: World::default(),
            book: AnswerBook::default(),
            step: 0,
            next: 0,
            threads: None,
        };
        player.restore(0)?;
        Ok(player)
    }

    /// Returns the world after the last step.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Returns the world after the last step, to continue with it. The recorded hooks no longer answer: set your own.
    #[must_use]
    pub fn into_world(mut self) -> World {
        self.world.hooks = Hooks::default();
        self.world
    }

    /// Returns the recording.
    #[must_use]
    pub const fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// Number of the last step; 0 at the start.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Sets the number of threads of a step, 1 to 64, instead of the recorded one. No result depends on it.
    pub fn set_threads(&mut self, threads: u32) {
        self.threads = Some(threads.clamp(1, crate::world_def::MAX_THREADS));
    }

    /// Repeats the calls up to the end of the next step. Returns `false`, after the last calls, if there is none.
    ///
    /// # Errors
    /// If the recording is invalid, the world refuses a call, or its state differs from the recorded one. In the last
    /// case the step is complete, and the player can go on.
    pub fn advance(&mut self) -> Result<bool, ReplayError> {
        let goes_on = self.repeat_step()?;
        if goes_on {
            self.check_hash()?;
        }
        Ok(goes_on)
    }

    /// Does as [`advance`](Self::advance), without a comparison of the hash.
    fn repeat_step(&mut self) -> Result<bool, ReplayError> {
        while let Some(entry) = self.recording.chunks().get(self.next) {
            let (kind, chunk) = (entry.chunk.kind, self.next);
            match kind {
                ChunkKind::Keyframe => self.next += 1,
                ChunkKind::Replaced => self.restore(chunk)?,
                ChunkKind::Calls => self.repeat_calls(chunk)?,
                ChunkKind::Step => {
                    self.repeat_calls(chunk)?;
                    self.step += 1;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Goes to the end of a step; steps beyond the last mean the last one. Takes the time to load a state and to repeat
    /// the steps after it: see [`RecordingDef::keyframe_work`](crate::RecordingDef::keyframe_work).
    ///
    /// # Errors
    /// As [`advance`](Self::advance); only the state after the step itself is compared with the recorded one.
    pub fn seek(&mut self, step: u64) -> Result<(), ReplayError> {
        let step = step.min(self.recording.step_count());
        let behind = self.recording.chunk_after(step);
        let is_usable = |&chunk: &usize| {
            let entry = &self.recording.chunks()[chunk];
            match entry.chunk.kind {
                ChunkKind::Keyframe => entry.step <= step,
                // A state that was replaced after the step is not that of the step.
                ChunkKind::Replaced => entry.step < step,
                ChunkKind::Calls | ChunkKind::Step => false,
            }
        };
        // A keyframe of the step itself is just behind it.
        let end = (behind + 1).min(self.recording.chunks().len());
        let state = (0..end).rev().find(is_usable).unwrap_or(0);
        if self.next > behind || self.next <= state {
            self.restore(state)?;
        }
        while self.step < step {
            self.repeat_step()?;
        }
        self.check_hash()
    }

    /// Makes the world that of a chunk with a state.
    fn restore(&mut self, chunk: usize) -> Result<(), ReplayError> {
        let entry = &self.recording.chunks()[chunk];
        debug_assert!(is_state(entry.chunk.kind));
        let (hooks, world) = self.recording.state(chunk)?;
        let replaced = core::mem::replace(&mut self.world, world);
        self.world.pool = replaced.pool;
        self.world.def.clock = replaced.def.clock;
        self.world.hooks = self.book.hooks(hooks);
        self.step = entry.step;
        self.next = chunk + 1;
        Ok(())
    }

    fn repeat_calls(&mut self, chunk: usize) -> Result<(), ReplayError> {
        let recording = Arc::clone(&self.recording);
        for call in recording.calls(chunk) {
            let (offset, call) = call.map_err(|error| ReplayError::within(0, error))?;
            self.repeat(call, offset)?;
        }
        self.next = chunk + 1;
        Ok(())
    }

    fn repeat(&mut self, call: Call, offset: usize) -> Result<(), ReplayError> {
        self.world.def.threads = self.threads.unwrap_or(self.world.def.threads);
        // Setters panic on numbers that they refuse. These are in no recording but a forged one.
        let world = &mut self.world;
        let applied = catch_unwind(AssertUnwindSafe(|| apply(world, call, &self.book)));
        match applied {
            Ok(result) => result.map_err(|reason| ReplayError::Refused { offset, reason }),
            Err(panic) => {
                let words = panic.downcast_ref::<String>().map(String::as_str);
                let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
                let message = words.unwrap_or_default().to_owned();
                Err(ReplayError::Panicked { offset, message })
            }
        }
    }

    fn check_hash(&self) -> Result<(), ReplayError> {
        let found = self.world.state_hash();
        match self.recording.hash_after(self.step) {
            Some(expected) if expected != found => Err(ReplayError::Mismatch {
                step: self.step,
                expected,
                found,
                unanswered: self.book.unanswered(),
            }),
            _ => Ok(()),
        }
    }
}
