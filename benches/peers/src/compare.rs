//! Interleaved runs of scenes with engines, and the table.

use crate::agree;
use crate::engines::Kind;
use crate::run::{self, Clock, Outcome};
use scenes::benchmark::{self, BenchmarkScene};
use std::path::Path;

/// All runs of one scene with one number of threads.
pub(crate) struct Row {
    pub(crate) scene: &'static str,
    pub(crate) threads: usize,
    pub(crate) steps: u32,
    /// By engine, in the order in which they ran.
    pub(crate) results: Vec<Summary>,
}

/// The runs of one scene with one engine.
pub(crate) struct Summary {
    pub(crate) engine: Kind,
    /// Median time of a step [ms].
    pub(crate) step_ms: f64,
    /// Slowest run less fastest, as a share of the median.
    pub(crate) spread: f64,
    /// Median of the runs' longest steps [ms].
    pub(crate) worst_ms: f64,
    pub(crate) last: Outcome,
}

/// Runs the selected scenes and engines: engine after engine, scene after scene, and all of it again.
///
/// So a change of the machine's mood meets all engines alike.
pub(crate) fn measure(
    scenes: &[BenchmarkScene],
    engines: &[Kind],
    threads: &[usize],
    repeat: usize,
    clock: Clock,
) -> Vec<Row> {
    let cells = || {
        threads
            .iter()
            .flat_map(|&threads| scenes.iter().map(move |s| (threads, s)))
    };
    let mut outcomes: Vec<Vec<Vec<Outcome>>> =
        cells().map(|_| vec![Vec::new(); engines.len()]).collect();
    for round in 0..repeat {
        for ((threads, scene), outcomes) in cells().zip(&mut outcomes) {
            eprintln!(
                "run {} of {repeat}: {}, {threads} threads",
                round + 1,
                scene.name
            );
            for (&engine, outcomes) in engines.iter().zip(outcomes) {
                outcomes.push(run::run(scene, engine, threads, clock));
            }
        }
    }
    let rows = cells()
        .zip(outcomes)
        .map(|((threads, scene), outcomes)| Row {
            scene: scene.name,
            threads,
            steps: scene.timed_steps,
            results: engines
                .iter()
                .zip(outcomes)
                .map(|(&e, runs)| summarize(e, &runs))
                .collect(),
        });
    rows.collect()
}

fn summarize(engine: Kind, runs: &[Outcome]) -> Summary {
    let mut times: Vec<f64> = runs.iter().map(|run| run.step_ms).collect();
    times.sort_by(f64::total_cmp);
    let step_ms = median(&times);
    let mut worst: Vec<f64> = runs.iter().map(|run| run.worst_ms).collect();
    worst.sort_by(f64::total_cmp);
    Summary {
        engine,
        step_ms,
        spread: (times[times.len() - 1] - times[0]) / step_ms,
        worst_ms: median(&worst),
        last: runs[runs.len() - 1],
    }
}

/// Returns the median of sorted numbers.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        0.5 * (sorted[middle - 1] + sorted[middle])
    }
}

/// Prints a table for each number of threads; ratios are against the first engine.
pub(crate) fn print(rows: &[Row], engines: &[Kind]) {
    let mut threads: Vec<usize> = rows.iter().map(|row| row.threads).collect();
    threads.dedup();
    for count in threads {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.threads == count).collect();
        println!(
            "\nms per step, {count} thread(s); median, spread of the runs, slowest step, ratio to {}",
            engines[0].name()
        );
        print_head(engines);
        for row in &rows {
            print_row(row);
        }
        print_means("all", &rows, engines);
        for group in benchmark::groups() {
            let is_in = |row: &&&Row| group.scenes.iter().any(|scene| scene.name == row.scene);
            let of_group: Vec<&Row> = rows.iter().filter(is_in).copied().collect();
            if !of_group.is_empty() && of_group.len() < rows.len() {
                print_means(group.name, &of_group, engines);
            }
        }
        print_states(&rows);
    }
}

fn print_head(engines: &[Kind]) {
    print!("| {:<14} | {:>5} |", "scene", "steps");
    for (place, engine) in engines.iter().enumerate() {
        print!(
            " {:>9} | {:>6} | {:>9} |",
            engine.name(),
            "spread",
            "slowest"
        );
        if place > 0 {
            print!(" {:>5} |", "ratio");
        }
    }
    println!();
    let columns = 2 + 4 * engines.len() - 1;
    println!("|{}", "---|".repeat(columns));
}

fn print_row(row: &Row) {
    print!("| {:<14} | {:>5} |", row.scene, row.steps);
    for (place, result) in row.results.iter().enumerate() {
        print!(
            " {:>9.5} | {:>5.1}% | {:>9.5} |",
            result.step_ms,
            100.0 * result.spread,
            result.worst_ms
        );
        if place > 0 {
            print!(" {:>5.2} |", result.step_ms / row.results[0].step_ms);
        }
    }
    println!();
}

fn print_means(name: &str, rows: &[&Row], engines: &[Kind]) {
    for (place, engine) in engines.iter().enumerate().skip(1) {
        let ratios = rows
            .iter()
            .map(|row| row.results[place].step_ms / row.results[0].step_ms);
        let worst = ratios.clone().fold(f64::INFINITY, f64::min);
        let mean = (ratios.map(f64::ln).sum::<f64>() / rows.len() as f64).exp();
        let (first, other) = (engines[0].name(), engine.name());
        println!("{name}, {other} to {first}: geometric mean {mean:.2}, least {worst:.2}");
    }
}

fn print_states(rows: &[&Row]) {
    println!(
        "\nstate at the end (contacts, of these touching, awake, inside, mean height, rms speed, worst step)"
    );
    for row in rows {
        // Box2D's state is the yardstick where it ran.
        let is_box2d = |result: &&Summary| result.engine == Kind::Box2d;
        let reference = row.results.iter().find(is_box2d).unwrap_or(&row.results[0]);
        for result in &row.results {
            let end = &result.last.end;
            let verdict = agree::difference(end, &reference.last.end);
            println!(
                "  {:<14} {:<8} {:>6} {:>6} {:>6} {:>6} {:>8.2} m {:>7.3} m/s {:>8.2} ms  {}",
                row.scene,
                result.engine.name(),
                end.counts.contacts,
                end.counts.touching,
                end.counts.awake_bodies,
                end.inside,
                end.height,
                end.speed,
                result.worst_ms,
                verdict.map_or("comparable".into(), |what| format!(
                    "NOT COMPARABLE: {what}"
                )),
            );
        }
    }
}

/// Writes a line for each scene, number of threads and engine.
pub(crate) fn write_csv(rows: &[Row], path: &Path) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_path(path)?;
    writer.write_record([
        "scene",
        "threads",
        "steps",
        "engine",
        "step_ms",
        "spread",
        "worst_step_ms",
        "contacts",
        "touching",
        "awake_bodies",
        "inside",
        "outside",
        "mean_height_m",
        "rms_speed_m_s",
    ])?;
    for row in rows {
        for result in &row.results {
            let end = &result.last.end;
            writer.serialize((
                row.scene,
                row.threads,
                row.steps,
                result.engine.name(),
                result.step_ms,
                result.spread,
                result.worst_ms,
                end.counts.contacts,
                end.counts.touching,
                end.counts.awake_bodies,
                end.inside,
                end.outside,
                end.height,
                end.speed,
            ))?;
        }
    }
    writer.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_in_the_middle() {
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }
}
