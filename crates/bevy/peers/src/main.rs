//! Cost of a frame with three physics plugins, in one run: the step of the engine, and the cost of the plugin.
//!
//! `cargo run --release` prints a table, and `cargo run --release -- cairn 1000` only its rows of this plugin and number of boxes.
//! All apps run the same scenes with a step of 1/60 s in each frame: piles of ten boxes at rest on a floor, none asleep; and the
//! same boxes while they fall and collide. Two apps without plugin show the cost of Bevy: one without physics, and one that steps
//! the same world and, if the boxes fall, moves all transforms, so that Bevy computes their global transforms with caches that the
//! step has used. Runs of the apps alternate. Of each frame the fastest run counts, and figures are medians of the frames.

use avian2d::prelude as avian;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_cairn2d::cairn2d as engine;
use bevy_cairn2d::prelude as cairn;
use bevy_rapier2d::prelude as rapier;
use std::time::{Duration, Instant};

/// Frames that are measured in each run.
const FRAMES: usize = 100;

/// The motion of the boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    Resting,
    Falling,
}

impl Motion {
    /// Frames before the measurement: piles have come to rest, or boxes have begun to collide.
    const fn warm_up(self) -> usize {
        match self {
            Self::Resting => 60,
            Self::Falling => 30,
        }
    }
}

/// Runs of each app: of each frame the fastest counts, since other programs interrupt long frames.
const ROUNDS: usize = 5;

const RATE: f64 = 60.0;

/// Begin of the step, and its duration.
#[derive(Resource)]
struct Stopwatch {
    begin: Instant,
    step: Duration,
}

fn begin(mut watch: ResMut<Stopwatch>) {
    watch.begin = Instant::now();
}

fn end(mut watch: ResMut<Stopwatch>) {
    watch.step = watch.begin.elapsed();
}

fn base() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin))
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Stopwatch {
            begin: Instant::now(),
            step: Duration::ZERO,
        });
    app
}

/// Places of the boxes, with a side of 1 m.
fn places(count: usize, motion: Motion) -> impl Iterator<Item = Transform> {
    (0..count).map(move |i| {
        let (column, row) = ((i / 10) as f32, (i % 10) as f32);
        match motion {
            Motion::Resting => Transform::from_xyz(column * 1.5, 0.5 + row, 0.0),
            Motion::Falling => Transform::from_xyz(column * 1.5, 1.0 + row * 1.5, 0.0)
                .with_rotation(Quat::from_rotation_z(0.7 * i as f32)),
        }
    })
}

/// An app whose boxes are transforms only.
fn empty_app(count: usize, motion: Motion) -> App {
    let mut app = base();
    app.world_mut()
        .spawn_batch(places(count, motion).collect::<Vec<_>>());
    app
}

/// An app that steps the same world without a plugin, and moves the transforms of falling boxes in each frame by other numbers.
fn bare_app(count: usize, motion: Motion) -> App {
    let mut app = empty_app(count, motion);
    let step = |mut bare: ResMut<BareWorld>| bare.0.step(1.0 / RATE as f32);
    app.insert_resource(bare_world(count, motion))
        .add_systems(FixedPostUpdate, (begin, step, end).chain());
    if motion == Motion::Falling {
        app.add_systems(FixedPostUpdate, move_all.after(end));
    }
    app
}

fn move_all(mut boxes: Query<&mut Transform>) {
    for mut transform in &mut boxes {
        transform.translation.x += 1.0e-3;
    }
}

#[derive(Resource)]
struct BareWorld(engine::World);

fn bare_world(count: usize, motion: Motion) -> BareWorld {
    let mut world = engine::World::new(world_def());
    let floor = floor_place(count).translation;
    let def = engine::BodyDef::static_().position(floor.x, floor.y);
    let shape = engine::Polygon::rectangle(half_floor(count), 1.0);
    let body = world.create_body(def);
    world.create_shape(body, shape, engine::ShapeDef::default());
    for place in places(count, motion) {
        let angle = place.rotation.to_scaled_axis().z;
        let at = place.translation;
        let def = engine::BodyDef::dynamic().position(at.x, at.y).angle(angle);
        let body = world.create_body(def);
        let shape = engine::Polygon::rectangle(0.5, 0.5);
        world.create_shape(body, shape, engine::ShapeDef::default());
    }
    BareWorld(world)
}

