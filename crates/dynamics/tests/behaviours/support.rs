//! Common parts of the behavior tests: short definitions of scenes, and steps that check every invariant.

use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, Filter, Material, ShapeDef, ShapeId};
use cairn2d_dynamics::{JointDef, Limit, Motor};
use cairn2d_dynamics::{World, WorldDef};
use cairn2d_geometry::math::{Vec2, point, sin_cos, vec2};
use cairn2d_geometry::{Capsule, Chain, ChainKind, Circle, Polygon, Segment, Shape};

/// The usual step [s].
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Standard gravity of the tests, downward [m/s^2].
pub(crate) const G: f32 = 10.0;

/// Overlap at which things may come to rest [m].
pub(crate) const SLOP: f32 = cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Returns an empty world with gravity (0, -10).
pub(crate) fn world() -> World {
    World::new(WorldDef::default())
}

/// A world whose ids are foreign in those of the other helpers.
pub(crate) fn another_world() -> World {
    World::new(WorldDef {
        id_mark: 1,
        ..WorldDef::default()
    })
}

/// Returns an empty world without gravity.
pub(crate) fn weightless() -> World {
    World::new(WorldDef::weightless())
}

/// Returns an empty world in which nothing falls asleep.
pub(crate) fn sleepless() -> World {
    World::new(WorldDef {
        sleeping: false,
        ..WorldDef::default()
    })
}

/// Budget with which the converging solvers may do what loaded structures need.
pub(crate) const LARGE_BUDGET: u32 = 20_000;

/// Returns an empty world in which nothing falls asleep, for loaded structures: see [`LARGE_BUDGET`].
pub(crate) fn exact() -> World {
    World::new(WorldDef {
        sleeping: false,
        solver_budget: LARGE_BUDGET,
        ..WorldDef::default()
    })
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

/// Steps without checks, for scenes so large that the checks would take longest.
pub(crate) fn run_unchecked(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT);
    }
    world.assert_consistent();
}

/// Steps until no dynamic body is awake; returns the number of steps, or `None` after `limit`.
pub(crate) fn run_until_asleep(world: &mut World, limit: usize) -> Option<usize> {
    (1..=limit).find(|_| {
        world.step(DT);
        awake_dynamic(world) == 0
    })
}

