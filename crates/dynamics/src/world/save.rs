//! Saves of a world. `docs/format.md` describes the format.
//!
//! A save holds the state that the state hash covers, the reports of the last step, and the settings that no
//! result depends on. All else follows from it, see `restore.rs`, or is written before it is read.

use crate::graph::ConstraintGraph;
use crate::hook::Hooks;
use crate::profile::{Counters, Profile};
use crate::world::World;
use cairn2d_geometry::{
    ByteSink, LoadError, LoadReason, Persist, Reader, StateHasher, save_record,
};
use core::ops::Range;

/// Number of the version of the results: engines of the same epoch compute the same bits. A save of another epoch
/// loads, but continues with other bits than in the engine that made it. `docs/determinism.md` says when it changes.
pub const SOLVER_EPOCH: u32 = 1;

/// The layout that [`World::save`] writes.
pub const SAVE_FORMAT: u32 = 4;

/// Kinds of data with a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SaveKind {
    World,
    Delta,
}

impl SaveKind {
    /// First bytes. The last one is no text, and no UTF-8.
    const fn magic(self) -> [u8; 8] {
        match self {
            Self::World => *b"cairn2d\xc1",
            Self::Delta => *b"cairn2d\xd1",
        }
    }

    /// The error of other bytes.
    const fn mismatch(self) -> LoadReason {
        match self {
            Self::World => LoadReason::NotASave,
            Self::Delta => LoadReason::NotADelta,
        }
    }
}

/// Bytes of a head: magic, format, epoch, length of the rest and checksum.
pub(super) const HEADER: usize = 32;

/// Places of some of them.
const FORMAT: Range<usize> = 8..12;
const EPOCH: Range<usize> = 12..16;
const LENGTH: Range<usize> = 16..24;
pub(super) const CHECKSUM: Range<usize> = 24..HEADER;

/// Hashers that take words in turn: each waits for its last multiplication.
const CHECKSUM_LANES: usize = 4;

save_record!(World {
    def,
    bodies,
    shapes,
    contacts,
    joints,
    broad,
    islands,
    ignores,
    force_events,
    outside,
    events,
    depenetration,
    bouncing,
    // Saves before format 4 have the extremes of the inverse masses and a mark of heavy bodies before this field.
    recent_impacts: by(|reader: &mut Reader<'_>| {
        if reader.format() < 4 {
            let _extremes: [f32; 2] = reader.read()?;
            let _is_any_marked: bool = reader.read()?;
        }
        reader.read()
    }),
    history,
    // Follows from the places of its constraints.
    graph: derived(ConstraintGraph::default()),
    // Code.
    hooks: derived(Hooks::default()),
    // Reports of work, not of the world.
    counters: derived(Counters::default()),
    // See `counters`.
    profile: derived(Profile::default()),
    // Scratch.
    scratch: derived(Box::default()),
    // The caller's.
    pool: derived(None),
    // See `pool`.
    recorder: derived(None),
    // No base.
    base: derived(None),
});

/// The head of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaveInfo {
    /// Layout of the bytes; this version of the engine reads 1 to [`SAVE_FORMAT`].
    pub format: u32,
    /// [`SOLVER_EPOCH`] of the engine that made the save.
    pub epoch: u32,
}

impl SaveInfo {
    /// Reads the head of a save, which may be of a newer format.
    ///
    /// # Errors
    /// If the bytes end early or do not begin as a save.
    pub fn of(save: &[u8]) -> Result<Self, LoadError> {
        Self::of_kind(SaveKind::World, save)
    }

    fn of_kind(kind: SaveKind, save: &[u8]) -> Result<Self, LoadError> {
        let mut reader = Reader::new(save, 0);
        if reader.take()? != kind.magic() {
            return Err(Reader::new(save, 0).error(kind.mismatch()));
        }
        Ok(Self {
            format: reader.read()?,
            epoch: reader.read()?,
        })
    }
}

