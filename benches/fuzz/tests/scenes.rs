//! A short run of the fuzzer of scenes.

use cairn2d_fuzz::{fuzz_scenes, random_scenes, silence_refusals};

/// Steps of each world: the program `scene-fuzz` takes a thousand.
const STEPS: u32 = 3;

#[test]
fn damaged_scenes_are_refused_or_make_worlds_that_step_on() {
    silence_refusals();
    let scenes = random_scenes(1, 8);
    let loads = fuzz_scenes(&scenes, 1, 6_000, STEPS);
    assert!(loads.refused > 0 && loads.loaded > 0, "{loads:?}");
}
