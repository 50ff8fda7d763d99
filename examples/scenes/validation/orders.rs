//! Errors over substeps, for each solution method: its order of convergence.

use super::blocks::{impact_loss, spin_kept};
use super::exact::order;
use super::four_bar::{self, Linkage};
use super::lab::{DT, EXACT_BUDGET, G, Link, Maker, body, place, rectangle, settings, slab};
use super::pendulum;
use super::squeezer;
use crate::engine::{CairnEngine, Engine, EngineSettings};
use cairn2d::prelude::{BodyDef, ShapeDef, Tuning, World, WorldDef};
use cairn2d::{Mechanism, Mechanisms};

/// A way in which a step is solved, with a problem that takes it.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Method and problem.
    pub what: &'static str,
    /// The refined quantity.
    pub refined: &'static str,
    /// Order of the method.
    pub order: f64,
    /// Counts of the runs, each twice that before.
    pub counts: &'static [u32],
    /// Error with a count.
    pub error: fn(u32) -> f64,
}

/// All ways.
pub const PATHS: &[Path] = &[
    Path {
        what: "direct solution of a linkage: period of the pendulum A01",
        refined: "substeps",
        order: 2.0,
        counts: &[2, 4, 8],
        error: |count| swing(ALL, count).0,
    },
    Path {
        what: "direct solution of a loop: energy of 2 four-bar linkages A02, 1 s",
        refined: "substeps",
        order: 2.0,
        counts: &[8, 16, 32],
        error: |count| four_bar_energy(ALL, 2, count),
    },
    Path {
        what: "Newton's method: energy of 40 four-bar linkages A02, 1 s",
        refined: "substeps",
        order: 1.0,
        counts: &[8, 16, 32],
        error: |count| four_bar_energy(NEWTON, 40, count),
    },
    Path {
        what: "Newton's method: angles of Andrews' squeezer A03",
        refined: "steps in 0.1 ms",
        order: 1.0,
        counts: &[8, 16, 32],
        error: |count| squeezer::errors(NEWTON, 4, 1.0e-4 / f64::from(count)).0,
    },
    Path {
        what: "iterated joints: energy of the pendulum A01",
        refined: "substeps",
        order: 1.0,
        counts: &[4, 8, 16],
        error: |count| swing(NONE, count).1,
    },
    Path {
        what: "iterated contacts: spin kept in an impact of the rocking block",
        refined: "steps in 1/60 s",
        order: 1.0,
        counts: &[1, 2, 4, 8],
        error: rocking,
    },
    Path {
        what: "iterated friction: way of a sliding box",
        refined: "substeps",
        order: 1.0,
        counts: &[2, 4, 8],
        error: sliding,
    },
    Path {
        what: "substeps without constraints: height of a throw",
        refined: "substeps",
        order: 1.0,
        counts: &[4, 8, 16],
        error: flight,
    },
];

/// Returns the errors of a path, and the order that they show.
#[must_use]
pub fn measure(path: &Path) -> (Vec<f64>, f64) {
    let errors: Vec<f64> = path
        .counts
        .iter()
        .map(|&count| (path.error)(count))
        .collect();
    let order = order(&errors);
    (errors, order)
}

/// Makes worlds of this engine with some of its mechanisms.
fn world_of(settings: &EngineSettings, mechanisms: Mechanisms) -> Box<dyn Engine> {
    let def = WorldDef {
        gravity: settings.gravity,
        sleeping: settings.sleeping,
        substeps: settings.substeps,
        solver_budget: EXACT_BUDGET,
        tuning: Tuning {
            mechanisms,
            linkage_drag: 0.0,
            ..Tuning::default()
        },
        ..WorldDef::default()
    };
    Box::new(CairnEngine::with_world(World::new(def)))
}

const ALL: &Maker<'static> = &|settings| world_of(settings, Mechanisms::ALL);
/// The direct solution leaves linkages to Newton's method.
const NEWTON: &Maker<'static> =
    &|settings| world_of(settings, Mechanisms::ALL.without(Mechanism::Articulations));
const NONE: &Maker<'static> = &|settings| world_of(settings, Mechanisms::NONE);

/// Errors of period and energy of A01.
fn swing(make: &Maker<'_>, substeps: u32) -> (f64, f64) {
    let found = pendulum::swing(make, substeps, DT, 10.0);
    let period = (found.period / pendulum::period() - 1.0).abs();
    (period, found.energy)
}

fn with_substeps(substeps: u32, gravity: f64) -> EngineSettings {
    EngineSettings {
        substeps,
        ..settings(gravity)
    }
}

fn four_bar_energy(make: &Maker<'_>, n: usize, substeps: u32) -> f64 {
    four_bar::turns(make, &Linkage::benchmark(n), substeps, DT, 1.0).energy
}

fn rocking(count: u32) -> f64 {
    (impact_loss(ALL, DT / f64::from(count)) / spin_kept() - 1.0).abs()
}

/// Error of the way of a box that starts at 6 m/s and comes to rest \[m\].
fn sliding(substeps: u32) -> f64 {
    let (speed, friction) = (6.0, 0.2);
    let mut engine = NONE(&with_substeps(substeps, G));
    let surface = ShapeDef::default().friction(friction as f32);
    slab(&mut *engine, [-5.0, -1.0, 50.0, 0.0], &surface);
    let def = BodyDef::dynamic()
        .position(0.0, 0.5)
        .velocity(speed as f32, 0.0);
    let slider = body(&mut *engine, def, &rectangle(0.5, 0.5), &surface);
    for _ in 0..240 {
        engine.step(DT as f32);
    }
    (place(&*engine, slider)[0] - 0.5 * speed * speed / (friction * G)).abs()
}

/// Error of the height of a body thrown upward at 5 m/s, after a second \[m\].
fn flight(substeps: u32) -> f64 {
    let mut engine = NONE(&with_substeps(substeps, G));
    let link = Link {
        velocity: [0.0, 5.0],
        ..Link::at([0.0; 2], 0.0, (1.0, 1.0))
    };
    let stone = link.create(&mut *engine);
    for _ in 0..60 {
        engine.step(DT as f32);
    }
    (place(&*engine, stone)[1] - (5.0 - 0.5 * G)).abs()
}
