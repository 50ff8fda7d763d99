//! A short run of the fuzzer of saves and deltas.

use cairn2d_fuzz::{fuzz_deltas, fuzz_saves, random_deltas, random_saves};

/// Steps of each world that loads: the program `save-fuzz` takes a thousand.
const STEPS: u32 = 3;

#[test]
fn damaged_saves_are_refused_or_load_to_worlds_that_step_on() {
    let saves = random_saves(1, 12);
    let loads = fuzz_saves(&saves, 1, 20_000, STEPS);
    assert!(loads.refused > 0 && loads.loaded > 0, "{loads:?}");
}

#[test]
fn damaged_deltas_are_refused_or_load_to_worlds_that_step_on() {
    let deltas = random_deltas(1, 12);
    let loads = fuzz_deltas(&deltas, 1, 10_000, STEPS);
    assert!(loads.refused > 0 && loads.loaded > 0, "{loads:?}");
}
