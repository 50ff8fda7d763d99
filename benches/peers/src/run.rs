//! One run of one scene with one engine.

use crate::engines::Kind;
use cpu_time::ProcessTime;
use scenes::benchmark::{BenchmarkScene, Cast, STEP};
use scenes::engine::{Counts, Engine, EngineSettings};
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
#[derive(Clone, Copy, Debug, Default)]
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

/// The worlds of a scene in one engine: one, except where a scene steps several in turn.
pub(crate) struct Stage {
    worlds: Vec<(Box<dyn Engine>, Cast)>,
}

impl Stage {
    /// Builds the worlds with the given settings.
    pub(crate) fn build(scene: &BenchmarkScene, kind: Kind, settings: &EngineSettings) -> Self {
        let build = |world| {
            let mut engine = kind.make(settings);
            let mut cast = (scene.build)(engine.as_mut());
            cast.world = world;
            (engine, cast)
        };
        Self {
            worlds: (0..scene.worlds).map(build).collect(),
        }
    }

    /// Makes the changes of the scene, and a step, in each world.
    pub(crate) fn step(&mut self, scene: &BenchmarkScene, step: u32) {
        for (engine, cast) in &mut self.worlds {
            (scene.before_step)(cast, engine.as_mut(), step);
            if scene.is_stepped || step == 0 {
                engine.step(STEP);
            }
        }
    }

    /// Returns the sum of the worlds' states.
    pub(crate) fn state(&self, scene: &BenchmarkScene) -> State {
        let mut state = State::default();
        for (engine, cast) in &self.worlds {
            let (all, counts) = (&mut state.counts, engine.counts());
            all.bodies += counts.bodies;
            all.shapes += counts.shapes;
            all.joints += counts.joints;
            all.contacts += counts.contacts;
            all.touching += counts.touching;
            all.awake_bodies += counts.awake_bodies;
            for motion in cast.bodies().map(|body| engine.motion(body)) {
                if scene.bounds.contains_point(&motion.position) {
                    state.inside += 1;
                    state.height += f64::from(motion.position.y);
                    state.speed += f64::from(motion.velocity.norm_squared());
                } else {
                    state.outside += 1;
                }
            }
        }
        state.height /= state.inside as f64;
        state.speed = (state.speed / state.inside as f64).sqrt();
        state
    }
}

/// Runs a scene and returns the time of each timed step, and the final state.
///
/// The first step builds all pairs and is not timed, unless it is the only one. The changes that the scene makes before
/// a step (it creates and destroys bodies) are timed with the step.
pub(crate) fn times(
    scene: &BenchmarkScene,
    kind: Kind,
    settings: &EngineSettings,
    clock: Clock,
) -> (Vec<Duration>, State) {
    let mut stage = Stage::build(scene, kind, settings);
    let mut times = Vec::new();
    for step in 0..=scene.timed_steps {
        let watch = Stopwatch::start(clock);
        stage.step(scene, step);
        let taken = watch.elapsed();
        if step > 0 || scene.timed_steps == 0 {
            times.push(taken);
        }
    }
    (times, stage.state(scene))
}

/// Runs a scene and times it: see [`times`].
pub(crate) fn run(scene: &BenchmarkScene, kind: Kind, threads: usize, clock: Clock) -> Outcome {
    let (times, end) = times(scene, kind, &scene.settings(threads), clock);
    let total: Duration = times.iter().sum();
    let worst = times.iter().max().expect("a step is timed");
    Outcome {
        step_ms: total.as_secs_f64() * 1000.0 / times.len() as f64,
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
    solver_budget: Option<u32>,
) {
    for scene in scenes {
        let settings = EngineSettings {
            solver_budget,
            ..scene.settings(threads)
        };
        for &kind in engines {
            let mut stage = Stage::build(scene, kind, &settings);
            for step in 0..steps.unwrap_or(scene.timed_steps + 1) {
                stage.step(scene, step);
            }
        }
    }
}
