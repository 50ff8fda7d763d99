//! Deltas: a save as instructions that make it from another save, its base.
//!
//! The instructions go once through the base: take so many bytes of it, drop so many of the next, add the bytes that
//! follow. `docs/format.md` describes them. Records that were not written since the base are not read: their bytes are
//! taken in one piece with their neighbors.

use super::sink::Block;
use super::written::WORD;
use super::{ByteSink, LoadError, LoadReason, Number, Reader, Sink};
use crate::clone_fields;
use core::ops::Range;

/// Places of the records in a save, for deltas against it.
#[derive(Debug, Default)]
pub struct RecordPlaces {
    /// Offsets of the records of one table after the other, by slot: of the byte after the record before. Behind the
    /// last of a table is its end.
    offsets: Vec<usize>,
    /// Start of the offsets of each table.
    tables: Vec<usize>,
}

clone_fields!(RecordPlaces { offsets, tables });

impl RecordPlaces {
    /// Forgets all places.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.tables.clear();
    }

    /// Returns the offsets of a table, in the order of the save: one more than it has slots; none behind the last table.
    fn table(&self, table: usize) -> &[usize] {
        let offset = |table: usize| self.tables.get(table).copied();
        let len = self.offsets.len();
        &self.offsets[offset(table).unwrap_or(len)..offset(table + 1).unwrap_or(len)]
    }
}

/// The bytes of a save, and where its records are.
#[derive(Debug)]
pub struct PlacesSink<'a> {
    bytes: ByteSink<'a>,
    places: &'a mut RecordPlaces,
}

impl<'a> PlacesSink<'a> {
    /// Appends the save to `bytes`, and notes in `places` where its records are.
    #[must_use]
    pub fn new(bytes: &'a mut Vec<u8>, places: &'a mut RecordPlaces) -> Self {
        places.clear();
        Self {
            bytes: ByteSink::new(bytes),
            places,
        }
    }
}

impl Sink for PlacesSink<'_> {
    #[inline(always)]
    fn number(&mut self, number: Number) {
        self.bytes.number(number);
    }

    fn records(
        &mut self,
        bound: usize,
        _written: impl Fn(usize) -> u64,
        mut record: impl FnMut(&mut Self, u32),
    ) {
        self.places.tables.push(self.places.offsets.len());
        for slot in 0..bound as u32 {
            self.places.offsets.push(self.bytes.position());
            record(self, slot);
        }
        self.places.offsets.push(self.bytes.position());
    }
}

/// Records that a delta compares with its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Slots that may have been written since the base.
    Written,
    /// All.
    All,
}

/// Bytes that are compared at once.
const CHUNK: usize = 8;

/// Fewest equal chunks between two changes that are not added again with them: an instruction costs as much.
const MIN_TAKEN: usize = 2;

/// The bits of a number in a byte of an instruction.
const VARINT_BITS: usize = 0x7f;

/// Bytes of a number in an instruction, at most.
const MAX_VARINT: usize = 10;

/// The instructions that make a save from its base.
///
/// Numbers are collected in a block, and compared with the part of the base that they replace: a record with the old
/// record, the bytes between two tables with the old bytes there.
#[derive(Debug)]
pub struct DeltaSink<'a> {
    delta: &'a mut Vec<u8>,
    block: Block,
    base: &'a [u8],
    places: &'a RecordPlaces,
    compared: Compared,
    /// Number of tables so far.
    table: usize,
    /// The base up to here is taken or dropped.
    at: usize,
    /// The end of the present part, which is now replaced.
    part_end: usize,
    /// Bytes before `at` that are taken, without an instruction yet.
    taken: usize,
}

impl<'a> DeltaSink<'a> {
    /// Appends to `delta` the instructions that make the save from the bytes of `base` from `start` on, which has its
    /// records in `places`.
    #[must_use]
    pub fn new(
        delta: &'a mut Vec<u8>,
        base: &'a [u8],
        start: usize,
        places: &'a RecordPlaces,
        compared: Compared,
    ) -> Self {
        let mut sink = Self {
            delta,
            block: Block::EMPTY,
            base,
            places,
            compared,
            table: 0,
            at: start,
            part_end: start,
            taken: 0,
        };
        sink.part_end = sink.next_table();
        sink
    }

    /// Completes the instructions.
    pub fn finish(mut self) {
        // Up to the end of the base: one of another broad phase may have more tables.
        self.replace(self.base.len());
        self.instruct(0, 0..0);
    }

    /// Returns where the next table begins in the base, or the end of the base.
    fn next_table(&self) -> usize {
        let offsets = self.places.table(self.table);
        offsets.first().copied().unwrap_or(self.base.len())
    }

    /// Takes the base up to `place`.
    #[inline]
    fn take_up_to(&mut self, place: usize) {
        self.taken += place - self.at;
        self.at = place;
    }

    /// Replaces as much of the part as the block has bytes.
    #[cold]
    fn spill(&mut self) {
        let len = self.block.bytes().len();
        self.replace(self.part_end.min(self.at + len));
    }

    /// Replaces the rest of the part by the block.
    #[inline]
    fn end_part(&mut self) {
        self.replace(self.part_end);
    }

    /// Replaces the base up to `place` by the block; where they are equal, the base is taken.
    fn replace(&mut self, place: usize) {
        let base = self.base;
        let old = &base[self.at..place];
        if self.block.bytes().len() == old.len() {
            self.replace_changes(old);
        } else {
            self.replace_middle(old);
        }
        self.at = place;
        self.block.clear();
    }

