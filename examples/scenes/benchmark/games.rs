//! Usual work of games and learning: a cart with a pole, ropes, rays, sensors, bodies that come and go, and towers,
//! walls and machines that are hit, shot at and driven.

use super::play::{chains, strikes};
use super::worlds::{self, SCENE, circle, floor};
use super::{BenchmarkScene, Cast, drop_shape, end, rectangle};
use crate::engine::{BodyHandle, Engine, Hinge, Slider};
use cairn2d::prelude::*;

/// Ropes, and links of each.
const ROPES: usize = 40;
const LINKS: usize = 30;

/// Bodies that rays are cast among, and rays a step.
const TARGETS: usize = 2000;
const RAYS_A_STEP: usize = 1000;

/// Sensors, and bodies that fly through them.
const REGIONS: usize = 400;
const VISITORS: usize = 1000;

/// Boxes of the churn, and how many of them each step replaces.
const BOXES: usize = 500;
const REPLACED: usize = 20;

pub(super) const RAYS: BenchmarkScene = BenchmarkScene {
    name: "rays",
    timed_steps: 300,
    sleeping: true,
    end: end(TARGETS, TARGETS, 0, 0),
    build: targets,
    before_step: cast_rays,
    ..SCENE
};

pub(super) const SENSORS: BenchmarkScene = BenchmarkScene {
    name: "sensors",
    timed_steps: 300,
    gravity: vec2(0.0, 0.0),
    end: end(REGIONS + VISITORS, REGIONS + VISITORS, 0, 0),
    build: sensors,
    ..SCENE
};

pub(super) const SCENES: [BenchmarkScene; 19] = [
    BenchmarkScene {
        name: "cart_pole",
        end: end(3, 2, 0, 2),
        build: cart_pole,
        before_step: push_cart,
        ..SCENE
    },
    BenchmarkScene {
        name: "ropes",
        timed_steps: 300,
        end: end(ROPES * LINKS + 1, ROPES * LINKS, 0, ROPES * LINKS),
        build: ropes,
        ..SCENE
    },
    RAYS,
    SENSORS,
    strikes::TOWER,
    strikes::SHOT_WALL,
    strikes::SWUNG_HAMMERS,
    strikes::HIT_ROW,
    strikes::HEAVY_TOPS,
    strikes::BOULDER_RAIN,
    chains::CRACKED_WHIPS,
    chains::COMPOUND_PENDULUMS,
    chains::BUMPY_CARS,
    chains::LONG_TRAINS,
    chains::CARD_HOUSES,
    chains::NEW_LATTICE,
    worlds::GROWING_TOWERS,
    worlds::HANGING_NETS,
    BenchmarkScene {
        name: "churn",
        timed_steps: 300,
        sleeping: true,
        end: end(BOXES + 1, BOXES + 1, 0, 0),
        build: churn,
        before_step: replace,
        ..SCENE
    },
];

/// A cart on a rail, and a pole on it.
fn cart_pole(engine: &mut dyn Engine) -> Cast {
    let rail = engine.create_body(&BodyDef::static_());
    let def = ShapeDef::default();
    let cart = drop_shape(engine, 0.0, 0.0, &rectangle(0.25, 0.15), &def);
    let pole = drop_shape(engine, 0.0, 0.5, &rectangle(0.05, 0.5), &def);
    engine.create_slider(&Slider {
        body_a: rail,
        body_b: cart,
        frame_a: JointFrame::at(0.0, 0.0),
        frame_b: JointFrame::at(0.0, 0.0),
    });
    let foot = (pole, JointFrame::at(0.0, -0.5));
    engine.create_hinge(&Hinge::new((cart, JointFrame::at(0.0, 0.0)), foot));
    Cast::one(vec![cart, pole])
}

/// Pushes the cart left and right in turn, half a second each.
fn push_cart(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let cart = cast.groups[0][0];
    let force = if (step / 30).is_multiple_of(2) {
        1.0
    } else {
        -1.0
    };
    let at = engine.motion(cart).position;
    engine.apply_force(cart, vec2(force, 0.0), at);
}

