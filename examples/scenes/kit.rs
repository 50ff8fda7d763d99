//! The pieces that scenes are built from.

use crate::mark::Mark;
use crate::scene::Script;
use cairn2d::Mechanisms;
use cairn2d::prelude::{
    BodyDef, BodyId, Capsule, Chain, ChainKind, Circle, JointFrame, Point, Polygon,
    RevoluteJointDef, Segment, Shape, ShapeDef, ShapeId, World, WorldDef, WorldPoint, point,
};
use std::cell::Cell;

/// Half the thickness of floors and walls \[m\].
pub const HALF_WALL: f32 = 0.5;

thread_local! {
    /// Mechanisms of worlds that this thread creates.
    static MECHANISMS: Cell<Mechanisms> = const { Cell::new(Mechanisms::ALL) };
}

/// Sets the mechanisms of the worlds that this thread creates from now on, for ablations.
pub fn use_mechanisms(mechanisms: Mechanisms) {
    MECHANISMS.set(mechanisms);
}

fn world_of(mut def: WorldDef) -> World {
    def.tuning.mechanisms = MECHANISMS.get();
    World::new(def)
}

/// Returns a world with the engine's defaults.
#[must_use]
pub fn usual_world() -> World {
    world_of(WorldDef::default())
}

/// Returns a world with the engine's defaults, but without gravity.
#[must_use]
pub fn weightless_world() -> World {
    world_of(WorldDef::weightless())
}

/// Starts a definition of a dynamic body at (`x`, `y`) \[m\].
#[must_use]
pub fn thing(x: f32, y: f32) -> BodyDef {
    BodyDef::dynamic().position(x, y)
}

/// Gives a body one of the picture's colors, 0 to 5: the renderer reads it from the user data.
#[must_use]
pub fn tinted(def: BodyDef, tint: u64) -> BodyDef {
    BodyDef {
        user_data: tint,
        ..def
    }
}

/// Returns the rectangle about the origin with the given half width and half height \[m\].
#[must_use]
pub fn rectangle(half_width: f32, half_height: f32) -> Polygon {
    Polygon::rectangle(half_width, half_height)
}

/// Returns a rectangle about (`x`, `y`), turned by `angle` \[rad\].
#[must_use]
pub fn rectangle_at(half_width: f32, half_height: f32, x: f32, y: f32, angle: f32) -> Polygon {
    Polygon::offset_rectangle(half_width, half_height, point(x, y), angle)
}

/// Returns the convex hull of points given as pairs.
#[must_use]
pub fn hull(points: &[(f32, f32)]) -> Polygon {
    let points: Vec<Point> = points.iter().map(|&(x, y)| point(x, y)).collect();
    Polygon::hull(&points)
}

/// Returns the disk about the origin.
#[must_use]
pub fn circle(radius: f32) -> Circle {
    Circle::new(Point::origin(), radius)
}

/// Returns a capsule about the origin along x, its middle line `2 half_length` long.
#[must_use]
pub fn lying_capsule(half_length: f32, radius: f32) -> Capsule {
    Capsule::new(point(-half_length, 0.0), point(half_length, 0.0), radius)
}

/// Returns a capsule about the origin along y.
#[must_use]
pub fn standing_capsule(half_length: f32, radius: f32) -> Capsule {
    Capsule::new(point(0.0, -half_length), point(0.0, half_length), radius)
}

/// Adds a body with one shape.
pub fn place(
    world: &mut World,
    def: BodyDef,
    shape: impl Into<Shape>,
    shape_def: ShapeDef,
) -> BodyId {
    let body = world.create_body(def);
    world.create_shape(body, shape, shape_def);
    body
}

/// Adds a body with one shape of the usual material.
pub fn drop_in(world: &mut World, def: BodyDef, shape: impl Into<Shape>) -> BodyId {
    place(world, def, shape, ShapeDef::default())
}

/// Adds a static body with a floor from `-half_width` to `half_width`, its top at height 0.
pub fn floor(world: &mut World, half_width: f32) -> BodyId {
    let body = world.create_body(BodyDef::static_());
    let shape = rectangle_at(half_width, HALF_WALL, 0.0, -HALF_WALL, 0.0);
    world.create_shape(body, shape, ShapeDef::default());
    body
}

/// Adds a static body with a floor and a wall of `height` on either side: an open box whose inside
/// reaches from `-half_width` to `half_width`.
pub fn bin(world: &mut World, half_width: f32, height: f32) -> BodyId {
    let body = floor(world, half_width + 2.0 * HALF_WALL);
    for side in [-1.0, 1.0] {
        let x = side * (half_width + HALF_WALL);
        let wall = rectangle_at(HALF_WALL, 0.5 * height, x, 0.5 * height, 0.0);
        world.create_shape(body, wall, ShapeDef::default());
    }
    body
}

/// Adds a thin static line from `a` to `b`, solid from both sides.
pub fn line(
    world: &mut World,
    body: BodyId,
    a: (f32, f32),
    b: (f32, f32),
    def: ShapeDef,
) -> ShapeId {
    let segment = Segment::new(point(a.0, a.1), point(b.0, b.1));
    world.create_shape(body, segment, def)
}

/// Adds a chain through `points` to a body; its right side, looking along it, is solid.
pub fn chain(world: &mut World, body: BodyId, points: &[Point], kind: ChainKind, def: ShapeDef) {
    let chain = Chain::new(points, kind);
    for segment in chain.segments() {
        world.create_shape(body, *segment, def);
    }
}

/// Returns the frame on a body for a joint at a place in the world.
#[must_use]
pub fn frame_on(world: &World, body: BodyId, at: impl Into<WorldPoint>) -> JointFrame {
    JointFrame {
        anchor: world.body(body).to_local(at),
        angle: 0.0,
    }
}

/// Returns a pin that holds two bodies together at a place in the world.
#[must_use]
pub fn pin(world: &World, a: BodyId, b: BodyId, at: impl Into<WorldPoint>) -> RevoluteJointDef {
    let at = at.into();
    let mut def = RevoluteJointDef::new(a, b);
    def.base.frame_a = frame_on(world, a, at);
    def.base.frame_b = frame_on(world, b, at);
    def
}

/// Writes words into the picture and does nothing else.
#[derive(Clone, Debug, Default)]
pub struct Labels(Vec<Mark>);

impl Labels {
    /// Adds a line of text with its middle at (`x`, `y`) \[m\].
    pub fn add(&mut self, x: f32, y: f32, text: impl Into<String>) {
        self.0.push(Mark::Text {
            at: WorldPoint::from((x, y)),
            text: text.into(),
        });
    }
}

impl Script for Labels {
    fn before_step(&mut self, _world: &mut World, _step: u64) {}

    fn marks(&self, _world: &World) -> Vec<Mark> {
        self.0.clone()
    }
}
