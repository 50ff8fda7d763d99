//! The benchmark scenes through cairn2d, Box2D and Rapier in one run: `peers --help`.

mod box2d;
mod rapier;
mod engines;
mod run;
mod agree;
mod compare;
mod stages;
mod memory;
mod saves;
mod scaling;
mod validation;
mod play;
mod picture;

use cairn2d::prelude::{Aabb, Point};
use clap::{Args, Parser, Subcommand};
use engines::Kind;
use scenes::benchmark::{self, BenchmarkScene, SceneGroup};
use std::path::PathBuf;

/// Runs the benchmark scenes through cairn2d, Box2D and Rapier, and compares.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    mode: Option<Mode>,
    #[command(flatten)]
    choice: Choice,
    /// Threads that may work on a step; several counts are compared one after the other.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    threads: Vec<usize>,
    /// Runs of each scene with each engine; the median counts.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Clock of the measurement.
    #[arg(long, default_value = "wall")]
    clock: run::Clock,
    /// File for the figures.
    #[arg(long)]
    csv: Option<PathBuf>,
}

#[derive(Args)]
struct Choice {
    /// Scenes to run, by name.
    #[arg(long, value_delimiter = ',', value_parser = find_scene, global = true)]
    scenes: Vec<BenchmarkScene>,
    /// Groups of scenes to run besides: small, idle, joints, structures, games, loading, queries, play.
    #[arg(long, value_delimiter = ',', value_parser = find_group, global = true)]
    groups: Vec<SceneGroup>,
    /// Engines to run.
    #[arg(
        long,
        value_delimiter = ',',
        global = true,
        default_value = "cairn2d,box2d,rapier"
    )]
    engines: Vec<Kind>,
    /// Replaces the solver budget of cairn2d's worlds, in `play` and `only`.
    #[arg(long, global = true)]
    solver_budget: Option<u32>,
    /// Share of the steps to run: 0.1 gives a first idea, not the published figure.
    #[arg(long, default_value_t = 1.0, global = true)]
    steps_share: f64,
}

#[derive(Subcommand)]
enum Mode {
    /// Shows the times of the stages of a step in cairn2d and in Box2D.
    Stages {
        /// Threads that may work on a step.
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// Runs; of each stage the fastest counts.
        #[arg(long, default_value_t = 1)]
        repeat: usize,
    },
    /// Shows how much memory bodies and contacts take.
    Memory,
    /// Shows the times of saves, loads and deltas, and of going back and repeating steps.
    Saves,
    /// Shows how the time of a step grows with the number of bodies.
    Scaling {
        /// Threads that may work on a step.
        #[arg(long, default_value_t = 1)]
        threads: usize,
        /// Most bodies.
        #[arg(long, default_value_t = 200_000)]
        most: usize,
    },
    /// Runs the reference problems, and prints the error of each engine.
    Validation {
        /// Cases to run, by name; none: all.
        cases: Vec<String>,
        /// Folder into which to draw curves (SVG) instead of the table.
        #[arg(long)]
        plot: Option<PathBuf>,
    },
    /// Compares the scenes that people play, or others that are chosen: mean and slowest step, on one thread.
    Play {
        /// Runs; of each step the fastest counts.
        #[arg(long, default_value_t = 2)]
        runs: usize,
        /// Clock of the measurement.
        #[arg(long, default_value = "processor")]
        clock: run::Clock,
        /// Prints the states at the end, too.
        #[arg(long)]
        states: bool,
    },
    /// Draws each chosen scene with each chosen engine after some steps.
    Draw {
        /// Steps before the picture; none: all of the scene.
        #[arg(long)]
        steps: Option<u32>,
        /// Corners of what is drawn, as x and y of the lower left and upper right \[m\]; none: all moving bodies.
        #[arg(long, value_delimiter = ',', num_args = 4, allow_hyphen_values = true)]
        area: Vec<f32>,
        /// Folder for the PNG files.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
    },
    /// Runs each chosen scene with each chosen engine once and says nothing: for a profiler.
    Only {
        /// Steps to run instead of the scene's own number.
        #[arg(long)]
        steps: Option<u32>,
        /// Threads that may work on a step.
        #[arg(long, default_value_t = 1)]
        threads: usize,
    },
}

fn find_scene(name: &str) -> Result<BenchmarkScene, String> {
    let known = || {
        let names: Vec<_> = benchmark::scenes().iter().map(|scene| scene.name).collect();
        format!("known are {}", names.join(", "))
    };
    benchmark::scene(name).ok_or_else(known)
}

fn find_group(name: &str) -> Result<SceneGroup, String> {
    let known = || {
        format!(
            "known are {}",
            benchmark::groups().map(|g| g.name).join(", ")
        )
    };
    let mut groups = benchmark::groups().into_iter();
    groups.find(|group| group.name == name).ok_or_else(known)
}

impl Choice {
    /// Returns the scenes to run, with as many steps as are to be run; the `usual` ones if none is named.
    fn scenes(&self, usual: &[BenchmarkScene]) -> Vec<BenchmarkScene> {
        let grouped = self.groups.iter().flat_map(|group| group.scenes);
        let mut scenes: Vec<_> = self.scenes.iter().chain(grouped).copied().collect();
        if scenes.is_empty() {
            scenes = usual.to_vec();
        }
        // A scene without timed steps after the first stays so: its first step is timed.
        for scene in scenes.iter_mut().filter(|scene| scene.timed_steps > 0) {
            let steps = f64::from(scene.timed_steps) * self.steps_share;
            scene.timed_steps = (steps.ceil() as u32).max(1);
        }
        scenes
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    // Those for which Box2D publishes results, or those that people play.
    let usual = match options.mode {
        Some(Mode::Play { .. }) => find_group("play")?.scenes.to_vec(),
        _ => benchmark::scenes().to_vec(),
    };
    let scenes = options.choice.scenes(&usual);
    let solver_budget = options.choice.solver_budget;
    let engines = &options.choice.engines;
    match options.mode {
        Some(Mode::Stages { threads, repeat }) => stages::show(&scenes, threads, repeat),
        Some(Mode::Memory) => memory::show(engines),
        Some(Mode::Saves) => saves::show(),
        Some(Mode::Scaling { threads, most }) => scaling::show(engines, threads, most),
        Some(Mode::Validation { cases, plot }) => match plot {
            Some(folder) => validation::plot(engines, &folder)?,
            None => validation::show(&cases, engines),
        },
        Some(Mode::Play {
            runs,
            clock,
            states,
        }) => {
            let rows = play::measure(&scenes, engines, runs, clock, solver_budget);
            play::print(&rows);
            if states {
                play::print_states(&rows);
            }
        }
        Some(Mode::Draw {
            steps,
            area,
            folder,
        }) => {
            let area = match area[..] {
                [left, low, right, high] => Some(Aabb {
                    min: Point::new(left, low),
                    max: Point::new(right, high),
                }),
                _ => None,
            };
            for scene in &scenes {
                let steps = steps.unwrap_or(scene.timed_steps + 1);
                for &kind in engines {
                    let file = folder.join(format!("{}_{}.png", scene.name, kind.name()));
                    picture::draw(scene, kind, &scene.settings(1), steps, &file, area)?;
                }
            }
        }
        Some(Mode::Only { steps, threads }) => {
            run::only(&scenes, engines, steps, threads, solver_budget);
        }
        None => {
            let rows = compare::measure(
                &scenes,
                engines,
                &options.threads,
                options.repeat,
                options.clock,
            );
            compare::print(&rows, engines);
            if let Some(path) = &options.csv {
                compare::write_csv(&rows, path)?;
            }
        }
    }
    Ok(())
}
