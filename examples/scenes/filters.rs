//! Bodies that pass each other: one-way platforms, filters and hooks of the user, ignored pairs, shapes that change.

use crate::kit::{
    Labels, bin, circle, drop_in, floor, line, place, rectangle, rectangle_at, standing_capsule,
    thing, tinted, usual_world,
};
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, BodyKind, Circle, IgnoreFor, Locks, ShapeDef, ShapeId, World, point, vec2,
};

const CATEGORY: Category = Category::Contacts;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "one_way",
        "One-way platforms",
        Frame::new(-9.0, -1.0, 9.0, 10.5),
        one_way,
    )
    .about("Jumpers rise through platforms that are open from below, and land on them.")
    .steps(450)
    .shown_at(300),
    Scene::new(
        CATEGORY,
        "custom_filter",
        "A pair filter",
        Frame::new(-9.0, -1.0, 9.0, 10.5),
        custom_filter,
    )
    .about("Balls fall through shelves of their own color: a pair filter decides.")
    .steps(150)
    // Balls that just landed.
    .overlap(16.0),
    Scene::new(
        CATEGORY,
        "pre_solve",
        "A pre-solve hook",
        Frame::new(-10.0, -1.0, 10.0, 6.5),
        pre_solve,
    )
    .about(
        "Paper walls stop slow bodies and let fast ones through; the floor between the posts is ice.",
    )
    .steps(150)
    .overlap(60.0)
    .with_exits(),
    Scene::new(
        CATEGORY,
        "ignored_pairs",
        "Ignored pairs",
        Frame::new(-10.0, -1.0, 10.0, 9.5),
        ignored_pairs,
    )
    .about("Balls start inside a cannon and ignore it until they are out; some fall back on it.")
    .steps(230)
    .overlap(6.0),
    Scene::new(
        CATEGORY,
        "modify_geometry",
        "Changing shapes",
        Frame::new(-9.0, -1.0, 9.0, 8.5),
        modify_geometry,
    )
    .about("Domes under a heap grow and shrink.")
    .steps(400),
];

/// Steps between two jumps of one jumper.
const JUMP_STEPS: u64 = 90;

/// Speed of a jump, 2.8 m high [m/s].
const JUMP_SPEED: f32 = 7.5;

/// Jumpers that jump in turn.
#[derive(Clone, Debug)]
struct Jumpers {
    bodies: Vec<BodyId>,
}

impl Script for Jumpers {
    fn before_step(&mut self, world: &mut World, step: u64) {
        for (i, &body) in self.bodies.iter().enumerate() {
            let stands = world.body(body).contacts().next().is_some();
            if stands && (step + 13 * i as u64) % JUMP_STEPS == JUMP_STEPS - 1 {
                let x = world.body(body).velocity().x;
                world.body_mut(body).set_velocity(vec2(x, JUMP_SPEED));
            }
        }
    }
}

fn one_way() -> Stage {
    let mut world = usual_world();
    let ground = bin(&mut world, 8.0, 9.5);
    let open_below = ShapeDef::default().one_way(vec2(0.0, 1.0));
    for (x, y, half) in [
        (-4.5, 2.2, 2.5),
        (4.5, 2.2, 2.5),
        (0.0, 4.4, 2.5),
        (-5.0, 6.4, 2.0),
        (5.0, 6.4, 2.0),
    ] {
        world.create_shape(ground, rectangle_at(half, 0.1, x, y, 0.0), open_below);
    }
    let bodies = (0..7_u64)
        .map(|i| {
            let def = tinted(thing(-6.0 + 2.0 * i as f32, 0.61), i % 6).locks(Locks::ROTATION);
            place(
                &mut world,
                def,
                standing_capsule(0.3, 0.3),
                ShapeDef::default(),
            )
        })
        .collect();
    for i in 0..3 {
        drop_in(
            &mut world,
            tinted(thing(-5.0 + 5.0 * i as f32, 8.5), 4),
            circle(0.3),
        );
    }
    Stage::new(world).with(Jumpers { bodies })
}

fn custom_filter() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 8.0, 9.5);
    world.set_pair_filter(|a, b| {
        let is_shelf = a.kind() == BodyKind::Static || b.kind() == BodyKind::Static;
        !is_shelf || a.body_user_data() != b.body_user_data()
    });
    let mut labels = Labels::default();
    for (level, tint, name) in [(0, 1, "orange"), (1, 2, "green"), (2, 3, "red")] {
        labels.add(0.0, 1.45 + 2.2 * level as f32, name);
        for side in [-1.0, 1.0] {
            let shelf = BodyDef::static_()
                .position(side * 4.2, 2.0 + 2.2 * level as f32)
                .angle(side * 0.12);
            place(
                &mut world,
                tinted(shelf, tint),
                rectangle(3.5, 0.12),
                ShapeDef::default(),
            );
        }
    }
    for i in 0..36_u64 {
        let (x, y) = (-6.2 + 1.1 * (i % 12) as f32, 8.2 + 0.8 * (i / 12) as f32);
        drop_in(&mut world, tinted(thing(x, y), 1 + i % 3), circle(0.3));
    }
    Stage::new(world).with(labels)
}

