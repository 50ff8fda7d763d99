//! Shared by these tests: short definitions of scenes, steps that check every invariant, and a hero who walks.

use cairn2d::prelude::*;

/// The usual step [s].
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Standard gravity of the tests, downward [m/s^2].
pub(crate) const G: f32 = 10.0;

/// Overlap at which things may come to rest [m].
pub(crate) const SLOP: f32 = cairn2d::geometry::tolerance::LINEAR_SLOP;

/// Returns an empty world with gravity (0, -10).
pub(crate) fn world() -> World {
    World::new(WorldDef::default())
}

/// Returns an empty world without gravity.
pub(crate) fn weightless() -> World {
    World::new(WorldDef::weightless())
}

/// Steps by the usual step and checks every invariant after each.
pub(crate) fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        step(world);
    }
}

/// One usual step, checked.
pub(crate) fn step(world: &mut World) {
    world.step(DT);
    world.assert_consistent();
}

pub(crate) fn rect(half_width: f32, half_height: f32) -> Polygon {
    Polygon::rectangle(half_width, half_height)
}

pub(crate) fn disc(radius: f32) -> Circle {
    Circle::new(point(0.0, 0.0), radius)
}

pub(crate) fn capsule(half_length: f32, radius: f32) -> Capsule {
    Capsule::new(point(-half_length, 0.0), point(half_length, 0.0), radius)
}

pub(crate) fn hull(points: &[(f32, f32)]) -> Polygon {
    let points: Vec<_> = points.iter().map(|&(x, y)| point(x, y)).collect();
    Polygon::hull(&points)
}

/// Adds all segments of a chain to a body.
pub(crate) fn add_chain(world: &mut World, body: BodyId, points: &[(f32, f32)], kind: ChainKind) {
    let points: Vec<_> = points.iter().map(|&(x, y)| point(x, y)).collect();
    for link in Chain::new(&points, kind).segments() {
        world.create_shape(body, *link, ShapeDef::default());
    }
}

/// Adds a body with one shape.
pub(crate) fn add(
    world: &mut World,
    body: BodyDef,
    shape: impl Into<Shape>,
    def: ShapeDef,
) -> BodyId {
    let id = world.create_body(body);
    world.create_shape(id, shape, def);
    id
}

/// Adds a body with one default shape.
pub(crate) fn solid(world: &mut World, body: BodyDef, shape: impl Into<Shape>) -> BodyId {
    add(world, body, shape, ShapeDef::default())
}

/// Adds a dynamic box at (`x`, `y`).
pub(crate) fn crate_at(world: &mut World, x: f32, y: f32, half: f32) -> BodyId {
    solid(world, BodyDef::dynamic().position(x, y), rect(half, half))
}

/// Adds the ground: a static box whose top is at y = 0, 100 m wide.
pub(crate) fn ground(world: &mut World) -> BodyId {
    solid(
        world,
        BodyDef::static_().position(0.0, -1.0),
        rect(50.0, 1.0),
    )
}

/// Returns the first shape of a body.
pub(crate) fn shape_of(world: &World, body: BodyId) -> ShapeId {
    world.body(body).shapes().next().unwrap().id()
}

pub(crate) fn x(world: &World, body: BodyId) -> f32 {
    world.body(body).position().x
}

pub(crate) fn y(world: &World, body: BodyId) -> f32 {
    world.body(body).position().y
}

/// Returns a shape definition with the given surface.
pub(crate) fn surface(material: Material) -> ShapeDef {
    ShapeDef {
        material,
        ..ShapeDef::default()
    }
}

/// Returns the sine of `angle` [rad].
pub(crate) fn sine(angle: f32) -> f32 {
    math::sin_cos(angle).0
}

/// Returns the cosine of `angle` [rad].
pub(crate) fn cosine(angle: f32) -> f32 {
    math::sin_cos(angle).1
}

pub(crate) fn close(value: f32, expected: f32, tolerance: f32) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not within {tolerance} of {expected}"
    );
}

/// Returns the same numbers on each run: a linear congruential generator (Knuth's MMIX constants).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number in [`low`, `high`).
    pub(crate) fn range(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let share = (self.0 >> 40) as f32 / (1_u32 << 24) as f32;
        low + share * (high - low)
    }

    /// Returns a vector with both components in [`-size`, `size`).
    pub(crate) fn vector(&mut self, size: f32) -> Vec2 {
        vec2(self.range(-size, size), self.range(-size, size))
    }
}

/// Adds 120 fixed discs, boxes and capsules up to `size` from the origin along each axis.
pub(crate) fn scatter(world: &mut World, random: &mut Random, size: f32) {
    for i in 0..120 {
        let place = random.vector(size);
        let def = BodyDef::static_()
            .position(place.x, place.y)
            .angle(random.range(-3.0, 3.0));
        match i % 3 {
            0 => solid(world, def, disc(random.range(0.1, 0.6))),
            1 => solid(world, def, rect(random.range(0.1, 1.0), 0.3)),
            _ => solid(world, def, capsule(0.5, 0.2)),
        };
    }
}

/// Half the height of the middle line of the hero, and its radius [m].
pub(crate) const TRUNK: (f32, f32) = (0.4, 0.3);

/// Height of the hero's middle above flat ground that it stands on [m].
pub(crate) const STANDS: f32 = TRUNK.0 + TRUNK.1 + 0.01;

pub(crate) fn hero(world: &mut World, x: f32, y: f32) -> BodyId {
    let trunk = Capsule::new(point(0.0, -TRUNK.0), point(0.0, TRUNK.0), TRUNK.1);
    solid(world, BodyDef::kinematic().position(x, y), trunk)
}

/// Walks and steps once.
pub(crate) fn go(
    world: &mut World,
    controller: &CharacterController,
    hero: BodyId,
    wish: Vec2,
) -> CharacterMove {
    let walk = controller.move_body(world, hero, wish, DT);
    step(world);
    walk
}
