//! Hot records of contacts: every module reads them, only the modules of `contact` write them.

use crate::growth::grow_to;
use core::ops::Deref;

/// Records by contact slot. They dereference to a slice that cannot be written, so that a stage which writes a
/// record without a method of the contact table does not compile.
#[derive(Debug)]
pub(crate) struct ReadOnlyRecords<T>(Vec<T>);

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
        Self(Vec::new())
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
        &mut self.0
    }
}

impl<T: Clone> ReadOnlyRecords<T> {
    /// Makes room for slots below `bound`; new records are copies of `empty`.
    pub(super) fn grow(&mut self, bound: usize, empty: T) {
        grow_to(&mut self.0, bound, empty);
    }
}

impl<T> ReadOnlyRecords<T> {
    /// Reserves memory for `additional` records beside the present ones.
    pub(super) fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
    }

    /// Returns the records for writing.
    #[inline]
    pub(super) fn write(&mut self) -> &mut [T] {
        &mut self.0
    }
}
