//! Saves that are made on one machine and continued on another.

use crate::registry;
use crate::scene::Scene;
use cairn2d::World;

/// Steps before the save: bodies have met, and most are awake.
const STEPS_BEFORE: u32 = 60;

/// Steps after the save.
pub const STEPS_AFTER: u32 = 1000;

/// Scenes without scripts and hooks, so that their worlds continue by themselves.
pub const SCENES: [&str; 8] = [
    "bin",
    "pyramid",
    "arch",
    "card_house",
    "bridge",
    "dominoes",
    "circle_stack",
    "tilted_boxes",
];

/// Returns the save of each scene, with its name and the state hash that its world has [`STEPS_AFTER`] steps later.
///
/// # Panics
/// If a scene of the list is gone or has a script.
#[must_use]
pub fn saves() -> Vec<(&'static str, Vec<u8>, u64)> {
    let scene = |name| -> &Scene { registry::find(name).unwrap_or_else(|error| panic!("{error}")) };
    let save = |name| {
        let stage = scene(name).run(STEPS_BEFORE);
        assert!(!stage.has_script(), "{name} has a script");
        let save = stage.world.save();
        (name, save, hash_after(stage.world, STEPS_AFTER))
    };
    SCENES.map(save).into()
}

/// Returns the state hash of the world of a save after [`STEPS_AFTER`] steps.
///
/// # Errors
/// If the save does not load.
pub fn hash_of_save(save: &[u8]) -> Result<u64, cairn2d::LoadError> {
    Ok(hash_after(World::load(save)?, STEPS_AFTER))
}

fn hash_after(mut world: World, steps: u32) -> u64 {
    for _ in 0..steps {
        world.step(crate::scene::DT);
    }
    world.state_hash()
}