    /// Replaces `old` by as many bytes.
    fn replace_changes(&mut self, old: &[u8]) {
        let mut done = 0;
        while let Some(change) = next_change(old, self.block.bytes(), done) {
            self.taken += change.start - done;
            done = change.end;
            self.instruct(change.len(), change);
        }
        self.taken += old.len() - done;
    }

    /// Replaces `old`, except for its common beginning and end with the block.
    fn replace_middle(&mut self, old: &[u8]) {
        let new = self.block.bytes();
        let same = |(a, b): &(&u8, &u8)| a == b;
        let head = old.iter().zip(new).take_while(same).count();
        let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = ends.take_while(same).count();
        let added = head..new.len() - tail;
        self.taken += head;
        self.instruct(old.len() - head - tail, added);
        self.taken += tail;
    }

    /// Writes an instruction: take the bytes that are due, drop `dropped` bytes, add the given part of the block.
    fn instruct(&mut self, dropped: usize, added: Range<usize>) {
        let numbers = [core::mem::take(&mut self.taken), dropped, added.len()];
        // Most numbers have one byte.
        if numbers.iter().all(|&number| number <= VARINT_BITS) {
            self.delta
                .extend_from_slice(&numbers.map(|number| number as u8));
        } else {
            let mut bytes = [0; 3 * MAX_VARINT];
            let len = numbers
                .into_iter()
                .fold(0, |len, number| write_varint(&mut bytes, len, number));
            self.delta.extend_from_slice(&bytes[..len]);
        }
        self.delta.extend_from_slice(&self.block.bytes()[added]);
    }
}

/// Writes `number` in groups of seven bits, the lowest first, all but the last with the highest bit set, at `place`.
/// Returns the end.
fn write_varint(bytes: &mut [u8], mut place: usize, mut number: usize) -> usize {
    while number > VARINT_BITS {
        bytes[place] = number as u8 | 0x80;
        number >>= 7;
        place += 1;
    }
    bytes[place] = number as u8;
    place + 1
}

/// Returns the next part from `from` on in which two lists of equal length differ: whole chunks, except for the end.
/// `from` is the end of such a part, or 0.
#[inline]
fn next_change(old: &[u8], new: &[u8], from: usize) -> Option<Range<usize>> {
    let ((old_chunks, old_rest), (new_chunks, new_rest)) =
        (old.as_chunks::<CHUNK>(), new.as_chunks::<CHUNK>());
    let is_rest_equal = from >= old.len() || old_rest == new_rest;
    let mut chunks = old_chunks.iter().zip(new_chunks).enumerate();
    let mut start = None;
    let mut end = 0;
    for (place, (old, new)) in chunks.by_ref().skip(from.div_ceil(CHUNK)) {
        if old != new {
            start.get_or_insert(place);
            end = place + 1;
        } else if start.is_some() && place + 1 - end >= MIN_TAKEN {
            return start.map(|start| CHUNK * start..CHUNK * end);
        }
    }
    match start {
        _ if !is_rest_equal => Some(CHUNK * start.unwrap_or(old_chunks.len())..old.len()),
        Some(start) => Some(CHUNK * start..CHUNK * end),
        None => None,
    }
}

impl Sink for DeltaSink<'_> {
    #[inline(always)]
    fn number(&mut self, number: Number) {
        if self.block.is_full() {
            self.spill();
        }
        self.block.push(number);
    }

    fn records(
        &mut self,
        bound: usize,
        written: impl Fn(usize) -> u64,
        mut record: impl FnMut(&mut Self, u32),
    ) {
        // The bytes before the table.
        self.end_part();
        // A base of another broad phase may have fewer tables: such a table has no records, at the end of the base.
        let no_records = [self.base.len()];
        let offsets = match self.places.table(self.table) {
            [] => no_records.as_slice(),
            offsets => offsets,
        };
        let last = offsets.len() - 1;
        let offset = |slot: usize| offsets[slot.min(last)];
        self.table += 1;
        for word in 0..bound.div_ceil(WORD) {
            let mut slots = match self.compared {
                Compared::Written => written(word),
                Compared::All => u64::MAX,
            };
            while slots != 0 {
                let slot = WORD * word + slots.trailing_zeros() as usize;
                slots &= slots - 1;
                if slot >= bound {
                    break;
                }
                self.take_up_to(offset(slot));
                self.part_end = offset(slot + 1);
                record(self, slot as u32);
                self.end_part();
            }
        }
        self.take_up_to(offset(bound));
        // Records that are there no more.
        self.part_end = offset(last);
        self.end_part();
        self.part_end = self.next_table();
    }
}

/// Appends to `save` the bytes that the rest of `delta` makes from `base`.
///
/// # Errors
/// If an instruction does not fit to the base, or the last one ends before the base does.
pub fn apply_delta(
    base: &[u8],
    delta: &mut Reader<'_>,
    save: &mut Vec<u8>,
) -> Result<(), LoadError> {
    let mut left = base;
    while delta.remaining() > 0 {
        let taken = read_count(delta, left.len())?;
        let dropped = read_count(delta, left.len() - taken)?;
        let added = read_count(delta, usize::MAX)?;
        save.extend_from_slice(&left[..taken]);
        left = &left[taken + dropped..];
        save.extend_from_slice(delta.slice(added)?);
    }
    delta.in_range("length of the base", left.is_empty())
}

/// Reads a number of bytes, of which there are `most`.
fn read_count(delta: &mut Reader<'_>, most: usize) -> Result<usize, LoadError> {
    let start = *delta;
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = delta.read::<u8>()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return match usize::try_from(number) {
                Ok(count) if count <= most => Ok(count),
                _ => Err(start.error(LoadReason::Length(number))),
            };
        }
    }
    Err(start.error(LoadReason::Length(number)))
}
