//! Nanoseconds per question of each engine: the fastest of many short rounds, taken in turn.
//!
//! A busy machine can only slow a round down, so the fastest round is the time of the code. The table is Markdown.
//! `fastest PART` times only the rows with `PART` in their name.

use cairn2d_differential::rows::{COUNT, rows};
use std::time::Instant;

/// Rounds each engine gets; with some tens of microseconds a round, a few always run undisturbed.
const ROUNDS: usize = 400;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!("| question | engine: ns, in order |\n|---|---|");
    for mut row in rows() {
        if !row.name.contains(&wanted) {
            continue;
        }
        let mut fastest = vec![f64::INFINITY; row.engines.len()];
        for _ in 0..ROUNDS {
            for (best, (_, ask)) in fastest.iter_mut().zip(&mut row.engines) {
                let start = Instant::now();
                ask();
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
        let cells: Vec<String> = fastest
            .iter()
            .zip(&row.engines)
            .map(|(s, (name, _))| format!("{name} {:.1}", s * 1e9 / COUNT as f64))
            .collect();
        println!("| {} | {} |", row.name, cells.join(", "));
    }
}
