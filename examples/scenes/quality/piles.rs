//! Piles: stacked bodies stay, and do not sink into each other.

use super::Question;
use super::rig::{Figure, Places, awake, overlap, run, unit_box, world_with_floor};
use crate::cards::{CARD, CardHouse};
use crate::kit::{drop_in, place, rectangle, thing};
use crate::random::Random;
use crate::scene::{DT, Stage};
use crate::stacking::{arch_under, build_pyramid};
use cairn2d::prelude::{BodyId, ShapeDef, World, WorldDef, WorldPoint};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "stack",
        measure: stack,
    },
    Question {
        name: "built_stack",
        measure: built_stack,
    },
    Question {
        name: "jittered_stack",
        measure: jittered_stack,
    },
    Question {
        name: "jittered_stack_50",
        measure: jittered_stack_50,
    },
    Question {
        name: "pyramid",
        measure: pyramid,
    },
    Question {
        name: "heavy_on_light",
        measure: heavy_on_light,
    },
    Question {
        name: "very_heavy_on_light",
        measure: very_heavy_on_light,
    },
    Question {
        name: "inverted_pyramid",
        measure: inverted_pyramid,
    },
    Question {
        name: "cards",
        measure: cards,
    },
    Question {
        name: "arch",
        measure: arch,
    },
    Question {
        name: "arch_under_slabs",
        measure: arch_under_slabs,
    },
    Question {
        name: "dominoes",
        measure: dominoes,
    },
    Question {
        name: "mirror",
        measure: mirror,
    },
    Question {
        name: "large_steps",
        measure: large_steps,
    },
    Question {
        name: "hammer",
        measure: hammer,
    },
];

/// A column of unit boxes, each off the middle by up to `offset` [m]; returns them from below.
fn column(world: &mut World, count: u32, offset: f32) -> Vec<BodyId> {
    let mut random = Random::new(7);
    (0..count)
        .map(|row| {
            let x = if offset > 0.0 {
                random.range(-offset, offset)
            } else {
                0.0
            };
            unit_box(world, x, 0.5 + row as f32)
        })
        .collect()
}

fn stack() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    column(&mut world, 100, 0.0);
    let start = Places::of(&world);
    run(&mut world, 60.0);
    vec![
        Figure::new(
            "stack of 100, 60 s: the top sinks [m]",
            start.sink(&world),
            0.005,
            "3.49",
        ),
        Figure::new("deepest overlap [m]", overlap(&world), 2.0e-4, "0.10"),
        Figure::new("lateral drift [m]", start.drift(&world), 1.0e-6, "4.7e-5"),
    ]
}

/// Distance by which the top of a column of 100 has sunk 5 s after it was built, one box each `period` steps \[m\].
fn sink_of_built_stack(period: u32) -> f64 {
    let mut world = world_with_floor(20.0);
    let mut top = None;
    for row in 0..100 {
        top = Some(unit_box(&mut world, 0.0, 0.5 + row as f32));
        for _ in 0..period {
            world.step(DT);
        }
    }
    run(&mut world, 5.0);
    99.5 - world.body(top.expect("a column")).position_exact().y
}

fn built_stack() -> Vec<Figure> {
    vec![
        Figure::new(
            "stack of 100 built one box per step: the top sinks [m]",
            sink_of_built_stack(1),
            1.0e-4,
            "-",
        ),
        Figure::new(
            "one box per 10 steps [m]",
            sink_of_built_stack(10),
            1.0e-4,
            "-",
        ),
    ]
}

fn jittered_stack() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    column(&mut world, 100, 0.05);
    let start = Places::of(&world);
    run(&mut world, 60.0);
    vec![
        Figure::new(
            "stack of 100, offsets of 5 cm, 60 s: lateral drift [m]",
            start.drift(&world),
            0.01,
            "none stands",
        ),
        Figure::new("the top sinks [m]", start.sink(&world), 0.005, "-"),
    ]
}

