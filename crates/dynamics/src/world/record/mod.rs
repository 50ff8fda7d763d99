//! Recording: a world that is recorded writes down each call that changes it.
//!
//! Each public method that changes the world by itself calls [`World::record`] when it is certain that the call
//! succeeds; methods that consist of such calls need not. The recorder is part of the world, not a wrapper, since
//! characters, crowds and scripts take a `&mut World`. It is no part of the state: a clone has none.

pub(crate) mod call;
pub(crate) mod chunk;
mod recorder;
mod work;

use crate::answers::{AnswerLog, Answers};
use crate::world::World;
use call::{Call, WorldCall};
use chunk::{ChunkKind, hook_bits};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub use chunk::RECORDING_FORMAT;
pub(crate) use recorder::Recorder;
pub use recorder::{DEFAULT_KEYFRAME_WORK, RecordingDef};

/// Returns where answers of hooks are recorded.
pub(crate) fn answer_log(recorder: &Option<Box<Recorder>>) -> Option<&AnswerLog> {
    recorder.as_ref().map(|recorder| &recorder.answers)
}

impl World {
    /// Starts to record all calls that change the world, with the answers of hooks, and a hash after each step. A
    /// [`Player`](crate::Player) repeats them bit for bit. Another recording of the world is dropped.
    ///
    /// A recorded step takes the time of a [`state_hash`](Self::state_hash) more, and that of a [`save`](Self::save) at
    /// each keyframe. Without a recording, nothing is written.
    ///
    /// The recording follows this value: it goes on after [`clone_from`](Clone::clone_from), which writes the new state
    /// down, and ends with the value if another world is assigned to it. Clones are not recorded.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, Player, Recording, RecordingDef, World};
    /// use cairn2d_geometry::math::vec2;
    ///
    /// let mut world = World::default();
    /// world.start_recording(RecordingDef::default());
    /// let body = world.create_body(BodyDef::dynamic());
    /// let mut bytes = Vec::new();
    /// for _ in 0..10 {
    ///     world.body_mut(body).set_velocity(vec2(1.0, 0.0));
    ///     world.step(1.0 / 60.0);
    ///     bytes.extend(world.take_recording()); // to a file: a crash loses the last step only
    /// }
    /// bytes.extend(world.stop_recording());
    ///
    /// let mut player = Player::new(Recording::new(bytes).unwrap()).unwrap();
    /// player.seek(10).unwrap();
    /// assert_eq!(player.world().state_hash(), world.state_hash());
    /// ```
    pub fn start_recording(&mut self, def: RecordingDef) {
        self.recorder = Some(Box::new(Recorder::new(def)));
        self.record_state(ChunkKind::Keyframe);
    }

    /// Returns `true` if the world is recorded.
    #[must_use]
    pub const fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// Takes the part of the recording that is complete: up to the last step, from the end of the part that was taken
    /// before. All parts together are the recording. Empty if the world is not recorded.
    #[must_use]
    pub fn take_recording(&mut self) -> Vec<u8> {
        let recorder = self.recorder.as_mut();
        recorder.map_or_else(Vec::new, |recorder| recorder.take())
    }

    /// Ends the recording and returns the rest of it: see [`take_recording`](Self::take_recording).
    #[must_use]
    pub fn stop_recording(&mut self) -> Vec<u8> {
        let Some(mut recorder) = self.recorder.take() else {
            return Vec::new();
        };
        recorder.end_calls();
        recorder.take()
    }

    /// Records a call that is certain to succeed.
    #[inline]
    pub(crate) fn record(&mut self, call: impl FnOnce(&Self) -> Call) {
        if self.recorder.is_some() {
            self.push_call(call);
        }
    }

    /// Records a call of a method of the world.
    #[inline]
    pub(crate) fn record_own(&mut self, call: impl FnOnce() -> WorldCall) {
        self.record(|_| Call::World { call: call() });
    }

    #[cold]
    fn push_call(&mut self, call: impl FnOnce(&Self) -> Call) {
        let call = call(self);
        if let Some(recorder) = &mut self.recorder {
            recorder.push_call(&call);
        }
    }

    /// Runs a call in which hooks answer, and records it with the answers. If a hook panics, the call did not come to
    /// its end: the state that it left is recorded instead.
    pub(crate) fn record_answered(
        &mut self,
        run: impl FnOnce(&mut Self),
        call: impl FnOnce(Answers) -> WorldCall,
    ) {
        if self.recorder.is_none() {
            return run(self);
        }
        let ran = catch_unwind(AssertUnwindSafe(|| run(self)));
        let recorder = self.recorder.as_ref();
        let answers = recorder.map(|recorder| recorder.take_answers());
        match ran {
            Ok(()) => self.record_own(|| call(answers.unwrap_or_default())),
            Err(panic) => {
                self.record_state(ChunkKind::Replaced);
                resume_unwind(panic);
            }
        }
    }

    /// Ends a recorded step, with a keyframe if it is due.
    pub(crate) fn end_recorded_step(&mut self) {
        if self.recorder.is_none() {
            return;
        }
        let hash = self.state_hash();
        let work = self.last_work();
        let recorder = self.recorder.as_mut();
        let is_due = recorder.is_some_and(|recorder| {
            recorder.end_step(hash, work);
            recorder.is_keyframe_due()
        });
        if is_due {
            self.record_state(ChunkKind::Keyframe);
        }
    }

    /// Writes down that the world was replaced by a copy of another one.
    pub(super) fn note_replaced(&mut self) {
        self.record_state(ChunkKind::Replaced);
    }

    /// Writes the present state into the recording.
    pub(crate) fn record_state(&mut self, kind: ChunkKind) {
        let Some(mut recorder) = self.recorder.take() else {
            return;
        };
        let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let hooks = bit(self.hooks.pair_filter.is_some(), hook_bits::PAIR_FILTER)
            | bit(self.hooks.pre_solve.is_some(), hook_bits::PRE_SOLVE);
        recorder.push_state(kind, hooks, self);
        self.recorder = Some(recorder);
    }

    /// Corrects the checksums of a damaged recording, for tools that test readers.
    #[doc(hidden)]
    pub fn forge_recording(bytes: &mut [u8]) {
        chunk::forge_checksums(bytes);
    }
}
