//! Bodies on many joints: whips, pendulums, cars and trains; houses and lattices as they are created.

use super::*;
use crate::engine::{DistanceSpring, Hinge, Wheel};

/// Whips, and links of each.
const WHIPS: usize = 20;
const LASH: usize = 20;

/// Compound pendulums, and rods of each.
const PENDULUMS: usize = 60;
const RODS: usize = 3;

/// Cars on a bumpy road, and bumps.
const CARS: usize = 200;
const BUMPS: usize = 600;

/// Trains, each on a road of its own, and wagons of each, the first of which pulls.
const TRAINS: usize = 20;
const WAGONS: usize = 8;

/// Houses of cards, and cards of each: those that lean, and those that lie on them.
const HOUSES: usize = 10;
const CARDS: usize = 20 + 6;

/// Circles of the lattice in a row, and rows: 676 springs.
const LATTICE: [usize; 2] = [17, 21];

pub(in super::super) const CRACKED_WHIPS: BenchmarkScene = BenchmarkScene {
    name: "whips",
    timed_steps: 600,
    bounds: bounds(point(-50.0, -50.0), point(50.0, 400.0)),
    end: end(WHIPS * LASH + 1, WHIPS * LASH, 0, WHIPS * LASH),
    build: build_whips,
    before_step: |cast, engine, step| {
        if step.is_multiple_of(30) {
            let speed = if (step / 30).is_multiple_of(2) {
                8.0
            } else {
                -8.0
            };
            for &joint in &cast.joints {
                engine.set_motor_speed(joint, speed);
            }
        }
    },
    ..PLAY
};

pub(in super::super) const COMPOUND_PENDULUMS: BenchmarkScene = BenchmarkScene {
    name: "pendulums",
    timed_steps: 600,
    end: end(PENDULUMS * RODS + 1, PENDULUMS * RODS, 0, PENDULUMS * RODS),
    build: build_pendulums,
    ..PLAY
};

pub(in super::super) const BUMPY_CARS: BenchmarkScene = BenchmarkScene {
    name: "bumpy_cars",
    timed_steps: 300,
    bounds: bounds(point(-1000.0, -50.0), point(1500.0, 200.0)),
    end: end(3 * CARS + 2, 3 * CARS + BUMPS + 1, 0, 2 * CARS),
    build: build_cars,
    ..PLAY
};

pub(in super::super) const LONG_TRAINS: BenchmarkScene = BenchmarkScene {
    name: "trains",
    timed_steps: 600,
    end: end(
        3 * TRAINS * WAGONS + 1,
        3 * TRAINS * WAGONS + TRAINS * 11,
        0,
        TRAINS * (3 * WAGONS - 1),
    ),
    build: build_trains,
    ..PLAY
};

pub(in super::super) const CARD_HOUSES: BenchmarkScene = BenchmarkScene {
    name: "card_houses",
    timed_steps: 0,
    end: end(HOUSES * CARDS + 1, HOUSES * CARDS + 1, 0, 0),
    build: build_houses,
    ..PLAY
};

pub(in super::super) const NEW_LATTICE: BenchmarkScene = BenchmarkScene {
    name: "lattice",
    timed_steps: 0,
    end: end(LATTICE[0] * LATTICE[1], LATTICE[0] * LATTICE[1], 0, 676),
    build: build_lattice,
    ..PLAY
};

/// Hangs a chain of capsules, which lies level to the right of `start`, from a body; returns its links.
fn hang_links(
    engine: &mut dyn Engine,
    start: (BodyHandle, Point),
    (count, length): (usize, f32),
    first: impl Fn(Hinge) -> Hinge,
) -> (Vec<BodyHandle>, crate::engine::JointHandle) {
    let half = 0.5 * length;
    let shape = Capsule::new(point(0.05 - half, 0.0), point(half - 0.05, 0.0), 0.05).into();
    let (hook, at) = start;
    let mut links = vec![drop_shape(
        engine,
        at.x + half,
        at.y,
        &shape,
        &ShapeDef::default(),
    )];
    let root = Hinge::new(on(hook, at.x, at.y), on(links[0], -half, 0.0));
    let root = engine.create_hinge(&first(root));
    for i in 1..count {
        let x = at.x + length * (i as f32 + 0.5);
        let next = drop_shape(engine, x, at.y, &shape, &ShapeDef::default());
        engine.create_hinge(&Hinge::new(
            on(links[i - 1], half, 0.0),
            on(next, -half, 0.0),
        ));
        links.push(next);
    }
    (links, root)
}

fn build_whips(engine: &mut dyn Engine) -> Cast {
    let posts = ground(engine);
    let mut cast = Cast::one(Vec::new());
    for i in 0..WHIPS {
        let at = point(0.0, 20.0 * i as f32 - 40.0);
        let driven = |hinge| Hinge {
            motor: Some(Motor::new(0.0, 500.0)),
            ..hinge
        };
        let (links, root) = hang_links(engine, (posts, at), (LASH, 0.3), driven);
        cast.groups[0].extend(links);
        cast.joints.push(root);
    }
    cast
}

