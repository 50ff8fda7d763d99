//! Times of small worlds, idle worlds, springs, wheels and level loading, in nanoseconds of one thread.
//!
//! `cargo run --release -p cairn2d-dynamics --example small_worlds` prints all; names of cases select some.
//! `small_worlds run CASE STEPS` only builds a case and steps it, for a counter of instructions: the difference of
//! two numbers of steps is the cost of steps alone.

use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointFrame, Motor, PrismaticJointDef, RevoluteJointDef,
    ShapeDef, Spring, WheelJointDef, World, WorldDef,
};
use cairn2d_geometry::math::{WorldPoint, point};
use cairn2d_geometry::{Circle, Polygon, Shape};
use std::time::Instant;

const DT: f32 = 1.0 / 60.0;

/// Steps before a measurement, in which new bodies come to rest.
const SETTLING: usize = 120;

/// Least time of a measurement \[ns\].
const MIN_TIME: f64 = 5.0e7;

/// Worlds that are stepped in turn, so that each finds cold caches.
const TURNS: usize = 1000;

/// A case by its name.
type Case = (&'static str, fn() -> World);

const CASES: &[Case] = &[
    ("empty", || world(false)),
    ("awake_1", || boxes(1)),
    ("awake_10", || boxes(10)),
    ("awake_50", || boxes(50)),
    ("awake_100", || boxes(100)),
    ("pyramid_55", || pyramid(10)),
    ("asleep_1000", || asleep(1000)),
    ("asleep_20000", || asleep(20_000)),
    ("static_100000", || level(100_000, &BodyDef::static_())),
    ("cart_pole", cart_pole),
    ("springs", springs),
    ("cars", cars),
    ("columns", columns),
];

fn world(sleeping: bool) -> World {
    World::new(WorldDef {
        sleeping,
        threads: 1,
        ..WorldDef::default()
    })
}

fn square() -> Polygon {
    Polygon::rectangle(0.5, 0.5)
}

fn ground(world: &mut World, half_width: f32) -> BodyId {
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let floor = Polygon::rectangle(half_width, 1.0);
    world.create_shape(ground, floor, ShapeDef::default());
    ground
}

fn add(world: &mut World, shape: impl Into<Shape>, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    world.create_shape(body, shape, ShapeDef::default());
    body
}

/// Stacks of five boxes on the ground.
fn boxes(count: usize) -> World {
    let mut world = world(false);
    ground(&mut world, 100.0);
    for i in 0..count {
        let (column, row) = (i / 5, i % 5);
        add(&mut world, square(), 2.0 * column as f32, 0.5 + row as f32);
    }
    world
}

fn pyramid(base: usize) -> World {
    let mut world = world(false);
    ground(&mut world, 100.0);
    for row in 0..base {
        for i in 0..base - row {
            let x = i as f32 * 1.1 + row as f32 * 0.55;
            add(&mut world, square(), x, 0.5 + row as f32);
        }
    }
    world
}

/// Boxes that all sleep.
fn asleep(count: usize) -> World {
    let mut world = world(true);
    ground(&mut world, 2.0 * count as f32);
    for i in 0..count {
        let body = BodyDef::dynamic().position(1.5 * (i as f32 - 0.5 * count as f32), 0.5);
        let asleep = body.initial_state(cairn2d_dynamics::InitialState::Asleep);
        let body = world.create_body(asleep);
        world.create_shape(body, square(), ShapeDef::default());
    }
    world
}

/// Separate boxes in a square.
fn level(count: usize, def: &BodyDef) -> World {
    let mut world = world(true);
    let side = (count as f32).sqrt().ceil() as usize;
    for i in 0..count {
        let (x, y) = (2.0 * (i % side) as f64, 2.0 * (i / side) as f64);
        let body = world.create_body(def.clone().world_position(WorldPoint::new(x, y)));
        world.create_shape(body, square(), ShapeDef::default());
    }
    world
}

/// The same, created at once.
fn level_at_once(count: usize, def: &BodyDef) -> World {
    let mut world = world(true);
    let side = (count as f32).sqrt().ceil() as usize;
    let square = square();
    world.create_bodies((0..count).map(|i| {
        let (x, y) = (2.0 * (i % side) as f64, 2.0 * (i / side) as f64);
        let body = def.clone().world_position(WorldPoint::new(x, y));
        (body, [(square.clone(), ShapeDef::default())])
    }));
    world
}

/// A pole that hangs on a cart on a rail.
fn cart_pole() -> World {
    let mut world = world(false);
    let rail = world.create_body(BodyDef::static_());
    let cart = Polygon::rectangle(0.4, 0.2);
    let cart = add(&mut world, cart, 0.0, 0.0);
    world.create_joint(PrismaticJointDef::new(rail, cart));
    let pole = Polygon::rectangle(0.05, 0.5);
    let pole = add(&mut world, pole, 0.0, 0.5);
    let mut hinge = RevoluteJointDef::new(cart, pole);
    hinge.base.frame_b = JointFrame::at(0.0, -0.5);
    world.create_joint(hinge);
    world.body_mut(pole).set_angular_velocity(0.1);
    world
}

/// A net of 32 x 31 small circles, joined by 1 921 springs.
fn springs() -> World {
    let mut world = world(false);
    let circle = Circle::new(point(0.0, 0.0), 0.2);
    let [width, height] = [32, 31];
    let mut bodies = Vec::new();
    for row in 0..height {
        for column in 0..width {
            let fixed = row == 0 && column % 8 == 0;
            let def = if fixed {
                BodyDef::static_()
            } else {
                BodyDef::dynamic()
            };
            let body = world.create_body(def.position(column as f32, -(row as f32)));
            world.create_shape(body, circle, ShapeDef::default());
            bodies.push(body);
            let mut join = |other: BodyId| {
                world.create_joint(DistanceJointDef {
                    spring: Some(Spring::new(5.0, 0.5)),
                    ..DistanceJointDef::new(other, body)
                });
            };
            if column > 0 {
                join(bodies[row * width + column - 1]);
            }
            if row > 0 {
                join(bodies[(row - 1) * width + column]);
            }
        }
    }
    world
}

/// 200 cars of two sprung, driven wheels.
fn cars() -> World {
    let mut world = world(false);
    ground(&mut world, 2000.0);
    let wheel = Circle::new(point(0.0, 0.0), 0.4);
    for i in 0..200 {
        let x = 6.0 * i as f32 - 600.0;
        let chassis = Polygon::rectangle(1.5, 0.25);
        let chassis = add(&mut world, chassis, x, 1.0);
        for side in [-1.0, 1.0] {
            let wheel = add(&mut world, wheel, x + side, 0.4);
            let mut joint = WheelJointDef::new(chassis, wheel);
            joint.base.frame_a = JointFrame {
                anchor: point(side, -0.6),
                angle: core::f32::consts::FRAC_PI_2,
            };
            joint.spring = Some(Spring::new(4.0, 0.7));
            joint.motor = Some(Motor::new(-5.0, 20.0));
            world.create_joint(joint);
        }
    }
    world
}

/// 100 columns of 100 boxes.
fn columns() -> World {
    let mut world = world(false);
    ground(&mut world, 400.0);
    for column in 0..100 {
        for row in 0..100 {
            let x = 3.0 * (column as f32 - 50.0);
            add(&mut world, square(), x, 0.5 + row as f32);
        }
    }
    world
}

/// Batches of a measurement: short ones, so that some are not interrupted on a busy machine.
const BATCHES: usize = 100;

/// Nanoseconds that a run of `work` takes: the least mean of the batches.
fn time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    let once = start.elapsed().as_nanos() as f64;
    let runs = (MIN_TIME / BATCHES as f64 / once.max(1.0)).ceil() as usize;
    let batch = |_| {
        let start = Instant::now();
        for _ in 0..runs {
            work();
        }
        start.elapsed().as_nanos() as f64 / runs as f64
    };
    (0..BATCHES).map(batch).fold(f64::INFINITY, f64::min)
}

