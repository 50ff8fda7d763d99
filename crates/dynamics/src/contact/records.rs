//! Hot records of contacts: every module reads them, only the modules of `contact` write them.

use crate::tracked::TrackedRecords;
use cairn2d_geometry::WrittenSlots;
use core::ops::Deref;

/// Records by contact slot. They dereference to a slice that cannot be written, so that a stage which writes a
/// record without a method of the contact table does not compile.
#[derive(Debug)]
pub(crate) struct ReadOnlyRecords<T>(TrackedRecords<T>);

/// Reuses the memory of the list.
impl<T: Clone> Clone for ReadOnlyRecords<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T> Default for ReadOnlyRecords<T> {
    fn default() -> Self {
        Self(TrackedRecords::default())
    }
}

impl<T> Deref for ReadOnlyRecords<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// Tests overwrite hidden state to see that it counts.
#[cfg(test)]
impl<T> core::ops::DerefMut for ReadOnlyRecords<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.write_all()
    }
}

impl<T: Clone> ReadOnlyRecords<T> {
    /// Makes room for slots below `bound`; new records are copies of `empty`.
    pub(super) fn grow(&mut self, bound: usize, empty: T) {
        self.0.grow(bound, empty);
    }
}

impl<T> ReadOnlyRecords<T> {
    /// Reserves memory for `additional` records in addition to the existing ones.
    pub(super) fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
    }

    /// Returns a record for writing.
    #[inline]
    pub(super) fn write(&mut self, contact: u32) -> &mut T {
        &mut self.0[contact as usize]
    }

    /// Returns all records, to write those of awake contacts.
    #[inline]
    pub(super) fn write_awake(&mut self) -> &mut [T] {
        self.0.write_awake()
    }

    /// See [`TrackedRecords::written`].
    pub(super) const fn written(&self) -> &WrittenSlots {
        self.0.written()
    }

    /// See [`TrackedRecords::begin_base`].
    pub(super) fn begin_base(&mut self) {
        self.0.begin_base();
    }
}
