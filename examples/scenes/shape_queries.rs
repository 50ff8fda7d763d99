//! Queries with shapes: overlaps, casts, nearest surfaces.

use crate::kit::{
    circle, drop_in, hull, lying_capsule, rectangle, standing_capsule, thing, tinted, usual_world,
};
use crate::mark::{Mark, Tone};
use crate::random::Random;
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, Ellipse, Point, QueryFilter, Shape, Vec2, World, WorldDef, WorldPoint, vec2,
};

const CATEGORY: Category = Category::Queries;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "overlap_shapes",
        "Overlap queries",
        Frame::new(-10.0, -6.0, 10.0, 6.0),
        overlap_shapes,
    )
    .about("Three shapes move around; the shapes that they overlap turn red.")
    .steps(150),
    Scene::new(
        CATEGORY,
        "shape_casts",
        "Shape casts",
        Frame::new(-10.0, -6.0, 10.0, 6.0),
        shape_casts,
    )
    .about("Circles, boxes and capsules cast from the middle stop at the first touch.")
    .steps(60),
    Scene::new(
        CATEGORY,
        "nearest_surface",
        "The nearest surface",
        Frame::new(-10.0, -6.0, 10.0, 6.0),
        nearest_surface,
    )
    .about("Lines lead from the points of a grid to the nearest surface within 1.2 m.")
    .steps(60),
];

/// Distance of two things in a field [m].
const PITCH: f32 = 1.8;

/// Fills the frame with things of all kinds, weightless and apart from each other, except for a disk about the origin.
fn field(world: &mut World, seed: u64, clearing: f32) -> Vec<BodyId> {
    let mut random = Random::new(seed);
    let mut bodies = Vec::new();
    for i in 0..11 * 6_u64 {
        let (column, row) = ((i % 11) as f32, (i / 11) as f32);
        let x = (column - 5.0) * PITCH + random.range(-0.3, 0.3);
        let y = (row - 2.5) * PITCH + random.range(-0.3, 0.3);
        if vec2(x, y).norm() < clearing {
            continue;
        }
        let def = thing(x, y).angle(random.range(-PI, PI));
        let size = random.range(0.3, 0.5);
        let shape: Shape = match i % 5 {
            0 => circle(size).into(),
            1 => rectangle(size, 0.6 * size).into(),
            2 => lying_capsule(0.7 * size, 0.4 * size).into(),
            3 => hull(&[(-size, -size), (size, -size), (0.0, size)]).into(),
            _ => Ellipse::new(Point::origin(), size, 0.5 * size, 0.0).into(),
        };
        bodies.push(drop_in(world, def, shape));
    }
    bodies
}

/// Tints of shapes with and without an overlap.
const TINTS: (u64, u64) = (3, 0);

/// Shapes that go around the middle.
#[derive(Clone, Debug)]
struct Searchers {
    bodies: Vec<BodyId>,
    turn: f32,
}

impl Searchers {
    /// Returns the shapes with their places and angles.
    fn probes(&self) -> [(Shape, WorldPoint, f32); 3] {
        let place = |phase: f32, radii: (f32, f32)| {
            let (sin, cos) = sin_cos(self.turn + phase);
            WorldPoint::from((radii.0 * cos, radii.1 * sin))
        };
        [
            (circle(1.6).into(), place(0.0, (6.0, 3.2)), 0.0),
            (
                lying_capsule(1.8, 0.5).into(),
                place(2.1, (5.0, 3.0)),
                2.0 * self.turn,
            ),
            (
                rectangle(1.4, 1.0).into(),
                place(4.2, (6.5, 3.6)),
                -self.turn,
            ),
        ]
    }
}

impl Script for Searchers {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        self.turn += 0.5 * DT;
        for &body in &self.bodies {
            world.body_mut(body).set_user_data(TINTS.1);
        }
        for (shape, at, angle) in self.probes() {
            for found in world.overlap_shape(&shape, at, angle, QueryFilter::default()) {
                let body = world.shape(found).body();
                world.body_mut(body).set_user_data(TINTS.0);
            }
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let outline = |(shape, at, angle)| Mark::Outline {
            shape,
            at,
            angle,
            tone: Tone::Note,
        };
        self.probes().into_iter().map(outline).collect()
    }
}