/// Speed from which a paper wall tears [m/s].
const TEARING_SPEED: f32 = 6.0;

/// User data of a paper wall and of ice.
const PAPER: u64 = 1;
const ICE: u64 = 2;

fn pre_solve() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    world.set_pre_solve(|contact| {
        let [a, b] = contact.shapes();
        let marked = |mark: u64| a.user_data() == mark || b.user_data() == mark;
        let at = contact.points()[0].point;
        let speed = (b.velocity_at(at) - a.velocity_at(at)).norm();
        if marked(PAPER) && speed > TEARING_SPEED {
            contact.ignore();
        }
        if marked(ICE) && at.x.abs() < 4.0 {
            contact.friction = 0.0;
        }
    });
    let paper = ShapeDef::default().user_data(PAPER).pre_solve();
    for y in [3.5, 5.5] {
        line(
            &mut world,
            ground,
            (-10.0, y - 1.0),
            (10.0, y - 1.0),
            ShapeDef::default(),
        );
        world.create_shape(ground, rectangle_at(0.05, 0.5, 2.0, y - 0.5, 0.0), paper);
    }
    for (i, (y, speed)) in [(2.8, 4.0), (4.8, 9.0)].into_iter().enumerate() {
        let def = tinted(thing(-6.0, y).velocity(speed, 0.0), 1 + i as u64);
        drop_in(&mut world, def, circle(0.3));
    }
    let on_ice = ShapeDef::default().user_data(ICE).pre_solve();
    for i in 0..3_u64 {
        let def = tinted(thing(-9.0 + 1.2 * i as f32, 0.3).velocity(8.5, 0.0), 3 + i);
        place(&mut world, def, rectangle(0.3, 0.3), on_ice);
    }
    let mut labels = Labels::default();
    labels.add(2.0, 3.8, "paper");
    labels.add(2.0, 5.8, "paper");
    labels.add(0.0, -0.65, "ice from here to there");
    labels.add(-4.0, -0.3, "|");
    labels.add(4.0, -0.3, "|");
    Stage::new(world).with(labels)
}

/// Steps between two shots.
const SHOT_STEPS: u64 = 25;

/// A cannon that shoots from its middle.
#[derive(Clone, Debug)]
struct Cannon {
    body: BodyId,
}

impl Script for Cannon {
    fn before_step(&mut self, world: &mut World, step: u64) {
        if !step.is_multiple_of(SHOT_STEPS) || step >= 12 * SHOT_STEPS {
            return;
        }
        let angle = 0.02 + 0.08 * (step / SHOT_STEPS) as f32;
        let (sin, cos) = sin_cos(angle + 0.5 * PI);
        let def =
            tinted(thing(-6.0, 1.2), 1 + step / SHOT_STEPS % 5).velocity(-9.5 * cos, 9.5 * sin);
        let ball = place(world, def, circle(0.25), ShapeDef::default());
        world.ignore_pair(self.body, ball, IgnoreFor::Overlap);
    }
}

fn ignored_pairs() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 9.0, 6.0);
    let def = BodyDef::static_().position(-6.0, 1.2);
    let body = place(&mut world, def, circle(1.2), ShapeDef::default());
    Stage::new(world).with(Cannon { body })
}

/// Blocks that swell and shrink.
#[derive(Clone, Debug)]
struct Breathing {
    domes: Vec<ShapeId>,
}

impl Script for Breathing {
    fn before_step(&mut self, world: &mut World, step: u64) {
        for (i, &dome) in self.domes.iter().enumerate() {
            let phase = 0.02 * step as f32 + i as f32;
            world
                .shape_mut(dome)
                .set_geometry(dome_of(1.2 + 0.25 * sin_cos(phase).0));
        }
    }
}

/// A circle with its middle below the top of the floor: it pushes bodies up, not against the next circle.
fn dome_of(radius: f32) -> Circle {
    Circle::new(point(0.0, -0.5), radius)
}

fn modify_geometry() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 8.0, 7.5);
    let domes = (0..4)
        .map(|i| {
            let def = BodyDef::kinematic().position(-5.4 + 3.6 * i as f32, 0.0);
            let body = world.create_body(def);
            world.create_shape(body, dome_of(1.2), ShapeDef::default().friction(0.2))
        })
        .collect();
    for i in 0..44_u64 {
        let (x, y) = (-6.8 + 1.35 * (i % 11) as f32, 3.0 + 1.1 * (i / 11) as f32);
        let def = tinted(thing(x, y).angle(0.2 * (i % 31) as f32), i % 6);
        match i % 2 {
            0 => drop_in(&mut world, def, circle(0.35)),
            _ => drop_in(&mut world, def, rectangle(0.35, 0.3)),
        };
    }
    Stage::new(world).with(Breathing { domes })
}
