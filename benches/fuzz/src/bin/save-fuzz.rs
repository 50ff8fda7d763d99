//! Damages saves and deltas of random worlds in turn, loads them, and steps the worlds that load: `save-fuzz 20000 [SEED]`.

use cairn2d_fuzz::{
    count_and_seed, fuzz_deltas, fuzz_saves, random_deltas, random_saves, silence_refusals,
};
use std::process::ExitCode;

/// Saves that are damaged, of different worlds.
const SAVES: u64 = 64;

/// Damaged saves between two reports.
const CHUNK: u64 = 1000;

/// Steps of each world that loads.
const STEPS: u32 = 1000;

fn main() -> ExitCode {
    let Some((count, seed)) = count_and_seed(std::env::args()) else {
        eprintln!("usage: save-fuzz COUNT [SEED]");
        return ExitCode::from(2);
    };
    silence_refusals();
    let saves = random_saves(seed, SAVES);
    let deltas = random_deltas(seed, SAVES);
    let (mut done, mut refused, mut loaded, mut frozen) = (0, 0, 0, 0);
    while done < count {
        let chunk = CHUNK.min(count - done);
        let (seed, half) = (seed.wrapping_add(done), chunk / 2);
        done += chunk;
        for loads in [
            fuzz_saves(&saves, seed, chunk - half, STEPS),
            fuzz_deltas(&deltas, seed, half, STEPS),
        ] {
            refused += loads.refused;
            loaded += loads.loaded;
            frozen += loads.frozen;
        }
        println!(
            "{done} saves and deltas: {refused} refused, {loaded} loaded, {frozen} with a frozen body"
        );
    }
    ExitCode::SUCCESS
}
