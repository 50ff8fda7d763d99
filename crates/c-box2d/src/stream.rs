//! Box2D's frame around a recording: a header, a snapshot, and a frame for each operation.
//!
//! A reader of Box2D's recordings finds each step with its number of substeps and the hash of its result. The calls between steps are
//! in the engine's recording, which lies behind the snapshot.

use crate::abi::{Fault, Outcome};
use crate::types::*;

const MAGIC: u32 = 0x4352_3242;
const VERSION: [u16; 2] = [3, 2];

/// Bytes of the header, and of a frame before its arguments: the operation and a length of three bytes.
const HEADER: usize = 32;

/// Operations.
const DESTROY_WORLD: u8 = 0x01;
const STEP: u8 = 0x80;
const STATE_HASH: u8 = 0xF1;
const BOUNDS: u8 = 0xF2;

const BROKEN: Fault = Fault::Value("recording");

/// A recording in parts.
#[derive(Default)]
pub(crate) struct Stream {
    /// The world as Box2D stores its id.
    world: u32,
    snapshot: Vec<u8>,
    /// The engine's recording.
    engine: Vec<u8>,
    frames: Vec<u8>,
    /// Box of all shapes in all steps.
    bounds: Option<b2AABB>,
}

impl Stream {
    /// Starts with a world's snapshot and state hash.
    pub(crate) fn new(world: b2WorldId, snapshot: Vec<u8>, hash: u64) -> Self {
        let mut stream = Self {
            world: u32::from(world.index1) << 16 | u32::from(world.generation),
            snapshot,
            ..Self::default()
        };
        stream.frame(STATE_HASH, &[&hash.to_le_bytes()]);
        stream
    }

    /// Appends to the engine's recording.
    pub(crate) fn extend(&mut self, engine: Vec<u8>) {
        self.engine.extend(engine);
    }

    /// Notes a step of `dt` seconds.
    pub(crate) fn step(&mut self, dt: f32, substeps: u32, hash: u64, bounds: b2AABB) {
        self.frame(STEP, &[&dt.to_le_bytes(), &substeps.to_le_bytes()]);
        self.frame(STATE_HASH, &[&hash.to_le_bytes()]);
        let all = self.bounds.get_or_insert(bounds);
        let (low, high) = (&mut all.lowerBound, &mut all.upperBound);
        (low.x, low.y) = (
            low.x.min(bounds.lowerBound.x),
            low.y.min(bounds.lowerBound.y),
        );
        (high.x, high.y) = (
            high.x.max(bounds.upperBound.x),
            high.y.max(bounds.upperBound.y),
        );
    }

    /// Ends the recording.
    pub(crate) fn end(&mut self) {
        let b2AABB {
            lowerBound: low,
            upperBound: high,
        } = self.bounds.unwrap_or(crate::abi::Zeroed::zeroed());
        let corners = [low.x, low.y, high.x, high.y].map(f32::to_le_bytes);
        let length = corners.concat();
        self.raw_frame(BOUNDS, &[&length]);
        self.frame(DESTROY_WORLD, &[]);
    }

    /// Appends an operation on the world.
    fn frame(&mut self, operation: u8, arguments: &[&[u8]]) {
        let world = self.world.to_le_bytes();
        let arguments = [&[&world[..]], arguments].concat();
        self.raw_frame(operation, &arguments);
    }

    fn raw_frame(&mut self, operation: u8, arguments: &[&[u8]]) {
        let arguments = arguments.concat();
        let [a, b, c, _] = (arguments.len() as u32).to_le_bytes();
        self.frames.extend([operation, a, b, c]);
        self.frames.extend(arguments);
    }

    /// Returns all bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let engine_size = (self.engine.len() as u64).to_le_bytes();
        let size = self.snapshot.len() + self.engine.len() + engine_size.len();
        let mut header = [0; HEADER];
        header[..4].copy_from_slice(&MAGIC.to_le_bytes());
        header[4..6].copy_from_slice(&VERSION[0].to_le_bytes());
        header[6..8].copy_from_slice(&VERSION[1].to_le_bytes());
        header[12..16].copy_from_slice(&crate::math::length_units().to_le_bytes());
        header[17] = size_of::<usize>() as u8;
        header[24..].copy_from_slice(&(size as u64).to_le_bytes());
        let parts = [
            &header,
            &self.snapshot[..],
            &self.engine,
            &engine_size,
            &self.frames,
        ];
        parts.concat()
    }
}

/// Returns the engine's recording in all bytes of one.
pub(crate) fn engine_part(bytes: &[u8]) -> Outcome<&[u8]> {
    let header = bytes.get(..HEADER).ok_or(BROKEN)?;
    if header[..4] != MAGIC.to_le_bytes() {
        return Err(BROKEN);
    }
    let size = number(&header[24..])?;
    let section = bytes[HEADER..].get(..size).ok_or(BROKEN)?;
    let (rest, engine_size) = section.split_last_chunk::<8>().ok_or(BROKEN)?;
    let start = rest.len().checked_sub(number(engine_size)?);
    Ok(&rest[start.ok_or(BROKEN)?..])
}

fn number(bytes: &[u8]) -> Outcome<usize> {
    let bytes = bytes.try_into().map_err(|_| BROKEN)?;
    usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| BROKEN)
}
