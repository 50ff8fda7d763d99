//! Worlds of games beside the ten published scenes, in groups: small and idle ones, springs and wheels, structures,
//! level loading; see `games` for the others.

use super::{
    BenchmarkScene, Cast, GRAVITY, bounds, drop_shape, end, games, nothing, play, queries,
    rectangle,
};
use crate::engine::{BodyHandle, DistanceSpring, Engine, Hinge, Wheel};
use cairn2d::prelude::*;

/// Scenes of one kind; ratios of engines are averaged within a group.
#[derive(Clone, Copy, Debug)]
pub struct SceneGroup {
    /// Name.
    pub name: &'static str,
    /// The scenes.
    pub scenes: &'static [BenchmarkScene],
}

/// The groups beside the published scenes.
#[must_use]
pub const fn groups() -> [SceneGroup; 8] {
    const fn group(name: &'static str, scenes: &'static [BenchmarkScene]) -> SceneGroup {
        SceneGroup { name, scenes }
    }
    [
        group("small", &SMALL),
        group("idle", &IDLE),
        group("joints", &JOINTS),
        group("structures", &STRUCTURES),
        group("games", &games::SCENES),
        group("loading", &LOADING),
        group("queries", &queries::SCENES),
        group("play", &play::SCENES),
    ]
}

/// Common part of the scenes.
pub(super) const SCENE: BenchmarkScene = BenchmarkScene {
    name: "empty",
    timed_steps: 2000,
    gravity: GRAVITY,
    sleeping: false,
    worlds: 1,
    is_stepped: true,
    end: end(0, 0, 0, 0),
    bounds: bounds(point(-1.0e4, -1.0e4), point(1.0e4, 1.0e4)),
    build: |_| Cast::default(),
    before_step: nothing,
};

/// Stacks of five boxes that stay awake.
const fn awake(
    name: &'static str,
    count: usize,
    build: fn(&mut dyn Engine) -> Cast,
) -> BenchmarkScene {
    BenchmarkScene {
        name,
        end: end(count + 1, count + 1, 0, 0),
        build,
        ..SCENE
    }
}

const SMALL: [BenchmarkScene; 5] = [
    SCENE,
    awake("awake_1", 1, |engine| boxes(engine, 1)),
    AWAKE_10,
    awake("awake_50", 50, |engine| boxes(engine, 50)),
    AWAKE_100,
];

/// Small worlds whose instructions are counted.
pub(super) const AWAKE_10: BenchmarkScene = awake("awake_10", 10, |engine| boxes(engine, 10));
pub(super) const AWAKE_100: BenchmarkScene = awake("awake_100", 100, |engine| boxes(engine, 100));

const IDLE: [BenchmarkScene; 5] = [
    BenchmarkScene {
        name: "asleep_1000",
        sleeping: true,
        end: end(1000, 1000, 0, 0),
        build: |engine| field(engine, 1000, &asleep()),
        ..SCENE
    },
    BenchmarkScene {
        name: "asleep_20000",
        sleeping: true,
        end: end(20_000, 20_000, 0, 0),
        build: |engine| field(engine, 20_000, &asleep()),
        ..SCENE
    },
    BenchmarkScene {
        name: "static_100000",
        sleeping: true,
        end: end(100_000, 100_000, 0, 0),
        build: |engine| field(engine, 100_000, &BodyDef::static_()),
        ..SCENE
    },
    BenchmarkScene {
        name: "asleep_and_ten",
        sleeping: true,
        end: end(20_011, 20_011, 0, 0),
        build: |engine| {
            let field = field(engine, 20_000, &asleep());
            add_ten(engine, field)
        },
        ..SCENE
    },
    BenchmarkScene {
        name: "static_and_ten",
        sleeping: true,
        end: end(100_011, 100_011, 0, 0),
        build: |engine| {
            let field = field(engine, 100_000, &BodyDef::static_());
            add_ten(engine, field)
        },
        ..SCENE
    },
];

