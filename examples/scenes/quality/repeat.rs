//! Repeatability: the same bits on every run, for every number of threads, and from a snapshot on.

use super::Question;
use super::rig::{Figure, run, world_with_floor};
use crate::stacking::build_pyramid;
use cairn2d::prelude::{World, WorldDef};

pub(super) const QUESTIONS: &[Question] = &[Question {
    name: "repeat",
    measure: repeat,
}];

/// A pyramid that is let down on `threads` threads.
fn built(threads: u32) -> World {
    let mut world = world_with_floor(60.0);
    world.set_def(WorldDef {
        threads,
        ..world.def().clone()
    });
    build_pyramid(&mut world, 40, 0.5, 0.0);
    world
}

fn repeat() -> Vec<Figure> {
    let hash = |mut world: World, seconds: f32| {
        run(&mut world, seconds);
        world.state_hash()
    };
    let first = hash(built(1), 2.0);
    let mut half = built(1);
    run(&mut half, 1.0);
    let others = [
        hash(built(1), 2.0),
        hash(built(2), 2.0),
        hash(built(4), 2.0),
        hash(half.clone(), 1.0),
        hash(half, 1.0),
    ];
    let other = others.iter().filter(|&&hash| hash != first);
    vec![Figure::new(
        "repeated runs, on 2 and 4 threads, and from a snapshot: different bits, of 5",
        other.count() as f64,
        0.0,
        "0",
    )]
}
