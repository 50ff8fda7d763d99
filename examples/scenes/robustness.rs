//! Scenes that other engines fail: great mass ratios, overlaps, tiny bodies, and positions far away.

use crate::kit::{bin, circle, drop_in, floor, pin, place, rectangle, thing, tinted, usual_world};
use crate::ragdoll::ragdoll;
use crate::scene::{Category, Knob, Scene, Stage};
use crate::stacking::build_pyramid;
use crate::view::Frame;
use cairn2d::prelude::{BodyDef, ShapeDef, World, WorldPoint, vec2};

const CATEGORY: Category = Category::Robustness;
const FAR: Category = Category::FarAway;

/// Distance of a far scene from the origin, 1000 km [m].
const FAR_X: f64 = 1.0e6;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "heavy_on_top",
        "Heavy on light",
        Frame::new(-36.0, -1.0, 36.0, 22.0),
        heavy_on_top,
    )
    .about("Pyramids of ten rows whose top box has 100, 200 and 300 times the mass of the others.")
    .steps(900)
    .overlap(20.0),
    Scene::new(
        CATEGORY,
        "heavy_on_two",
        "A block on two pebbles",
        Frame::new(-14.0, -1.0, 14.0, 14.0),
        heavy_on_two,
    )
    .about("A block with 400 times their mass rests on two small boxes.")
    .steps(600)
    .overlap(10.0),
    Scene::new(
        CATEGORY,
        "heavy_stack",
        "Heavier upward",
        Frame::new(-9.0, -1.0, 9.0, 9.5),
        heavy_stack,
    )
    .about("A stack in which each box has three times the mass of the one below.")
    .steps(600)
    .overlap(30.0)
    .with_knobs(HEAVY_KNOBS, |values| {
        heavy_stack_of(values[0], values[1] as u64)
    }),
    Scene::new(
        CATEGORY,
        "overlap_recovery",
        "Overlap",
        Frame::new(-6.0, -1.0, 6.0, 5.5),
        overlap_recovery,
    )
    .about("Boxes created with a quarter of their size in overlap separate without being thrown.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "tiny_pyramid",
        "A tiny pyramid",
        Frame::new(-1.5, -0.2, 1.5, 1.6),
        tiny_pyramid,
    )
    .about("A pyramid of 465 boxes of 5 cm, ten slops each, stands.")
    .steps(600)
    .without_picture(),
    Scene::new(
        CATEGORY,
        "cart",
        "A heavy cart",
        Frame::new(-9.0, -1.0, 9.0, 6.5),
        cart,
    )
    .about("A heavy chassis on light wheels rolls against a wall and comes to rest.")
    .steps(420),
    Scene::new(
        FAR,
        "far_pyramid",
        "A pyramid far away",
        Frame::new(-14.0, -1.0, 14.0, 15.5).shifted(FAR_X, 0.0),
        far_pyramid,
    )
    .about("A pyramid a thousand kilometers from the origin stands as it does at the origin.")
    .steps(600)
    .without_picture(),
    Scene::new(
        FAR,
        "far_ragdolls",
        "Figures far away",
        Frame::new(-6.0, -0.6, 6.0, 6.0).shifted(FAR_X, -FAR_X),
        far_ragdolls,
    )
    .about("Jointed figures fall, a thousand kilometers out on both axes, and their joints hold.")
    .steps(300)
    .shown_at(65)
    .overlap(4.0),
];

fn heavy_on_top() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 36.0);
    for (i, density) in [100.0, 200.0, 300.0].into_iter().enumerate() {
        let middle = -22.0 + 22.0 * i as f32;
        for row in 0..10_u32 {
            for column in 0..10 - row {
                let x = middle + 2.0 * column as f32 - (9 - row) as f32;
                let top = row == 9;
                let y = 1.0 + 2.0 * row as f32 + if top { 2.0 } else { 0.0 };
                let def = tinted(thing(x, y), if top { 3 } else { u64::from(row % 2) });
                let weight = ShapeDef::default().density(if top { density } else { 1.0 });
                place(&mut world, def, rectangle(1.0, 1.0), weight);
            }
        }
    }
    Stage::new(world)
}

