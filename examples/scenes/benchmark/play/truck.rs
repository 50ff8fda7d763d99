//! A truck with three driven axles carries 60 crates over hills of chain and a bridge of 40 planks.

use super::*;
use crate::engine::{Hinge, Wheel};

/// Crates on the truck.
const CRATES: usize = 60;

/// Planks of the bridge, their length \[m\] and density [kg/m^2].
const PLANKS: usize = 40;
const PLANK: f32 = 0.5;
const PLANK_DENSITY: f32 = 20.0;

/// Where the bridge begins and ends \[m\].
const BRIDGE: [f32; 2] = [40.0, 40.0 + PLANK * PLANKS as f32];

/// Length of the land on either side \[m\], and points of its surface.
const LAND: f32 = 60.0;
const POINTS: usize = 121;

pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "truck",
    end: end(
        CRATES + PLANKS + 5,
        CRATES + PLANKS + 7 + 2 * (POINTS + 2),
        0,
        PLANKS + 4,
    ),
    build,
    ..PLAY
};

fn build(engine: &mut dyn Engine) -> Cast {
    let ground = ground(engine);
    let def = ShapeDef::default();
    let shores = [[BRIDGE[0] - LAND, BRIDGE[0]], [BRIDGE[1], BRIDGE[1] + LAND]];
    for shore in shores {
        engine.create_chain(ground, &terrain(shore), &def);
    }
    let planks = build_bridge(engine, ground);
    let truck = build_truck(engine);
    let crates = load(engine);
    Cast {
        groups: vec![truck, crates, planks],
        ..Cast::default()
    }
}

/// Returns the outline of land from `shore[0]` to `shore[1]`, counter-clockwise, which is level at the bridge.
fn terrain(shore: [f32; 2]) -> Chain {
    let height = |x: f32| {
        let from_bridge = (BRIDGE[0] - x).max(x - BRIDGE[1]);
        0.4 * (1.0 - math::sin_cos(0.35 * from_bridge).1)
    };
    let mut points = vec![point(shore[0], -10.0), point(shore[1], -10.0)];
    for i in 0..POINTS {
        let x = shore[1] - LAND * i as f32 / (POINTS - 1) as f32;
        points.push(point(x, height(x)));
    }
    Chain::new(&points, ChainKind::Loop)
}

fn build_bridge(engine: &mut dyn Engine, ground: BodyHandle) -> Vec<BodyHandle> {
    let plank = rectangle(0.5 * PLANK, 0.1);
    let def = ShapeDef::default().density(PLANK_DENSITY);
    let y = -0.1;
    let mut before = on(ground, BRIDGE[0], y);
    let mut planks = Vec::new();
    for i in 0..PLANKS {
        let x = BRIDGE[0] + PLANK * (i as f32 + 0.5);
        let next = drop_shape(engine, x, y, &plank, &def);
        engine.create_hinge(&Hinge::new(before, on(next, -0.5 * PLANK, 0.0)));
        before = on(next, 0.5 * PLANK, 0.0);
        planks.push(next);
    }
    engine.create_hinge(&Hinge::new(before, on(ground, BRIDGE[1], y)));
    planks
}

/// Height of the truck's bed \[m\].
const BED: f32 = 1.5;

/// Adds a bed with walls, and three wheels.
fn build_truck(engine: &mut dyn Engine) -> Vec<BodyHandle> {
    let def = ShapeDef::default().density(2.0);
    let truck = engine.create_body(&BodyDef::dynamic().position(0.0, BED));
    for part in [
        rectangle_at(2.6, 0.15, 0.0, -0.15),
        rectangle_at(0.1, 0.6, -2.5, 0.6),
        rectangle_at(0.1, 0.9, 1.5, 0.9),
        rectangle_at(0.5, 0.6, 2.1, 0.6),
    ] {
        engine.create_shape(truck, &part, &def);
    }
    let mut bodies = vec![truck];
    for x in [-1.9, 0.0, 1.9] {
        let rubber = ShapeDef::default().density(2.0).friction(1.5);
        let wheel = drop_shape(engine, x, 0.5, &circle(0.5), &rubber);
        engine.create_wheel(&Wheel {
            body_a: truck,
            body_b: wheel,
            frame_a: JointFrame {
                anchor: point(x, 0.5 - BED),
                angle: 0.5 * math::PI,
            },
            spring: Spring::new(5.0, 0.7),
            limit: Some(Limit::new(-0.25, 0.25)),
            motor: Motor::new(-14.0, 60.0),
        });
        bodies.push(wheel);
    }
    bodies
}

fn load(engine: &mut dyn Engine) -> Vec<BodyHandle> {
    let crate_ = rectangle(0.14, 0.14);
    let crates = (0..CRATES).map(|i| {
        let (column, row) = (i % 12, i / 12);
        let (x, y) = (-2.2 + 0.3 * column as f32, BED + 0.14 + 0.285 * row as f32);
        drop_shape(engine, x, y, &crate_, &ShapeDef::default())
    });
    crates.collect()
}
