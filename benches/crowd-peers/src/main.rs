//! Times the steps of crowds of 100 to 100 000 agents, ours beside dodgy_2d, in one run.
//!
//! `cargo run --release` prints the table of docs/notes/performance-crowd.md and draws its plot;
//! `cargo run --release -- 1000` stops at a thousand agents. `cargo run --release -- conduct [words]` prints how calmly
//! the agents of three libraries walk: docs/crowd.md.

#[path = "../../../crates/crowd/tests/scenes/mod.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod scenes;

mod conduct;
mod dodgy;
mod rvo2;
mod parts;
mod plot;

use cairn2d_crowd::{AgentDef, AgentId, Crowd, CrowdDef, CrowdProfile};
use cpu_time::ThreadTime;
use dodgy::DodgyCrowd;
use parts::Parts;
use scenes::{Scene, circle, random, tiles};
use std::time::Instant;

/// Step of all runs [s].
const STEP: f32 = 0.25;

/// Milliseconds per step: medians over alternating runs, of processor time except on two threads.
pub struct Line {
    pub scene: &'static str,
    pub count: usize,
    pub one_thread: f64,
    pub two_threads: f64,
    pub dodgy: f64,
    /// Ours, reduced to the work of dodgy_2d.
    pub lean: f64,
    /// Ours on one thread and dodgy_2d, each alone.
    pub by_itself: [f64; 2],
    /// Times of our parts on one thread.
    pub parts: Parts,
}

struct Ours {
    crowd: Crowd,
    ids: Vec<AgentId>,
    scene: Scene,
}

impl Ours {
    fn new(scene: &Scene) -> Self {
        let mut crowd = Crowd::new(CrowdDef {
            clock: Some(clock),
            ..CrowdDef::default()
        });
        let ids = scene
            .agents
            .iter()
            .map(|def| crowd.create_agent(def))
            .collect();
        for obstacle in &scene.obstacles {
            crowd.create_obstacle(obstacle);
        }
        Self {
            crowd,
            ids,
            scene: scene.clone(),
        }
    }

    /// Returns a crowd that does the work of dodgy_2d: one horizon and one linear program per agent, no turn of its
    /// preferred velocity. A horizon of two steps cannot be halved.
    fn lean(scene: &Scene) -> Self {
        let agents = scene.agents.iter().map(|def| AgentDef {
            bias: 0.0,
            time_horizon: 2.0 * STEP,
            ..*def
        });
        Self::new(&Scene {
            agents: agents.collect(),
            ..scene.clone()
        })
    }

    /// Copies positions and velocities of the agents of `other`.
    fn take_places(&mut self, other: &Self) {
        for (&id, &theirs) in self.ids.iter().zip(&other.ids) {
            let theirs = other.crowd.agent(theirs);
            let (place, velocity) = (theirs.position(), theirs.velocity());
            self.crowd.agent_mut(id).set_motion(place, velocity);
        }
    }

    /// Decides for a step; returns how long that took without settling contacts [ms].
    fn decide(&mut self) -> f64 {
        let goals = &self.scene.goals;
        let start = clock();
        self.crowd
            .set_preferred_velocities(|id, place| scenes::wish(place, goals[id.index() as usize]));
        self.crowd.solve(STEP);
        (clock() - start - self.crowd.profile().contacts) as f64 * 1e-6
    }

    fn step(&mut self, threads: u32) -> CrowdProfile {
        self.crowd.set_def(CrowdDef {
            threads,
            ..*self.crowd.def()
        });
        let goals = &self.scene.goals;
        debug_assert_eq!(self.ids.len(), goals.len());
        self.crowd
            .set_preferred_velocities(|id, place| scenes::wish(place, goals[id.index() as usize]));
        self.crowd.step(STEP);
        *self.crowd.profile()
    }
}

/// Processor time of this thread [ns]: other load of the machine does not count.
fn clock() -> u64 {
    ThreadTime::now().as_duration().as_nanos() as u64
}

