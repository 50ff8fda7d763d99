//! Growth of the time of a step with the number of bodies.

use crate::engines::Kind;
use scenes::benchmark::{Family, STEP};
use std::time::Instant;

/// Numbers of bodies.
const SIZES: [usize; 8] = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000];

/// Bodies times steps that are timed, at each size: some seconds of work.
const BODY_STEPS: usize = 4_000_000;

/// Fewest steps, most steps, and those before them that are not timed: the first builds all pairs.
const STEPS: std::ops::RangeInclusive<usize> = 20..=400;
const WARM_UP: usize = 5;

/// A measured size.
struct Point {
    bodies: usize,
    contacts: usize,
    /// Time of a step [ms].
    step_ms: f64,
}

impl Point {
    /// Time of a step for each body [ns].
    fn per_body(&self) -> f64 {
        1.0e6 * self.step_ms / self.bodies as f64
    }
}

/// Prints the time of a step for each body.
pub(crate) fn show(engines: &[Kind], threads: usize, most: usize) {
    println!("threads: {threads}");
    println!("| scene | engine | bodies | contacts | ms a step | ns a body |");
    println!("|---|---|---:|---:|---:|---:|");
    for family in Family::ALL {
        for &kind in engines {
            for size in SIZES.into_iter().filter(|&size| size <= most) {
                let point = measure(family, kind, size, threads);
                println!(
                    "| {} | {} | {} | {} | {:.3} | {:.0} |",
                    family.scene().name,
                    kind.name(),
                    point.bodies,
                    point.contacts,
                    point.step_ms,
                    point.per_body()
                );
            }
        }
    }
}

fn measure(family: Family, kind: Kind, size: usize, threads: usize) -> Point {
    let mut engine = kind.make(&family.scene().settings(threads));
    let bodies = family.build(engine.as_mut(), size).bodies().count();
    let steps = (BODY_STEPS / bodies).clamp(*STEPS.start(), *STEPS.end());
    for _ in 0..WARM_UP {
        engine.step(STEP);
    }
    let start = Instant::now();
    for _ in 0..steps {
        engine.step(STEP);
    }
    Point {
        bodies,
        contacts: engine.counts().contacts,
        step_ms: start.elapsed().as_secs_f64() * 1000.0 / steps as f64,
    }
}
