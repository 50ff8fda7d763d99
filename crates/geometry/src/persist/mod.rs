//! Saves: records as bytes that are the same on every machine, and the way back.
//!
//! Numbers are little-endian and have explicit widths; nothing is aligned or padded. A list is its length as `u32`,
//! then its items; an option is a byte 0 or 1, then the value. A record is its fields in the order of its
//! [`state_record!`](crate::state_record) list.

mod error;
mod sink;
mod reader;
mod values;
mod record;
mod written;
mod delta;

pub use delta::{Compared, DeltaSink, PlacesSink, RecordPlaces, apply_delta};
pub use error::{LoadError, LoadReason};
pub use reader::Reader;
pub use sink::{ByteSink, Number, Place, Sink};
pub use written::WrittenSlots;

/// A record of a save.
///
/// [`state_record!`](crate::state_record) implements it and [`HashState`](crate::HashState) from one list of fields.
pub trait Persist: Sized {
    /// Writes the record.
    fn write<S: Sink>(&self, sink: &mut S);

    /// Reads the record.
    ///
    /// # Errors
    /// If the bytes end early or hold a value that the record cannot have.
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError>;
}
