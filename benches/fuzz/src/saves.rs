//! Damages saves and deltas at random, forges their checksums, and loads them: an error or a world that steps on, nothing
//! else.

use crate::episode::Episode;
use cairn2d::{LoadError, World};
use fastrand::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Step of the worlds that load \[s\].
const DT: f32 = 1.0 / 60.0;

/// Bytes before the world in a save, the place of its length, and that of its checksum.
const HEADER: usize = 32;
const LENGTH: core::ops::Range<usize> = 16..24;
const CHECKSUM: core::ops::Range<usize> = 24..HEADER;

/// Most damages to one save.
pub(crate) const MAX_DAMAGES: usize = 4;

/// Largest part that a damage moves, repeats or leaves out \[bytes\].
const MAX_PART: usize = 64;

/// Values at which numbers and lengths tend to break.
const EDGES: [u32; 8] = [
    0,
    1,
    u32::MAX,
    i32::MAX as u32,
    f32::INFINITY.to_bits(),
    f32::NAN.to_bits(),
    f32::MAX.to_bits(),
    (-1.0_f32).to_bits(),
];

/// Calls that make a world, the save of which is damaged.
const CALLS: u64 = 400;

/// Calls from a base to a delta.
const CALLS_SINCE_BASE: u64 = 40;

/// Returns the saves of `count` random worlds.
#[must_use]
pub fn random_saves(seed: u64, count: u64) -> Vec<Vec<u8>> {
    let save = |number| {
        let mut episode = Episode::new(seed, number);
        (0..CALLS).for_each(|call| episode.call(call));
        episode.world.save()
    };
    (0..count).map(save).collect()
}

/// A save, and a delta against it.
#[derive(Clone, Debug)]
pub struct SavedDelta {
    base: Vec<u8>,
    delta: Vec<u8>,
}

/// Returns deltas of `count` random worlds against their saves of some calls before.
#[must_use]
pub fn random_deltas(seed: u64, count: u64) -> Vec<SavedDelta> {
    let save = |number| {
        let mut episode = Episode::new(seed, number);
        (0..CALLS).for_each(|call| episode.call(call));
        let base = episode.world.save_base();
        (CALLS..CALLS + CALLS_SINCE_BASE).for_each(|call| episode.call(call));
        SavedDelta {
            delta: episode.world.save_delta(&base),
            base: base.bytes().to_vec(),
        }
    };
    (0..count).map(save).collect()
}

/// Numbers of damaged saves by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loads {
    /// Refused with an error.
    pub refused: u64,
    /// Loaded to a world that steps on.
    pub loaded: u64,
    /// Of these, worlds in which a step froze a body: a damaged number that is allowed, such as an impulse, may be so large
    /// that a velocity overflows.
    pub frozen: u64,
}

/// Damages the `saves` in turn, `count` times in all, loads each result, and steps the worlds that load.
///
/// # Panics
/// If a load or a step panics, or a world is inconsistent after them, or takes no second save and load.
#[must_use]
pub fn fuzz_saves(saves: &[Vec<u8>], seed: u64, count: u64, steps: u32) -> Loads {
    let mut loads = Loads::default();
    for (number, save) in (0..count).zip(saves.iter().cycle()) {
        let damaged = damaged(save, seed, number);
        loads.count(number, damaged.len(), World::load(&damaged), steps);
    }
    loads
}

/// Damages the `deltas` in turn, `count` times in all, loads each result with its base, and steps the worlds that load.
///
/// # Panics
/// As [`fuzz_saves`].
#[must_use]
pub fn fuzz_deltas(deltas: &[SavedDelta], seed: u64, count: u64, steps: u32) -> Loads {
    let mut loads = Loads::default();
    for (number, SavedDelta { base, delta }) in (0..count).zip(deltas.iter().cycle()) {
        let damaged = damaged(delta, seed, number);
        let most = base.len() + damaged.len();
        loads.count(number, most, World::load_delta(base, &damaged), steps);
    }
    loads
}

impl Loads {
    /// Counts the load of damaged bytes, of which there are `most`.
    fn count(&mut self, number: u64, most: usize, load: Result<World, LoadError>, steps: u32) {
        match load {
            Ok(world) => {
                self.loaded += 1;
                assert!(World::load(&world.save()).is_ok(), "save {number}");
                let stepped = catch_unwind(AssertUnwindSafe(|| step_on(world, steps)));
                match stepped {
                    Ok(frozen) => self.frozen += u64::from(frozen),
                    Err(panic) => {
                        eprintln!("save {number} panics in a step");
                        resume_unwind(panic);
                    }
                }
            }
            Err(error) => {
                self.refused += 1;
                assert!(error.offset <= most, "save {number}: {error}");
            }
        }
    }
}

/// Steps a world and checks it; returns `true` if a body was frozen.
pub(crate) fn step_on(mut world: World, steps: u32) -> bool {
    let mut frozen = false;
    for _ in 0..steps {
        world.step(DT);
        frozen |= !world.body_freezes().is_empty();
    }
    for body in world.bodies() {
        let (position, velocity) = (body.position(), body.velocity());
        let numbers = [position.x, position.y, velocity.x, velocity.y];
        let is_finite = numbers.iter().all(|number| number.is_finite());
        assert!(is_finite && body.angular_velocity().is_finite());
    }
    world.assert_consistent();
    if let Err(error) = World::load(&world.save()) {
        panic!("the save after the steps: {error}");
    }
    frozen
}

/// Returns a save or delta with damages, and with the head that it must have.
fn damaged(original: &[u8], seed: u64, number: u64) -> Vec<u8> {
    // A seed for each, so that a failure is repeated by its number.
    let mut random = Rng::with_seed(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut damaged = original.to_vec();
    for _ in 0..=random.usize(..MAX_DAMAGES) {
        damage(&mut damaged, HEADER, &mut random);
    }
    let length = (damaged.len() - HEADER) as u64;
    damaged[LENGTH].copy_from_slice(&length.to_le_bytes());
    let checksum = World::save_checksum(&damaged);
    damaged[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    damaged
}

/// Changes a place of a save or recording behind its first `head` bytes.
pub(crate) fn damage(save: &mut Vec<u8>, head: usize, random: &mut Rng) {
    let len = save.len();
    if len <= head + MAX_PART {
        save.extend((0..MAX_PART).map(|_| random.u8(..)));
        return;
    }
    let at = random.usize(head..len - MAX_PART);
    let part = random.usize(1..MAX_PART);
    match random.u8(..7) {
        0 => save[at] ^= 1 << random.u8(..8),
        1 => save[at] = random.u8(..),
        2 => {
            let edge = EDGES[random.usize(..EDGES.len())];
            save[at..at + 4].copy_from_slice(&edge.to_le_bytes());
        }
        3 => save[at] = save[at].wrapping_add(1),
        4 => {
            let from = random.usize(head..len - MAX_PART);
            save.copy_within(from..from + part, at);
        }
        5 => {
            save.drain(at..at + part);
        }
        _ => {
            let copy = save[at..at + part].to_vec();
            save.splice(at..at, copy);
        }
    }
}
