//! Byte buffers of the library, for results whose size is not known before.

use crate::failure::{cairn_result, call};
use crate::handle::{Handle, destroy, give, read};
use std::ptr;
use std::sync::RwLock;

/// Bytes that the library wrote: a save or a recording. The caller owns the object and destroys it with
/// cairn_bytes_destroy(); used again, it needs no new memory.
pub struct cairn_bytes(RwLock<Vec<u8>>);

impl Handle for cairn_bytes {
    type Inner = Vec<u8>;
    const NAME: &'static str = "bytes";

    fn new(inner: RwLock<Vec<u8>>) -> Self {
        Self(inner)
    }

    fn lock(&self) -> &RwLock<Vec<u8>> {
        &self.0
    }
}

/// Creates an object without bytes.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_bytes_create(bytes: *mut *mut cairn_bytes) -> cairn_result {
    call(|| give(bytes, || Ok(Vec::new())))
}

/// Destroys bytes; null is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_bytes_destroy(bytes: *mut cairn_bytes) -> cairn_result {
    call(|| destroy(bytes))
}

/// Returns the first byte; null if `bytes` is null. The pointer is valid until the bytes are written again or destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_bytes_data(bytes: *const cairn_bytes) -> *const u8 {
    let mut data = ptr::null();
    call(|| {
        read(bytes, |bytes| {
            data = bytes.as_ptr();
            Ok(())
        })
    });
    data
}

/// Returns the number of bytes; 0 if `bytes` is null.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_bytes_size(bytes: *const cairn_bytes) -> usize {
    let mut size = 0;
    call(|| {
        read(bytes, |bytes| {
            size = bytes.len();
            Ok(())
        })
    });
    size
}
