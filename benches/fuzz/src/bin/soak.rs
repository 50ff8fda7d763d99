//! Lets things come and go in a world for many steps, and fails if its memory does not stay flat: `soak --steps 1000000`.

use cairn2d_fuzz::{Churn, Counting, Part, soak};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let steps = match words.as_slice() {
        [] => Some(Churn::default().steps),
        [name, number] if name == "--steps" => number.parse().ok(),
        _ => None,
    };
    let Some(steps) = steps else {
        eprintln!("usage: soak [--steps NUMBER]");
        return ExitCode::from(2);
    };
    let churn = Churn {
        steps,
        ..Churn::default()
    };
    let growth = soak(
        &churn,
        || ALLOCATOR.live_bytes(),
        |step, part| {
            let Part { most, mean, peak } = part;
            println!("step {step:>8}: mean {mean} B, most {most} B, peak {peak:?}");
        },
    );
    println!("hash {:016x}", growth.hash);
    if !growth.is_warmed_up() {
        eprintln!("the warm-up does not have the highest peaks, so the parts cannot be compared");
    } else if !growth.is_flat() {
        eprintln!("memory is not flat");
    } else {
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}
