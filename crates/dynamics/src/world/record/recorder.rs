//! The recorder: collects the calls on a world as chunks of a recording.

use crate::answers::{AnswerLog, Answers};
use crate::world::World;
use crate::world::record::call::Call;
use crate::world::record::chunk::{ChunkKind, MAGIC, RECORDING_FORMAT, push_chunk};
use crate::world::save::SOLVER_EPOCH;
use cairn2d_geometry::{ByteSink, Persist};

/// Settings of a recording: plain data, reusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordingDef {
    /// Work of the steps from one keyframe to the next, in awake bodies, contacts and joints, summed over the steps;
    /// solvers that converge count by their cost. A keyframe takes the bytes of a save; a jump takes the time to load
    /// one and to repeat this much work. A unit takes up to a fifth of a microsecond on a desktop processor.
    pub keyframe_work: u64,
}

impl Default for RecordingDef {
    fn default() -> Self {
        Self {
            keyframe_work: DEFAULT_KEYFRAME_WORK,
        }
    }
}

/// Default of [`RecordingDef::keyframe_work`]: loading a state and repeating this much work takes less than a tenth of a
/// second.
pub const DEFAULT_KEYFRAME_WORK: u64 = 300_000;

/// The functions that write calls and states, and order answers. A recorder points to them, so that a program that starts no recording contains
/// none of them.
#[derive(Clone, Copy, Debug)]
struct Writers {
    call: fn(&Call, &mut Vec<u8>),
    state: fn(&World) -> Vec<u8>,
    answers: fn(&AnswerLog) -> Answers,
}

/// State of a world while it is recorded.
#[derive(Debug)]
pub(crate) struct Recorder {
    def: RecordingDef,
    writers: Writers,
    /// Complete chunks that were not taken yet.
    chunks: Vec<u8>,
    /// Checksum of the last chunk.
    chain: u64,
    /// Calls since the last chunk.
    calls: Vec<u8>,
    /// Work since the last keyframe: see [`RecordingDef::keyframe_work`].
    work: u64,
    /// Answers of hooks within the present call.
    pub(crate) answers: AnswerLog,
}

impl Recorder {
    pub(crate) fn new(def: RecordingDef) -> Self {
        let mut chunks = MAGIC.to_vec();
        chunks.extend_from_slice(&RECORDING_FORMAT.to_le_bytes());
        chunks.extend_from_slice(&SOLVER_EPOCH.to_le_bytes());
        let writers = Writers {
            call: |call, bytes| call.write(&mut ByteSink::new(bytes)),
            state: World::save,
            answers: AnswerLog::take,
        };
        Self {
            def,
            writers,
            chunks,
            chain: 0,
            calls: Vec::new(),
            work: 0,
            answers: AnswerLog::default(),
        }
    }

    pub(crate) fn push_call(&mut self, call: &Call) {
        (self.writers.call)(call, &mut self.calls);
    }

    /// Ends the step that was recorded last, after which the state has this hash.
    pub(crate) fn end_step(&mut self, hash: u64, work: u64) {
        let content: [&[u8]; 2] = [&hash.to_le_bytes(), &self.calls];
        push_chunk(&mut self.chunks, &mut self.chain, ChunkKind::Step, &content);
        self.calls.clear();
        self.work += work;
    }

    /// Returns `true` if the steps since the last keyframe take long to repeat.
    pub(crate) const fn is_keyframe_due(&self) -> bool {
        self.work >= self.def.keyframe_work
    }

    /// Writes the state of a world: the bits of its hooks, and its save.
    pub(crate) fn push_state(&mut self, kind: ChunkKind, hooks: u8, world: &World) {
        self.end_calls();
        let save = (self.writers.state)(world);
        let content: [&[u8]; 2] = [&[hooks], &save];
        push_chunk(&mut self.chunks, &mut self.chain, kind, &content);
        self.work = 0;
    }

    /// Completes the calls that no step followed.
    pub(crate) fn end_calls(&mut self) {
        if !self.calls.is_empty() {
            let content: [&[u8]; 1] = [&self.calls];
            push_chunk(
                &mut self.chunks,
                &mut self.chain,
                ChunkKind::Calls,
                &content,
            );
            self.calls.clear();
        }
    }

    /// Takes the answers of hooks since the last call, in order.
    pub(crate) fn take_answers(&self) -> Answers {
        (self.writers.answers)(&self.answers)
    }

    /// Takes the complete chunks.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.chunks)
    }
}
