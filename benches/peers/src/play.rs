//! The scenes that people play: mean and slowest step of each engine on one thread.

use crate::agree;
use crate::engines::Kind;
use crate::run::{self, Clock, State};
use scenes::benchmark::BenchmarkScene;
use scenes::engine::EngineSettings;
use std::time::Duration;

/// The runs of one scene.
pub(crate) struct Row {
    scene: &'static str,
    results: Vec<Result>,
}

/// The runs of one scene with one engine.
struct Result {
    engine: Kind,
    /// Mean of the timed steps \[ms\], and the longest of them.
    figures: [f64; 2],
    end: State,
}

/// Runs the scenes with the engines, several times; of the runs, the fastest counts at each step.
///
/// A run does the same work each time, so what a step takes longer is the machine's doing, and the least of two runs
/// leaves it out even of the slowest step.
pub(crate) fn measure(
    scenes: &[BenchmarkScene],
    engines: &[Kind],
    runs: usize,
    clock: Clock,
    solver_budget: Option<u32>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for scene in scenes {
        eprintln!("{}", scene.name);
        let settings = EngineSettings {
            solver_budget,
            ..scene.settings(1)
        };
        let one = |&engine: &Kind| {
            let (mut least, mut end) = run::times(scene, engine, &settings, clock);
            for _ in 1..runs {
                let (times, state) = run::times(scene, engine, &settings, clock);
                for (least, time) in least.iter_mut().zip(times) {
                    *least = (*least).min(time);
                }
                end = state;
            }
            let total: Duration = least.iter().sum();
            let worst = least.iter().max().expect("a step is timed");
            let mean = total.as_secs_f64() / least.len() as f64;
            Result {
                engine,
                figures: [1000.0 * mean, 1000.0 * worst.as_secs_f64()],
                end,
            }
        };
        rows.push(Row {
            scene: scene.name,
            results: engines.iter().map(one).collect(),
        });
    }
    rows
}

/// Prints a line for each scene; ratios are other engine to first, so that above 1 the first is faster.
pub(crate) fn print(rows: &[Row]) {
    let Some(row) = rows.first() else { return };
    let first = row.results[0].engine.name();
    println!("\nms a step: mean, slowest; ratios to {first} of both");
    print!("| scene |");
    for result in &row.results {
        print!(" {} |", result.engine.name());
    }
    for result in &row.results[1..] {
        print!(" {}/{first} |", result.engine.name());
    }
    println!("\n|{}", "---|".repeat(2 * row.results.len()));
    for row in rows {
        print!("| {} |", row.scene);
        for result in &row.results {
            let [mean, slowest] = result.figures.map(rounded);
            print!(" {mean}, {slowest} |");
        }
        for result in &row.results[1..] {
            let [mean, slowest] = ratios(row, result);
            print!(" {mean:.2}, {slowest:.2} |");
        }
        println!();
    }
    print!("| geometric mean |{}", " |".repeat(row.results.len()));
    for place in 1..row.results.len() {
        let mut sums = [0.0; 2];
        for row in rows {
            for (sum, ratio) in sums.iter_mut().zip(ratios(row, &row.results[place])) {
                *sum += ratio.ln();
            }
        }
        let [mean, slowest] = sums.map(|sum| (sum / rows.len() as f64).exp());
        print!(" {mean:.2}, {slowest:.2} |");
    }
    println!();
}

fn ratios(row: &Row, other: &Result) -> [f64; 2] {
    let first = &row.results[0].figures;
    [0, 1].map(|figure| other.figures[figure] / first[figure])
}

/// Returns a number with three digits that count.
fn rounded(ms: f64) -> String {
    let digits = (2.0 - ms.log10().floor()).clamp(0.0, 6.0);
    format!("{ms:.0$}", digits as usize)
}

/// Prints where the scenes ended.
pub(crate) fn print_states(rows: &[Row]) {
    println!("\nstate at the end (joints, touching, awake, inside, mean height, rms speed)");
    for row in rows {
        let is_box2d = |result: &&Result| result.engine == Kind::Box2d;
        let reference = row.results.iter().find(is_box2d).unwrap_or(&row.results[0]);
        for result in &row.results {
            let end = &result.end;
            let verdict = agree::difference(end, &reference.end);
            println!(
                "  {:<12} {:<8} {:>5} {:>5} {:>5} {:>5} {:>8.3} m {:>7.3} m/s  {}",
                row.scene,
                result.engine.name(),
                end.counts.joints,
                end.counts.touching,
                end.counts.awake_bodies,
                end.inside,
                end.height,
                end.speed,
                verdict.unwrap_or_default(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(rounded(0.004_567), "0.00457");
        assert_eq!(rounded(3.456), "3.46");
        assert_eq!(rounded(345.6), "346");
    }
}
