//! The wall between the caller's pointers and references: almost all unsafe code of the crate is here.
//!
//! The functions check what can be checked: null, alignment, and sizes that no object can have. What remains is the
//! contract of the C interface, which the header states: a pointer that is not null points to as many valid objects as
//! the call says, and nothing else writes to them during the call. The crate has no Rust interface, so only C callers,
//! who agree to that contract, reach these functions.
//!
//! All types that are read from the caller consist of integers, floats, raw pointers and optional function pointers: each
//! bit pattern is a value of them. So no content that a caller writes is undefined behavior here; flags are integers for this reason.

use crate::failure::Failure;
use std::mem::{MaybeUninit, size_of};

/// Checks that a pointer to `count` objects is not null, is aligned and does not wrap around.
fn check<T>(pointer: *const T, count: usize, name: &'static str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    if !pointer.is_aligned() {
        return Err(Failure::misaligned(name));
    }
    let bytes = count.checked_mul(size_of::<T>());
    let fits = bytes.is_some_and(|bytes| {
        isize::try_from(bytes).is_ok() && pointer.addr().checked_add(bytes).is_some()
    });
    if fits {
        Ok(())
    } else {
        Err(Failure::count(name, count))
    }
}

/// Copies the object at a pointer.
pub(crate) fn get<T: Copy>(pointer: *const T, name: &'static str) -> Result<T, Failure> {
    check(pointer, 1, name)?;
    // SAFETY: the pointer is aligned and not null; by the contract of the interface it points to an object.
    Ok(unsafe { pointer.read() })
}

/// Copies the object at a pointer that may be null.
pub(crate) fn get_optional<T: Copy>(
    pointer: *const T,
    name: &'static str,
) -> Result<Option<T>, Failure> {
    if pointer.is_null() {
        Ok(None)
    } else {
        get(pointer, name).map(Some)
    }
}

/// Returns an array of the caller for the time of the call; it may be null if `count` is 0.
pub(crate) fn array<'a, T: Copy>(
    pointer: *const T,
    count: usize,
    name: &'static str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(pointer, count, name)?;
    // SAFETY: aligned, not null and within the address space; by the contract there are `count` objects, which stay
    // unchanged during the call.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Checks that a result can be written, before the work for it is done.
pub(crate) fn check_result<T>(pointer: *mut T, name: &'static str) -> Result<(), Failure> {
    check(pointer, 1, name)
}

/// Writes a result.
pub(crate) fn put<T: Copy>(pointer: *mut T, value: T, name: &'static str) -> Result<(), Failure> {
    check(pointer, 1, name)?;
    // SAFETY: aligned and not null; by the contract there is room for an object.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes a result that the caller may decline with a null pointer.
pub(crate) fn put_optional<T: Copy>(
    pointer: *mut T,
    value: T,
    name: &'static str,
) -> Result<(), Failure> {
    if pointer.is_null() {
        Ok(())
    } else {
        put(pointer, value, name)
    }
}

/// Returns a buffer of the caller for results; it may be null if the capacity is 0.
fn buffer<'a, T>(
    pointer: *mut T,
    capacity: usize,
    name: &'static str,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if capacity == 0 {
        return Ok(&mut []);
    }
    check(pointer, capacity, name)?;
    // SAFETY: aligned, not null and within the address space; by the contract there is room for `capacity` objects, to
    // which nothing else has access during the call. `MaybeUninit` makes no claim about what is there.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), capacity) })
}

/// Writes items into a buffer of the caller and their number to `count`.
///
/// If there are more items than room, the first ones are written, and the call fails; `count` is right in any case.
/// A null buffer with a capacity of 0 asks for the number only.
pub(crate) fn fill<T: Copy>(
    items: impl IntoIterator<Item = T>,
    pointer: *mut T,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Failure> {
    check_result(count, "count")?;
    let room = buffer(pointer, capacity, "buffer")?;
    let mut total = 0;
    for item in items {
        if let Some(place) = room.get_mut(total) {
            place.write(item);
        }
        total += 1;
    }
    put(count, total, "count")?;
    if total <= capacity || pointer.is_null() {
        Ok(())
    } else {
        Err(Failure::buffer(total, capacity))
    }
}

/// Returns the object of a handle for the time of the call.
pub(crate) fn object<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T, Failure> {
    check(pointer, 1, name)?;
    // SAFETY: aligned and not null; by the contract the handle came from this library and was not destroyed. All access
    // is through shared references, and locks guard what is inside.
    Ok(unsafe { &*pointer })
}

/// Takes a handle back that [`Box::into_raw`] gave out.
pub(crate) fn take_back<T>(pointer: *mut T) -> Box<T> {
    // SAFETY: by the contract the handle came from this library, which makes all of them with `Box::into_raw`, and the
    // caller destroys it once.
    unsafe { Box::from_raw(pointer) }
}

/// A pointer of the caller that is handed back to its callbacks.
#[derive(Clone, Copy)]
pub(crate) struct Context(*mut std::ffi::c_void);

// SAFETY: the library never looks behind the pointer. The header says from which threads callbacks are called, so it is
// the caller who answers for what they do with it.
unsafe impl Send for Context {}
// SAFETY: see above.
unsafe impl Sync for Context {}

impl Context {
    pub(crate) const fn new(pointer: *mut std::ffi::c_void) -> Self {
        Self(pointer)
    }

    /// Returns the pointer. A method, so that closures capture the whole `Context`.
    pub(crate) const fn pointer(self) -> *mut std::ffi::c_void {
        self.0
    }
}
