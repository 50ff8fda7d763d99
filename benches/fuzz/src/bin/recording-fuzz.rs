//! Damages recordings of random calls, and plays them: `recording-fuzz 1000000 [SEED]`.

use cairn2d_fuzz::{count_and_seed, fuzz_recordings, random_recordings, silence_refusals};
use std::process::ExitCode;

/// Recordings that are damaged, of different worlds.
const RECORDINGS: u64 = 64;

/// Damaged recordings between two reports.
const CHUNK: u64 = 10_000;

fn main() -> ExitCode {
    let Some((count, seed)) = count_and_seed(std::env::args()) else {
        eprintln!("usage: recording-fuzz COUNT [SEED]");
        return ExitCode::from(2);
    };
    silence_refusals();
    let recordings = random_recordings(seed, RECORDINGS);
    let (mut done, mut refused, mut played) = (0, 0, 0);
    while done < count {
        let chunk = CHUNK.min(count - done);
        let replays = fuzz_recordings(&recordings, seed.wrapping_add(done), chunk);
        done += chunk;
        refused += replays.refused;
        played += replays.played;
        println!("{done} recordings: {refused} refused, {played} played");
    }
    ExitCode::SUCCESS
}