/// # Saving and loading
impl World {
    /// Returns the world as bytes: everything that later steps read, and the events of the last step.
    ///
    /// [`load`](Self::load) makes a world from them that continues with the same bits, on any machine and with any
    /// number of threads, under the same [`SOLVER_EPOCH`](crate::SOLVER_EPOCH). Not saved are hooks, pool and clock,
    /// which are code, and counters and profile of the last step. Worlds of equal [`state_hash`](Self::state_hash),
    /// reports and settings have equal bytes.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
    /// use cairn2d_geometry::Polygon;
    ///
    /// let mut world = World::new(WorldDef::default());
    /// let body = world.create_body(BodyDef::dynamic());
    /// world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    /// world.step(1.0 / 60.0);
    ///
    /// let mut loaded = World::load(&world.save()).unwrap();
    /// world.step(1.0 / 60.0);
    /// loaded.step(1.0 / 60.0);
    /// assert_eq!(loaded.state_hash(), world.state_hash());
    /// assert_eq!(loaded.body(body).position(), world.body(body).position());
    /// ```
    #[doc(alias("serialize", "snapshot"))]
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut save = Vec::new();
        self.save_into(&mut save);
        save
    }

    /// Replaces the content of `save` with the world as bytes: see [`save`](Self::save). Does not allocate if the
    /// capacity is large enough.
    pub fn save_into(&self, save: &mut Vec<u8>) {
        begin(SaveKind::World, save);
        self.write(&mut ByteSink::new(save));
        seal(save);
    }

    /// Makes a world from the bytes of [`save`](Self::save).
    ///
    /// Ids of the saved world are valid in it. Set hooks, pool and clock again.
    ///
    /// Any bytes may be given: no input panics, hangs, or takes more memory than a few hundred times its length.
    ///
    /// # Errors
    /// If the bytes are not a save, are of a newer format, were changed, or contradict each other.
    #[doc(alias("deserialize", "restore"))]
    pub fn load(save: &[u8]) -> Result<Self, LoadError> {
        let mut reader = open(SaveKind::World, save)?;
        let mut world: Self = reader.read()?;
        match reader.remaining() {
            0 => {}
            left => return Err(reader.error(LoadReason::TrailingBytes(left))),
        }
        world.restore().map_err(|defect| LoadError {
            offset: HEADER,
            reason: defect.reason(),
        })?;
        Ok(world)
    }
}

impl World {
    /// Returns the checksum that the head of a save must have, for tools that forge saves to test the loader.
    ///
    /// # Panics
    /// If the save is shorter than its head.
    #[doc(hidden)]
    #[must_use]
    pub fn save_checksum(save: &[u8]) -> u64 {
        checksum(save)
    }
}

/// Makes `save` a head without length and checksum.
pub(super) fn begin(kind: SaveKind, save: &mut Vec<u8>) {
    save.clear();
    save.extend_from_slice(&kind.magic());
    save.extend_from_slice(&SAVE_FORMAT.to_le_bytes());
    save.extend_from_slice(&SOLVER_EPOCH.to_le_bytes());
    save.extend_from_slice(&[0; HEADER - EPOCH.end]);
}

/// Gives `save` the format and the epoch of `source`.
pub(super) fn copy_versions(source: &[u8], save: &mut [u8]) {
    let versions = FORMAT.start..EPOCH.end;
    save[versions.clone()].copy_from_slice(&source[versions]);
}

/// Completes the head of a save.
pub(super) fn seal(save: &mut [u8]) {
    let length = (save.len() - HEADER) as u64;
    save[LENGTH].copy_from_slice(&length.to_le_bytes());
    let checksum = checksum(save);
    save[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
}

/// Checks the head of a save, and returns the reader of the rest.
pub(super) fn open(kind: SaveKind, save: &[u8]) -> Result<Reader<'_>, LoadError> {
    let info = SaveInfo::of_kind(kind, save)?;
    let at = |offset: usize, reason: LoadReason| Err(LoadError { offset, reason });
    if !(1..=SAVE_FORMAT).contains(&info.format) {
        return at(FORMAT.start, LoadReason::UnknownFormat(info.format));
    }
    let mut reader = Reader::new(&save[LENGTH.start..], LENGTH.start).with_format(info.format);
    let (length, expected) = reader.read::<(u64, u64)>()?;
    let left = reader.remaining();
    if length > left as u64 {
        return at(save.len(), LoadReason::Truncated);
    }
    if length < left as u64 {
        let end = HEADER + length as usize;
        return at(end, LoadReason::TrailingBytes(save.len() - end));
    }
    if checksum(save) != expected {
        return at(CHECKSUM.start, LoadReason::Checksum);
    }
    Ok(reader)
}

/// Returns the checksum of a save, of which only the checksum itself may be unset.
fn checksum(save: &[u8]) -> u64 {
    let mut lanes = [StateHasher::new(); CHECKSUM_LANES];
    let mut head = StateHasher::new();
    for word in save[..LENGTH.end].chunks(8) {
        head.word(word_of(word));
    }
    let mut rows = save[HEADER..].chunks_exact(8 * CHECKSUM_LANES);
    for row in &mut rows {
        for (lane, word) in lanes.iter_mut().zip(row.chunks_exact(8)) {
            lane.word(word_of(word));
        }
    }
    for word in rows.remainder().chunks(8) {
        head.word(word_of(word));
    }
    for lane in lanes {
        head.word(lane.finish());
    }
    head.finish()
}

/// Returns up to eight bytes as a number.
#[inline]
fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
