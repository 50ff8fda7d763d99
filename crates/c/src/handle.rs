//! Opaque objects: each is behind a lock that is never waited for.
//!
//! A call that finds the lock taken fails, be it by another thread or by the function that is running the present callback.
//! So no misuse of threads and no call from a callback leads to a data race. A panic while the object is being changed
//! poisons the lock, and all later calls fail.

use crate::failure::Failure;
use crate::pointer::{check_result, object, put, take_back};
use std::sync::{RwLock, TryLockError};

/// An opaque type of the interface.
pub(crate) trait Handle: Sized {
    /// What is behind the lock.
    type Inner: Send + Sync;
    /// Name for messages.
    const NAME: &'static str;

    fn new(inner: RwLock<Self::Inner>) -> Self;

    fn lock(&self) -> &RwLock<Self::Inner>;
}

fn refused<G, H: Handle>(error: &TryLockError<G>) -> Failure {
    match error {
        TryLockError::WouldBlock => Failure::busy(H::NAME),
        TryLockError::Poisoned(_) => Failure::poisoned(H::NAME),
    }
}

/// Reads the object of a handle. Several threads may read at a time.
pub(crate) fn read<H: Handle, T>(
    handle: *const H,
    body: impl FnOnce(&H::Inner) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let guard = object(handle, H::NAME)?.lock().try_read();
    body(&*guard.map_err(|error| refused::<_, H>(&error))?)
}

/// Changes the object of a handle.
pub(crate) fn change<H: Handle, T>(
    handle: *mut H,
    body: impl FnOnce(&mut H::Inner) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let guard = object(handle, H::NAME)?.lock().try_write();
    body(&mut *guard.map_err(|error| refused::<_, H>(&error))?)
}

/// Makes an object and gives it out. The place for the handle is checked first, so that no object is lost.
pub(crate) fn give<H: Handle>(
    place: *mut *mut H,
    make: impl FnOnce() -> Result<H::Inner, Failure>,
) -> Result<(), Failure> {
    check_result(place, H::NAME)?;
    let handle = Box::new(H::new(RwLock::new(make()?)));
    put(place, Box::into_raw(handle), H::NAME)
}

/// Destroys an object; null is ignored. An object in use stays.
pub(crate) fn destroy<H: Handle>(handle: *mut H) -> Result<(), Failure> {
    if handle.is_null() {
        return Ok(());
    }
    if let Err(TryLockError::WouldBlock) = object(handle, H::NAME)?.lock().try_write() {
        return Err(Failure::busy(H::NAME));
    }
    drop(take_back(handle));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::{
        CAIRN_BUSY, CAIRN_OK, CAIRN_PANIC, CAIRN_POISONED, cairn_last_error, call,
    };
    use std::ffi::CStr;

    struct Number(RwLock<u32>);

    impl Handle for Number {
        type Inner = u32;
        const NAME: &'static str = "number";

        fn new(inner: RwLock<u32>) -> Self {
            Self(inner)
        }

        fn lock(&self) -> &RwLock<u32> {
            &self.0
        }
    }

    fn number() -> *mut Number {
        let mut place = std::ptr::null_mut();
        assert_eq!(call(|| give(&raw mut place, || Ok(7))), CAIRN_OK);
        place
    }

    fn last_error() -> String {
        // SAFETY: the library's own text, which ends with a zero and is valid until the next failure.
        let text = unsafe { CStr::from_ptr(cairn_last_error()) };
        text.to_str().expect("messages are UTF-8").to_owned()
    }

    #[test]
    fn a_panic_during_a_change_poisons_the_object_until_it_is_destroyed() {
        let number = number();
        let result = call(|| change(number, |_| panic!("the planted defect")));
        assert_eq!(result, CAIRN_PANIC);
        assert!(last_error().contains("the planted defect"));
        assert_eq!(call(|| read(number, |_| Ok(()))), CAIRN_POISONED);
        assert_eq!(call(|| change(number, |_| Ok(()))), CAIRN_POISONED);
        assert!(last_error().contains("destroy it"));
        assert_eq!(call(|| destroy(number)), CAIRN_OK);
    }

    #[test]
    fn a_panic_while_reading_leaves_the_object_usable() {
        let number = number();
        let result = call(|| read(number, |_| panic!("the planted defect")));
        assert_eq!(result, CAIRN_PANIC);
        assert_eq!(call(|| change(number, |_| Ok(()))), CAIRN_OK);
        assert_eq!(call(|| destroy(number)), CAIRN_OK);
    }

    #[test]
    fn an_object_in_use_is_neither_changed_nor_destroyed() {
        let number = number();
        let result = call(|| {
            read(number, |_| {
                assert_eq!(call(|| read(number, |_| Ok(()))), CAIRN_OK);
                assert_eq!(call(|| change(number, |_| Ok(()))), CAIRN_BUSY);
                assert_eq!(call(|| destroy(number)), CAIRN_BUSY);
                Ok(())
            })
        });
        assert_eq!(result, CAIRN_OK);
        assert_eq!(call(|| destroy(number)), CAIRN_OK);
    }
}
