//! A recording in memory: its bytes, and where the steps and states are.

use crate::replay::ReplayError;
use crate::world::record::call::Call;
use crate::world::record::chunk::{Chunk, ChunkKind, HEADER, MAGIC, find_chunk};
use crate::world::{RECORDING_FORMAT, World};
use cairn2d_geometry::{LoadError, LoadReason, Reader};

/// The calls on a world, as [`World::take_recording`] and [`World::stop_recording`] returned them.
///
/// A recording that was cut off, or whose end was damaged, has the steps before the defect.
#[derive(Clone, Debug)]
pub struct Recording {
    bytes: Vec<u8>,
    chunks: Vec<Entry>,
    /// Index of the chunk of each step.
    steps: Vec<usize>,
    /// Defect behind the last chunk.
    defect: Option<LoadError>,
}

/// A chunk with its place in time.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) chunk: Chunk,
    /// Number of steps before it.
    pub(super) step: u64,
}

/// Figures of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordingInfo {
    /// Layout of the bytes; this version of the engine reads 1 to [`RECORDING_FORMAT`].
    pub format: u32,
    /// [`SOLVER_EPOCH`](crate::SOLVER_EPOCH) of the engine that made it.
    pub epoch: u32,
    /// Number of steps.
    pub steps: u64,
    /// Number of states, the first included.
    pub states: usize,
    /// Length \[bytes\].
    pub bytes: usize,
    /// Bytes at the end that belong to no complete chunk: more than 0 if the recording was cut off or damaged.
    pub lost_bytes: usize,
}