/// Adds ten boxes on ground of their own beside a field.
fn add_ten(engine: &mut dyn Engine, mut cast: Cast) -> Cast {
    let shape = rectangle(0.5, 0.5);
    let ground = engine.create_body(&BodyDef::static_().position(-50.0, -1.0));
    engine.create_shape(ground, &rectangle(30.0, 1.0), &ShapeDef::default());
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic()
    };
    for i in 0..10 {
        let awake = engine.create_body(&def.clone().position(2.0 * i as f32 - 60.0, 0.5));
        engine.create_shape(awake, &shape, &ShapeDef::default());
        cast.groups[0].push(awake);
    }
    cast
}

const JOINTS: [BenchmarkScene; 2] = [
    BenchmarkScene {
        name: "springs",
        timed_steps: 300,
        end: end(992, 992, 0, 1921),
        build: springs,
        ..SCENE
    },
    BenchmarkScene {
        name: "cars",
        timed_steps: 300,
        end: end(601, 601, 0, 400),
        build: cars,
        ..SCENE
    },
];

/// Scenes that count among the games, too.
pub(super) const GROWING_TOWERS: BenchmarkScene = BenchmarkScene {
    name: "towers",
    timed_steps: 600,
    end: end(1801, 1801, 0, 0),
    build: |engine| {
        floor(engine);
        Cast::default()
    },
    before_step: grow_towers,
    ..SCENE
};

pub(super) const HANGING_NETS: BenchmarkScene = BenchmarkScene {
    name: "nets",
    timed_steps: 300,
    end: end(2900, 2900, 0, 5300),
    build: nets,
    ..SCENE
};

const STRUCTURES: [BenchmarkScene; 6] = [
    BenchmarkScene {
        name: "columns",
        timed_steps: 200,
        end: end(10_001, 10_001, 0, 0),
        build: columns,
        ..SCENE
    },
    GROWING_TOWERS,
    BenchmarkScene {
        name: "bridges",
        timed_steps: 300,
        end: end(1241, 1280, 0, 1240),
        build: bridges,
        ..SCENE
    },
    HANGING_NETS,
    BenchmarkScene {
        name: "bullets",
        timed_steps: 100,
        end: end(3601, 3601, 0, 0),
        build: bullets,
        ..SCENE
    },
    BenchmarkScene {
        name: "gas",
        timed_steps: 300,
        gravity: vec2(0.0, 0.0),
        end: end(2001, 2004, 0, 0),
        build: gas,
        ..SCENE
    },
];

/// Levels that are loaded: the timed step creates the bodies, or the timed call does, or the first step of a new level
/// is timed.
const LOADING: [BenchmarkScene; 7] = [
    BenchmarkScene {
        name: "load_dynamic",
        timed_steps: 1,
        sleeping: true,
        end: end(100_000, 100_000, 0, 0),
        before_step: |cast, engine, step| load(cast, engine, step, &BodyDef::dynamic()),
        ..SCENE
    },
    BenchmarkScene {
        name: "load_static",
        timed_steps: 1,
        sleeping: true,
        end: end(100_000, 100_000, 0, 0),
        before_step: |cast, engine, step| load(cast, engine, step, &BodyDef::static_()),
        ..SCENE
    },
    BenchmarkScene {
        name: "create_single",
        timed_steps: 1,
        sleeping: true,
        is_stepped: false,
        end: end(100_000, 100_000, 0, 0),
        before_step: |cast, engine, step| load(cast, engine, step, &BodyDef::dynamic()),
        ..SCENE
    },
    BenchmarkScene {
        name: "create_batch",
        timed_steps: 1,
        sleeping: true,
        is_stepped: false,
        end: end(100_000, 100_000, 0, 0),
        before_step: load_at_once,
        ..SCENE
    },
    BenchmarkScene {
        name: "shapes_20000",
        timed_steps: 1,
        sleeping: true,
        is_stepped: false,
        end: end(1, 20_000, 0, 0),
        before_step: |_, engine, step| add_shapes(engine, step, 20_000),
        ..SCENE
    },
    BenchmarkScene {
        name: "first_step_tiles",
        timed_steps: 0,
        sleeping: true,
        end: end(30_000, 30_000, 0, 0),
        build: |engine| tiles(engine, 0),
        ..SCENE
    },
    BenchmarkScene {
        name: "first_step_level",
        timed_steps: 0,
        sleeping: true,
        end: end(31_000, 31_000, 0, 0),
        build: |engine| tiles(engine, 1000),
        ..SCENE
    },
];