/// Ropes of capsules that begin level, and swing down.
fn ropes(engine: &mut dyn Engine) -> Cast {
    let link = Capsule::new(point(-0.2, 0.0), point(0.2, 0.0), 0.05).into();
    let hooks = engine.create_body(&BodyDef::static_());
    let def = ShapeDef::default();
    let mut bodies = Vec::new();
    for rope in 0..ROPES {
        let y = 30.0 * rope as f32;
        let mut before = (hooks, JointFrame::at(0.0, y));
        for i in 0..LINKS {
            let x = 0.25 + 0.5 * i as f32;
            let next = drop_shape(engine, x, y, &link, &def);
            engine.create_hinge(&Hinge::new(before, (next, JointFrame::at(-0.25, 0.0))));
            before = (next, JointFrame::at(0.25, 0.0));
            bodies.push(next);
        }
    }
    Cast::one(bodies)
}

/// Circles in a square: one in ten moves, the others are static.
fn targets(engine: &mut dyn Engine) -> Cast {
    let (shape, def) = (circle(0.5), ShapeDef::default());
    let mut moving = Vec::new();
    for i in 0..TARGETS {
        let place = BodyDef::dynamic().position(3.0 * (i % 50) as f32, 3.0 * (i / 50) as f32);
        let moves = i % 10 == 0;
        let body = engine.create_body(&if moves {
            place.velocity(1.0, 0.5).gravity_scale(0.0)
        } else {
            BodyDef::static_().position(3.0 * (i % 50) as f32, 3.0 * (i / 50) as f32)
        });
        engine.create_shape(body, &shape, &def);
        if moves {
            moving.push(body);
        }
    }
    Cast::one(moving)
}

/// Casts rays of 20 m in all directions from places all over the square.
fn cast_rays(_: &mut Cast, engine: &mut dyn Engine, step: u32) {
    // Not every engine finds bodies before its first step.
    if step == 0 {
        return;
    }
    let mut hits = 0;
    for i in 0..RAYS_A_STEP {
        let origin = point(1.5 + 4.7 * (i % 32) as f32, 1.5 + 3.7 * (i / 32) as f32);
        let (s, c) = math::sin_cos(0.7 * (i as f32) + 0.05 * step as f32);
        let hit = engine.ray_cast(origin, vec2(20.0 * c, 20.0 * s));
        hits += usize::from(hit.is_some());
    }
    // Whatever moves: most rays end at something.
    assert!(2 * hits > RAYS_A_STEP, "{hits} of {RAYS_A_STEP} rays hit");
}

/// Static sensors in a square, and circles that fly through them without meeting each other.
fn sensors(engine: &mut dyn Engine) -> Cast {
    let def = ShapeDef::sensor();
    for i in 0..REGIONS {
        let (x, y) = (5.0 * (i % 20) as f32, 5.0 * (i / 20) as f32);
        let region = engine.create_body(&BodyDef::static_().position(x, y));
        engine.create_shape(region, &rectangle(1.5, 1.5), &def);
    }
    // They see the sensors, not each other.
    let def = ShapeDef::default().filter(Filter {
        group: -1,
        ..Filter::default()
    });
    let flies = (0..VISITORS).map(|i| {
        let angle = 2.4 * i as f32;
        let (s, c) = math::sin_cos(angle);
        let body = BodyDef::dynamic().position(3.1 * (i % 32) as f32, 3.1 * (i / 32) as f32);
        let body = engine.create_body(&body.velocity(4.0 * c, 4.0 * s));
        engine.create_shape(body, &circle(0.3), &def);
        body
    });
    Cast::one(flies.collect())
}

/// Boxes on a floor; the oldest are replaced by new ones above.
fn churn(engine: &mut dyn Engine) -> Cast {
    floor(engine);
    let boxes = (0..BOXES).map(|i| drop_box(engine, i, 0.5 + (i / 50) as f32));
    let boxes: Vec<_> = boxes.collect();
    Cast {
        groups: boxes.chunks(REPLACED).map(<[_]>::to_vec).collect(),
        ..Cast::default()
    }
}

fn drop_box(engine: &mut dyn Engine, i: usize, y: f32) -> BodyHandle {
    let x = 1.2 * (i % 50) as f32;
    drop_shape(engine, x, y, &rectangle(0.5, 0.5), &ShapeDef::default())
}

fn replace(cast: &mut Cast, engine: &mut dyn Engine, step: u32) {
    let next = cast.next;
    cast.next = (next + 1) % cast.groups.len();
    for body in cast.groups[next].drain(..) {
        engine.destroy_body(body);
    }
    let first = step as usize * REPLACED;
    let new = (first..first + REPLACED).map(|i| drop_box(engine, i, 14.0));
    cast.groups[next] = new.collect();
}
