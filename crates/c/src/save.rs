//! Saves of worlds, whole and as differences from an earlier one.

use crate::bytes::cairn_bytes;
use crate::failure::{cairn_result, call};
use crate::handle::{Handle, change, destroy, give, read};
use crate::pointer::array;
use crate::world::cairn_world;
use engine::{BaseSave, World};
use std::sync::RwLock;

/// Writes the whole state of a world into `bytes`. A world that is loaded from it continues with the same bits, on all
/// machines. Callbacks are not saved.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_save(
    world: *const cairn_world,
    bytes: *mut cairn_bytes,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            change(bytes, |bytes| {
                world.save_into(bytes);
                Ok(())
            })
        })
    })
}

/// Creates a world from a save; the caller owns it. Bytes that are no save, or are damaged, are refused.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_load(
    data: *const u8,
    size: usize,
    world: *mut *mut cairn_world,
) -> cairn_result {
    call(|| {
        let data = array(data, size, "data")?;
        give(world, || Ok(World::load(data)?))
    })
}

/// A save to which later states are compared. The caller owns it and destroys it with cairn_base_save_destroy().
pub struct cairn_base_save(RwLock<BaseSave>);

impl Handle for cairn_base_save {
    type Inner = BaseSave;
    const NAME: &'static str = "base save";

    fn new(inner: RwLock<BaseSave>) -> Self {
        Self(inner)
    }

    fn lock(&self) -> &RwLock<BaseSave> {
        &self.0
    }
}

/// Saves a world as the base of differences; the world notes from now on what changes.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_base_save_create(
    world: *mut cairn_world,
    base: *mut *mut cairn_base_save,
) -> cairn_result {
    call(|| give(base, || change(world, |world| Ok(world.save_base()))))
}

/// Destroys a base; null is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_base_save_destroy(base: *mut cairn_base_save) -> cairn_result {
    call(|| destroy(base))
}

/// Copies the save in a base into `bytes`.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_base_save_get(
    base: *const cairn_base_save,
    bytes: *mut cairn_bytes,
) -> cairn_result {
    call(|| {
        read(base, |base| {
            change(bytes, |bytes| {
                bytes.clear();
                bytes.extend_from_slice(base.bytes());
                Ok(())
            })
        })
    })
}

/// Writes the difference of a world from a base into `bytes`: a small save.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_save_delta(
    world: *const cairn_world,
    base: *const cairn_base_save,
    bytes: *mut cairn_bytes,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            read(base, |base| {
                change(bytes, |bytes| {
                    world.save_delta_into(base, bytes);
                    Ok(())
                })
            })
        })
    })
}

/// Creates a world from the bytes of a base and a difference from it.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_load_delta(
    base: *const u8,
    base_size: usize,
    delta: *const u8,
    delta_size: usize,
    world: *mut *mut cairn_world,
) -> cairn_result {
    call(|| {
        let base = array(base, base_size, "base")?;
        let delta = array(delta, delta_size, "delta")?;
        give(world, || Ok(World::load_delta(base, delta)?))
    })
}