pub(super) fn floor(engine: &mut dyn Engine) -> BodyHandle {
    let floor = engine.create_body(&BodyDef::static_().position(0.0, -1.0));
    engine.create_shape(floor, &rectangle(2000.0, 1.0), &ShapeDef::default());
    floor
}

pub(super) fn circle(radius: f32) -> Shape {
    Circle::new(Point::origin(), radius).into()
}

fn boxes(engine: &mut dyn Engine, count: usize) -> Cast {
    floor(engine);
    let (shape, def) = (rectangle(0.5, 0.5), ShapeDef::default());
    let boxes = (0..count).map(|i| {
        let (column, row) = (i / 5, i % 5);
        drop_shape(engine, 2.0 * column as f32, 0.5 + row as f32, &shape, &def)
    });
    Cast::one(boxes.collect())
}

fn asleep() -> BodyDef {
    BodyDef::dynamic().initial_state(InitialState::Asleep)
}

/// Separate boxes in a square.
fn field(engine: &mut dyn Engine, count: usize, def: &BodyDef) -> Cast {
    let side = (count as f64).sqrt().ceil() as usize;
    let shape = rectangle(0.5, 0.5);
    let bodies = (0..count).map(|i| {
        let (x, y) = (2.0 * (i % side) as f32, 2.0 * (i / side) as f32);
        let body = engine.create_body(&def.clone().position(x, y));
        engine.create_shape(body, &shape, &ShapeDef::default());
        body
    });
    Cast::one(bodies.collect())
}

fn load(cast: &mut Cast, engine: &mut dyn Engine, step: u32, def: &BodyDef) {
    if step == 1 {
        *cast = field(engine, 100_000, def);
    }
}

fn load_at_once(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if step == 1 {
        let place = |i: usize| ((2 * (i % 317)) as f32, (2 * (i / 317)) as f32);
        let bodies = (0..100_000).map(|i| BodyDef::dynamic().position(place(i).0, place(i).1));
        let bodies: Vec<_> = bodies.collect();
        let shape = rectangle(0.5, 0.5);
        *cast = Cast::one(engine.create_bodies(&bodies, &shape, &ShapeDef::default()));
    }
}

fn add_shapes(engine: &mut dyn Engine, step: u32, count: usize) {
    if step == 1 {
        let body = engine.create_body(&BodyDef::static_());
        for i in 0..count {
            let (x, y) = (2.0 * (i % 150) as f32, 2.0 * (i / 150) as f32);
            let shape = super::rectangle_at(0.5, 0.5, x, y);
            engine.create_shape(body, &shape, &ShapeDef::default());
        }
    }
}

/// Tiles of a level, 300 columns and 100 rows; boxes above it fall.
pub(super) fn tiles(engine: &mut dyn Engine, movers: usize) -> Cast {
    let shape = rectangle(0.5, 0.5);
    for i in 0..30_000 {
        let place = BodyDef::static_().position((i % 300) as f32, -((i / 300) as f32));
        let tile = engine.create_body(&place);
        engine.create_shape(tile, &shape, &ShapeDef::default());
    }
    let half = rectangle(0.4, 0.4);
    let boxes = (0..movers).map(|i| {
        let (x, y) = ((i % 300) as f32, 0.9 + (i / 300) as f32);
        drop_shape(engine, x, y, &half, &ShapeDef::default())
    });
    Cast::one(boxes.collect())
}