/// Number of dynamic bodies that are awake.
pub(crate) fn awake_dynamic(world: &World) -> usize {
    let dynamic = |body: &cairn2d_dynamics::BodyRef<'_>| body.kind() == BodyKind::Dynamic;
    world
        .bodies()
        .filter(dynamic)
        .filter(|body| body.is_awake())
        .count()
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

pub(crate) fn segment(a: (f32, f32), b: (f32, f32)) -> Segment {
    Segment::new(point(a.0, a.1), point(b.0, b.1))
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

/// Adds a dynamic disc at (`x`, `y`).
pub(crate) fn ball_at(world: &mut World, x: f32, y: f32, radius: f32) -> BodyId {
    solid(world, BodyDef::dynamic().position(x, y), disc(radius))
}

/// Adds the ground: a static box whose top is at y = 0, 100 m wide.
pub(crate) fn ground(world: &mut World) -> BodyId {
    solid(
        world,
        BodyDef::static_().position(0.0, -1.0),
        rect(50.0, 1.0),
    )
}

/// Adds the ground with the given surface.
pub(crate) fn ground_of(world: &mut World, def: ShapeDef) -> BodyId {
    add(
        world,
        BodyDef::static_().position(0.0, -1.0),
        rect(50.0, 1.0),
        def,
    )
}

/// Adds a column of `count` unit boxes that stand on y = 0; the lowest comes first.
pub(crate) fn column(world: &mut World, x: f32, count: usize) -> Vec<BodyId> {
    (0..count)
        .map(|i| crate_at(world, x, 0.5 + i as f32, 0.5))
        .collect()
}

/// Adds a row of `count` unit boxes that touch, on y = 0; the leftmost comes first.
pub(crate) fn row(world: &mut World, x: f32, count: usize) -> Vec<BodyId> {
    (0..count)
        .map(|i| crate_at(world, x + i as f32, 0.5, 0.5))
        .collect()
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

pub(crate) fn speed(world: &World, body: BodyId) -> f32 {
    world.body(body).velocity().norm()
}

pub(crate) fn is_awake(world: &World, body: BodyId) -> bool {
    world.body(body).is_awake()
}

/// Says whether the two bodies touch.
pub(crate) fn touch(world: &World, a: BodyId, b: BodyId) -> bool {
    world
        .body(a)
        .contacts()
        .any(|contact| contact.bodies().contains(&b))
}

/// Returns a shape definition without friction.
pub(crate) fn slippery() -> ShapeDef {
    ShapeDef::default().friction(0.0)
}

/// Returns a shape definition with the given filter bits.
pub(crate) fn filtered(category: u64, mask: u64) -> ShapeDef {
    ShapeDef {
        filter: Filter {
            category,
            mask,
            group: 0,
        },
        ..ShapeDef::default()
    }
}

/// Returns a shape definition with the given surface.
pub(crate) fn surface(material: Material) -> ShapeDef {
    ShapeDef {
        material,
        ..ShapeDef::default()
    }
}

/// Sum of mass times velocity over all bodies [kg m/s], in `f64`.
pub(crate) fn momentum(world: &World) -> [f64; 2] {
    world.bodies().fold([0.0, 0.0], |[px, py], body| {
        let (m, v) = (f64::from(body.mass()), body.velocity());
        [px + m * f64::from(v.x), py + m * f64::from(v.y)]
    })
}

/// Sum of angular momenta about the origin [kg m^2/s], in `f64`.
pub(crate) fn angular_momentum(world: &World) -> f64 {
    world
        .bodies()
        .map(|body| {
            let (m, v, c) = (f64::from(body.mass()), body.velocity(), body.center_exact());
            let orbit = m * (c.x * f64::from(v.y) - c.y * f64::from(v.x));
            orbit + f64::from(body.inertia()) * f64::from(body.angular_velocity())
        })
        .sum()
}

/// Kinetic energy, and potential energy in the world's gravity [J], in `f64`.
pub(crate) fn energy(world: &World) -> f64 {
    let g = world.gravity();
    world
        .bodies()
        .map(|body| {
            let (m, v, c) = (f64::from(body.mass()), body.velocity(), body.center_exact());
            let w = f64::from(body.angular_velocity());
            let fall = f64::from(g.x) * c.x + f64::from(g.y) * c.y;
            0.5 * m * f64::from(v.norm_squared()) + 0.5 * f64::from(body.inertia()) * w * w
                - m * fall
        })
        .sum()
}

/// Returns the sine of `angle` [rad].
pub(crate) fn sine(angle: f32) -> f32 {
    sin_cos(angle).0
}

/// Returns the cosine of `angle` [rad].
pub(crate) fn cosine(angle: f32) -> f32 {
    sin_cos(angle).1
}

/// Asserts that `value` is within `tolerance` of `expected`.
#[track_caller]
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

/// Distance by which a crate on an arm of this length sinks in ten seconds. A joint, made for the two bodies, holds it to a static
/// body. With another crate on it, it is iterated.
pub(crate) fn sag_of_arm<J: Into<JointDef>>(
    length: f32,
    is_loaded: bool,
    joint: impl FnOnce(&World, BodyId, BodyId) -> J,
) -> f32 {
    let mut world = sleepless();
    let base = world.create_body(BodyDef::static_());
    let arm = crate_at(&mut world, length, 0.0, 0.5);
    if is_loaded {
        crate_at(&mut world, length, 0.7, 0.2);
    }
    let def = joint(&world, base, arm);
    world.create_joint(def);
    let mut sag = 0.0_f32;
    for _ in 0..600 {
        step(&mut world);
        sag = sag.max(-y(&world, arm));
    }
    sag
}

/// Holds a joint at 0 by a limit or else a motor.
pub(crate) fn held_at_zero(by_limit: bool) -> (Option<Limit>, Option<Motor>) {
    if by_limit {
        (Some(Limit::new(0.0, 1.0)), None)
    } else {
        (None, Some(Motor::new(0.0, 1.0e6)))
    }
}

/// Widest gap of a joint between its anchors [m].
pub(crate) fn widest_gap(world: &World) -> f32 {
    let gap = |joint: cairn2d_dynamics::JointRef<'_>| {
        let [a, b] = joint.anchors();
        (b - a).norm()
    };
    world.joints().map(gap).fold(0.0, f32::max)
}
