//! A slice that the workers of a stage share, each with its own part.

use core::marker::PhantomData;
use core::ops::Range;

/// A borrowed slice whose elements several threads use.
///
/// The type cannot check that the parts are disjoint; each caller of the unsafe methods states why they are.
pub(crate) struct SharedSlice<'a, T> {
    first: *mut T,
    len: usize,
    elements: PhantomData<&'a mut [T]>,
}

impl<T> Clone for SharedSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SharedSlice<'_, T> {}

// SAFETY: a `&mut [T]` whose exclusive use is divided at run time.
unsafe impl<T: Send> Send for SharedSlice<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for SharedSlice<'_, T> {}

impl<'a, T> SharedSlice<'a, T> {
    pub(crate) fn new(elements: &'a mut [T]) -> Self {
        Self {
            first: elements.as_mut_ptr(),
            len: elements.len(),
            elements: PhantomData,
        }
    }

    /// Number of elements.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns all elements for reading.
    ///
    /// # Safety
    /// No one writes any element while the result lives.
    #[inline]
    pub(crate) unsafe fn all(&self) -> &'a [T] {
        // SAFETY: the slice that was borrowed; the caller excludes writers.
        unsafe { core::slice::from_raw_parts(self.first, self.len) }
    }

    /// Returns all elements for writing.
    ///
    /// # Safety
    /// No one else uses any element while the result lives.
    #[inline]
    pub(crate) unsafe fn whole(&self) -> &'a mut [T] {
        // SAFETY: the slice that was borrowed; the caller excludes other users.
        unsafe { core::slice::from_raw_parts_mut(self.first, self.len) }
    }

    /// Returns the address of the element at `index`.
    ///
    /// # Panics
    /// If the index is out of bounds.
    #[inline(always)]
    pub(crate) fn address(&self, index: u32) -> *const T {
        assert!((index as usize) < self.len);
        self.first.wrapping_add(index as usize)
    }

    /// Returns the elements in `range`.
    ///
    /// # Safety
    /// No one else uses these elements while the result lives.
    ///
    /// # Panics
    /// If the range is out of bounds.
    #[inline]
    pub(crate) unsafe fn part(&self, range: Range<usize>) -> &'a mut [T] {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: in bounds; the caller excludes other users.
        unsafe { core::slice::from_raw_parts_mut(self.first.add(range.start), range.len()) }
    }

    /// Returns the element at `index` for reading.
    ///
    /// # Safety
    /// No one writes this element while the result lives.
    ///
    /// # Panics
    /// If the index is out of bounds.
    #[inline]
    pub(crate) unsafe fn read(&self, index: u32) -> &'a T {
        assert!((index as usize) < self.len);
        // SAFETY: in bounds; the caller excludes writers.
        unsafe { &*self.first.add(index as usize) }
    }

    /// Returns the element at `index`.
    ///
    /// # Safety
    /// No one else uses this element while the result lives.
    ///
    /// # Panics
    /// If the index is out of bounds.
    #[inline]
    pub(crate) unsafe fn at(&self, index: u32) -> &'a mut T {
        assert!((index as usize) < self.len);
        // SAFETY: in bounds; the caller excludes other users.
        unsafe { &mut *self.first.add(index as usize) }
    }
}
