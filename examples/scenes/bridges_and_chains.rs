//! Things that hang together: bridges, chains, pendulums.

use crate::kit::{
    circle, drop_in, floor, lying_capsule, pin, place, rectangle, rectangle_at, standing_capsule,
    thing, tinted, usual_world,
};
use crate::linkages::weld;
use crate::scene::{Category, Knob, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::sin_cos;
use cairn2d::prelude::{
    BodyDef, BodyId, Continuous, DistanceJointDef, Limit, ShapeDef, Spring, World,
};

const CATEGORY: Category = Category::Joints;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "bridge",
        "A bridge of forty links",
        Frame::new(-13.0, -5.0, 13.0, 7.5),
        bridge,
    )
    .about("Planks pinned end to end carry boxes, balls and capsules.")
    .steps(900)
    .with_exits() // a capsule rolls over a bank
    .with_knobs(BRIDGE_KNOBS, |values| bridge_of(values[0])),
    Scene::new(
        CATEGORY,
        "newtons_cradle",
        "Newton's cradle",
        Frame::new(-6.5, 0.5, 6.5, 5.9),
        newtons_cradle,
    )
    .about("Five balls with a restitution of 1: one goes in, one comes out.")
    .steps(170),
    Scene::new(
        CATEGORY,
        "pendulums",
        "A row of pendulums",
        Frame::new(-6.5, 0.5, 6.5, 6.1),
        pendulums,
    )
    .about("Pendulums of growing length, released together, drift apart into a wave.")
    .steps(560),
    Scene::new(
        CATEGORY,
        "chain",
        "A hanging chain",
        Frame::new(-11.0, -9.0, 11.0, 3.0),
        chain,
    )
    .about("Thirty links between two hooks come to hang in a catenary.")
    .steps(900),
    Scene::new(
        CATEGORY,
        "ball_and_chain",
        "Ball and chain",
        Frame::new(-16.0, -15.0, 16.0, 2.0),
        ball_and_chain,
    )
    .about("A ball with a hundred times the mass of a link swings on twenty links.")
    .steps(240)
    .with_knobs(BALL_KNOBS, |values| ball_and_chain_of(values[0])),
    Scene::new(
        CATEGORY,
        "wrecking_ball",
        "A wrecking ball",
        Frame::new(-13.0, -0.5, 9.0, 11.0),
        wrecking_ball,
    )
    .about("A ball with a thousand times the mass of a link swings on a chain into a wall of bricks.")
    .steps(140)
    .with_knobs(WRECKING_KNOBS, |values| wrecking_ball_of(values[0])),
    Scene::new(
        CATEGORY,
        "cantilever",
        "Cantilevers",
        Frame::new(-1.5, -5.0, 9.0, 3.0),
        cantilever,
    )
    .about("Beams of pinned pieces held straight by torsion springs, from soft to stiff.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "welded_beams",
        "Beams that do not sag",
        Frame::new(-1.5, -5.0, 22.0, 2.0),
        welded_beams,
    )
    .about("Welded beams of 10 and 20 pieces on a wall; a load of 28 times a piece's mass swings from the end of the longer one.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "net",
        "A net",
        Frame::new(-10.0, -8.0, 10.0, 2.0),
        net,
    )
    .about("A ball hits a net of twenty by twelve knots with strings between them.")
    .steps(50)
    .overlap(8.0)
    .gap(0.15),
    Scene::new(
        CATEGORY,
        "rope_wrap",
        "Around the post",
        Frame::new(-7.0, -7.0, 7.0, 3.0),
        rope_wrap,
    )
    .about("A weighted rope falls over a post and winds around it.")
    .steps(420),
];

const BRIDGE_KNOBS: &[Knob] = &[Knob::measure("density [kg/m^2]", 1.0, 20.0, 100.0)];

fn bridge() -> Stage {
    bridge_of(20.0)
}

