//! Sizes and times of saves and deltas, next to steps and clones:
//! `cargo run --release -p cairn2d-dynamics --example saves`.
//!
//! All are measured in turn, on the same piles; each figure is the median of many.

use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use cairn2d_geometry::{Polygon, math::vec2};
use std::time::Instant;

/// Runs of each measurement.
const RUNS: usize = 101;

/// Steps until the boxes have come together.
const SETTLING: usize = 90;

/// Boxes in a row of a pile.
const ROW: usize = 50;

const DT: f32 = 1.0 / 60.0;

/// Returns rows of boxes on the ground that stay awake.
fn pile(count: usize) -> World {
    let mut world = World::new(WorldDef {
        sleeping: false,
        ..WorldDef::default()
    });
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let wide = Polygon::rectangle(100.0, 1.0);
    world.create_shape(ground, wide, ShapeDef::default());
    for i in 0..count {
        let (column, row) = ((i % ROW) as f32, (i / ROW) as f32);
        let body = BodyDef::dynamic().position(1.1 * column - 27.0, 0.5 + 1.05 * row);
        let body = world.create_body(body);
        let square = Polygon::rectangle(0.5, 0.5);
        world.create_shape(body, square, ShapeDef::default());
    }
    for _ in 0..SETTLING {
        world.step(DT);
    }
    world
}

/// Returns the median of the times \[us\].
fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Runs `work` and adds the time that it takes \[us\].
fn time<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed().as_secs_f64() * 1.0e6);
    result
}

/// Bodies of the world of deltas that move; all others sleep.
const MOVING: usize = 40;

/// Steps until the others sleep, and steps between a base and the delta.
const FALLING_ASLEEP: usize = 300;
const AGE: usize = 60;

/// Returns a world of `count` boxes on the ground, all but [`MOVING`] of which sleep, and the boxes that move.
fn quarters(count: usize) -> (World, Vec<BodyId>) {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let wide = Polygon::rectangle(2000.0, 1.0);
    world.create_shape(ground, wide, ShapeDef::default());
    let mut moving = Vec::new();
    for i in 0..count {
        let (column, row) = ((i / 5) as f32, (i % 5) as f32);
        let is_moving = i < MOVING;
        let left = if is_moving { 0.0 } else { 20.0 };
        let body = world.create_body(BodyDef {
            can_sleep: !is_moving,
            ..BodyDef::dynamic().position(left + 1.5 * column, 0.5 + row)
        });
        let square = Polygon::rectangle(0.5, 0.5);
        world.create_shape(body, square, ShapeDef::default());
        if is_moving {
            moving.push(body);
        }
    }
    for _ in 0..FALLING_ASLEEP {
        stir(&mut world, &moving);
    }
    (world, moving)
}

/// Pushes the moving boxes back and forth, and steps.
fn stir(world: &mut World, moving: &[BodyId]) {
    let side = if (world.step_count() / 20).is_multiple_of(2) {
        4.0
    } else {
        -4.0
    };
    for &body in moving {
        world.body_mut(body).apply_force(vec2(side, 0.0));
    }
    world.step(DT);
}

/// Reports a delta next to a full save of the same world.
fn measure_deltas(count: usize) {
    let (mut world, moving) = quarters(count);
    let mut base = world.save_base();
    let (mut save, mut delta, mut made) = (Vec::new(), Vec::new(), Vec::new());
    let mut times: [Vec<f64>; 6] = Default::default();
    for _ in 0..RUNS {
        time(&mut times[0], || world.save_base_into(&mut base));
        for _ in 0..AGE {
            stir(&mut world, &moving);
        }
        // Each after a step, with the caches that a step leaves.
        time(&mut times[1], || world.save_into(&mut save));
        stir(&mut world, &moving);
        time(&mut times[2], || world.save_delta_into(&base, &mut delta));
        world.save_into(&mut save);
        time(&mut times[3], || {
            World::apply_delta(base.bytes(), &delta, &mut made)
        })
        .expect("a save");
        assert_eq!(made, save);
        time(&mut times[4], || World::load(&made)).expect("a world");
        let other = World::load(&save).expect("a world");
        time(&mut times[5], || other.save_delta_into(&base, &mut delta));
    }
    let awake = world.bodies().filter(|body| body.is_awake()).count();
    let [based, saving, writing, applying, loading, foreign] =
        times.each_mut().map(|times| median(times));
    println!(
        "{count:6}  {awake:5}  {:10}  {:11}  {:4.1} %  {based:4.0}  {saving:4.0}  {writing:5.1}  {:4.1} %  {foreign:7.0}  {applying:5.0}  {loading:4.0}",
        save.len(),
        delta.len(),
        100.0 * delta.len() as f64 / save.len() as f64,
        100.0 * writing / saving,
    );
}

fn main() {
    println!(
        "bodies  awake  save bytes  delta bytes          base  save  delta          foreign  apply  load [us]"
    );
    for count in [800, 5000] {
        measure_deltas(count);
    }
    println!("bodies  contacts  bytes/body  step  clone  clone_from  hash  save  load [us]");
    for count in [500, 5000] {
        let mut world = pile(count);
        let mut save = Vec::new();
        let mut times: [Vec<f64>; 6] = Default::default();
        let mut copy = world.clone();
        for _ in 0..RUNS {
            time(&mut times[0], || world.step(DT));
            drop(time(&mut times[1], || world.clone()));
            time(&mut times[2], || world.state_hash());
            time(&mut times[3], || world.save_into(&mut save));
            let loaded = time(&mut times[4], || World::load(&save));
            time(&mut times[5], || copy.clone_from(&world));
            assert_eq!(
                loaded.map(|world| world.state_hash()),
                Ok(world.state_hash())
            );
        }
        let [step, clone, hash, saving, loading, copying] =
            times.each_mut().map(|times| median(times));
        println!(
            "{count:6}  {:8}  {:10}  {step:4.0}  {clone:5.0}  {copying:10.0}  {hash:4.0}  {saving:4.0}  {loading:4.0}",
            world.contacts().count(),
            save.len() / count
        );
    }
}
