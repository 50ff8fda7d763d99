//! Shared by these tests: a world seen from above, and walkers in it.

use cairn2d::crowd::AgentId;
use cairn2d::prelude::*;

/// Length of a step [s].
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Radius of a walker [m].
pub(crate) const RADIUS: f32 = 0.3;

/// Creates a world seen from above and a controller.
pub(crate) fn plane() -> (World, CrowdController) {
    let world = World::new(WorldDef::weightless());
    (world, CrowdController::default())
}

pub(crate) fn add(world: &mut World, def: BodyDef, shape: impl Into<Shape>) -> BodyId {
    let body = world.create_body(def);
    world.create_shape(body, shape, ShapeDef::default());
    body
}

pub(crate) fn disc(radius: f32) -> Circle {
    Circle::new(Point::origin(), radius)
}

pub(crate) fn block(half_width: f32, half_height: f32) -> Polygon {
    Polygon::rectangle(half_width, half_height)
}

/// Adds a walker at (`x`, `y`).
pub(crate) fn walker(
    world: &mut World,
    crowd: &mut CrowdController,
    x: f32,
    y: f32,
) -> (AgentId, BodyId) {
    let body = add(world, BodyDef::dynamic().position(x, y), disc(RADIUS));
    let def = CrowdBodyDef::around(world, body);
    (crowd.attach(world, body, &def), body)
}

pub(crate) fn run(world: &mut World, crowd: &mut CrowdController, seconds: f32) {
    for _ in 0..(seconds / DT) as u32 {
        crowd.update(world, DT);
        world.step(DT);
        crowd.assert_consistent();
    }
    world.assert_consistent();
}