fn bridge_of(density: f32) -> Stage {
    let mut world = usual_world();
    let banks = world.create_body(BodyDef::static_());
    for side in [-1.0, 1.0] {
        let bank = rectangle_at(1.5, 2.5, side * 11.5, -2.375, 0.0);
        world.create_shape(banks, bank, ShapeDef::default());
    }
    let mut last = banks;
    for i in 0..40 {
        let x = -9.75 + 0.5 * i as f32;
        let def = tinted(thing(x, 0.0), 1);
        let link = place(
            &mut world,
            def,
            rectangle(0.25, 0.125),
            ShapeDef::default().density(density),
        );
        let joint = pin(&world, last, link, (x - 0.25, 0.0));
        world.create_joint(joint);
        last = link;
    }
    let joint = pin(&world, last, banks, (10.0, 0.0));
    world.create_joint(joint);
    load_bridge(&mut world);
    Stage::new(world)
}

fn load_bridge(world: &mut World) {
    for i in 0..4 {
        let x = -5.0 + 3.0 * i as f32;
        drop_in(world, tinted(thing(x, 3.0), 0), rectangle(0.5, 0.5));
        drop_in(world, tinted(thing(x + 1.0, 5.0), 2), circle(0.5));
        drop_in(
            world,
            tinted(thing(x + 0.5, 7.0), 3),
            lying_capsule(0.5, 0.3),
        );
    }
}

/// Balls of the cradle.
const BALLS: u32 = 5;

fn newtons_cradle() -> Stage {
    let mut world = usual_world();
    let frame = world.create_body(BodyDef::static_());
    world.create_shape(
        frame,
        rectangle_at(3.0, 0.15, 0.0, 5.65, 0.0),
        ShapeDef::default(),
    );
    let (radius, length) = (0.5, 4.0);
    let (sin, cos) = sin_cos(-0.8);
    for i in 0..BALLS {
        let hook = (2.0 * radius * (i as f32 - 0.5 * (BALLS - 1) as f32), 5.5);
        let pulled = i == 0;
        let place_of = if pulled {
            (hook.0 + length * sin, hook.1 - length * cos)
        } else {
            (hook.0, hook.1 - length)
        };
        let def = BodyDef {
            continuous: Continuous::Substep,
            ..tinted(thing(place_of.0, place_of.1), if pulled { 3 } else { 0 })
        };
        let steel = ShapeDef::default().restitution(1.0).friction(0.0);
        let ball = place(&mut world, def, circle(radius), steel);
        let joint = pin(&world, frame, ball, hook);
        world.create_joint(joint);
    }
    Stage::new(world)
}

fn pendulums() -> Stage {
    let mut world = usual_world();
    let beam = world.create_body(BodyDef::static_());
    world.create_shape(
        beam,
        rectangle_at(6.0, 0.1, 0.0, 6.0, 0.0),
        ShapeDef::default(),
    );
    for i in 0..16 {
        let length = 2.0 + 0.16 * i as f32;
        let hook = (-5.25 + 0.7 * i as f32, 5.9);
        let (sin, cos) = sin_cos(0.5);
        let def = tinted(thing(hook.0 + length * sin, hook.1 - length * cos), i % 6);
        // Pendulums of one row swing past each other.
        let mut bob = ShapeDef::default();
        bob.filter.group = -1;
        let ball = place(&mut world, def, circle(0.25), bob);
        let joint = pin(&world, beam, ball, hook);
        world.create_joint(joint);
    }
    Stage::new(world)
}

/// Hangs `count` links of half length `half` in a row to the right of (`x`, `y`) on `start`, and
/// returns the last.
fn hang_links(
    world: &mut World,
    start: BodyId,
    count: u32,
    half: f32,
    (x, y): (f32, f32),
) -> BodyId {
    let mut last = start;
    for i in 0..count {
        let left = x + 2.0 * half * i as f32;
        let def = tinted(thing(left + half, y), u64::from(i % 2));
        let link = drop_in(world, def, lying_capsule(half, 0.3 * half));
        let joint = pin(world, last, link, (left, y));
        world.create_joint(joint);
        last = link;
    }
    last
}

