//! Lets things come and go in a world for many steps, and fails if its memory grows: `soak --steps 1000000`.

use cairn2d_fuzz::{Churn, Counting, soak};
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
        |step, live| println!("step {step:>8}: {live} B"),
    );
    println!("{growth:?}");
    match growth.is_flat() {
        true => ExitCode::SUCCESS,
        false => {
            eprintln!("memory grows");
            ExitCode::FAILURE
        }
    }
}
