//! Damages scenes in JSON, RON and bincode, reads them, and steps the worlds that they make: an error or a world that
//! steps on, nothing else.

use crate::episode::Episode;
use crate::saves::{Loads, MAX_DAMAGES, damage, step_on};
use cairn2d::{SceneDef, World};
use core::ops::Range;
use fastrand::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Calls that make a world, the scene of which is damaged.
const CALLS: u64 = 200;

/// Numbers in the place of one in a text.
const NUMBERS: [&str; 16] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "0.5",
    "1e-45",
    "1e-38",
    "1e9",
    "1e38",
    "-3.4e38",
    "1e39",
    "255",
    "4294967295",
    "18446744073709551615",
    "\"inf\"",
    "inf",
];

/// A format of scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneFormat {
    /// Text with names.
    Json,
    /// Text with names and without quotes.
    Ron,
    /// Bytes without names.
    Bincode,
}

impl SceneFormat {
    const ALL: [Self; 3] = [Self::Json, Self::Ron, Self::Bincode];

    fn write(self, scene: &SceneDef) -> Vec<u8> {
        match self {
            Self::Json => serde_json::to_vec(scene).expect("a scene is written"),
            Self::Ron => ron::to_string(scene)
                .expect("a scene is written")
                .into_bytes(),
            Self::Bincode => bincode::serialize(scene).expect("a scene is written"),
        }
    }

    /// Returns the scene, or `None` if the bytes are none.
    fn read(self, bytes: &[u8]) -> Option<SceneDef> {
        match self {
            Self::Json => serde_json::from_slice(bytes).ok(),
            Self::Ron => ron::de::from_bytes(bytes).ok(),
            Self::Bincode => bincode::deserialize(bytes).ok(),
        }
    }
}

/// A scene in a format.
#[derive(Clone, Debug)]
pub struct WrittenScene {
    format: SceneFormat,
    bytes: Vec<u8>,
}

/// Returns the scenes of `count` random worlds, each in all formats.
///
/// # Panics
/// If a scene that was written is not read back, or makes no world.
#[must_use]
pub fn random_scenes(seed: u64, count: u64) -> Vec<WrittenScene> {
    let mut written = Vec::new();
    for number in 0..count {
        let mut episode = Episode::new(seed, number);
        (0..CALLS).for_each(|call| episode.call(call));
        let scene = episode.world.to_scene();
        for format in SceneFormat::ALL {
            let bytes = format.write(&scene);
            let read = format.read(&bytes).expect("a written scene is read");
            let world = World::from_scene(&read);
            assert!(
                world.is_ok(),
                "scene {number} in {format:?}: {:?}",
                world.err()
            );
            written.push(WrittenScene { format, bytes });
        }
    }
    written
}

/// Damages the `scenes` in turn, `count` times in all, makes a world of each result that is a scene, and steps it.
///
/// # Panics
/// If reading, making the world or a step panics, or the world is inconsistent after the steps, or its save does not load.
#[must_use]
pub fn fuzz_scenes(scenes: &[WrittenScene], seed: u64, count: u64, steps: u32) -> Loads {
    let mut loads = Loads::default();
    for (number, scene) in (0..count).zip(scenes.iter().cycle()) {
        let bytes = damaged(scene, seed, number);
        let run = || {
            let world = World::from_scene(&scene.format.read(&bytes)?).ok()?;
            Some(step_on(world, steps))
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Some(frozen)) => {
                loads.loaded += 1;
                loads.frozen += u64::from(frozen);
            }
            Ok(None) => loads.refused += 1,
            Err(panic) => {
                eprintln!("scene {number} of seed {seed} in {:?} panics", scene.format);
                resume_unwind(panic);
            }
        }
    }
    loads
}

/// Returns a scene with damages.
fn damaged(scene: &WrittenScene, seed: u64, number: u64) -> Vec<u8> {
    // A seed for each, so that a failure is repeated by its number.
    let mut random = Rng::with_seed(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut bytes = scene.bytes.clone();
    for _ in 0..=random.usize(..MAX_DAMAGES) {
        // Most texts with another byte are no scenes, and most with another number are.
        if scene.format == SceneFormat::Bincode || random.u32(..8) == 0 {
            damage(&mut bytes, 0, &mut random);
        } else {
            damage_number(&mut bytes, &mut random);
        }
    }
    bytes
}

/// Replaces a number of a text by another: one at which programs tend to fail, or one of the same text.
fn damage_number(text: &mut Vec<u8>, random: &mut Rng) {
    if text.is_empty() {
        return;
    }
    let place = |random: &mut Rng| number_at(text, random.usize(..text.len()));
    let Some(old) = place(random) else {
        return;
    };
    let new = match place(random) {
        Some(other) if random.bool() => text[other].to_vec(),
        _ => NUMBERS[random.usize(..NUMBERS.len())].as_bytes().to_vec(),
    };
    text.splice(old, new);
}

/// Returns the range of the first number that begins at `start` or behind it.
fn number_at(text: &[u8], start: usize) -> Option<Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let begins =
        |i: &usize| text[*i].is_ascii_digit() && (*i == 0 || !text[*i - 1].is_ascii_alphanumeric());
    let first = (start..text.len()).find(begins)?;
    let before = text[..first]
        .iter()
        .rev()
        .take_while(|&byte| is_part(byte))
        .count();
    let behind = text[first..]
        .iter()
        .take_while(|&byte| is_part(byte))
        .count();
    Some(first - before..first + behind)
}
