//! The scenes that engines are compared by, as scenes to look at.

use crate::benchmark::{BenchmarkScene, Cast, scene};
use crate::engine::CairnEngine;
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::prelude::World;

const CATEGORY: Category = Category::Benchmark;

pub(crate) const SCENES: &[Scene] = &[
    contest(
        "compounds",
        "Compounds by the thousand",
        Frame::new(-45.0, -3.0, 45.0, 103.0),
        || stage("compounds"),
    )
    .about("3 000 bodies of two triangles each fall between walls."),
    contest(
        "joint_grid",
        "A grid of joints",
        Frame::new(-20.0, -105.0, 120.0, 5.0),
        || stage("joint_grid"),
    )
    .about("10 000 circles and 19 800 pins hang from seven fixed points.")
    .steps(60)
    .gap(5.0),
    contest(
        "junkyard",
        "Junkyard",
        Frame::new(-82.0, -3.0, 82.0, 60.0),
        || stage("junkyard"),
    )
    .about("A pusher moves back and forth through 8 000 pentagons."),
    contest(
        "large_pyramid",
        "A large pyramid",
        Frame::new(-90.0, -2.0, 90.0, 101.0),
        || stage("large_pyramid"),
    )
    .about("5 050 boxes on a base of a hundred.")
    .without_picture(),
    contest(
        "many_pyramids",
        "Many pyramids",
        Frame::new(-115.0, -5.0, 115.0, 225.0),
        || stage("many_pyramids"),
    )
    .about("400 pyramids of 55 boxes on twenty floors.")
    .without_picture(),
    contest(
        "rain",
        "Raining figures",
        Frame::new(-130.0, -5.0, 130.0, 225.0),
        || stage("rain"),
    )
    .about("Ragdolls fall on five floors; old ones are removed and new ones created.")
    .without_picture(),
    contest(
        "smash",
        "Smash",
        Frame::new(-40.0, -40.0, 110.0, 40.0),
        || stage("smash"),
    )
    .about("A heavy block flies into 9 600 sleeping boxes, without gravity.")
    .shown_at(100),
    contest(
        "spinner",
        "Spinner",
        Frame::new(-75.0, -10.0, 75.0, 74.0),
        || stage("spinner"),
    )
    .about("A bar stirs 6 000 bodies in a ring of chain."),
    contest(
        "tumbler_drum",
        "Tumbler",
        Frame::new(-26.0, -5.0, 26.0, 25.0),
        || stage("tumbler"),
    )
    .about("2 025 small boxes in a driven drum.")
    .without_picture(),
    contest(
        "washer",
        "Washer",
        Frame::new(-34.0, -10.0, 34.0, 30.0),
        || stage("washer"),
    )
    .about("8 100 small boxes in a rotating ring with paddles."),
];

/// Steps of a contest until its picture.
const STEPS: u32 = 300;

/// Overlap is no fault here: some contests begin with their bodies inside each other.
const OVERLAP: f32 = f32::INFINITY;

const fn contest(
    name: &'static str,
    title: &'static str,
    frame: Frame,
    build: fn() -> Stage,
) -> Scene {
    Scene::new(CATEGORY, name, title, frame, build)
        .steps(STEPS)
        .overlap(OVERLAP)
        .with_exits()
}

/// Runs a benchmark on a stage's world.
#[derive(Clone)]
struct Contest {
    scene: BenchmarkScene,
    cast: Cast,
    /// Holds the stage's world while the benchmark acts, and an empty one else.
    engine: CairnEngine,
}

impl Script for Contest {
    fn before_step(&mut self, world: &mut World, step: u64) {
        core::mem::swap(world, &mut self.engine.world);
        (self.scene.before_step)(&mut self.cast, &mut self.engine, step as u32);
        core::mem::swap(world, &mut self.engine.world);
    }
}

fn stage(name: &str) -> Stage {
    let scene = scene(name).expect("contests are named after benchmarks");
    let settings = scene.settings(1);
    let mut engine = CairnEngine::new(&settings, None);
    let cast = (scene.build)(&mut engine);
    let empty = CairnEngine::new(&settings, None).world;
    let world = core::mem::replace(&mut engine.world, empty);
    Stage::new(world).with(Contest {
        scene,
        cast,
        engine,
    })
}
