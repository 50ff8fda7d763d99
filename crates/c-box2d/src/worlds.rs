//! The table of worlds, and access to them by id.
//!
//! Each world has a lock of its own: queries run side by side, changes one after the other. A callback that is called within a step
//! finds its world locked, and gets what `hook_view` has of the two shapes; callbacks of queries are called when the query is
//! over and the lock is released, so they may do anything.

use crate::abi::{Fault, Outcome};
use crate::hook_view;
use crate::slot::Slot;
use crate::types::*;
use cairn2d::{BodyMut, BodyRef, JointRef, ShapeMut, ShapeRef};
use core::sync::atomic::{AtomicU16, Ordering};
use std::sync::{PoisonError, RwLock};

/// Number of worlds that can exist at a time.
pub(crate) const MAX_WORLDS: usize = 128;

struct Entry {
    /// Of the world that is there, or will be.
    generation: AtomicU16,
    slot: RwLock<Option<Box<Slot>>>,
}

static ENTRIES: [Entry; MAX_WORLDS] = [const {
    Entry {
        generation: AtomicU16::new(0),
        slot: RwLock::new(None),
    }
}; MAX_WORLDS];

/// Puts a world into the table, which `make` builds for its index.
pub(crate) fn insert(make: impl FnOnce(u16) -> Outcome<Slot>) -> Outcome<b2WorldId> {
    for (index, entry) in ENTRIES.iter().enumerate() {
        // A world that is in use is not free.
        let Ok(mut place) = entry.slot.try_write() else {
            continue;
        };
        if place.is_none() {
            *place = Some(Box::new(make(index as u16)?));
            return Ok(b2WorldId {
                index1: index as u16 + 1,
                generation: entry.generation.load(Ordering::Relaxed),
            });
        }
    }
    Err(Fault::TooManyWorlds)
}

/// Takes a world out of the table.
pub(crate) fn remove(world: b2WorldId) -> Outcome<Box<Slot>> {
    let entry = entry_of(world)?;
    let mut place = entry.slot.write().unwrap_or_else(PoisonError::into_inner);
    let slot = place.take().ok_or(Fault::Stale("world"))?;
    entry.generation.fetch_add(1, Ordering::Relaxed);
    Ok(slot)
}

fn entry_of(world: b2WorldId) -> Outcome<&'static Entry> {
    let index = world.index1.wrapping_sub(1);
    let entry = unlocked(index)?;
    if entry.generation.load(Ordering::Relaxed) == world.generation {
        Ok(entry)
    } else {
        Err(Fault::Stale("world"))
    }
}

/// Returns the entry, unless a callback of a step of this world asks.
fn unlocked(world0: u16) -> Outcome<&'static Entry> {
    if hook_view::is_within(world0) {
        return Err(Fault::Locked);
    }
    ENTRIES
        .get(usize::from(world0))
        .ok_or(Fault::Stale("world"))
}

/// Reads the world of an index.
pub(crate) fn read<R>(world0: u16, work: impl FnOnce(&Slot) -> Outcome<R>) -> Outcome<R> {
    let place = unlocked(world0)?.slot.read();
    let place = place.unwrap_or_else(PoisonError::into_inner);
    work(place.as_ref().ok_or(Fault::Stale("world"))?)
}

/// Changes the world of an index.
pub(crate) fn write<R>(world0: u16, work: impl FnOnce(&mut Slot) -> Outcome<R>) -> Outcome<R> {
    let place = unlocked(world0)?.slot.write();
    let mut place = place.unwrap_or_else(PoisonError::into_inner);
    work(place.as_mut().ok_or(Fault::Stale("world"))?)
}

/// Reads a world.
pub(crate) fn world<R>(id: b2WorldId, work: impl FnOnce(&Slot) -> Outcome<R>) -> Outcome<R> {
    entry_of(id)?;
    read(id.index1 - 1, work)
}

/// Changes a world.
pub(crate) fn world_mut<R>(
    id: b2WorldId,
    work: impl FnOnce(&mut Slot) -> Outcome<R>,
) -> Outcome<R> {
    entry_of(id)?;
    write(id.index1 - 1, work)
}

/// Returns `true` if the id names a world, also within its step.
pub(crate) fn is_world(id: b2WorldId) -> bool {
    match world(id, |_| Ok(())) {
        Err(Fault::Locked) => true,
        found => found.is_ok(),
    }
}

/// Returns the id of the world of an index.
pub(crate) fn id_of(world0: u16) -> Outcome<b2WorldId> {
    let entry = ENTRIES
        .get(usize::from(world0))
        .ok_or(Fault::Stale("world"))?;
    Ok(b2WorldId {
        index1: world0 + 1,
        generation: entry.generation.load(Ordering::Relaxed),
    })
}

/// Reads a body.
pub(crate) fn body<R>(id: b2BodyId, work: impl FnOnce(BodyRef<'_>) -> R) -> Outcome<R> {
    read(id.world0, |slot| Ok(work(slot.body(id)?)))
}

/// Changes a body.
pub(crate) fn body_mut<R>(
    id: b2BodyId,
    work: impl FnOnce(&mut BodyMut<'_>) -> Outcome<R>,
) -> Outcome<R> {
    write(id.world0, |slot| work(&mut slot.body_mut(id)?))
}

/// Reads a shape.
pub(crate) fn shape<R>(id: b2ShapeId, work: impl FnOnce(ShapeRef<'_>) -> R) -> Outcome<R> {
    read(id.world0, |slot| Ok(work(slot.shape(id)?)))
}

/// Changes a shape.
pub(crate) fn shape_mut<R>(
    id: b2ShapeId,
    work: impl FnOnce(&mut ShapeMut<'_>) -> Outcome<R>,
) -> Outcome<R> {
    write(id.world0, |slot| work(&mut slot.shape_mut(id)?))
}

/// Reads a joint.
pub(crate) fn joint<R>(id: b2JointId, work: impl FnOnce(JointRef<'_>) -> R) -> Outcome<R> {
    read(id.world0, |slot| Ok(work(slot.joint(id)?)))
}
