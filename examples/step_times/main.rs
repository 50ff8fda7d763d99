//! Prints how long the steps of each scene take: the median, the 99th percentile and the slowest.
//!
//! Times are of the processor, so other programs that run at the same time count little; of three runs the least
//! counts, step by step. The first step, which builds all pairs, has a column of its own. With names as
//! arguments, only these scenes run; `--disable A,B` at the end runs them without the named mechanisms.
#![forbid(unsafe_code)]

use cairn2d::Mechanisms;
use cpu_time::ThreadTime;
use scenes::kit::use_mechanisms;
use scenes::registry;
use scenes::scene::Scene;

/// Runs of a scene.
const RUNS: u32 = 3;

fn main() {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(index) = wanted.iter().position(|word| word == "--disable") {
        let names = wanted.drain(index..).nth(1).unwrap_or_default();
        match Mechanisms::ALL.without_named(&names) {
            Ok(mechanisms) => use_mechanisms(mechanisms),
            Err(error) => return eprintln!("{error}"),
        }
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    println!("| scene | bodies | first \\[ms\\] | median | 99 % | slowest | slowest / median |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for scene in registry::all() {
        if is_wanted(scene.name) {
            print_row(scene.name, &|| time_scene(scene));
        }
    }
}

/// The times of a run \[ms\], and its bodies at the end.
struct Run {
    times: Vec<f64>,
    bodies: usize,
}

fn time_scene(scene: &Scene) -> Run {
    let mut stage = (scene.build)();
    let times = (0..scene.steps).map(|_| timed(|| stage.step())).collect();
    let bodies = stage.world.body_count();
    Run { times, bodies }
}

/// Returns the time of the processor that `work` takes \[ms\].
fn timed(work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_secs_f64() * 1.0e3
}

fn print_row(name: &str, run: &dyn Fn() -> Run) {
    let Run { mut times, bodies } = run();
    for _ in 1..RUNS {
        for (time, again) in times.iter_mut().zip(run().times) {
            *time = time.min(again);
        }
    }
    let first = times.remove(0);
    if times.is_empty() {
        return println!("| {name} | {bodies} | {first:.3} | | | | |");
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (median, slowest) = (at(0.5), at(1.0));
    println!(
        "| {name} | {bodies} | {first:.3} | {median:.4} | {:.4} | {slowest:.4} | {:.1} |",
        at(0.99),
        slowest / median,
    );
}
