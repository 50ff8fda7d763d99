//! Records and sets that note the slots written since the base of deltas.

use crate::bitset::BitSet;
use crate::growth;
use cairn2d_geometry::{
    HashState, LoadError, Persist, Reader, Sink, StateHasher, WrittenSlots, clone_fields,
};
use core::ops::{Deref, Index, IndexMut};

/// Implements what all tables do with their fields: a new record of a table is one more word in its list.
///
/// `sets` are [`TrackedSet`]s of slots. `hot` are arrays beside the slots, with the name of a record in saves and an empty
/// record. `reports` are such arrays that only users read: saved, and not hashed. `omitted` fields are neither hashed nor
/// saved. The owner reads a table from a save itself, since some records repeat fields of others.
macro_rules! state_table {
    ($type:ty {
        sets: [$($set:ident),*],
        fields: [$($field:ident),*],
        hot: [$($hot:ident $name:literal $empty:expr),* $(,)?],
        reports: [$($report:ident $report_name:literal $report_empty:expr),*],
        omitted: [$($omitted:ident),*],
    }) => {
        cairn2d_geometry::clone_fields!($type {
            slots, $($set,)* $($field,)* $($hot,)* $($report,)* $($omitted),*
        });

        /// Covers the records of existing slots: those of free ones are overwritten when the slot is used again.
        impl cairn2d_geometry::HashState for $type {
            fn hash_state(&self, hash: &mut cairn2d_geometry::StateHasher) {
                let Self {
                    slots, $($set,)* $($field,)* $($hot,)* $($report: _,)* $($omitted: _),*
                } = self;
                hash.add(slots)$(.add($set))*$(.add($field))*;
                for (slot, _) in slots.iter() {
                    $(hash.add(&$hot[slot as usize]);)*
                }
            }
        }

        impl $type {
            pub(crate) fn new(mark: WorldMark) -> Self {
                Self {
                    slots: Slots::new(mark),
                    $($set: Default::default(),)*
                    $($field: Default::default(),)*
                    $($hot: Default::default(),)*
                    $($report: Default::default(),)*
                    $($omitted: Default::default()),*
                }
            }

            /// Writes what is hashed, and the reports.
            fn write_state<S: cairn2d_geometry::Sink>(&self, sink: &mut S) {
                sink.field("slots", &self.slots);
                $(sink.field(stringify!($set), &self.$set);)*
                $(sink.field(stringify!($field), &self.$field);)*
                let written = |word| self.written(word);
                sink.records(self.slots.bound(), written, |sink, slot| {
                    if self.slots.get(slot).is_none() {
                        return;
                    }
                    sink.enter(cairn2d_geometry::Place::Item(slot));
                    $(sink.field($name, &self.$hot[slot as usize]);)*
                    $(sink.report($report_name, &self.$report[slot as usize]);)*
                    sink.leave();
                });
            }

            /// Returns which of the 64 slots from `64 * word` on may differ from the base of deltas in their hot records.
            fn written(&self, word: usize) -> u64 {
                self.slots.written().word(word)
                    $(| self.$set.written().word(word))*
                    $(| self.$hot.written().word(word))*
                    $(| self.$report.written().word(word))*
            }

            /// From now on the present records are those of the base of deltas.
            pub(crate) fn begin_base(&mut self) {
                self.slots.begin_base();
                $(self.$set.begin_base();)*
                $(self.$hot.begin_base();)*
                $(self.$report.begin_base();)*
            }

            /// Reserves memory for `additional` records in addition to the existing ones.
            pub(crate) fn reserve(&mut self, additional: usize) {
                self.slots.reserve(additional);
                let wanted = self.slots.len() + additional;
                $(self.$hot.reserve(wanted.saturating_sub(self.$hot.len()));)*
                $(self.$report.reserve(wanted.saturating_sub(self.$report.len()));)*
            }

            /// Makes room for all slots.
            fn grow_records(&mut self) {
                let bound = self.slots.bound();
                $(self.$set.grow(bound);)*
                $(self.$hot.grow(bound, $empty);)*
                $(self.$report.grow(bound, $report_empty);)*
            }
        }
    };
}
pub(crate) use state_table;

/// Records by slot. Borrowing a record for writing notes its slot, so a delta cannot miss it.
#[derive(Debug)]
pub(crate) struct TrackedRecords<T> {
    records: Vec<T>,
    written: WrittenSlots,
}

