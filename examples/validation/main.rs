//! Runs the reference problems in this engine, and prints a table: `validation [CASE...]`.
#![forbid(unsafe_code)]

use scenes::engine::{CairnEngine, EngineSettings};
use scenes::validation::{self, Case};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |case: &Case| wanted.is_empty() || wanted.iter().any(|name| name == case.name);
    let make = |settings: &EngineSettings| -> Box<dyn scenes::engine::Engine> {
        Box::new(CairnEngine::new(settings, None))
    };
    println!("| case | reference | bound | error |\n|---|---|---|---|");
    for case in validation::all().into_iter().filter(is_wanted) {
        let start = std::time::Instant::now();
        for figure in (case.measure)(&make) {
            let bound = figure.bound.map_or("-".into(), validation::number);
            println!(
                "| {} | {} | {bound} | {figure} |",
                figure.what, figure.reference
            );
        }
        eprintln!("{} {:.1?}", case.name, start.elapsed());
    }
}
