//! Times of the stages of a step, in cairn2d and in Box2D.

use crate::box2d::Box2d;
use scenes::benchmark::{BenchmarkScene, STEP};
use scenes::engine::{CairnEngine, Engine};

/// Names of the stages that both engines have, in the order of the table.
const STAGES: [&str; 9] = [
    "step", "pairs", "collide", "links", "solve", "finalize", "refit", "contin.", "sleep",
];

/// Names of the parts of the solver that Box2D reports.
const SOLVER: [&str; 8] = [
    "setup", "prepare", "int. v", "warm", "solve", "int. p", "relax", "rest.",
];

/// Counters of a step in cairn2d.
const WORK: [&str; 12] = [
    "awake", "contacts", "recycled", "solved", "joints", "pairs", "grown", "swept", "impacts",
    "islands", "colors", "overflow",
];

/// Prints mean times of the stages over the timed steps of each scene: of several runs the fastest
/// time of each stage, since disturbances only make a run slower.
pub(crate) fn show(scenes: &[BenchmarkScene], threads: usize, repeat: usize) {
    println!("us per step, {threads} thread(s), least of {repeat} run(s)");
    print_line(
        "scene",
        "engine",
        STAGES.iter().map(|name| (*name).to_string()),
    );
    let (mut inside, mut all_work) = (Vec::new(), Vec::new());
    for scene in scenes {
        let mut ours = [f64::INFINITY; STAGES.len()];
        let mut theirs = ours;
        let mut solver = [f64::INFINITY; SOLVER.len()];
        let mut work = [0.0; WORK.len()];
        for _ in 0..repeat {
            let (stages, done) = own_stages(scene, threads);
            let (box2d, parts) = box2d_stages(scene, threads);
            keep_least(&mut ours, &stages);
            keep_least(&mut theirs, &box2d);
            keep_least(&mut solver, &parts);
            work = done;
        }
        print_numbers(scene.name, "cairn2d", &ours);
        print_numbers("", "Box2D", &theirs);
        let ratio = |(ours, theirs): (&f64, &f64)| format!("{:.2}", theirs / ours);
        print_line("", "ratio", ours.iter().zip(&theirs).map(ratio));
        inside.push((scene.name, solver));
        all_work.push((scene.name, work));
    }
    println!("\nBox2D's solver, us per step");
    print_line("scene", "", SOLVER.iter().map(|name| (*name).to_string()));
    for (scene, solver) in inside {
        print_numbers(scene, "", &solver);
    }
    println!("\nwork of cairn2d, mean number per step");
    print_line("scene", "", WORK.iter().map(|name| (*name).to_string()));
    for (scene, work) in all_work {
        print_numbers(scene, "", &work);
    }
}

fn keep_least(least: &mut [f64], times: &[f64]) {
    for (least, time) in least.iter_mut().zip(times) {
        *least = least.min(*time);
    }
}

fn print_numbers(scene: &str, engine: &str, numbers: &[f64]) {
    print_line(scene, engine, numbers.iter().map(|us| format!("{us:.0}")));
}

fn print_line(scene: &str, engine: &str, cells: impl Iterator<Item = String>) {
    print!("{scene:<14} {engine:<8}");
    for cell in cells {
        print!(" {cell:>8}");
    }
    println!();
}

/// Runs a scene and hands the engine to `read` after each timed step.
fn run<E: Engine>(scene: &BenchmarkScene, engine: &mut E, mut read: impl FnMut(&E)) {
    let mut cast = (scene.build)(engine);
    for step in 0..=scene.timed_steps {
        (scene.before_step)(&mut cast, engine, step);
        engine.step(STEP);
        if step > 0 {
            read(engine);
        }
    }
}

/// Returns mean stage times of this engine [us], and its counters.
fn own_stages(scene: &BenchmarkScene, threads: usize) -> ([f64; STAGES.len()], [f64; WORK.len()]) {
    let mut engine = CairnEngine::new(&scene.settings(threads), Some(cairn2d::std_clock));
    let mut sum = [0.0; STAGES.len()];
    let mut work = [0.0; WORK.len()];
    run(scene, &mut engine, |engine| {
        let profile = engine.world.profile();
        let stages = [
            profile.step,
            profile.pairs,
            profile.collide,
            profile.links,
            profile.solve,
            profile.finalize,
            profile.refit,
            profile.continuous,
            profile.islands + profile.events,
        ];
        for (sum, stage) in sum.iter_mut().zip(stages) {
            *sum += stage as f64 / 1000.0;
        }
        let counters = engine.world.counters();
        let counts = [
            counters.awake_bodies,
            counters.awake_contacts,
            counters.recycled_contacts,
            counters.solved_contacts,
            counters.joints,
            counters.new_pairs,
            counters.grown_boxes,
            counters.continuous_bodies,
            counters.impacts_tested,
            counters.islands,
            counters.colors,
            counters.overflow,
        ];
        for (work, count) in work.iter_mut().zip(counts) {
            *work += count as f64;
        }
    });
    let steps = f64::from(scene.timed_steps);
    (sum.map(|us| us / steps), work.map(|count| count / steps))
}

/// Returns mean stage times of Box2D, and those within its solver [us].
fn box2d_stages(
    scene: &BenchmarkScene,
    threads: usize,
) -> ([f64; STAGES.len()], [f64; SOLVER.len()]) {
    let mut engine = Box2d::new(&scene.settings(threads));
    let mut sum = [0.0; STAGES.len()];
    let mut solver = [0.0; SOLVER.len()];
    run(scene, &mut engine, |engine| {
        let profile = engine.profile();
        // Box2D links and unlinks within `collide`, and finalizes within the solver's `transforms`.
        let stages = [
            profile.step,
            profile.pairs,
            profile.collide,
            0.0,
            profile.solverSetup + profile.constraints,
            profile.transforms + profile.splitIslands,
            profile.refit,
            profile.bullets,
            profile.sleepIslands + profile.jointEvents + profile.hitEvents + profile.sensors,
        ];
        for (sum, stage) in sum.iter_mut().zip(stages) {
            *sum += 1000.0 * f64::from(stage);
        }
        let parts = [
            profile.solverSetup,
            profile.prepareConstraints,
            profile.integrateVelocities,
            profile.warmStart,
            profile.solveImpulses,
            profile.integratePositions,
            profile.relaxImpulses,
            profile.applyRestitution + profile.storeImpulses,
        ];
        for (sum, part) in solver.iter_mut().zip(parts) {
            *sum += 1000.0 * f64::from(part);
        }
    });
    let steps = f64::from(scene.timed_steps);
    (sum.map(|us| us / steps), solver.map(|us| us / steps))
}
