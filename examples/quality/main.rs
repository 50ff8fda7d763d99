//! Measures how true to physics the engine is at its default settings, and prints a table.
#![forbid(unsafe_code)]

use scenes::quality;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("| question | ours | goal | best peer |\n|---|---|---|---|");
    for question in quality::all() {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == question.name) {
            continue;
        }
        let start = std::time::Instant::now();
        for figure in (question.measure)() {
            let mark = if figure.is_met() { "" } else { " (missed)" };
            println!(
                "| {} | {:.2e}{mark} | {:.1e} | {} |",
                figure.what, figure.ours, figure.goal, figure.peer
            );
        }
        eprintln!("{} {:.1?}", question.name, start.elapsed());
    }
}