fn jittered_stack_50() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    column(&mut world, 50, 0.02);
    let start = Places::of(&world);
    run(&mut world, 60.0);
    vec![
        Figure::new(
            "stack of 50, offsets of 2 cm, 60 s: lateral drift [m]",
            start.drift(&world),
            0.01,
            "none stands",
        ),
        Figure::new("the top sinks [m]", start.sink(&world), 0.005, "-"),
    ]
}

fn pyramid() -> Vec<Figure> {
    let mut world = world_with_floor(60.0);
    build_pyramid(&mut world, 100, 0.5, 0.0);
    let start = Places::of(&world);
    run(&mut world, 10.0);
    vec![
        Figure::new(
            "pyramid of base 100, 10 s: lateral drift [m]",
            start.drift(&world),
            0.002,
            "0.31",
        ),
        Figure::new("deepest overlap [m]", overlap(&world), 1.0e-4, "0.023"),
    ]
}

/// Ten unit boxes under one of `ratio` times the density.
fn burdened(ratio: f32) -> (World, Places) {
    let mut world = world_with_floor(20.0);
    column(&mut world, 10, 0.0);
    let top = awake(thing(0.0, 10.5));
    place(
        &mut world,
        top,
        rectangle(0.5, 0.5),
        ShapeDef::default().density(ratio),
    );
    let start = Places::of(&world);
    run(&mut world, 60.0);
    (world, start)
}

fn heavy_on_light() -> Vec<Figure> {
    let (world, start) = burdened(100.0);
    vec![
        Figure::new(
            "10 boxes under one of 100 times the density, 60 s: compressed by [m]",
            start.sink(&world),
            0.1,
            "0.71",
        ),
        Figure::new("lateral drift [m]", start.drift(&world), 0.01, "-"),
    ]
}

fn very_heavy_on_light() -> Vec<Figure> {
    let (world, start) = burdened(1000.0);
    let (crushed, before) = burdened(1.0e6);
    vec![
        Figure::new(
            "10 boxes under one of 1000 times the density, 60 s: compressed by [m]",
            start.sink(&world),
            0.005,
            "none stands",
        ),
        Figure::new("lateral drift [m]", start.drift(&world), 0.01, "-"),
        Figure::new(
            "under one of a million times the density: compressed by [m]",
            before.sink(&crushed),
            0.005,
            "none stands",
        ),
        Figure::new("lateral drift [m]", before.drift(&crushed), 0.01, "-"),
    ]
}

fn inverted_pyramid() -> Vec<Figure> {
    let mut world = world_with_floor(60.0);
    let mut y = 0.0;
    for step in 0..6_u32 {
        let half = 0.25 * (1_u32 << step) as f32;
        y += half;
        drop_in(&mut world, awake(thing(0.0, y)), rectangle(half, half));
        y += half;
    }
    let start = Places::of(&world);
    run(&mut world, 20.0);
    vec![
        Figure::new(
            "stacked boxes of 0.5 to 16 m, mass 1024 to 1: the top sinks [m]",
            start.sink(&world),
            0.01,
            "-",
        ),
        Figure::new(
            "overlap at the lowest box [m]",
            overlap(&world),
            0.001,
            "0.436",
        ),
        Figure::new("lateral drift [m]", start.drift(&world), 0.01, "-"),
    ]
}

/// Runs a scene for 20 s, all awake, and returns the greatest motion.
fn shifted(stage: Stage) -> f64 {
    let mut world = stage.world;
    let def = WorldDef {
        sleeping: false,
        ..world.def().clone()
    };
    world.set_def(def);
    let start = Places::of(&world);
    run(&mut world, 20.0);
    start.shift(&world)
}

fn cards() -> Vec<Figure> {
    let shift = |thickness: f32, off_by: f32, seed: u64| {
        let house = CardHouse {
            thickness,
            off_by,
            seed,
        };
        shifted(Stage::new(house.build())) / f64::from(CARD)
    };
    let worst = |thickness: f32| {
        let shifts = (1..=20).map(|seed| shift(thickness, 2.0e-4, seed));
        shifts.fold(0.0, f64::max)
    };
    vec![
        Figure::new(
            "house of cards of 2 mm, 20 s: shift, relative to a card's length",
            shift(0.002, 0.0, 1),
            0.02,
            "0.087",
        ),
        Figure::new(
            "twenty of these with errors of 0.2 mm and 0.2 mrad: maximum",
            worst(0.002),
            0.02,
            "-",
        ),
        Figure::new("of cards of 2 cm", shift(0.02, 0.0, 1), 0.02, "0.052"),
        Figure::new(
            "twenty of these with the same errors: maximum",
            worst(0.02),
            0.02,
            "-",
        ),
    ]
}