/// A net of 32 x 31 circles that hang on springs.
fn springs(engine: &mut dyn Engine) -> Cast {
    const WIDTH: usize = 32;
    const HEIGHT: usize = 31;
    let shape = circle(0.2);
    let mut knots: Vec<BodyHandle> = Vec::new();
    for i in 0..WIDTH * HEIGHT {
        let (column, row) = (i % WIDTH, i / WIDTH);
        let def = match row {
            0 if column.is_multiple_of(8) => BodyDef::static_(),
            _ => BodyDef::dynamic(),
        };
        let knot = engine.create_body(&def.position(column as f32, -(row as f32)));
        engine.create_shape(knot, &shape, &ShapeDef::default());
        let left = (column > 0).then(|| knots[i - 1]);
        let above = (row > 0).then(|| knots[i - WIDTH]);
        for other in left.into_iter().chain(above) {
            engine.create_spring(&DistanceSpring {
                body_a: other,
                body_b: knot,
                length: 1.0,
                spring: Spring::new(5.0, 0.5),
            });
        }
        knots.push(knot);
    }
    Cast::one(knots)
}

/// 200 cars of two sprung, driven wheels.
fn cars(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let (chassis, wheel) = (rectangle(1.5, 0.25), circle(0.4));
    let def = ShapeDef::default();
    let mut bodies = Vec::new();
    for i in 0..200 {
        let x = 6.0 * i as f32 - 600.0;
        let car = drop_shape(engine, x, 1.0, &chassis, &def);
        bodies.push(car);
        for side in [-1.0, 1.0] {
            let wheel = drop_shape(engine, x + side, 0.4, &wheel, &def);
            bodies.push(wheel);
            engine.create_wheel(&Wheel {
                body_a: car,
                body_b: wheel,
                frame_a: JointFrame {
                    anchor: point(side, -0.6),
                    angle: 0.5 * math::PI,
                },
                spring: Spring::new(4.0, 0.7),
                limit: None,
                motor: Motor::new(-5.0, 20.0),
            });
        }
    }
    Cast::one(bodies)
}

/// 100 columns of 100 boxes.
fn columns(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let (shape, def) = (rectangle(0.5, 0.5), ShapeDef::default());
    let boxes = (0..10_000).map(|i| {
        let (column, row) = (i / 100, i % 100);
        let x = 3.0 * (column as f32 - 50.0);
        drop_shape(engine, x, 0.5 + row as f32, &shape, &def)
    });
    Cast::one(boxes.collect())
}

/// Puts a box on each of 60 towers every 20 steps.
fn grow_towers(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    if !step.is_multiple_of(20) || step >= 600 {
        return;
    }
    let (shape, def) = (rectangle(0.5, 0.5), ShapeDef::default());
    let y = 0.51 + (step / 20) as f32;
    let floor = (0..60).map(|tower| drop_shape(engine, 3.0 * tower as f32, y, &shape, &def));
    cast.groups.push(floor.collect());
}

/// 40 bridges of 30 planks, each under a heavy box.
fn bridges(engine: &mut dyn Engine) -> Cast {
    const PLANKS: usize = 30;
    let (plank, load) = (rectangle(0.5, 0.1), rectangle(1.0, 1.0));
    let posts = engine.create_body(&BodyDef::static_());
    let mut bodies = Vec::new();
    for bridge in 0..40 {
        let (left, y) = (0.0, 10.0 * bridge as f32);
        let mut before = (posts, JointFrame::at(left, y));
        for i in 0..PLANKS {
            let x = left + 0.5 + i as f32;
            let next = drop_shape(engine, x, y, &plank, &ShapeDef::default());
            engine.create_hinge(&Hinge::new(before, (next, JointFrame::at(-0.5, 0.0))));
            before = (next, JointFrame::at(0.5, 0.0));
            bodies.push(next);
        }
        let end = (posts, JointFrame::at(left + PLANKS as f32, y));
        engine.create_hinge(&Hinge::new(before, end));
        let def = ShapeDef::default().density(5.0);
        bodies.push(drop_shape(engine, left + 15.0, y + 1.2, &load, &def));
        // Each bridge has a landing.
        let landing = Polygon::offset_rectangle(0.5, 0.1, point(left - 0.6, y), 0.0);
        engine.create_shape(posts, &landing.into(), &ShapeDef::default());
    }
    Cast::one(bodies)
}