fn chain() -> Stage {
    let mut world = usual_world();
    let hooks = world.create_body(BodyDef::static_());
    for x in [-8.0, 8.0] {
        world.create_shape(
            hooks,
            rectangle_at(0.4, 0.2, x, 0.5, 0.0),
            ShapeDef::default(),
        );
    }
    // Two halves that start folded upward, so that the chain is longer than the span.
    let mut last = hooks;
    let (half, count) = (0.35, 30_u32);
    for i in 0..count {
        let (low, high) = (along_fold(i, count), along_fold(i + 1, count));
        let middle = (0.5 * (low.0 + high.0), 0.5 * (low.1 + high.1));
        let angle = cairn2d::geometry::math::atan2(high.1 - low.1, high.0 - low.0);
        let def = tinted(thing(middle.0, middle.1).angle(angle), u64::from(i % 2));
        let link = drop_in(&mut world, def, lying_capsule(half, 0.1));
        let joint = pin(&world, last, link, low);
        world.create_joint(joint);
        last = link;
    }
    let joint = pin(&world, last, hooks, (8.0, 0.0));
    world.create_joint(joint);
    Stage::new(world)
}

/// Returns the joint number `i` of a chain that hangs in a `V` from (-8, 0) to (8, 0).
fn along_fold(i: u32, count: u32) -> (f32, f32) {
    let share = i as f32 / count as f32;
    let depth = 6.8 * (1.0 - (2.0 * share - 1.0).abs());
    (-8.0 + 16.0 * share, -depth)
}

const BALL_KNOBS: &[Knob] = &[Knob::measure("density [kg/m^2]", 0.1, 2.0, 50.0)];

fn ball_and_chain() -> Stage {
    ball_and_chain_of(2.0)
}

fn ball_and_chain_of(density: f32) -> Stage {
    let mut world = usual_world();
    let hook = world.create_body(BodyDef::static_());
    world.create_shape(
        hook,
        rectangle_at(1.0, 0.25, 0.0, 0.25, 0.0),
        ShapeDef::default(),
    );
    let (half, count) = (0.3, 20);
    let last = hang_links(&mut world, hook, count, half, (0.0, 0.0));
    let end = 2.0 * half * count as f32;
    let ball = tinted(thing(end + 1.5, 0.0), 3);
    let ball = place(
        &mut world,
        ball,
        circle(1.5),
        ShapeDef::default().density(density),
    );
    let joint = pin(&world, last, ball, (end, 0.0));
    world.create_joint(joint);
    Stage::new(world)
}

const WRECKING_KNOBS: &[Knob] = &[Knob::measure("density [kg/m^2]", 1.0, 30.0, 100.0)];

fn wrecking_ball() -> Stage {
    wrecking_ball_of(30.0)
}

fn wrecking_ball_of(density: f32) -> Stage {
    let mut world = usual_world();
    floor(&mut world, 12.0);
    let crane = world.create_body(BodyDef::static_());
    let top = 10.2;
    let jib = rectangle_at(0.5, 0.2, 0.0, top + 0.2, 0.0);
    world.create_shape(crane, jib, ShapeDef::default());
    let (half, count) = (0.2, 20);
    let last = hang_links(&mut world, crane, count, half, (0.0, top));
    let end = 2.0 * half * count as f32;
    let ball = place(
        &mut world,
        tinted(thing(end + 0.8, top), 3),
        circle(0.8),
        ShapeDef::default().density(density),
    );
    let joint = pin(&world, last, ball, (end, top));
    world.create_joint(joint);
    for row in 0..10_u64 {
        for column in 0..3_u64 {
            let x = -2.0 - 0.5 * (row % 2) as f32 - 1.01 * column as f32;
            let brick = thing(x, 0.25 + 0.5 * row as f32);
            drop_in(&mut world, tinted(brick, row % 2), rectangle(0.5, 0.25));
        }
    }
    Stage::new(world)
}

fn welded_beams() -> Stage {
    let mut world = usual_world();
    let wall = world.create_body(BodyDef::static_());
    world.create_shape(
        wall,
        rectangle_at(0.5, 2.8, -0.5, -1.0, 0.0),
        ShapeDef::default(),
    );
    weld_row(&mut world, wall, 10, 0.0);
    let end = weld_row(&mut world, wall, 20, -2.0);
    let rod = drop_in(&mut world, thing(20.5, -2.1), rectangle(0.5, 0.05));
    let joint = pin(&world, end, rod, (20.0, -2.1));
    world.create_joint(joint);
    let weight = place(
        &mut world,
        tinted(thing(21.3, -2.1), 3),
        circle(0.3),
        ShapeDef::default().density(20.0),
    );
    let joint = pin(&world, rod, weight, (21.0, -2.1));
    world.create_joint(joint);
    Stage::new(world)
}

