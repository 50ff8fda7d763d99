//! Recordings of random calls: their calls, and the results of readers of damaged ones.

use crate::episode::{CallCounts, Episode, is_refusal, message_of};
use crate::saves::{MAX_DAMAGES, damage};
use cairn2d::{Player, Recording, ReplayError, World};
use fastrand::Rng;

/// Bytes before the first chunk of a recording.
const HEADER: usize = 16;

/// Calls of a recording that is damaged.
const CALLS: u64 = 120;

/// Returns recordings of `count` random worlds.
#[must_use]
pub fn random_recordings(seed: u64, count: u64) -> Vec<Vec<u8>> {
    let record = |number| {
        let mut episode = Episode::new(seed, number);
        (0..CALLS).for_each(|call| episode.call(call));
        episode.take_recording().as_bytes().to_vec()
    };
    (0..count).map(record).collect()
}

/// Returns the calls that are in no recording of `count` episodes, by object and name; all recordings repeat.
///
/// # Panics
/// If a recording does not repeat to the same bits.
#[must_use]
pub fn unrecorded_calls(seed: u64, count: u64, calls: u64) -> Vec<[&'static str; 2]> {
    let mut total: CallCounts = Vec::new();
    for number in 0..count {
        let mut episode = Episode::new(seed, number);
        (0..calls).for_each(|call| episode.call(call));
        let counts = episode.assert_repeats();
        if total.is_empty() {
            total = counts;
            continue;
        }
        for (sum, (_, count)) in total.iter_mut().zip(counts) {
            sum.1 += count;
        }
    }
    let missing = total.into_iter().filter(|(_, count)| *count == 0);
    missing.map(|(names, _)| names).collect()
}

/// Prints no documented refusals: setters refuse by panics, which the player catches.
pub fn silence_refusals() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !is_refusal(&message_of(info.payload())) {
            usual(info);
        }
    }));
}

/// Numbers of damaged recordings by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replays {
    /// Refused with an error, when read or at some step.
    pub refused: u64,
    /// Played to the end.
    pub played: u64,
}

/// Damages the `recordings` in turn, `count` times in all, and plays each result as far as it goes.
///
/// # Panics
/// If reading or playing panics, other than with a documented refusal, which the player catches.
#[must_use]
pub fn fuzz_recordings(recordings: &[Vec<u8>], seed: u64, count: u64) -> Replays {
    let mut replays = Replays::default();
    let mut damaged = Vec::new();
    for (number, original) in (0..count).zip(recordings.iter().cycle()) {
        // A seed for each, so that a failure is repeated by its number.
        let mut random = Rng::with_seed(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        damaged.clone_from(original);
        for _ in 0..=random.usize(..MAX_DAMAGES) {
            damage(&mut damaged, HEADER, &mut random);
        }
        World::forge_recording(&mut damaged);
        match play(&damaged) {
            Ok(()) => replays.played += 1,
            Err(error) => {
                replays.refused += 1;
                check(&error, damaged.len(), number);
            }
        }
    }
    replays
}

/// Plays a recording to its end. Another hash than the recorded one is no reason to stop.
fn play(bytes: &[u8]) -> Result<(), ReplayError> {
    let mut player = Player::new(Recording::new(bytes)?)?;
    loop {
        match player.advance() {
            Ok(true) | Err(ReplayError::Mismatch { .. }) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

fn check(error: &ReplayError, len: usize, number: u64) {
    match error {
        ReplayError::Invalid { offset, .. } => assert!(*offset <= len, "{number}: {error}"),
        ReplayError::Refused { offset, .. } => assert!(*offset < len, "{number}: {error}"),
        ReplayError::Panicked { message, .. } => assert!(is_refusal(message), "{number}: {error}"),
        _ => {}
    }
}
