//! Runs the reference problems in this engine, and prints a table: `validation [CASE...]`. `validation --orders` prints the
//! errors over substeps of each way in which a step is solved.
#![forbid(unsafe_code)]

use scenes::engine::{CairnEngine, EngineSettings};
use scenes::validation::{self, Case, number, orders};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.iter().any(|word| word == "--orders") {
        return print_orders();
    }
    let is_wanted = |case: &Case| wanted.is_empty() || wanted.iter().any(|name| name == case.name);
    let make = |settings: &EngineSettings| -> Box<dyn scenes::engine::Engine> {
        Box::new(CairnEngine::new(settings, None))
    };
    println!("| case | reference | bound | error |\n|---|---|---|---|");
    for case in validation::all().into_iter().filter(is_wanted) {
        let start = std::time::Instant::now();
        for figure in (case.measure)(&make) {
            let bound = number(figure.bound);
            println!(
                "| {} | {} | {bound} | {figure} |",
                figure.what, figure.reference
            );
        }
        eprintln!("{} {:.1?}", case.name, start.elapsed());
    }
}

fn print_orders() {
    println!("| problem | refined | errors | order | of the method |\n|---|---|---|---|---|");
    for path in orders::PATHS {
        let (errors, order) = orders::measure(path);
        let errors: Vec<String> = errors.into_iter().map(number).collect();
        let counts: Vec<String> = path.counts.iter().map(u32::to_string).collect();
        println!(
            "| {} | {} {} | {} | {order:.2} | {} |",
            path.what,
            counts.join(", "),
            path.refined,
            errors.join(", "),
            path.order
        );
    }
}
