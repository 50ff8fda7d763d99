//! Queries of a game in each step: bodies that fell through, feet on the ground, moved bodies.

use crate::kit::{
    chain, circle, drop_in, floor, line, lying_capsule, place, rectangle, rectangle_at, thing,
    tinted, usual_world,
};
use crate::mark::{Mark, Tone};
use crate::random::Random;
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::PI;
use cairn2d::prelude::{
    BodyDef, BodyId, Capsule, ChainKind, Locks, ShapeDef, ShapeId, World, WorldPoint, point, vec2,
};

const CATEGORY: Category = Category::Events;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "sensor_funnel",
        "A funnel with a sensor",
        Frame::new(-9.0, -2.5, 9.0, 13.0),
        sensor_funnel,
    )
    .about("A sensor below a funnel detects bodies, which are put back on top.")
    .steps(420)
    // Bodies that fall at 12 m/s are wedged between the bodies in the throat.
    .overlap(20.0),
    Scene::new(
        CATEGORY,
        "foot_sensor",
        "A sensor at the feet",
        Frame::new(-10.0, -1.0, 10.0, 7.5),
        foot_sensor,
    )
    .about("A runner jumps whenever its foot sensor overlaps the ground; its path is red there.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "who_moved",
        "Moved bodies",
        Frame::new(-10.0, -1.0, 10.0, 9.0),
        who_moved,
    )
    .about("Bodies that moved in a step leave a dot; sleeping bodies are not reported.")
    .steps(330)
    .overlap(8.0),
];

/// A sensor that puts bodies that fall through it back to the top.
#[derive(Clone, Debug)]
struct Funnel {
    sensor: ShapeId,
    count: u32,
}

impl Script for Funnel {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        let fallen: Vec<BodyId> = world
            .sensor_begins()
            .iter()
            .filter(|event| event.sensor == self.sensor)
            .map(|event| event.visitor_body)
            .collect();
        for body in fallen {
            let x = -4.0 + 2.0 * (self.count % 5) as f32;
            let mut body = world.body_mut(body);
            body.set_pose((x, 10.5), 0.0);
            body.set_velocity(vec2(0.0, -2.0));
            self.count += 1;
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        vec![Mark::Text {
            at: WorldPoint::from((5.0, -1.5)),
            text: format!("{} fell through", self.count),
        }]
    }
}

fn sensor_funnel() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    // A line is solid to its right: down the left wall and up the right one, seen from inside, is to the left.
    let wall = [(-7.0, 12.0), (-7.0, 7.0), (-1.6, 1.6), (-1.6, 0.0)];
    for side in [1.0, -1.0] {
        let mut points: Vec<_> = wall.iter().map(|&(x, y)| point(side * x, y)).collect();
        if side > 0.0 {
            points.reverse();
        }
        chain(
            &mut world,
            ground,
            &points,
            ChainKind::Open,
            ShapeDef::default(),
        );
    }
    let notice = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    let gate = rectangle_at(3.0, 0.4, 0.0, -1.5, 0.0);
    let sensor = world.create_shape(ground, gate, notice);
    let mut random = Random::new(3);
    for i in 0..40_u64 {
        let (x, y) = (-4.8 + 1.2 * (i % 9) as f32, 6.0 + 1.1 * (i / 9) as f32);
        let def = tinted(thing(x, y).angle(random.range(-PI, PI)), i % 6);
        match i % 3 {
            0 => drop_in(&mut world, def, circle(0.32)),
            1 => drop_in(&mut world, def, rectangle(0.3, 0.22)),
            _ => drop_in(&mut world, def, lying_capsule(0.22, 0.18)),
        };
    }
    Stage::new(world).with(Funnel { sensor, count: 0 })
}

/// Speed of the runner [m/s].
const RUN: f32 = 4.0;

/// Speed at which it leaves the ground [m/s].
const JUMP: f32 = 6.5;

/// Steps between two jumps at least.
const PAUSE: u64 = 24;

/// A body that may stand only where its feet's sensor notices something.
#[derive(Clone, Debug)]
struct Runner {
    body: BodyId,
    feet: ShapeId,
    /// Shapes that the feet overlap.
    under: u32,
    direction: f32,
    last_jump: u64,
    way: Vec<(WorldPoint, Tone)>,
}