fn heavy_on_two() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 14.0);
    for x in [-4.5, 4.5] {
        drop_in(&mut world, tinted(thing(x, 0.5), 1), rectangle(0.5, 0.5));
    }
    let block = tinted(thing(0.0, 6.0), 3);
    place(
        &mut world,
        block,
        rectangle(5.0, 5.0),
        ShapeDef::default().density(4.0),
    );
    Stage::new(world)
}

const HEAVY_KNOBS: &[Knob] = &[
    Knob::measure("ratio of masses", 1.0, 3.0, 6.0),
    Knob::count("boxes", 2, 6, 12),
];

fn heavy_stack() -> Stage {
    heavy_stack_of(3.0, 6)
}

fn heavy_stack_of(ratio: f32, boxes: u64) -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    let mut density = 1.0;
    for row in 0..boxes {
        let def = tinted(thing(0.0, 0.6 + 1.2 * row as f32), row);
        place(
            &mut world,
            def,
            rectangle(0.6, 0.6),
            ShapeDef::default().density(density),
        );
        density *= ratio;
    }
    Stage::new(world)
}

fn overlap_recovery() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 6.0);
    let overlapping = 0.75;
    for row in 0..4_u32 {
        for column in 0..4 - row {
            let x = overlapping * (column as f32 - 0.5 * (3 - row) as f32);
            let y = 0.5 * overlapping + overlapping * row as f32;
            drop_in(
                &mut world,
                tinted(thing(x, y), u64::from(row)),
                rectangle(0.5, 0.5),
            );
        }
    }
    Stage::new(world)
}

fn tiny_pyramid() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 1.5);
    build_pyramid(&mut world, 30, 0.025, 0.0);
    Stage::new(world)
}

fn cart() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 8.0, 2.0);
    let start = (-4.0, 1.6);
    let chassis = tinted(thing(start.0, start.1).velocity(4.0, 0.0), 3);
    let chassis = place(
        &mut world,
        chassis,
        rectangle(2.0, 0.4),
        ShapeDef::default().density(20.0),
    );
    for x in [-1.4, 1.4] {
        let hub = (start.0 + x, start.1 - 0.6);
        let wheel = tinted(thing(hub.0, 0.5).velocity(4.0, 0.0), 0);
        let wheel = place(
            &mut world,
            wheel,
            circle(0.5),
            ShapeDef::default().density(0.5),
        );
        let axle = pin(&world, chassis, wheel, (hub.0, 0.5));
        world.create_joint(axle);
    }
    for i in 0..3_u64 {
        drop_in(
            &mut world,
            tinted(thing(-4.8 + 0.8 * i as f32, 2.5).velocity(4.0, 0.0), 1),
            rectangle(0.3, 0.3),
        );
    }
    Stage::new(world)
}

/// Adds a static floor about (`x`, `y`), its top at that height.
fn far_floor(world: &mut World, x: f64, y: f64, half_width: f32) {
    let ground = floor(world, half_width);
    world.body_mut(ground).set_pose([x, y], 0.0);
}

fn far_pyramid() -> Stage {
    let mut world = usual_world();
    far_floor(&mut world, FAR_X, 0.0, 14.0);
    build_pyramid(&mut world, 14, 0.5, FAR_X);
    Stage::new(world)
}

fn far_ragdolls() -> Stage {
    let mut world = usual_world();
    far_floor(&mut world, FAR_X, -FAR_X, 6.0);
    let step = BodyDef {
        position: WorldPoint::new(FAR_X, -FAR_X) + vec2(0.0, 0.3),
        ..BodyDef::static_()
    };
    place(&mut world, step, rectangle(1.0, 0.3), ShapeDef::default());
    for i in 0..6 {
        let feet = WorldPoint::new(FAR_X, -FAR_X) + vec2(-2.5 + i as f32, 1.5 + 0.4 * i as f32);
        ragdoll(&mut world, feet, i + 1, i as u64);
    }
    Stage::new(world)
}