fn settle(world: &mut World) {
    for _ in 0..SETTLING {
        world.step(DT);
    }
}

fn settled(build: fn() -> World) -> World {
    let mut world = build();
    settle(&mut world);
    world
}

fn print_steps(name: &str, build: fn() -> World) {
    let mut world = settled(build);
    println!("{name:20} {:12.0} ns a step", time(|| world.step(DT)));
}

fn print_copies(name: &str, mut world: World) {
    settle(&mut world);
    let mut kept = world.clone();
    let clone = time(|| drop(std::hint::black_box(world.clone())));
    let clone_from = time(|| kept.clone_from(&world));
    println!("{name:20} {clone:12.0} ns a clone {clone_from:12.0} ns a clone_from");
}

/// Bytes of this process in memory; 0 where the system does not say.
fn resident_bytes() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let resident = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    4096.0 * resident.unwrap_or(0.0)
}

fn print_turns() {
    let before = resident_bytes();
    let mut worlds: Vec<World> = (0..TURNS).map(|_| settled(cart_pole)).collect();
    let bytes = (resident_bytes() - before) / TURNS as f64;
    let all = time(|| worlds.iter_mut().for_each(|world| world.step(DT)));
    let step = all / TURNS as f64;
    let name = "cart_pole_cold";
    println!("{name:20} {step:12.0} ns a step of {TURNS} in turn, {bytes:.0} bytes each");
}

fn print_load(name: &str, create: impl FnOnce() -> World) {
    let start = Instant::now();
    let mut world = create();
    let created = start.elapsed().as_secs_f64() * 1.0e3;
    let start = Instant::now();
    world.step(DT);
    let first = start.elapsed().as_secs_f64() * 1.0e3;
    println!("{name:20} {created:12.1} ms to create {first:12.1} ms the first step");
}

fn print_loading() {
    for _ in 0..3 {
        for (kind, def) in [
            ("dynamic", BodyDef::dynamic()),
            ("static", BodyDef::static_()),
        ] {
            print_load(&format!("load_{kind}"), || level(100_000, &def));
            print_load(&format!("load_{kind}_at_once"), || {
                level_at_once(100_000, &def)
            });
        }
    }
}

fn run(name: &str, steps: usize) {
    let (_, build) = CASES
        .iter()
        .find(|case| case.0 == name)
        .expect("the name of a case");
    let mut world = settled(*build);
    for _ in 0..steps {
        world.step(DT);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [run_word, name, steps] = &arguments[..]
        && run_word == "run"
    {
        run(name, steps.parse().expect("a number of steps"));
        return;
    }
    let asked = |name: &str| arguments.is_empty() || arguments.iter().any(|a| a == name);
    println!("size_of::<World>() = {}", size_of::<World>());
    for (name, build) in CASES {
        if asked(name) {
            print_steps(name, *build);
        }
    }
    if asked("cart_pole_cold") {
        print_turns();
    }
    if asked("copies") {
        print_copies("copy_empty", world(false));
        print_copies("copy_cart_pole", cart_pole());
        print_copies("copy_100", boxes(100));
        print_copies("copy_2000", boxes(2000));
    }
    if asked("loading") {
        print_loading();
    }
}