/// Welds so many beams of 1 m to each other, end to end, and the first to `wall`; returns the last.
fn weld_row(world: &mut World, wall: BodyId, count: u32, y: f32) -> BodyId {
    let mut last = wall;
    for i in 0..count {
        let def = tinted(thing(0.5 + i as f32, y), u64::from(i % 2));
        let beam = drop_in(world, def, rectangle(0.5, 0.1));
        let joint = weld(world, last, beam, (i as f32, y));
        world.create_joint(joint);
        last = beam;
    }
    last
}

fn cantilever() -> Stage {
    let mut world = usual_world();
    let wall = world.create_body(BodyDef::static_());
    world.create_shape(
        wall,
        rectangle_at(0.5, 2.8, -0.5, 0.0, 0.0),
        ShapeDef::default(),
    );
    for (row, hertz) in [16.0, 20.0, 25.0].into_iter().enumerate() {
        let y = 1.5 * (row as f32 - 0.5);
        let mut last = wall;
        for i in 0..6 {
            let x = 0.5 + i as f32;
            let beam = drop_in(
                &mut world,
                tinted(thing(x, y), row as u64),
                rectangle(0.5, 0.1),
            );
            let mut joint = pin(&world, last, beam, (x - 0.5, y));
            joint.spring = Some(Spring::new(hertz, 1.0));
            world.create_joint(joint);
            last = beam;
        }
    }
    Stage::new(world)
}

fn net() -> Stage {
    let mut world = usual_world();
    let (columns, rows) = (20_u32, 12_u32);
    let mut knots: Vec<BodyId> = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (MESH * (column as f32 - 9.5), 0.3 - MESH * row as f32);
            let held = row == 0 && (column % 19 == 0 || column % 6 == 0);
            let def = if held {
                BodyDef::static_()
            } else {
                BodyDef::dynamic()
            };
            let mut cord = ShapeDef::default();
            cord.filter.group = -1;
            let knot = place(
                &mut world,
                tinted(def.position(x, y), 1),
                circle(0.15),
                cord,
            );
            if column > 0 {
                string(&mut world, knots[knots.len() - 1], knot);
            }
            if row > 0 {
                string(&mut world, knots[knots.len() - columns as usize], knot);
            }
            knots.push(knot);
        }
    }
    let ball = tinted(thing(-9.0, -5.0).velocity(14.0, 6.0), 3);
    place(
        &mut world,
        ball,
        circle(0.8),
        ShapeDef::default().density(2.0),
    );
    Stage::new(world)
}

/// Distance of two knots of the net \[m\].
const MESH: f32 = 0.6;

/// Ties two knots by a string: they come as near as they will, and no farther apart than in the net at rest.
fn string(world: &mut World, a: BodyId, b: BodyId) {
    world.create_joint(DistanceJointDef {
        length: MESH,
        limit: Some(Limit::new(0.0, MESH)),
        ..DistanceJointDef::new(a, b)
    });
}

fn tie(world: &mut World, a: BodyId, b: BodyId, at: (f32, f32)) {
    let joint = pin(world, a, b, at);
    world.create_joint(joint);
}

fn rope_wrap() -> Stage {
    let mut world = usual_world();
    let post = world.create_body(BodyDef::static_());
    world.create_shape(post, circle(0.8), ShapeDef::default());
    let ground = floor(&mut world, 7.0);
    world.body_mut(ground).set_pose((0.0, -6.0), 0.0);
    let mut last: Option<BodyId> = None;
    for i in 0..36 {
        let x = -5.4 + 0.3 * i as f32;
        let def = tinted(thing(x, 1.2), i % 2);
        let link = drop_in(&mut world, def, lying_capsule(0.12, 0.08));
        if let Some(last) = last {
            tie(&mut world, last, link, (x - 0.15, 1.2));
        }
        last = Some(link);
    }
    if let Some(last) = last {
        let weight = drop_in(
            &mut world,
            tinted(thing(5.4, 1.2), 3),
            standing_capsule(0.2, 0.25),
        );
        tie(&mut world, last, weight, (5.25, 1.2));
    }
    Stage::new(world)
}