fn overlap_shapes() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    let bodies = field(&mut world, 31, 0.0);
    Stage::new(world).with(Searchers { bodies, turn: 0.0 })
}

/// Shapes that are sent out.
const CASTS: u32 = 18;

/// Length of the casts [m].
const REACH: f32 = 8.0;

/// Distance from the middle at which they start [m].
const START: f32 = 1.0;

/// Shapes cast in all directions from the middle.
#[derive(Clone, Debug)]
struct Casts {
    turn: f32,
}

/// Returns the marks of one cast.
fn cast(world: &World, shape: &Shape, from: WorldPoint, angle: f32, way: Vec2) -> Vec<Mark> {
    let hit = world.shape_cast(shape, from, angle, way, QueryFilter::default());
    let fraction = hit.map_or(1.0, |hit| hit.fraction);
    let end = from + way * fraction;
    let outline = |at, tone| Mark::Outline {
        shape: shape.clone(),
        at,
        angle,
        tone,
    };
    let found = if hit.is_some() { Tone::Hit } else { Tone::Miss };
    let mut marks = vec![
        Mark::Line {
            from,
            to: end,
            tone: Tone::Miss,
        },
        outline(end, found),
    ];
    marks.extend(hit.map(|hit| Mark::Dot {
        at: hit.point,
        tone: Tone::Hit,
    }));
    marks
}

impl Script for Casts {
    fn before_step(&mut self, _world: &mut World, _step: u64) {
        self.turn += 0.15 * DT;
    }

    fn marks(&self, world: &World) -> Vec<Mark> {
        let shapes: [Shape; 3] = [
            circle(0.22).into(),
            rectangle(0.25, 0.18).into(),
            standing_capsule(0.2, 0.12).into(),
        ];
        let one = |i: u32| {
            let angle = self.turn + 2.0 * PI * i as f32 / CASTS as f32;
            let (sin, cos) = sin_cos(angle);
            let from = WorldPoint::from((START * cos, START * sin));
            let shape = &shapes[i as usize % shapes.len()];
            cast(world, shape, from, angle, vec2(REACH * cos, REACH * sin))
        };
        (0..CASTS).flat_map(one).collect()
    }
}

fn shape_casts() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    field(&mut world, 8, 2.4);
    Stage::new(world).with(Casts { turn: 0.0 })
}

/// Greatest distance of the queries [m].
const NEAR: f32 = 1.2;

/// Lines from points to the nearest surface.
#[derive(Clone, Debug)]
struct Field;

impl Script for Field {
    fn before_step(&mut self, _world: &mut World, _step: u64) {}

    fn marks(&self, world: &World) -> Vec<Mark> {
        let mut marks = Vec::new();
        for i in 0..49 * 29 {
            let at = (0.4 * (i % 49) as f32 - 9.6, 0.4 * (i / 49) as f32 - 5.6);
            let from = WorldPoint::from(at);
            let found = world.closest_shape(from, NEAR, QueryFilter::default());
            if let Some(found) = found.filter(|found| found.distance > 0.0) {
                marks.push(Mark::Line {
                    from,
                    to: found.point,
                    tone: Tone::Miss,
                });
            }
        }
        marks
    }
}

fn nearest_surface() -> Stage {
    let mut world = usual_world();
    let mut random = Random::new(5);
    for i in 0..12_u64 {
        let (x, y) = ((i % 4) as f32 * 5.0 - 7.5, (i / 4) as f32 * 4.0 - 4.0);
        let (dx, dy) = (random.range(-0.8, 0.8), random.range(-0.6, 0.6));
        let def = BodyDef::static_()
            .position(x + dx, y + dy)
            .angle(random.range(-PI, PI));
        match i % 4 {
            0 => drop_in(&mut world, tinted(def, i), circle(0.9)),
            1 => drop_in(&mut world, tinted(def, i), rectangle(1.1, 0.6)),
            2 => drop_in(&mut world, tinted(def, i), lying_capsule(0.8, 0.4)),
            _ => drop_in(
                &mut world,
                tinted(def, i),
                hull(&[(-1.0, -0.8), (1.1, -0.6), (0.1, 1.0)]),
            ),
        };
    }
    Stage::new(world).with(Field)
}
