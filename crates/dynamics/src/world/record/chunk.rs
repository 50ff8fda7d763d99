//! Parts of a recording: the head, then chunks, each complete in itself. `docs/format.md` describes the bytes.

use cairn2d_geometry::StateHasher;
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

/// Finds the chunk that begins at `start`, if it is complete and intact.
pub(crate) fn find_chunk(bytes: &[u8], start: usize, chain: &mut u64) -> Option<Chunk> {
    let rest = &bytes[start..];
    let kind = *rest.first()?;
    let kind = *ChunkKind::ALL.get(usize::from(kind))?;
    let length = u64::from_le_bytes(*rest[1..].first_chunk()?);
    let room = rest.len().checked_sub(CHUNK_HEAD + CHUNK_END)?;
    let length = usize::try_from(length).ok().filter(|&len| len <= room)?;
    let end = CHUNK_HEAD + length;
    let expected = u64::from_le_bytes(*rest[end..].first_chunk()?);
    if checksum(*chain, &rest[..end]) != expected {
        return None;
    }
    *chain = expected;
    Some(Chunk {
        kind,
        content: start + CHUNK_HEAD..start + end,
    })
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
    while let Some(length) = bytes.get(start + 1..).and_then(|rest| rest.first_chunk()) {
        let length = u64::from_le_bytes(*length);
        let room = (bytes.len() - start).saturating_sub(CHUNK_HEAD + CHUNK_END) as u64;
        if length > room {
            return;
        }
        let end = start + CHUNK_HEAD + length as usize;
        chain = checksum(chain, &bytes[start..end]);
        bytes[end..end + CHUNK_END].copy_from_slice(&chain.to_le_bytes());
        start = end + CHUNK_END;
    }
}
