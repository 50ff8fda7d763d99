//! One run of one scene with one engine.

use crate::engines::Kind;
use cpu_time::ProcessTime;
use scenes::benchmark::{BenchmarkScene, STEP};
use scenes::engine::Counts;
use std::time::{Duration, Instant};

/// The time that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Clock {
    /// Elapsed time.
    Wall,
    /// Time of the processors that worked on it: fair on a busy machine, with one thread.
    Processor,
}

/// Measures a step.
enum Stopwatch {
    Wall(Instant),
    Processor(ProcessTime),
}

impl Stopwatch {
    fn start(clock: Clock) -> Self {
        match clock {
            Clock::Wall => Self::Wall(Instant::now()),
            Clock::Processor => Self::Processor(ProcessTime::now()),
        }
    }

    fn elapsed(&self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::Processor(start) => start.elapsed(),
        }
    }
}

/// Times of a run, and its final state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// Time per timed step [ms].
    pub(crate) step_ms: f64,
    /// Longest timed step [ms].
    pub(crate) worst_ms: f64,
    pub(crate) end: State,
}

/// State of a scene, in figures on which engines should agree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    pub(crate) counts: Counts,
    /// Moving bodies that are where they can be.
    pub(crate) inside: usize,
    /// Moving bodies that are not, or whose place is not a number.
    pub(crate) outside: usize,
    /// Mean height of the moving bodies [m].
    pub(crate) height: f64,
    /// Root mean square of their speeds [m/s].
    pub(crate) speed: f64,
}

/// Runs a scene and times it; the first step builds all pairs and is not timed.
///
/// The changes that the scene makes before a step (it creates and destroys bodies) are timed with the step.
pub(crate) fn run(scene: &BenchmarkScene, kind: Kind, threads: usize, clock: Clock) -> Outcome {
    let mut engine = kind.make(&scene.settings(threads));
    let mut cast = (scene.build)(engine.as_mut());
    let mut total = Duration::ZERO;
    let mut worst = Duration::ZERO;
    for step in 0..=scene.timed_steps {
        let watch = Stopwatch::start(clock);
        (scene.before_step)(&mut cast, engine.as_mut(), step);
        engine.step(STEP);
        let taken = watch.elapsed();
        if step > 0 {
            total += taken;
            worst = worst.max(taken);
        }
    }
    let motions = cast.bodies().map(|body| engine.motion(body));
    let mut end = State {
        counts: engine.counts(),
        inside: 0,
        outside: 0,
        height: 0.0,
        speed: 0.0,
    };
    for motion in motions {
        if scene.bounds.contains_point(&motion.position) {
            end.inside += 1;
            end.height += f64::from(motion.position.y);
            end.speed += f64::from(motion.velocity.norm_squared());
        } else {
            end.outside += 1;
        }
    }
    end.height /= end.inside as f64;
    end.speed = (end.speed / end.inside as f64).sqrt();
    Outcome {
        step_ms: total.as_secs_f64() * 1000.0 / f64::from(scene.timed_steps),
        worst_ms: worst.as_secs_f64() * 1000.0,
        end,
    }
}

/// Runs each scene with each engine once, for a profiler.
pub(crate) fn only(
    scenes: &[BenchmarkScene],
    engines: &[Kind],
    steps: Option<u32>,
    threads: usize,
) {
    for scene in scenes {
        for kind in engines {
            let mut engine = kind.make(&scene.settings(threads));
            let mut cast = (scene.build)(engine.as_mut());
            for step in 0..steps.unwrap_or(scene.timed_steps) {
                (scene.before_step)(&mut cast, engine.as_mut(), step);
                engine.step(STEP);
            }
        }
    }
}
