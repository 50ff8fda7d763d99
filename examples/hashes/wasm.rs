//! The program `hashes` as a module of WebAssembly without imports; `run.mjs` calls it.
//!
//! Text and saves go through one buffer of the module.

use scenes::continued::hash_of_save;
use scenes::golden::{row_after, steps_of};
use scenes::registry;
use std::sync::{Mutex, MutexGuard, PoisonError};

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(text: String) -> usize {
    *buffer() = text.into_bytes();
    buffer().len()
}

/// Returns the number of scenes.
#[unsafe(no_mangle)]
pub extern "C" fn scene_count() -> usize {
    registry::all().len()
}

/// Makes room for `len` bytes in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) {
    *buffer() = vec![0; len];
}

/// Returns the address of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn bytes() -> *mut u8 {
    buffer().as_mut_ptr()
}

/// Writes the line of a scene after at most `most` steps to the buffer; returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn row(index: usize, most: u32) -> usize {
    let scene = registry::all()[index];
    answer(row_after(scene, steps_of(scene).min(most), 1))
}

/// Continues the save in the buffer; writes the hash, or the error, to the buffer and returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn continue_save() -> usize {
    let save = core::mem::take(&mut *buffer());
    answer(
        hash_of_save(&save).map_or_else(|error| error.to_string(), |hash| format!("{hash:016x}")),
    )
}