/// Returns the processor time of a step on this thread [ms].
fn time(step: impl FnOnce()) -> f64 {
    let start = clock();
    step();
    (clock() - start) as f64 * 1e-6
}

/// Returns the time of a step on several threads [ms].
fn wall_time(step: impl FnOnce()) -> f64 {
    let start = Instant::now();
    step();
    start.elapsed().as_secs_f64() * 1e3
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Number of warm-up steps, and of timed steps.
fn rounds(count: usize) -> [usize; 2] {
    if count > 20_000 { [8, 7] } else { [40, 41] }
}

/// Times consecutive steps: each finds the caches and the branch predictor as the step before left them [ms].
fn by_itself([warm_up, rounds]: [usize; 2], mut step: impl FnMut()) -> f64 {
    (0..warm_up).for_each(|_| step());
    let mut times: Vec<f64> = (0..rounds).map(|_| time(&mut step)).collect();
    median(&mut times)
}

/// Runs warm-up steps, then times steps of each of the three alone, and then alternating ones.
fn measure(name: &'static str, scene: &Scene) -> Line {
    let (mut ours, mut theirs) = (Ours::new(scene), DodgyCrowd::new(scene));
    let mut lean = Ours::lean(scene);
    let count = scene.agents.len();
    let wish = |agent: usize, place| scenes::wish(place, scene.goals[agent]);
    let (mut first, mut second) = (Ours::new(scene), DodgyCrowd::new(scene));
    let by_itself = [
        by_itself(rounds(count), || _ = first.step(1)),
        by_itself(rounds(count), || second.step(STEP, wish)),
    ];
    let [warm_up, rounds] = rounds(count);
    for _ in 0..warm_up {
        ours.step(2);
        theirs.step(STEP, wish);
    }
    let mut times: [Vec<f64>; 4] = Default::default();
    let mut profiles = Vec::new();
    for _ in 0..rounds {
        times[0].push(time(|| profiles.push(ours.step(1))));
        times[1].push(wall_time(|| _ = ours.step(2)));
        times[2].push(time(|| theirs.step(STEP, wish)));
        lean.take_places(&ours);
        times[3].push(lean.decide());
    }
    let [one_thread, two_threads, dodgy, lean] = times.map(|mut t| median(&mut t));
    let line = Line {
        scene: name,
        count,
        one_thread,
        two_threads,
        dodgy,
        lean,
        by_itself,
        parts: Parts::of(&profiles),
    };
    let per_agent = |ms: f64| ms * 1e6 / count as f64;
    println!(
        "| {name} | {count} | {one_thread:.3} | {two_threads:.3} | {dodgy:.3} | {:.0} | {:.0} | {:.1} | {:.0} | {:.1} | {:.0} | {:.0} | {:.1} |",
        per_agent(one_thread),
        per_agent(dodgy),
        dodgy / one_thread,
        per_agent(lean),
        dodgy / lean,
        per_agent(by_itself[0]),
        per_agent(by_itself[1]),
        by_itself[1] / by_itself[0],
    );
    line
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "conduct") {
        return conduct::print_table(&words[1..]);
    }
    let limit = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(100_000);
    println!(
        "| scene | agents | ms, 1 thread | ms, 2 threads | dodgy_2d ms | ns/agent | dodgy_2d ns/agent | ratio | like for like ns/agent | ratio | by itself ns/agent | dodgy_2d | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut lines = Vec::new();
    for count in [100, 1000, 10_000, 100_000]
        .into_iter()
        .filter(|&n| n <= limit)
    {
        lines.push(measure("random 0.1", &random(count, 0.1, 1)));
        lines.push(measure("random 0.3", &random(count, 0.3, 1)));
        lines.push(measure("circle", &circle(count)));
        lines.push(measure("blocks", &tiles(count / 100, 1)));
    }
    parts::print(&lines);
    plot::scaling(&lines, "../../docs/images/crowd/scaling.png").expect("the plot can be written");
}