impl Recording {
    /// Reads a recording. Any bytes may be given.
    ///
    /// # Errors
    /// If the bytes do not begin as a recording, are of a newer format, or have no complete first state.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, ReplayError> {
        let bytes = bytes.into();
        let mut recording = Self {
            bytes,
            chunks: Vec::new(),
            steps: Vec::new(),
            defect: None,
        };
        if !recording.bytes.starts_with(&MAGIC) || recording.bytes.len() < HEADER {
            return Err(ReplayError::NotARecording);
        }
        let format = recording.head_word(8);
        if format != RECORDING_FORMAT {
            return Err(ReplayError::UnknownFormat(format));
        }
        recording.find_chunks();
        match recording.chunks.first() {
            Some(first) if first.chunk.kind == ChunkKind::Keyframe => Ok(recording),
            Some(first) => Err(ReplayError::Invalid {
                offset: HEADER,
                reason: LoadReason::Tag(first.chunk.kind as u64),
            }),
            None => Err(recording.defect().unwrap_or(ReplayError::Invalid {
                offset: HEADER,
                reason: LoadReason::Truncated,
            })),
        }
    }

    fn find_chunks(&mut self) {
        let (mut start, mut chain) = (HEADER, 0);
        while start < self.bytes.len() {
            let chunk = match find_chunk(&self.bytes, start, &mut chain) {
                Ok(chunk) => chunk,
                Err(reason) => {
                    let offset = start;
                    self.defect = Some(LoadError { offset, reason });
                    return;
                }
            };
            start = chunk.end();
            let step = self.steps.len() as u64;
            if chunk.kind == ChunkKind::Step {
                self.steps.push(self.chunks.len());
            }
            self.chunks.push(Entry { chunk, step });
        }
    }

    /// Returns a number of the head, which is there.
    fn head_word(&self, offset: usize) -> u32 {
        let word = self.bytes[offset..].first_chunk();
        word.map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// Returns the figures of the recording.
    #[must_use]
    pub fn info(&self) -> RecordingInfo {
        let end = self.chunks.last().map_or(HEADER, |last| last.chunk.end());
        let is_state = |entry: &&Entry| is_state(entry.chunk.kind);
        RecordingInfo {
            format: self.head_word(8),
            epoch: self.head_word(12),
            steps: self.step_count(),
            states: self.chunks.iter().filter(is_state).count(),
            bytes: self.bytes.len(),
            lost_bytes: self.bytes.len() - end,
        }
    }

    /// Returns the defect behind the last complete chunk, if the recording was cut off or damaged.
    #[must_use]
    pub fn defect(&self) -> Option<ReplayError> {
        self.defect.map(|error| ReplayError::within(0, error))
    }

    /// Returns the bytes of the recording.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of steps.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.steps.len() as u64
    }

    /// Returns the state hash after a step, the first being 1, or `None` if there is no such step.
    #[must_use]
    pub fn hash_after(&self, step: u64) -> Option<u64> {
        let index = usize::try_from(step.checked_sub(1)?).ok()?;
        let content = self.content(*self.steps.get(index)?);
        content.first_chunk().map(|hash| u64::from_le_bytes(*hash))
    }

    /// Returns how often each call was recorded, by object and name, for tests of the recorder.
    ///
    /// # Errors
    /// If the recording is invalid.
    #[doc(hidden)]
    pub fn call_counts(&self) -> Result<Vec<([&'static str; 2], usize)>, ReplayError> {
        let mut counts: Vec<_> = Call::all_names().map(|names| (names, 0)).collect();
        for chunk in 0..self.chunks.len() {
            for call in self.calls(chunk) {
                let (_, call) = call.map_err(|error| ReplayError::within(0, error))?;
                let count = counts.iter_mut().find(|(names, _)| *names == call.names());
                count.expect("the list has all names").1 += 1;
            }
        }
        Ok(counts)
    }

    pub(super) fn chunks(&self) -> &[Entry] {
        &self.chunks
    }

    /// Returns the index of the chunk behind a step, 0 being the start.
    pub(super) fn chunk_after(&self, step: u64) -> usize {
        let last = step.checked_sub(1).map(|index| self.steps[index as usize]);
        last.unwrap_or(0) + 1
    }

    pub(super) fn content(&self, chunk: usize) -> &[u8] {
        &self.bytes[self.chunks[chunk].chunk.content.clone()]
    }

    /// Returns the calls of a chunk as bytes.
    pub(super) fn call_bytes(&self, chunk: usize) -> &[u8] {
        let content = self.content(chunk);
        match self.chunks[chunk].chunk.kind {
            ChunkKind::Step => content.get(HASH..).unwrap_or_default(),
            ChunkKind::Calls => content,
            ChunkKind::Keyframe | ChunkKind::Replaced => &[],
        }
    }

    /// Returns the calls of a chunk, each with its place in the recording.
    pub(super) fn calls(&self, chunk: usize) -> Calls<'_> {
        let bytes = self.call_bytes(chunk);
        let end = self.chunks[chunk].chunk.content.end;
        Calls(Reader::new(bytes, end - bytes.len()))
    }

    /// Returns the world of a chunk with a state, without hooks, and the bits of the hooks that it had.
    pub(super) fn state(&self, chunk: usize) -> Result<(u8, World), ReplayError> {
        let start = self.chunks[chunk].chunk.content.start;
        let Some((&hooks, save)) = self.content(chunk).split_first() else {
            return Err(ReplayError::Invalid {
                offset: start,
                reason: LoadReason::Truncated,
            });
        };
        let world = World::load(save);
        let world = world.map_err(|error| ReplayError::within(start + 1, error))?;
        Ok((hooks, world))
    }
}

/// Bytes of the hash in the chunk of a step.
const HASH: usize = 8;

/// Returns `true` if a chunk holds a state.
pub(super) const fn is_state(kind: ChunkKind) -> bool {
    matches!(kind, ChunkKind::Keyframe | ChunkKind::Replaced)
}

/// Calls of a chunk in order, with their places in the recording.
pub(super) struct Calls<'a>(Reader<'a>);

impl Iterator for Calls<'_> {
    type Item = Result<(usize, Call), LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.remaining() == 0 {
            return None;
        }
        let offset = self.0.offset();
        let call = self.0.read();
        if call.is_err() {
            // Behind a defect nothing can be found.
            self.0 = Reader::new(&[], offset);
        }
        Some(call.map(|call| (offset, call)))
    }
}
