//! Sizes and times of saves, next to steps and clones: `cargo run --release -p cairn2d-dynamics --example saves`.
//!
//! All are measured in turn, on the same piles; each figure is the median of many.

use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::Polygon;
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

fn main() {
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