/// No box falls asleep.
fn world_def() -> engine::WorldDef {
    engine::WorldDef {
        sleeping: false,
        ..Default::default()
    }
}

/// Half the width of the floor.
fn half_floor(count: usize) -> f32 {
    count as f32 * 0.15 + 10.0
}

fn floor_place(count: usize) -> Transform {
    Transform::from_xyz(count as f32 * 0.075, -1.0, 0.0)
}

fn cairn_app(count: usize, motion: Motion, interpolate: bool) -> App {
    let mut app = base();
    let plugin = cairn::PhysicsPlugin {
        interpolate,
        ..cairn::PhysicsPlugin::new(world_def())
    };
    use cairn::PhysicsSystems::{Characters, Step, WriteBack};
    app.add_plugins(plugin).add_systems(
        FixedPostUpdate,
        (
            begin.after(Characters).before(Step),
            end.after(Step).before(WriteBack),
        ),
    );
    let floor = cairn::Collider::rectangle(2.0 * half_floor(count), 2.0);
    app.world_mut()
        .spawn((cairn::RigidBody::Static, floor, floor_place(count)));
    let shape = cairn::Collider::rectangle(1.0, 1.0);
    let boxes = places(count, motion).map(move |at| (cairn::RigidBody::Dynamic, shape.clone(), at));
    app.world_mut().spawn_batch(boxes.collect::<Vec<_>>());
    app
}

fn rapier_app(count: usize, motion: Motion) -> App {
    let mut app = base();
    app.insert_resource(rapier::TimestepMode::Fixed {
        dt: 1.0 / RATE as f32,
        substeps: 1,
    });
    use rapier::PhysicsSet::{StepSimulation, SyncBackend, Writeback};
    app.add_plugins(rapier::RapierPhysicsPlugin::<rapier::NoUserData>::default())
        .add_systems(
            PostUpdate,
            (
                begin.after(SyncBackend).before(StepSimulation),
                end.after(StepSimulation).before(Writeback),
            ),
        );
    let floor = rapier::Collider::cuboid(half_floor(count), 1.0);
    app.world_mut()
        .spawn((rapier::RigidBody::Fixed, floor, floor_place(count)));
    let boxes = places(count, motion).map(|at| {
        (
            rapier::RigidBody::Dynamic,
            rapier::Collider::cuboid(0.5, 0.5),
            rapier::Velocity::default(),
            rapier::Sleeping::disabled(),
            at,
        )
    });
    app.world_mut().spawn_batch(boxes.collect::<Vec<_>>());
    app
}

fn avian_app(count: usize, motion: Motion) -> App {
    let mut app = base();
    app.add_plugins(avian::PhysicsPlugins::default())
        .insert_resource(avian::Gravity(Vec2::new(0.0, -10.0)));
    let floor = avian::Collider::rectangle(2.0 * half_floor(count), 2.0);
    app.world_mut()
        .spawn((avian::RigidBody::Static, floor, floor_place(count)));
    let boxes = places(count, motion).map(|at| {
        (
            avian::RigidBody::Dynamic,
            avian::Collider::rectangle(1.0, 1.0),
            avian::SleepingDisabled,
            at,
        )
    });
    app.world_mut().spawn_batch(boxes.collect::<Vec<_>>());
    app
}

/// The stages of an engine within the ECS, from its own timers: collision and solver.
fn avian_step(app: &App) -> Duration {
    use avian2d::collision::CollisionDiagnostics;
    use avian2d::dynamics::solver::SolverDiagnostics;
    let found = app.world().resource::<CollisionDiagnostics>();
    let solver = app.world().resource::<SolverDiagnostics>();
    found.broad_phase
        + found.narrow_phase
        + solver.prepare_constraints
        + solver.update_velocity_increments
        + solver.integrate_velocities
        + solver.warm_start
        + solver.solve_constraints
        + solver.integrate_positions
        + solver.relax_velocities
        + solver.apply_restitution
        + solver.finalize
        + solver.store_impulses
        + solver.swept_ccd
}

