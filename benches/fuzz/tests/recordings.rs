//! Short runs of random recordings, and of damaged ones.

use cairn2d_fuzz::{fuzz_recordings, random_recordings, silence_refusals, unrecorded_calls};

#[test]
fn recordings_of_random_calls_repeat_and_have_every_call() {
    let missing = unrecorded_calls(3, 24, 1000);
    assert!(missing.is_empty(), "never recorded: {missing:?}");
}

#[test]
fn damaged_recordings_are_refused_or_played() {
    silence_refusals();
    let recordings = random_recordings(1, 12);
    let replays = fuzz_recordings(&recordings, 1, 2_000);
    assert!(replays.refused > 0 && replays.played > 0, "{replays:?}");
}
