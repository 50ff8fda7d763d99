//! Costs of a save, of a load, of a delta, and of going back and repeating eight steps.

use crate::rapier::Rapier;
use cairn2d::BaseSave;
use cairn2d::prelude::*;
use scenes::benchmark::STEP;
use scenes::engine::{BodyHandle, CairnEngine, Engine, EngineSettings};
use std::hint::black_box;
use std::time::Instant;

/// Numbers of bodies.
const SIZES: [usize; 2] = [500, 5000];

/// Bodies that move; all others sleep.
const MOVING: usize = 40;

/// Boxes of a column.
const COLUMN: usize = 5;

/// Steps until the others sleep, and steps from a base to a delta.
const FALLING_ASLEEP: usize = 300;
const AGE: usize = 30;

/// Steps that are repeated.
const REPEATED: usize = 8;

/// Runs of each measurement; the median counts.
const RUNS: usize = 31;

/// Boxes in columns, some of which are pushed back and forth.
struct Columns {
    moving: Vec<BodyHandle>,
    steps: usize,
}

impl Columns {
    fn build(engine: &mut dyn Engine, count: usize) -> Self {
        let ground = engine.create_body(&BodyDef::static_().position(0.0, -1.0));
        let wide = Polygon::rectangle(2000.0, 1.0).into();
        engine.create_shape(ground, &wide, &ShapeDef::default());
        let square = Polygon::rectangle(0.5, 0.5).into();
        let mut moving = Vec::new();
        for i in 0..count {
            let is_moving = i < MOVING;
            let left = if is_moving { 0.0 } else { 20.0 };
            let (column, row) = ((i / COLUMN) as f32, (i % COLUMN) as f32);
            let body = engine.create_body(&BodyDef {
                can_sleep: !is_moving,
                ..BodyDef::dynamic().position(left + 1.5 * column, 0.5 + row)
            });
            engine.create_shape(body, &square, &ShapeDef::default());
            moving.extend(is_moving.then_some(body));
        }
        Self { moving, steps: 0 }
    }

    fn step(&mut self, engine: &mut dyn Engine) {
        let side = if self.steps / 20 % 2 == 0 { 4.0 } else { -4.0 };
        for &body in &self.moving {
            let at = engine.motion(body).position;
            engine.apply_force(body, vec2(side, 0.0), at);
        }
        engine.step(STEP);
        self.steps += 1;
    }
}

/// Times in the order of the table [us], and bytes of a save.
#[derive(Default)]
struct Measured {
    save: Vec<f64>,
    load: Vec<f64>,
    delta: Vec<f64>,
    restore: Vec<f64>,
    clone: Vec<f64>,
    bytes: usize,
    delta_bytes: usize,
    awake: usize,
}

fn time<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed().as_secs_f64() * 1.0e6);
    result
}

fn median(times: &[f64]) -> String {
    let mut times = times.to_vec();
    times.sort_unstable_by(f64::total_cmp);
    match times.get(times.len() / 2) {
        Some(time) if *time < 100.0 => format!("{time:.1}"),
        Some(time) => format!("{time:.0}"),
        None => "-".to_owned(),
    }
}

/// The buffers of this engine, kept as a program would keep them.
struct Cairn {
    engine: CairnEngine,
    columns: Columns,
    base: BaseSave,
    save: Vec<u8>,
    delta: Vec<u8>,
    copy: World,
    measured: Measured,
}

impl Cairn {
    fn new(settings: &EngineSettings, count: usize) -> Self {
        let mut engine = CairnEngine::new(settings, None);
        let columns = Columns::build(&mut engine, count);
        Self {
            base: engine.world.save_base(),
            copy: engine.world.clone(),
            engine,
            columns,
            save: Vec::new(),
            delta: Vec::new(),
            measured: Measured::default(),
        }
    }

    fn run(&mut self) {
        let Self {
            engine,
            columns,
            base,
            save,
            delta,
            copy,
            measured,
        } = self;
        engine.world.save_base_into(base);
        (0..AGE).for_each(|_| columns.step(engine));
        let world = &mut engine.world;
        // The delta first: both are taken after a step, and a save evicts the base from the caches.
        time(&mut measured.delta, || world.save_delta_into(base, delta));
        time(&mut measured.save, || world.save_into(save));
        let loaded = time(&mut measured.load, || World::load(save)).expect("a save");
        assert_eq!(loaded.state_hash(), world.state_hash());
        drop(loaded);
        time(&mut measured.restore, || {
            let mut world = World::load(save).expect("a save");
            (0..REPEATED).for_each(|_| world.step(STEP));
            black_box(world);
        });
        let before = world.clone();
        time(&mut measured.clone, || {
            copy.clone_from(&before);
            (0..REPEATED).for_each(|_| copy.step(STEP));
        });
        measured.bytes = save.len();
        measured.delta_bytes = delta.len();
        measured.awake = engine.counts().awake_bodies;
    }
}

/// The same for Rapier: its world as serde and bincode write it, which its documentation recommends for snapshots.
struct Other {
    engine: Rapier,
    columns: Columns,
    save: Vec<u8>,
    measured: Measured,
}

impl Other {
    fn new(settings: &EngineSettings, count: usize) -> Self {
        let mut engine = Rapier::new(settings);
        let columns = Columns::build(&mut engine, count);
        Self {
            engine,
            columns,
            save: Vec::new(),
            measured: Measured::default(),
        }
    }

    fn run(&mut self) {
        let Self {
            engine,
            columns,
            save,
            measured,
        } = self;
        (0..AGE).for_each(|_| columns.step(engine));
        time(&mut measured.save, || engine.save_into(save));
        drop(time(&mut measured.load, || Rapier::loaded(save)));
        time(&mut measured.restore, || {
            let mut world = Rapier::loaded(save);
            (0..REPEATED).for_each(|_| world.step());
            black_box(world);
        });
        measured.bytes = save.len();
        measured.awake = engine.counts().awake_bodies;
    }
}

/// Prints a table of both engines, measured in turn.
pub(crate) fn show() {
    println!(
        "| us | bodies | awake | bytes | save | load | delta bytes | delta | load + {REPEATED} steps | clone_from + {REPEATED} steps |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for count in SIZES {
        let settings = EngineSettings {
            gravity: vec2(0.0, -10.0),
            sleeping: true,
            substeps: 4,
            solver_budget: None,
            linkage_drag: None,
            threads: 1,
        };
        let (mut ours, mut theirs) = (Cairn::new(&settings, count), Other::new(&settings, count));
        for _ in 0..FALLING_ASLEEP {
            ours.columns.step(&mut ours.engine);
            theirs.columns.step(&mut theirs.engine);
        }
        for _ in 0..RUNS {
            ours.run();
            theirs.run();
        }
        for (name, m) in [("cairn2d", &ours.measured), ("Rapier", &theirs.measured)] {
            println!(
                "| {name} | {count} | {} | {} | {} | {} | {} | {} | {} | {} |",
                m.awake,
                m.bytes,
                median(&m.save),
                median(&m.load),
                if m.delta.is_empty() {
                    "-".to_owned()
                } else {
                    m.delta_bytes.to_string()
                },
                median(&m.delta),
                median(&m.restore),
                median(&m.clone),
            );
        }
    }
}