fn stopwatch(app: &App) -> Duration {
    app.world().resource::<Stopwatch>().step
}

/// Times of frames, of their steps, and of the rest of each frame [ms]: the shortest of all runs.
#[derive(Default)]
struct Times {
    frames: Vec<f64>,
    steps: Vec<f64>,
    rests: Vec<f64>,
}

impl Times {
    fn add(&mut self, index: usize, frame: Duration, step: Duration) {
        let [frame, step] = [frame, step].map(|time| time.as_secs_f64() * 1.0e3);
        keep_least(&mut self.frames, index, frame);
        keep_least(&mut self.steps, index, step);
        keep_least(&mut self.rests, index, frame - step);
    }
}

fn keep_least(times: &mut Vec<f64>, index: usize, time: f64) {
    match times.get_mut(index) {
        Some(least) => *least = least.min(time),
        None => times.push(time),
    }
}

fn measure(mut app: App, motion: Motion, step: fn(&App) -> Duration, times: &mut Times) {
    app.finish();
    app.cleanup();
    for _ in 0..motion.warm_up() {
        app.update();
    }
    for index in 0..FRAMES {
        let start = Instant::now();
        app.update();
        times.add(index, start.elapsed(), step(&app));
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

const NAMES: [&str; 6] = [
    "no physics",
    "engine alone",
    "bevy_cairn2d",
    "bevy_cairn2d without interpolation",
    "avian2d",
    "bevy_rapier2d",
];

/// The rows that the program prints.
struct Selection(Vec<String>);

impl Selection {
    /// Returns `true` if no word names another plugin: numbers are those of boxes.
    fn has_plugin(&self, name: &str) -> bool {
        let mut names = self
            .0
            .iter()
            .filter(|word| word.parse::<usize>().is_err())
            .peekable();
        names.peek().is_none() || names.any(|word| name.contains(word.as_str()))
    }

    /// Returns the numbers of boxes.
    fn counts(&self) -> Vec<usize> {
        let counts: Vec<usize> = self.0.iter().filter_map(|word| word.parse().ok()).collect();
        if counts.is_empty() {
            vec![1_000, 10_000]
        } else {
            counts
        }
    }
}

fn measure_all(count: usize, motion: Motion, selection: &Selection) -> [Times; 6] {
    let mut all: [Times; 6] = Default::default();
    for _ in 0..ROUNDS {
        for (name, times) in NAMES.into_iter().zip(&mut all) {
            if !selection.has_plugin(name) {
                continue;
            }
            match name {
                "bevy_cairn2d" => measure(cairn_app(count, motion, true), motion, stopwatch, times),
                "bevy_cairn2d without interpolation" => {
                    measure(cairn_app(count, motion, false), motion, stopwatch, times)
                }
                "avian2d" => measure(avian_app(count, motion), motion, avian_step, times),
                "engine alone" => {
                    measure(bare_app(count, motion), motion, stopwatch, times);
                }
                "bevy_rapier2d" => measure(rapier_app(count, motion), motion, stopwatch, times),
                _ => measure(empty_app(count, motion), motion, |_| Duration::ZERO, times),
            }
        }
    }
    all
}

fn main() {
    let selection = Selection(std::env::args().skip(1).collect());
    println!(
        "| boxes | plugin | frame [ms] | step [ms] | rest of the frame [ms] | (rest - no physics) / step | (rest - engine alone) / step |"
    );
    println!("|---|---|---|---|---|---|---|");
    for motion in [Motion::Resting, Motion::Falling] {
        for count in selection.counts() {
            let all = measure_all(count, motion, &selection);
            let [still, bare] = [0, 1].map(|app: usize| median(&all[app].rests));
            for (name, times) in NAMES
                .into_iter()
                .zip(&all)
                .filter(|row| !row.1.frames.is_empty())
            {
                let (frame, step) = (median(&times.frames), median(&times.steps));
                let rest = median(&times.rests);
                let [share, plugin] = [still, bare].map(|bevy| (rest - bevy) / step);
                println!(
                    "| {count} {motion:?} | {name} | {frame:.3} | {step:.3} | {rest:.3} | {share:.2} | {plugin:.2} |"
                );
            }
        }
    }
}
