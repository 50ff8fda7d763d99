//! Queries of a world: rays, points and boxes.

use crate::kit::{
    bin, circle, drop_in, hull, lying_capsule, rectangle, thing, tinted, usual_world,
};
use crate::mark::{Mark, Tone};
use crate::random::Random;
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    Aabb, BodyDef, Ellipse, Point, QueryFilter, ShapeDef, World, WorldPoint, point, vec2,
};

const CATEGORY: Category = Category::Queries;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "ray_fan",
        "A fan of rays",
        Frame::new(-10.0, -6.0, 10.0, 6.0),
        ray_fan,
    )
    .about("Rays from the middle end at the first shape; short lines are normals.")
    .steps(90),
    Scene::new(
        CATEGORY,
        "ray_rain",
        "Light from above",
        Frame::new(-10.0, -1.0, 10.0, 9.5),
        ray_rain,
    )
    .about("Parallel rays on a heap show its skyline.")
    .steps(240),
    Scene::new(
        CATEGORY,
        "point_and_box",
        "Points and boxes",
        Frame::new(-10.0, -6.0, 10.0, 6.0),
        point_and_box,
    )
    .about("Shapes that contain a grid point, and those near a moving box.")
    .steps(120),
];

/// Fills the room between `low` and `high` with unmoving shapes of all kinds.
fn scatter(world: &mut World, seed: u64, low: Point, high: Point, count: u64) {
    let mut random = Random::new(seed);
    for i in 0..count {
        let (x, y) = (random.range(low.x, high.x), random.range(low.y, high.y));
        if vec2(x, y).norm() < 1.5 {
            continue;
        }
        let def = tinted(
            BodyDef::static_()
                .position(x, y)
                .angle(random.range(-PI, PI)),
            i % 6,
        );
        let size = random.range(0.3, 0.6);
        match i % 5 {
            0 => drop_in(world, def, circle(size)),
            1 => drop_in(world, def, rectangle(size, 0.5 * size)),
            2 => drop_in(world, def, lying_capsule(size, 0.4 * size)),
            3 => drop_in(
                world,
                def,
                hull(&[(-size, -size), (size, -size), (0.0, size)]),
            ),
            _ => {
                let ellipse = Ellipse::new(Point::origin(), size, 0.5 * size, 0.0);
                drop_in(world, def, ellipse)
            }
        };
    }
}

/// Rays that turn about the origin.
#[derive(Clone, Debug)]
struct Fan {
    angle: f32,
}

/// Rays in a fan.
const RAYS: u32 = 60;

/// Length of a ray [m].
const REACH: f32 = 9.0;

/// Length of a drawn normal [m].
const NORMAL: f32 = 0.35;

/// Casts a ray and returns its marks.
fn cast(world: &World, from: WorldPoint, translation: cairn2d::prelude::Vec2) -> Vec<Mark> {
    let line = |from, to, tone| Mark::Line { from, to, tone };
    match world.ray_cast(from, translation, QueryFilter::default()) {
        None => vec![line(from, from + translation, Tone::Miss)],
        Some(hit) => vec![
            line(from, hit.point, Tone::Miss),
            line(hit.point, hit.point + hit.normal * NORMAL, Tone::Hit),
            Mark::Dot {
                at: hit.point,
                tone: Tone::Hit,
            },
        ],
    }
}

impl Script for Fan {
    fn before_step(&mut self, _world: &mut World, _step: u64) {
        self.angle += 0.2 * DT;
    }

    fn marks(&self, world: &World) -> Vec<Mark> {
        let ray = |i: u32| {
            let (sin, cos) = sin_cos(self.angle + 2.0 * PI * i as f32 / RAYS as f32);
            cast(world, WorldPoint::ORIGIN, vec2(REACH * cos, REACH * sin))
        };
        (0..RAYS).flat_map(ray).collect()
    }
}

fn ray_fan() -> Stage {
    let mut world = usual_world();
    scatter(&mut world, 4, point(-9.0, -5.0), point(9.0, 5.0), 46);
    Stage::new(world).with(Fan { angle: 0.0 })
}

/// Rays straight down.
#[derive(Clone, Debug)]
struct Rain;

impl Script for Rain {
    fn before_step(&mut self, _world: &mut World, _step: u64) {}

    fn marks(&self, world: &World) -> Vec<Mark> {
        let ray = |i: u32| {
            let from = WorldPoint::from((-9.75 + 0.5 * i as f32, 8.0));
            cast(world, from, vec2(0.0, -9.0))
        };
        (0..40).flat_map(ray).collect()
    }
}

fn ray_rain() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 8.5, 1.5);
    let mut random = Random::new(9);
    for i in 0..40_u64 {
        let (x, y) = (-4.0 + (i % 8) as f32 * 1.1, 1.0 + 1.1 * (i / 8) as f32);
        let def = tinted(thing(x, y).angle(random.range(-PI, PI)), i % 6);
        match i % 3 {
            0 => drop_in(&mut world, def, circle(0.45)),
            1 => drop_in(&mut world, def, rectangle(0.5, 0.35)),
            _ => drop_in(&mut world, def, lying_capsule(0.4, 0.25)),
        };
    }
    Stage::new(world).with(Rain)
}

/// A box that goes around, and a grid of points.
#[derive(Clone, Debug)]
struct Finder {
    center: Point,
}

/// Half sides of the box [m].
const HALF_BOX: (f32, f32) = (2.2, 1.5);

impl Script for Finder {
    fn before_step(&mut self, _world: &mut World, step: u64) {
        let (sin, cos) = sin_cos(0.5 * step as f32 * DT);
        self.center = point(5.0 * cos, 3.0 * sin);
    }

    fn marks(&self, world: &World) -> Vec<Mark> {
        let near = Aabb::from_center_half(self.center, vec2(HALF_BOX.0, HALF_BOX.1));
        let mut marks = box_lines(&near);
        for shape in world.shapes_near(&near, QueryFilter::default()) {
            let at = world.body(world.shape(shape).body()).center_exact();
            marks.push(Mark::Text {
                at,
                text: "near".to_owned(),
            });
        }
        for i in 0..19 * 11 {
            let at = WorldPoint::from(((i % 19) as f32 - 9.0, (i / 19) as f32 - 5.0));
            let inside = !world.shapes_at(at, QueryFilter::default()).is_empty();
            let tone = if inside { Tone::Hit } else { Tone::Miss };
            marks.push(Mark::Dot { at, tone });
        }
        marks
    }
}

fn box_lines(area: &Aabb) -> Vec<Mark> {
    let corners = [
        area.min,
        point(area.max.x, area.min.y),
        area.max,
        point(area.min.x, area.max.y),
    ];
    let side = |i: usize| Mark::Line {
        from: corners[i].into(),
        to: corners[(i + 1) % 4].into(),
        tone: Tone::Note,
    };
    (0..4).map(side).collect()
}

fn point_and_box() -> Stage {
    let mut world = usual_world();
    scatter(&mut world, 17, point(-9.0, -5.0), point(9.0, 5.0), 40);
    let ball = world.create_body(BodyDef::static_());
    world.create_shape(ball, circle(1.2), ShapeDef::default());
    Stage::new(world).with(Finder {
        center: Point::origin(),
    })
}
