//! The world of every scene can be written as data and read back, at its start and later.

use cairn2d::World;
use scenes::registry;

/// Steps before the second time: contacts, sleep timers and events are there.
const STEPS: u32 = 20;

#[test]
fn world_of_every_scene_has_the_same_hash_after_it_was_written() {
    for scene in registry::all() {
        for steps in [0, STEPS] {
            let mut stage = scene.run(0);
            (0..steps).for_each(|_| stage.step());
            let text = serde_json::to_string(&stage.world).unwrap();
            let read: World = serde_json::from_str(&text).unwrap();
            let (hash, expected) = (read.state_hash(), stage.world.state_hash());
            assert_eq!(hash, expected, "{} after {steps} steps", scene.name);
        }
    }
}
