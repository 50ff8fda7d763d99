//! Damages saves and deltas of random worlds in turn, and loads them: `save-fuzz 10000000 [SEED]`.

use cairn2d_fuzz::{
    count_and_seed, fuzz_deltas, fuzz_saves, random_deltas, random_saves, silence_refusals,
};
use std::process::ExitCode;

/// Saves that are damaged, of different worlds.
const SAVES: u64 = 64;

/// Damaged saves between two reports.
const CHUNK: u64 = 100_000;

fn main() -> ExitCode {
    let Some((count, seed)) = count_and_seed(std::env::args()) else {
        eprintln!("usage: save-fuzz COUNT [SEED]");
        return ExitCode::from(2);
    };
    silence_refusals();
    let saves = random_saves(seed, SAVES);
    let deltas = random_deltas(seed, SAVES);
    let (mut done, mut refused, mut loaded) = (0, 0, 0);
    while done < count {
        let chunk = CHUNK.min(count - done);
        let (seed, half) = (seed.wrapping_add(done), chunk / 2);
        done += chunk;
        for loads in [
            fuzz_saves(&saves, seed, chunk - half),
            fuzz_deltas(&deltas, seed, half),
        ] {
            refused += loads.refused;
            loaded += loads.loaded;
        }
        println!("{done} saves and deltas: {refused} refused, {loaded} loaded");
    }
    ExitCode::SUCCESS
}