impl Script for Runner {
    fn before_step(&mut self, world: &mut World, step: u64) {
        let begins = world.sensor_begins().iter();
        self.under += begins.filter(|event| event.sensor == self.feet).count() as u32;
        let ends = world.sensor_ends().iter();
        self.under -= ends.filter(|event| event.sensor == self.feet).count() as u32;
        let at = world.body(self.body).position_exact();
        if at.x.abs() > 8.5 {
            self.direction = if at.x > 0.0 { -1.0 } else { 1.0 };
        }
        let stands = self.under > 0;
        let tone = if stands { Tone::Hit } else { Tone::Miss };
        self.way.push((at + vec2(0.0, -0.9), tone));
        let mut velocity = world.body(self.body).velocity();
        velocity.x = RUN * self.direction;
        if stands && step >= self.last_jump + PAUSE {
            velocity.y = JUMP;
            self.last_jump = step;
        }
        world.body_mut(self.body).set_velocity(velocity);
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let dot = |&(at, tone): &(WorldPoint, Tone)| Mark::Dot { at, tone };
        self.way.iter().step_by(2).map(dot).collect()
    }
}

fn foot_sensor() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    for (x, y, half) in [(-5.0, 1.2, 1.4), (0.5, 2.4, 1.2), (5.5, 1.4, 1.3)] {
        let ledge = rectangle_at(half, 0.15, x, y, 0.0);
        world.create_shape(ground, ledge, ShapeDef::default());
    }
    for side in [-1.0, 1.0] {
        let wall = rectangle_at(0.2, 1.5, 9.8 * side, 1.5, 0.0);
        world.create_shape(ground, wall, ShapeDef::default());
    }
    let body = world.create_body(BodyDef {
        locks: Locks {
            rotation: true,
            ..Locks::default()
        },
        ..thing(-8.0, 1.0)
    });
    let trunk = Capsule::new(point(0.0, -0.5), point(0.0, 0.5), 0.35);
    let smooth = ShapeDef::default().friction(0.0);
    world.create_shape(body, trunk, smooth);
    let notice = ShapeDef {
        sensor: true,
        density: 0.0,
        ..ShapeDef::default()
    };
    let feet = world.create_shape(body, rectangle_at(0.25, 0.1, 0.0, -0.9, 0.0), notice);
    Stage::new(world).with(Runner {
        body,
        feet,
        under: 0,
        direction: 1.0,
        last_jump: 0,
        way: Vec::new(),
    })
}

/// Steps between two dots of a way.
const STRIDE: u64 = 4;

/// Dots where something moved.
#[derive(Clone, Debug, Default)]
struct Ways {
    dots: Vec<WorldPoint>,
    moved: usize,
}

impl Script for Ways {
    fn before_step(&mut self, world: &mut World, step: u64) {
        let moved = world.moved_bodies();
        let places: Vec<WorldPoint> = moved.map(|body| body.center_exact()).collect();
        self.moved = places.len();
        if step.is_multiple_of(STRIDE) {
            self.dots.extend(places);
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let dot = |&at: &WorldPoint| Mark::Dot {
            at,
            tone: Tone::Miss,
        };
        let words = Mark::Text {
            at: WorldPoint::from((6.5, 8.0)),
            text: format!("{} moved in this step", self.moved),
        };
        self.dots.iter().map(dot).chain([words]).collect()
    }
}

fn who_moved() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    for (a, b) in [((-9.0, 7.0), (-3.0, 5.6)), ((7.0, 5.0), (-2.5, 3.4))] {
        line(&mut world, ground, a, b, ShapeDef::default());
    }
    for side in [-1.0, 1.0] {
        let wall = rectangle_at(0.2, 1.0, 9.8 * side, 1.0, 0.0);
        world.create_shape(ground, wall, ShapeDef::default());
    }
    for i in 0..5_u64 {
        let ball = tinted(thing(-8.5 + 0.8 * i as f32, 7.6), i);
        drop_in(&mut world, ball, circle(0.25 + 0.03 * i as f32));
    }
    for i in 0..6_u64 {
        let rough = ShapeDef::default().friction(0.9);
        let still = tinted(thing(-6.0 + 1.4 * i as f32, 0.4), 5);
        place(&mut world, still, rectangle(0.4, 0.4), rough);
    }
    Stage::new(world).with(Ways::default())
}
