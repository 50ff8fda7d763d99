//! Damages scenes in JSON, RON and bincode, and steps the worlds that they make: `scene-fuzz 20000 [SEED]`.

use cairn2d_fuzz::{count_and_seed, fuzz_scenes, random_scenes, silence_refusals};
use std::process::ExitCode;

/// Worlds whose scenes are damaged.
const WORLDS: u64 = 32;

/// Damaged scenes between two reports.
const CHUNK: u64 = 1000;

/// Steps of each world.
const STEPS: u32 = 1000;

fn main() -> ExitCode {
    let Some((count, seed)) = count_and_seed(std::env::args()) else {
        eprintln!("usage: scene-fuzz COUNT [SEED]");
        return ExitCode::from(2);
    };
    silence_refusals();
    let scenes = random_scenes(seed, WORLDS);
    let (mut done, mut refused, mut loaded, mut frozen) = (0, 0, 0, 0);
    while done < count {
        let chunk = CHUNK.min(count - done);
        let loads = fuzz_scenes(&scenes, seed.wrapping_add(done), chunk, STEPS);
        done += chunk;
        refused += loads.refused;
        loaded += loads.loaded;
        frozen += loads.frozen;
        println!("{done} scenes: {refused} refused, {loaded} made, {frozen} with a frozen body");
    }
    ExitCode::SUCCESS
}
