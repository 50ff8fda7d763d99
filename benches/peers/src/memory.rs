//! Memory of a world, by the bytes that its engine has allocated.

use crate::engines::Kind;
use crate::run::Stage;
use boxdd_sys::ffi;
use scenes::benchmark::{self, Family, STEP};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

/// The system's allocator, with a count of the bytes in use.
struct Counting;

static BYTES: AtomicI64 = AtomicI64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: the system's allocator does it all; the count touches no memory that it hands out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) };
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BYTES.fetch_add(size as i64 - layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Bytes that all engines have allocated now.
fn in_use() -> i64 {
    // SAFETY: a plain call. Box2D allocates by the C library, and counts by itself.
    BYTES.load(Ordering::Relaxed) + unsafe { ffi::b2GetByteCount() }
}

/// Steps before the bytes are counted: buffers have found their size.
const STEPS: u32 = 30;

/// Bodies of the worlds.
const BODIES: usize = 22_000;

/// Prints the bytes of a body with one box, of a contact between two of them, and of a small world.
///
/// A body: a drum of boxes before the first step, when none touches another. A contact: the additional bytes of pyramids at rest.
/// A small world: the mean of a hundred with a walking machine and crates.
pub(crate) fn show(engines: &[Kind]) {
    println!("bytes, one thread, {BODIES} bodies");
    println!(
        "{:<10}{:>10}{:>12}{:>14}{:>14}",
        "engine", "a body", "a contact", "in pyramids", "small world"
    );
    for kind in engines {
        let (lone, _) = bytes(*kind, Family::Drum, 0);
        let (piled, contacts) = bytes(*kind, Family::Pyramids, STEPS);
        println!(
            "{:<10}{:>10.0}{:>12.0}{:>14}{:>14.0}",
            kind.name(),
            lone,
            (piled - lone) * BODIES as f64 / contacts as f64,
            format!("{piled:.0} a body"),
            small_world(*kind),
        );
    }
}

/// Returns the bytes for each body after some steps, and the number of contacts.
fn bytes(kind: Kind, family: Family, steps: u32) -> (f64, usize) {
    let before = in_use();
    let mut engine = kind.make(&family.scene().settings(1));
    let cast = family.build(engine.as_mut(), BODIES);
    let bodies = cast.bodies().count();
    drop(cast);
    for _ in 0..steps {
        engine.step(STEP);
    }
    let bytes = in_use() - before;
    (bytes as f64 / bodies as f64, engine.counts().contacts)
}

/// Returns the bytes of a small world, as programs for learning step them by the hundreds.
fn small_world(kind: Kind) -> f64 {
    let scene = benchmark::scene("worlds").expect("the scene");
    let before = in_use();
    let mut stage = Stage::build(&scene, kind, &scene.settings(1));
    for step in 0..scene.timed_steps {
        stage.step(&scene, step);
    }
    (in_use() - before) as f64 / f64::from(scene.worlds)
}