clone_fields!(TrackedRecords<T> where [T: Clone] { records, written });

impl<T> Default for TrackedRecords<T> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            written: WrittenSlots::default(),
        }
    }
}

impl<T> Deref for TrackedRecords<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.records
    }
}

impl<T> Index<usize> for TrackedRecords<T> {
    type Output = T;
    #[inline]
    fn index(&self, slot: usize) -> &T {
        &self.records[slot]
    }
}

impl<T> IndexMut<usize> for TrackedRecords<T> {
    #[inline]
    fn index_mut(&mut self, slot: usize) -> &mut T {
        self.written.note(slot);
        &mut self.records[slot]
    }
}

impl<T> TrackedRecords<T> {
    /// Returns all records, to write those of slots that are awake: these count as written, see [`TrackedSet`].
    #[inline]
    pub(crate) fn write_awake(&mut self) -> &mut [T] {
        &mut self.records
    }

    /// Returns all records for writing.
    #[cfg(test)]
    pub(crate) fn write_all(&mut self) -> &mut [T] {
        self.written.note_all(0..self.records.len());
        &mut self.records
    }

    /// Returns two different records for writing.
    ///
    /// # Panics
    /// If there are no such records.
    pub(crate) fn write_pair(&mut self, slots: [usize; 2]) -> [&mut T; 2] {
        for slot in slots {
            self.written.note(slot);
        }
        let pair = self.records.get_disjoint_mut(slots);
        pair.expect("two records")
    }

    /// Appends a record.
    pub(crate) fn push(&mut self, record: T) {
        self.written.note(self.records.len());
        growth::push(&mut self.records, record);
    }

    /// Reserves memory for `additional` records in addition to the existing ones.
    pub(crate) fn reserve(&mut self, additional: usize) {
        self.records.reserve(additional);
    }

    /// The slots that were written since the base.
    pub(crate) const fn written(&self) -> &WrittenSlots {
        &self.written
    }

    /// From now on the present records are those of the base.
    pub(crate) fn begin_base(&mut self) {
        self.written.clear();
    }
}

impl<T: Clone> TrackedRecords<T> {
    /// Makes room for slots below `bound`; new records are copies of `empty`. Their owner notes the slots when it uses
    /// them.
    pub(crate) fn grow(&mut self, bound: usize, empty: T) {
        growth::grow_to(&mut self.records, bound, empty);
    }
}

impl<T: HashState> HashState for TrackedRecords<T> {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&self.records);
    }
}

/// As a list.
impl<T: Persist> Persist for TrackedRecords<T> {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self { records, written } = self;
        sink.len(records.len());
        sink.records(
            records.len(),
            |word| written.word(word),
            |sink, slot| sink.item(slot, &records[slot as usize]),
        );
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            records: reader.read()?,
            written: WrittenSlots::default(),
        })
    }
}

/// A set of awake slots. All that were in it since the base of deltas count as written: the stages of a step write them
/// without a note.
#[derive(Debug, Default)]
pub(crate) struct TrackedSet {
    now: BitSet,
    /// Members at any time since the base.
    written: WrittenSlots,
}

clone_fields!(TrackedSet { now, written });

impl Deref for TrackedSet {
    type Target = BitSet;
    #[inline]
    fn deref(&self) -> &BitSet {
        &self.now
    }
}

impl TrackedSet {
    /// Makes room for the slots below `bound`.
    pub(crate) fn grow(&mut self, bound: usize) {
        self.now.grow(bound);
    }

    #[inline]
    pub(crate) fn insert(&mut self, slot: u32) {
        self.now.insert(slot);
        self.written.note(slot as usize);
    }

    #[inline]
    pub(crate) fn remove(&mut self, slot: u32) {
        self.now.remove(slot);
    }

    /// The slots that were in the set since the base.
    pub(crate) const fn written(&self) -> &WrittenSlots {
        &self.written
    }

    /// From now on the present records are those of the base, and the members may be written.
    pub(crate) fn begin_base(&mut self) {
        self.written.clear();
        for slot in self.now.iter() {
            self.written.note(slot as usize);
        }
    }
}

impl HashState for TrackedSet {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&self.now);
    }
}

impl Persist for TrackedSet {
    fn write<S: Sink>(&self, sink: &mut S) {
        self.now.write(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            now: reader.read()?,
            written: WrittenSlots::default(),
        })
    }
}
