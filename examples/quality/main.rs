//! Measures how true to physics the engine is at its default settings, and prints a table.
//!
//! `--ablation` disables each mechanism alone, and prints the rows that then miss their goals. `--disable A,B`
//! measures without the named mechanisms.
#![forbid(unsafe_code)]

use cairn2d::{Mechanism, Mechanisms};
use scenes::kit::use_mechanisms;
use scenes::quality::{self, Question};
use std::collections::BTreeSet;

fn main() {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_ablation = wanted.iter().any(|word| word == "--ablation");
    wanted.retain(|word| word != "--ablation");
    if let Some(index) = wanted.iter().position(|word| word == "--disable") {
        let names = wanted.drain(index..=index + 1).nth(1).unwrap_or_default();
        match Mechanisms::ALL.without_named(&names) {
            Ok(mechanisms) => use_mechanisms(mechanisms),
            Err(error) => return eprintln!("{error}"),
        }
    }
    let is_wanted =
        |question: &Question| wanted.is_empty() || wanted.iter().any(|name| name == question.name);
    let questions: Vec<_> = quality::all().into_iter().filter(is_wanted).collect();
    if is_ablation {
        ablate(&questions);
    } else {
        print_figures(&questions);
    }
}

fn print_figures(questions: &[Question]) {
    println!("| question | ours | goal | best peer |\n|---|---|---|---|");
    for question in questions {
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

/// Returns the rows that reach their goals, as questions and numbers of figures.
fn met(questions: &[Question], mechanisms: Mechanisms) -> BTreeSet<(&'static str, usize)> {
    use_mechanisms(mechanisms);
    let mut rows = BTreeSet::new();
    for question in questions {
        let figures = (question.measure)().into_iter().enumerate();
        rows.extend(
            figures
                .filter(|(_, figure)| figure.is_met())
                .map(|(index, _)| (question.name, index)),
        );
    }
    rows
}

/// Prints the rows that each mechanism alone holds.
fn ablate(questions: &[Question]) {
    let usual = met(questions, Mechanisms::ALL);
    println!("| without | quality rows lost |\n|---|---|");
    for mechanism in Mechanism::ALL {
        let rows = met(questions, Mechanisms::ALL.without(mechanism));
        let lost: Vec<_> = usual.difference(&rows).collect();
        let mut names: Vec<&str> = lost.iter().map(|(name, _)| *name).collect();
        names.dedup();
        match lost.len() {
            0 => println!("| {mechanism:?} | - |"),
            count => println!("| {mechanism:?} | {count}: {} |", names.join(", ")),
        }
    }
}