fn build_pendulums(engine: &mut dyn Engine) -> Cast {
    let posts = ground(engine);
    let mut bodies = Vec::new();
    for i in 0..PENDULUMS {
        let at = point(4.0 * i as f32, 0.0);
        let (links, _) = hang_links(engine, (posts, at), (RODS, 0.6), |hinge| hinge);
        bodies.extend(links);
    }
    Cast::one(bodies)
}

/// Adds a body on two sprung wheels, which drive with a torque [N m].
fn add_wagon(engine: &mut dyn Engine, (x, y): (f32, f32), torque: f32) -> [BodyHandle; 3] {
    let def = ShapeDef::default();
    let body = drop_shape(engine, x, y + 1.0, &rectangle(1.3, 0.25), &def);
    let wheels = [-0.9, 0.9].map(|side| {
        let wheel = drop_shape(engine, x + side, y + 0.4, &circle(0.4), &def);
        engine.create_wheel(&Wheel {
            body_a: body,
            body_b: wheel,
            frame_a: JointFrame {
                anchor: point(side, -0.6),
                angle: 0.5 * math::PI,
            },
            spring: Spring::new(4.0, 0.7),
            limit: Some(Limit::new(-0.25, 0.25)),
            motor: Motor::new(-12.0, torque),
        });
        wheel
    });
    [body, wheels[0], wheels[1]]
}

fn add_bump(engine: &mut dyn Engine, road: BodyHandle, x: f32, y: f32) {
    let bump = Circle::new(point(x, y - 0.5), 0.6).into();
    engine.create_shape(road, &bump, &ShapeDef::default());
}

fn build_cars(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let road = ground(engine);
    for i in 0..BUMPS {
        add_bump(engine, road, 3.0 * i as f32 - 898.5, 0.0);
    }
    let cars = (0..CARS).flat_map(|i| add_wagon(engine, (6.0 * i as f32 - 600.0, 0.0), 20.0));
    Cast::one(cars.collect())
}

fn build_trains(engine: &mut dyn Engine) -> Cast {
    let roads = ground(engine);
    let mut bodies = Vec::new();
    for train in 0..TRAINS {
        let y = 8.0 * train as f32;
        let road = rectangle_at(150.0, 0.5, 100.0, y - 0.5);
        engine.create_shape(roads, &road, &ShapeDef::default());
        for bump in 0..10 {
            add_bump(engine, roads, 8.0 + 7.0 * bump as f32, y);
        }
        let mut before = None;
        for wagon in 0..WAGONS {
            let torque = if wagon == 0 { 120.0 } else { 0.0 };
            let parts = add_wagon(engine, (-3.0 * wagon as f32, y), torque);
            if let Some(before) = before {
                let coupling = Hinge::new(on(before, -1.5, 0.0), on(parts[0], 1.5, 0.0));
                engine.create_hinge(&coupling);
            }
            before = Some(parts[0]);
            bodies.extend(parts);
        }
    }
    Cast::one(bodies)
}

/// Half the length of a card and half its thickness \[m\], and how far from upright it leans \[rad\].
const CARD: (f32, f32) = (0.5, 0.01);
const LEAN: f32 = 0.35;

fn build_houses(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let def = ShapeDef::default().friction(0.8);
    let shape = rectangle(CARD.0, CARD.1);
    let (sin, cos) = math::sin_cos(LEAN);
    // Half the width and the height of two cards that lean on each other.
    let (half, height) = (
        CARD.0 * sin + CARD.1 * cos,
        2.0 * (CARD.0 * cos + CARD.1 * sin),
    );
    let level = rectangle(2.0 * half - 0.005, CARD.1);
    let mut cards = Vec::new();
    for house in 0..HOUSES {
        for story in 0..4 {
            let bottom = (height + 2.0 * CARD.1) * story as f32;
            let tents = 4 - story;
            for tent in 0..tents {
                let middle = 8.0 * house as f32 + 4.0 * half * (tent as f32 - 0.5 * tents as f32);
                for side in [-1.0, 1.0] {
                    let angle = 0.5 * math::PI - side * LEAN;
                    let place =
                        BodyDef::dynamic().position(middle - side * half, bottom + 0.5 * height);
                    let card = engine.create_body(&place.angle(angle));
                    engine.create_shape(card, &shape, &def);
                    cards.push(card);
                }
                // A card lies from one point to the next.
                if tent > 0 {
                    let (x, y) = (middle - 2.0 * half, bottom + height + CARD.1);
                    cards.push(drop_shape(engine, x, y, &level, &def));
                }
            }
        }
    }
    Cast::one(cards)
}

fn build_lattice(engine: &mut dyn Engine) -> Cast {
    let [columns, rows] = LATTICE;
    let mut knots: Vec<BodyHandle> = Vec::new();
    for i in 0..columns * rows {
        let (column, row) = (i % columns, i / columns);
        let def = if row == 0 {
            BodyDef::static_()
        } else {
            BodyDef::dynamic()
        };
        let knot = engine.create_body(&def.position(column as f32, -(row as f32)));
        engine.create_shape(knot, &circle(0.2), &ShapeDef::default());
        let left = (column > 0).then(|| knots[i - 1]);
        let above = (row > 0).then(|| knots[i - columns]);
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
