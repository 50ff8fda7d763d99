//! Stacks and piles come to rest, stay where they are and sleep.

use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

const DT: f32 = 1.0 / 60.0;

fn ground(world: &mut World) {
    let body = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(body, Polygon::rectangle(100.0, 1.0), ShapeDef::default());
}

fn unit_box(world: &mut World, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    body
}

/// Steps `world` for `seconds`, checking its invariants now and then.
fn run(world: &mut World, seconds: f32) {
    for step in 0..(seconds / DT) as u32 {
        world.step(DT);
        if step % 30 == 0 {
            world.assert_consistent();
        }
    }
}

fn deepest(world: &World) -> f32 {
    let points = world
        .contacts()
        .flat_map(|contact| contact.points().collect::<Vec<_>>());
    points.map(|point| point.separation).fold(0.0, f32::min)
}

#[test]
fn stack_of_20_stands_and_sleeps() {
    let mut world = World::new(WorldDef::default());
    ground(&mut world);
    let boxes: Vec<BodyId> = (0..20)
        .map(|i| unit_box(&mut world, 0.0, 0.5 + i as f32))
        .collect();
    run(&mut world, 20.0);
    for (i, &id) in boxes.iter().enumerate() {
        let body = world.body(id);
        assert!(
            body.position().x.abs() < 0.01,
            "box {i} drifted to {}",
            body.position()
        );
        assert!(!body.is_awake(), "box {i} is awake");
    }
    assert!(
        deepest(&world) > -2.0 * LINEAR_SLOP,
        "deepest {}",
        deepest(&world)
    );
}

#[test]
fn pyramid_of_base_30_stands_and_sleeps() {
    let mut world = World::new(WorldDef::default());
    ground(&mut world);
    let mut boxes = Vec::new();
    for row in 0..30 {
        for column in row..30 {
            let x = 0.5 * row as f32 + (column - row) as f32 - 15.0;
            boxes.push((x, unit_box(&mut world, x, 0.5 + row as f32)));
        }
    }
    run(&mut world, 20.0);
    for &(x, id) in &boxes {
        let body = world.body(id);
        let drift = (body.position().x - x).abs();
        assert!(drift < 0.01, "box from {x} drifted by {drift}");
        assert!(!body.is_awake(), "box at {} is awake", body.position());
    }
    assert!(
        deepest(&world) > -2.0 * LINEAR_SLOP,
        "deepest {}",
        deepest(&world)
    );
}