fn arch() -> Vec<Figure> {
    vec![Figure::new(
        "arch of 17 stones under 3 boxes, 20 s: shift [m]",
        shifted(arch_under(3, 0.5)),
        0.005,
        "0.30 (4 slabs)",
    )]
}

fn arch_under_slabs() -> Vec<Figure> {
    vec![Figure::new(
        "the same under 4 slabs of 2 m",
        shifted(arch_under(4, 1.0)),
        0.005,
        "0.30",
    )]
}

fn dominoes() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    for i in 0..40_u32 {
        drop_in(
            &mut world,
            awake(thing(-8.0 + 0.4 * i as f32, 0.5)),
            rectangle(0.06, 0.5),
        );
    }
    let start = Places::of(&world);
    run(&mut world, 20.0);
    vec![Figure::new(
        "forty undisturbed dominoes, 20 s: shift [m]",
        start.shift(&world),
        0.005,
        "-",
    )]
}

fn mirror() -> Vec<Figure> {
    let mut world = world_with_floor(30.0);
    build_pyramid(&mut world, 20, 0.5, 0.0);
    run(&mut world, 5.0);
    let places: Vec<_> = world.bodies().map(|body| body.position_exact()).collect();
    let lonely = |place: &WorldPoint| {
        let gap = |other: &WorldPoint| (other.x + place.x).hypot(other.y - place.y);
        places.iter().map(gap).fold(f64::INFINITY, f64::min)
    };
    vec![Figure::new(
        "pyramid of base 20, 5 s: a body and its mirror image differ by [m]",
        places.iter().map(lonely).fold(0.0, f64::max),
        1.0e-4,
        "0.016",
    )]
}

fn large_steps() -> Vec<Figure> {
    let shift = |least: f32, most: f32| {
        let mut random = Random::new(8);
        let mut world = world_with_floor(20.0);
        column(&mut world, 20, 0.0);
        let start = Places::of(&world);
        let mut time = 0.0;
        while time < 10.0 {
            let dt = random.range(least, most);
            world.step(dt);
            time += dt;
        }
        start.shift(&world)
    };
    let at = |rate: f32| shift(1.0 / rate, 1.0 / rate);
    vec![
        Figure::new(
            "stack of 20 at steps of 1/30 s: shift [m]",
            at(30.0),
            0.02,
            "fails (Box2D)",
        ),
        Figure::new("at 1/20 s", at(20.0), 0.02, "fails"),
        Figure::new("at 1/10 s", at(10.0), 0.02, "-"),
        Figure::new("at 1/240 s", at(240.0), 0.02, "-"),
        Figure::new(
            "at steps of 1/240 to 1/10 s, at random",
            shift(1.0 / 240.0, 0.1),
            0.02,
            "fails",
        ),
    ]
}

fn hammer() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    let anvil = unit_box(&mut world, 0.0, 0.5);
    let def = awake(thing(0.0, 1.6).velocity(0.0, -10.0));
    let hammer = place(
        &mut world,
        def,
        rectangle(0.5, 0.5),
        ShapeDef::default().density(1000.0),
    );
    let (mut deepest, mut rebound) = (0.0_f64, 0.0_f64);
    for _ in 0..120 {
        world.step(DT);
        deepest = deepest.max(overlap(&world));
        rebound = rebound.max(f64::from(world.body(hammer).velocity().y));
    }
    let _ = anvil;
    vec![
        Figure::new(
            "body of 1000 times the mass hits a box at 10 m/s: overlap [m]",
            deepest,
            0.01,
            "0.69",
        ),
        Figure::new("rebound [m/s]", rebound, 0.05, "2.4"),
    ]
}
