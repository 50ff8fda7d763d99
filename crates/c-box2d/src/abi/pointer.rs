//! Pointers that C hands over.

use super::{Fault, Zeroed};
use core::ffi::{CStr, c_char, c_int, c_void};

/// `const T*`: null, or points to one or more initialized objects, which do not change during the call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

/// `T*`: null, or points to one or more objects, which nothing else uses during the call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

// SAFETY: zero bytes are the null pointer.
unsafe impl<T: Copy> Zeroed for In<T> {}
// SAFETY: zero bytes are the null pointer.
unsafe impl<T: Copy> Zeroed for Out<T> {}

/// An address that the user attached to something. The library hands it back, and never reads what is there.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct UserPointer(*mut c_void);

// SAFETY: zero bytes are the null pointer.
unsafe impl Zeroed for UserPointer {}
// SAFETY: an address that is never read.
unsafe impl Send for UserPointer {}
// SAFETY: as above.
unsafe impl Sync for UserPointer {}

impl UserPointer {
    pub(crate) const fn new(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    pub(crate) const fn get(self) -> *mut c_void {
        self.0
    }
}

/// Checks that a pointer can be that of a `T`.
fn check<T>(pointer: *const T) -> Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::Null);
    }
    if !pointer.is_aligned() {
        return Err(Fault::Unaligned);
    }
    Ok(())
}

/// Returns a count of C as a length; a negative one is a fault.
fn length(count: c_int) -> Result<usize, Fault> {
    usize::try_from(count).map_err(|_| Fault::Count(count))
}

impl<T: Copy> In<T> {
    /// Returns the address, for a struct.
    pub(crate) const fn of(value: &T) -> Self {
        Self(value)
    }

    /// Takes a pointer that C hands over without its type.
    pub(crate) const fn of_pointer(pointer: *const T) -> Self {
        Self(pointer)
    }

    /// Returns the address of an array's first object, for a callback.
    pub(crate) const fn of_slice(values: &[T]) -> Self {
        Self(values.as_ptr())
    }

    /// Returns a copy of the object.
    pub(crate) fn get(self) -> Result<T, Fault> {
        check(self.0)?;
        // SAFETY: not null and aligned; the caller vouches for the rest, as the page of the module says.
        Ok(unsafe { *self.0 })
    }

    /// Returns the object at its place, which lasts for the call.
    pub(crate) fn as_ref<'a>(self) -> Result<&'a T, Fault> {
        check(self.0)?;
        // SAFETY: as in `get`.
        Ok(unsafe { &*self.0 })
    }

    /// Returns the array of `count` objects.
    pub(crate) fn slice<'a>(self, count: c_int) -> Result<&'a [T], Fault> {
        let length = length(count)?;
        if length == 0 {
            return Ok(&[]);
        }
        check(self.0)?;
        // SAFETY: not null and aligned; the caller vouches for the count, as the page of the module says.
        Ok(unsafe { core::slice::from_raw_parts(self.0, length) })
    }
}

impl In<c_char> {
    /// Returns the address of a string, for a callback.
    pub(crate) const fn of_str(text: &CStr) -> Self {
        Self(text.as_ptr())
    }

    /// Returns the string; an empty one for null.
    pub(crate) fn string<'a>(self) -> &'a CStr {
        if self.0.is_null() {
            return c"";
        }
        // SAFETY: not null, and the caller vouches for the zero at its end, as the page of the module says.
        unsafe { CStr::from_ptr(self.0) }
    }
}

impl<T: Copy> Out<T> {
    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Returns a copy of the object.
    pub(crate) fn get(self) -> Result<T, Fault> {
        In(self.0.cast_const()).get()
    }

    /// Writes the object, unless the pointer is null.
    pub(crate) fn set(self, value: T) {
        if check(self.0).is_ok() {
            // SAFETY: not null and aligned; the caller vouches for the rest, as the page of the module says.
            unsafe { self.0.write(value) }
        }
    }

    /// Returns the array of `count` initialized objects.
    pub(crate) fn slice<'a>(self, count: c_int) -> Result<&'a mut [T], Fault> {
        let length = length(count)?;
        if length == 0 {
            return Ok(&mut []);
        }
        check(self.0)?;
        // SAFETY: not null and aligned; the caller vouches for the count, as the page of the module says.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.0, length) })
    }

    /// Writes items into an array that has room for `capacity`, which need not be initialized. Returns how many it wrote.
    pub(crate) fn fill(
        self,
        capacity: c_int,
        items: impl IntoIterator<Item = T>,
    ) -> Result<c_int, Fault> {
        let room = length(capacity)?;
        if room == 0 {
            return Ok(0);
        }
        check(self.0)?;
        let mut count = 0;
        for item in items.into_iter().take(room) {
            // SAFETY: not null and aligned, and the caller vouches for room for `capacity` objects.
            unsafe { self.0.add(count).write(item) }
            count += 1;
        }
        Ok(count as c_int)
    }
}
