//! The reference problems in each engine: one table of errors.

use crate::engines::Kind;
use scenes::engine::EngineSettings;
use scenes::validation::{self, Case, Figure};

/// Runs the named cases, or all, and prints a table of the errors.
pub(crate) fn show(names: &[String], engines: &[Kind]) {
    let heads: String = engines
        .iter()
        .map(|engine| format!(" {} |", engine.name()))
        .collect();
    println!("| case | reference | bound |{heads}");
    println!("|---|---|---|{}", "---|".repeat(engines.len()));
    let is_wanted = |case: &Case| names.is_empty() || names.iter().any(|name| name == case.name);
    for case in validation::all().into_iter().filter(is_wanted) {
        let columns: Vec<_> = engines.iter().map(|&engine| run(&case, engine)).collect();
        for (row, figure) in columns[0].iter().enumerate() {
            let bound = figure.bound.map_or("-".into(), validation::number);
            let errors: String = columns
                .iter()
                .map(|column| format!(" {} |", column[row]))
                .collect();
            println!(
                "| {} | {} | {bound} |{errors}",
                figure.what, figure.reference
            );
        }
    }
}

/// Runs a case in worlds of an engine, and reports the time.
fn run(case: &Case, engine: Kind) -> Vec<Figure> {
    let start = std::time::Instant::now();
    let figures = (case.measure)(&|settings: &EngineSettings| engine.make(settings));
    eprintln!("{} {} {:.1?}", case.name, engine.name(), start.elapsed());
    figures
}
