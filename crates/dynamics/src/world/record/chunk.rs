//! Parts of a recording: the head, then chunks, each complete in itself. `docs/format.md` describes the bytes.

use cairn2d_geometry::{LoadReason, StateHasher};
use core::ops::Range;

/// The layout that [`World::start_recording`](crate::World::start_recording) writes.
pub const RECORDING_FORMAT: u32 = 1;

/// First bytes of a recording. The last one is no text, and no UTF-8.
pub(crate) const MAGIC: [u8; 8] = *b"cairnre\xc1";

/// Bytes before the first chunk: magic, format and solver epoch.
pub(crate) const HEADER: usize = 16;

/// Bytes of a chunk before its content: kind and length.
const CHUNK_HEAD: usize = 9;

/// Bytes of a chunk behind its content: the checksum.
const CHUNK_END: usize = 8;

/// Content of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChunkKind {
    /// Calls that no step follows: the end of a recording, or a replaced state.
    Calls,
    /// The state hash behind a step, and the calls up to it.
    Step,
    /// The state here, which also follows from the calls.
    Keyframe,
    /// The state here, which does not: the world was overwritten, or a hook panicked.
    Replaced,
}

impl ChunkKind {
    const ALL: [Self; 4] = [Self::Calls, Self::Step, Self::Keyframe, Self::Replaced];
}

/// Bits of the first byte of a state: which hooks the world has.
pub(crate) mod hook_bits {
    pub(crate) const PAIR_FILTER: u8 = 1;
    pub(crate) const PRE_SOLVE: u8 = 2;
}

/// Appends a chunk. `chain` is the checksum of the chunk before it, and becomes that of this one: so the order of
/// chunks is part of it.
pub(crate) fn push_chunk(bytes: &mut Vec<u8>, chain: &mut u64, kind: ChunkKind, content: &[&[u8]]) {
    let start = bytes.len();
    let length: usize = content.iter().map(|part| part.len()).sum();
    bytes.push(kind as u8);
    bytes.extend_from_slice(&(length as u64).to_le_bytes());
    for part in content {
        bytes.extend_from_slice(part);
    }
    *chain = checksum(*chain, &bytes[start..]);
    bytes.extend_from_slice(&chain.to_le_bytes());
}

/// A chunk in the bytes of a recording.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) kind: ChunkKind,
    pub(crate) content: Range<usize>,
}

impl Chunk {
    /// Place behind the chunk.
    pub(crate) const fn end(&self) -> usize {
        self.content.end + CHUNK_END
    }
}

/// Finds the chunk that begins at `start`.
///
/// # Errors
/// If it is incomplete or damaged.
pub(crate) fn find_chunk(bytes: &[u8], start: usize, chain: &mut u64) -> Result<Chunk, LoadReason> {
    let rest = &bytes[start..];
    let (end, expected) = end_of_chunk(rest).ok_or(LoadReason::Truncated)?;
    if checksum(*chain, &rest[..end]) != expected {
        return Err(LoadReason::Checksum);
    }
    let kind = ChunkKind::ALL.get(usize::from(rest[0]));
    let kind = *kind.ok_or(LoadReason::Tag(rest[0].into()))?;
    *chain = expected;
    Ok(Chunk {
        kind,
        content: start + CHUNK_HEAD..start + end,
    })
}

/// Returns the end of the content of a chunk and the checksum behind it, or `None` if the bytes end before.
fn end_of_chunk(chunk: &[u8]) -> Option<(usize, u64)> {
    let length = u64::from_le_bytes(*chunk.get(1..)?.first_chunk()?);
    let end = usize::try_from(length).ok()?.checked_add(CHUNK_HEAD)?;
    let checksum = chunk.get(end..)?.first_chunk()?;
    Some((end, u64::from_le_bytes(*checksum)))
}

/// Returns the checksum of a chunk behind one with the checksum `chain`.
fn checksum(chain: u64, chunk: &[u8]) -> u64 {
    let mut hash = StateHasher::new();
    hash.word(chain).word(chunk.len() as u64);
    let mut words = chunk.chunks_exact(8);
    for word in &mut words {
        hash.word(u64::from_le_bytes(
            *word.first_chunk().expect("eight bytes"),
        ));
    }
    let mut last = [0; 8];
    let rest = words.remainder();
    last[..rest.len()].copy_from_slice(rest);
    hash.word(u64::from_le_bytes(last)).finish()
}

/// Makes the checksums of a damaged recording right, as far as its chunks can be found: for tools that test readers.
pub(crate) fn forge_checksums(bytes: &mut [u8]) {
    let (mut start, mut chain) = (HEADER, 0);
    while let Some((end, _)) = bytes.get(start..).and_then(end_of_chunk) {
        let end = start + end;
        chain = checksum(chain, &bytes[start..end]);
        bytes[end..end + CHUNK_END].copy_from_slice(&chain.to_le_bytes());
        start = end + CHUNK_END;
    }
}
