//! Destinations of records: bytes, or another consumer of the fields of a state.

use super::Persist;

/// A number of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants are named like the types")]
pub enum Number {
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    I8(i8),
    I32(i32),
    F32(f32),
    F64(f64),
}

/// A step on the way from the world to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A field of a record.
    Field(&'static str),
    /// An item of a list or table, by index or slot.
    Item(u32),
}

/// Receives the numbers of records in the order of the format.
pub trait Sink: Sized {
    /// Takes a number.
    fn number(&mut self, number: Number);

    /// Says where the next numbers belong.
    #[inline]
    fn enter(&mut self, _place: Place) {}

    /// Leaves the place that was entered last.
    #[inline]
    fn leave(&mut self) {}

    /// Returns `true` if the sink takes reports, which no later step reads.
    #[inline]
    fn takes_reports(&self) -> bool {
        true
    }

    /// Writes a field of a record.
    #[inline]
    fn field<T: Persist>(&mut self, name: &'static str, value: &T) {
        self.enter(Place::Field(name));
        value.write(self);
        self.leave();
    }

    /// Writes a field that no later step reads.
    #[inline]
    fn report<T: Persist>(&mut self, name: &'static str, value: &T) {
        if self.takes_reports() {
            self.field(name, value);
        }
    }

    /// Writes an item of a list or table.
    #[inline]
    fn item<T: Persist>(&mut self, index: u32, value: &T) {
        self.enter(Place::Item(index));
        value.write(self);
        self.leave();
    }

    /// Writes the list `name` of `len` items that are made as they are written.
    #[inline]
    fn made_list<T: Persist>(
        &mut self,
        name: &'static str,
        len: usize,
        items: impl Iterator<Item = T>,
    ) {
        self.enter(Place::Field(name));
        self.len(len);
        for (index, item) in (0..).zip(items) {
            self.item(index, &item);
        }
        self.leave();
    }

    /// Writes the records of a table in order of slot: `record` writes that of a slot, or nothing if the slot is free.
    ///
    /// `written` returns which of the 64 slots from `64 * word` on may have changed since the base of deltas, one bit
    /// each; all sinks but a [`DeltaSink`](super::DeltaSink) write all.
    #[inline]
    fn records(
        &mut self,
        bound: usize,
        _written: impl Fn(usize) -> u64,
        mut record: impl FnMut(&mut Self, u32),
    ) {
        for slot in 0..bound as u32 {
            record(self, slot);
        }
    }

    /// Writes the length of a list.
    ///
    /// # Panics
    /// If it is more than 2^32 - 1.
    #[inline]
    fn len(&mut self, len: usize) {
        self.number(Number::U32(
            u32::try_from(len).expect("fewer than 2^32 items"),
        ));
    }

    /// Writes a list: its length and its items.
    #[inline]
    fn list<T: Persist>(&mut self, items: &[T]) {
        self.len(items.len());
        for (index, item) in (0..).zip(items) {
            self.item(index, item);
        }
    }
}

/// Bytes that are collected before they are appended: a list that grows by four bytes takes ten times as long.
const BLOCK: usize = 1024;

/// The last numbers that were written, as bytes of the format.
#[derive(Debug)]
pub(super) struct Block {
    bytes: [u8; BLOCK],
    used: usize,
}

impl Block {
    pub(super) const EMPTY: Self = Self {
        bytes: [0; BLOCK],
        used: 0,
    };

    /// Returns `true` if the next number may not fit.
    #[inline(always)]
    pub(super) const fn is_full(&self) -> bool {
        self.used > BLOCK - size_of::<u64>()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.used]
    }

    pub(super) const fn clear(&mut self) {
        self.used = 0;
    }

    /// Adds a number, if the block is not full.
    #[inline(always)]
    pub(super) fn push(&mut self, number: Number) {
        match number {
            Number::U8(x) => self.push_bytes([x]),
            Number::U16(x) => self.push_bytes(x.to_le_bytes()),
            Number::U32(x) => self.push_bytes(x.to_le_bytes()),
            Number::U64(x) => self.push_bytes(x.to_le_bytes()),
            Number::I8(x) => self.push_bytes(x.to_le_bytes()),
            Number::I32(x) => self.push_bytes(x.to_le_bytes()),
            Number::F32(x) => self.push_bytes(x.to_le_bytes()),
            Number::F64(x) => self.push_bytes(x.to_le_bytes()),
        }
    }

    #[inline(always)]
    fn push_bytes<const N: usize>(&mut self, number: [u8; N]) {
        self.bytes[self.used..self.used + N].copy_from_slice(&number);
        self.used += N;
    }
}

/// The bytes of the format, appended to a list in blocks, the last when the sink is dropped.
#[derive(Debug)]
pub struct ByteSink<'a> {
    bytes: &'a mut Vec<u8>,
    block: Block,
}

impl<'a> ByteSink<'a> {
    /// Appends to `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self {
            bytes,
            block: Block::EMPTY,
        }
    }

    #[cold]
    #[inline(never)]
    fn flush(&mut self) {
        self.bytes.extend_from_slice(self.block.bytes());
        self.block.clear();
    }

    /// Returns the length of the list with all that was written.
    pub(super) fn position(&self) -> usize {
        self.bytes.len() + self.block.bytes().len()
    }
}

impl Drop for ByteSink<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

impl Sink for ByteSink<'_> {
    #[inline(always)]
    fn number(&mut self, number: Number) {
        if self.block.is_full() {
            self.flush();
        }
        self.block.push(number);
    }
}