/// 20 nets of 12 x 12 knots that hang from two corners, each with a heavy ball below.
fn nets(engine: &mut dyn Engine) -> Cast {
    const SIDE: usize = 12;
    let (knot, ball) = (circle(0.2), circle(1.0));
    let mut bodies = Vec::new();
    for net in 0..20 {
        let left = 20.0 * net as f32;
        let mut knots: Vec<BodyHandle> = Vec::new();
        for i in 0..SIDE * SIDE {
            let (column, row) = (i % SIDE, i / SIDE);
            let is_corner = row == 0 && (column == 0 || column == SIDE - 1);
            let def = if is_corner {
                BodyDef::static_()
            } else {
                BodyDef::dynamic()
            };
            let body = engine.create_body(&def.position(left + column as f32, -(row as f32)));
            engine.create_shape(body, &knot, &ShapeDef::default());
            if column > 0 {
                let frame = JointFrame::at(0.5, 0.0);
                let held = (body, JointFrame::at(-0.5, 0.0));
                engine.create_hinge(&Hinge::new((knots[i - 1], frame), held));
            }
            if row > 0 {
                let frame = JointFrame::at(0.0, -0.5);
                let held = (body, JointFrame::at(0.0, 0.5));
                engine.create_hinge(&Hinge::new((knots[i - SIDE], frame), held));
            }
            knots.push(body);
        }
        let def = ShapeDef::default().density(10.0);
        let x = left + 0.5 * (SIDE - 1) as f32;
        let heavy = drop_shape(engine, x, -(SIDE as f32) - 1.0, &ball, &def);
        let lowest = (knots[SIDE * SIDE - SIDE / 2], JointFrame::at(-0.5, 0.0));
        engine.create_hinge(&Hinge::new(lowest, (heavy, JointFrame::at(0.0, 2.0))));
        bodies.append(&mut knots);
        bodies.push(heavy);
    }
    Cast::one(bodies)
}

/// 2 000 bullets that fly into a field of pegs.
fn bullets(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let (peg, bullet) = (circle(0.3), circle(0.1));
    for i in 0..1600 {
        let (column, row) = (i % 40, i / 40);
        let x = 2.0 * column as f32 + (row % 2) as f32;
        let pegs = engine.create_body(&BodyDef::static_().position(x, 1.0 + 2.0 * row as f32));
        engine.create_shape(pegs, &peg, &ShapeDef::default());
    }
    let bullets = (0..2000).map(|i| {
        let (column, row) = (i % 50, i / 50);
        let (x, y) = (-2.0 - column as f32, 1.3 + 2.0 * row as f32);
        let def = BodyDef::dynamic().position(x, y).velocity(100.0, 0.0);
        let body = engine.create_body(&def.bullet());
        engine.create_shape(body, &bullet, &ShapeDef::default().restitution(0.5));
        body
    });
    Cast::one(bullets.collect())
}

/// 2 000 balls that bounce off each other and off four walls without loss.
fn gas(engine: &mut dyn Engine) -> Cast {
    let def = ShapeDef::default().restitution(1.0).friction(0.0);
    let walls = engine.create_body(&BodyDef::static_());
    for side in [-1.0, 1.0] {
        for (half, x, y) in [((51.0, 1.0), 0.0, 41.0), ((1.0, 41.0), 51.0, 0.0)] {
            let wall = super::rectangle_at(half.0, half.1, side * x, side * y);
            engine.create_shape(walls, &wall, &def);
        }
    }
    let balls = (0..2000).map(|i| {
        let (x, y) = (1.9 * (i % 50) as f32 - 46.5, 1.9 * (i / 50) as f32 - 37.0);
        let (s, c) = math::sin_cos(2.4 * i as f32);
        let place = BodyDef::dynamic().position(x, y);
        let ball = engine.create_body(&place.velocity(10.0 * c, 10.0 * s));
        engine.create_shape(ball, &circle(0.3), &def);
        ball
    });
    Cast::one(balls.collect())
}
