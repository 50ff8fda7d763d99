//! Things that must stay where they are put.

use crate::cards::CardHouse;
use crate::kit::{
    HALF_WALL, bin, circle, drop_in, floor, hull, lying_capsule, place, rectangle, rectangle_at,
    thing, tinted, usual_world,
};
use crate::random::Random;
use crate::scene::{Category, Knob, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{BodyDef, ShapeDef, World};

const CATEGORY: Category = Category::Stacking;

/// Twenty seconds: a tower that is up after this time stays.
const LONG: u32 = 1200;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "stack",
        "A stack of twenty",
        Frame::new(-19.0, -1.0, 19.0, 20.0),
        stack,
    )
    .about("Twenty boxes stand on each other for twenty seconds and sleep.")
    .steps(LONG)
    .with_knobs(STACK_KNOBS, |values| stack_of(values[0] as u64, values[1])),
    Scene::new(
        CATEGORY,
        "tilted_stack",
        "Leaning stacks",
        Frame::new(-14.0, -1.0, 14.0, 10.5),
        tilted_stack,
    )
    .about("Stacks built with an offset: those within the limit stand.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "circle_stack",
        "Stacked circles",
        Frame::new(-12.0, -1.0, 12.0, 12.5),
        circle_stack,
    )
    .about("A column of circles, each exactly above the one below, free to roll.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "capsule_stack",
        "Stacked capsules",
        Frame::new(-9.0, -1.0, 9.0, 9.5),
        capsule_stack,
    )
    .about("Capsules lying on each other.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "pyramid",
        "Pyramid of base thirty",
        Frame::new(-27.0, -1.0, 27.0, 31.0),
        pyramid,
    )
    .about("465 boxes, built without a gap, stand and sleep.")
    .steps(600)
    .with_knobs(PYRAMID_KNOBS, |values| pyramid_of(values[0] as u32)),
    Scene::new(
        CATEGORY,
        "cliff",
        "Over the cliff",
        Frame::new(-10.0, -1.0, 10.0, 8.0),
        cliff,
    )
    .about("Boxes and capsules of different friction slide toward an edge.")
    .steps(420),
    Scene::new(
        CATEGORY,
        "arch",
        "A stone arch",
        Frame::new(-10.0, -1.0, 10.0, 10.5),
        arch,
    )
    .about("Wedge-shaped stones carry each other and a wall on top.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "dominoes",
        "Dominoes",
        Frame::new(-11.0, -1.0, 11.0, 5.0),
        dominoes,
    )
    .about("A ball pushes the first of forty dominoes.")
    .steps(190)
    .with_knobs(DOMINO_KNOBS, |values| dominoes_of(values[0], values[1])),
    Scene::new(
        CATEGORY,
        "double_domino",
        "Dominoes two deep",
        Frame::new(-9.0, -1.0, 9.0, 4.0),
        double_domino,
    )
    .about("A row of thin boxes, tipped at one end, falls to the other.")
    .steps(330),
    Scene::new(
        CATEGORY,
        "card_house",
        "House of cards",
        Frame::new(-2.0, -0.2, 2.0, 2.0),
        card_house,
    )
    .about("Cards of 3 mm lean on each other, five stories high; horizontal cards end on the tips.")
    .steps(600)
    // Awake bodies have darker colors.
    .shown_at(20),
    Scene::new(
        CATEGORY,
        "confined",
        "Confined",
        Frame::new(-10.5, -0.6, 10.5, 10.6),
        confined,
    )
    .about("Circles packed between four walls without gravity separate and come to rest.")
    .steps(600)
    .overlap(3.0),
];

const STACK_KNOBS: &[Knob] = &[
    Knob::count("boxes", 1, 20, 60),
    Knob::measure("half width [m]", 0.2, 0.5, 2.2),
];

fn stack() -> Stage {
    stack_of(20, 0.5)
}

fn stack_of(boxes: u64, half_width: f32) -> Stage {
    let mut world = usual_world();
    floor(&mut world, 6.0);
    for row in 0..boxes {
        let def = tinted(thing(0.0, 0.5 + row as f32), row % 2);
        drop_in(&mut world, def, rectangle(half_width, 0.5));
    }
    Stage::new(world)
}

fn tilted_stack() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 13.0, 4.0);
    for (tint, offset) in [0.02_f32, 0.05, 0.08, 0.12].into_iter().enumerate() {
        let x = -11.0 + 5.0 * tint as f32;
        for row in 0..10 {
            let def = tinted(
                thing(x + offset * row as f32, 0.5 + row as f32),
                tint as u64,
            );
            drop_in(&mut world, def, rectangle(0.5, 0.5));
        }
    }
    Stage::new(world)
}

fn circle_stack() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 6.0);
    for row in 0..12 {
        let def = tinted(thing(0.0, 0.5 + row as f32), row % 2);
        drop_in(&mut world, def, circle(0.5));
    }
    Stage::new(world)
}

fn capsule_stack() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    for row in 0..8 {
        let def = tinted(thing(0.0, 0.5 + row as f32), row % 2);
        drop_in(&mut world, def, lying_capsule(2.0, 0.5));
    }
    Stage::new(world)
}

const PYRAMID_KNOBS: &[Knob] = &[Knob::count("boxes of the base", 1, 30, 50)];

fn pyramid() -> Stage {
    pyramid_of(30)
}

fn pyramid_of(base: u32) -> Stage {
    let mut world = usual_world();
    floor(&mut world, 27.0);
    build_pyramid(&mut world, base, 0.5, 0.0);
    Stage::new(world)
}

/// Builds a pyramid of squares with `base` of them in the lowest row, its middle at `x` [m].
pub(crate) fn build_pyramid(world: &mut World, base: u32, half: f32, x: f64) {
    for row in 0..base {
        for column in 0..base - row {
            let across = column as f32 - 0.5 * (base - row - 1) as f32;
            let up = half + 2.0 * half * row as f32;
            let mut def = tinted(thing(0.0, up), u64::from(row % 2));
            def.position.x = x + f64::from(2.0 * half * across);
            drop_in(world, def, rectangle(half, half));
        }
    }
}

fn cliff() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    let ledge = rectangle_at(4.0, 0.5, -5.0, 3.5, 0.0);
    world.create_shape(ground, ledge, ShapeDef::default());
    for (i, friction) in [0.5, 0.3, 0.1].into_iter().enumerate() {
        let def = tinted(
            thing(-8.0 + 2.0 * i as f32, 4.4).velocity(6.0, 0.0),
            i as u64,
        );
        place(
            &mut world,
            def,
            rectangle(0.5, 0.4),
            ShapeDef::default().friction(friction),
        );
    }
    let capsule = tinted(thing(-2.0, 4.3).velocity(2.0, 0.0), 3);
    drop_in(&mut world, capsule, lying_capsule(0.4, 0.3));
    Stage::new(world)
}

/// Stones in half an arch.
const ARCH_STONES: u32 = 8;

fn arch() -> Stage {
    arch_under(3, 0.5)
}

/// An arch under `boxes` on each other, each `half_width` wide to either side \[m\].
pub(crate) fn arch_under(boxes: u32, half_width: f32) -> Stage {
    let mut world = usual_world();
    floor(&mut world, 10.0);
    let (inner, outer) = (5.0, 6.4);
    let count = 2 * ARCH_STONES + 1;
    for i in 0..count {
        let [a, b] = [i, i + 1].map(|i| sin_cos(PI * i as f32 / count as f32));
        let corners = [
            (inner * a.1, inner * a.0),
            (outer * a.1, outer * a.0),
            (outer * b.1, outer * b.0),
            (inner * b.1, inner * b.0),
        ];
        drop_in(
            &mut world,
            tinted(thing(0.0, 0.0), u64::from(i % 2)),
            hull(&corners),
        );
    }
    // The keystone is flat: its top is as high as the middle of the chord.
    let (_, flat) = sin_cos(0.5 * PI / count as f32);
    for row in 0..boxes {
        let def = tinted(thing(0.0, outer * flat + 0.4 + 0.8 * row as f32), 3);
        drop_in(&mut world, def, rectangle(half_width, 0.4));
    }
    Stage::new(world)
}

const DOMINO_KNOBS: &[Knob] = &[
    Knob::measure("distance [m]", 0.15, 0.4, 0.47),
    Knob::measure("speed [m/s]", 0.5, 3.0, 20.0),
];

fn dominoes() -> Stage {
    dominoes_of(0.4, 3.0)
}

fn dominoes_of(gap: f32, speed: f32) -> Stage {
    let mut world = usual_world();
    floor(&mut world, 11.0);
    for i in 0..40 {
        let def = tinted(thing(-8.0 + gap * i as f32, 0.5), i % 6);
        drop_in(&mut world, def, rectangle(0.06, 0.5));
    }
    drop_in(
        &mut world,
        thing(-10.0, 0.3).velocity(speed, 0.0),
        circle(0.3),
    );
    Stage::new(world)
}

fn double_domino() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    for i in 0..15 {
        let def = tinted(thing(-7.0 + i as f32, 0.5), i % 6);
        let body = drop_in(&mut world, def, rectangle(0.125, 0.5));
        if i == 0 {
            let top = world.body(body).to_world(cairn2d::prelude::point(0.0, 0.5));
            let push = cairn2d::prelude::vec2(0.2, 0.0);
            world.body_mut(body).apply_impulse_at(push, top);
        }
    }
    Stage::new(world)
}

fn card_house() -> Stage {
    let house = CardHouse {
        thickness: 0.003,
        off_by: 0.0,
        seed: 1,
    };
    Stage::new(house.build())
}

fn confined() -> Stage {
    let mut world = World::new(cairn2d::prelude::WorldDef::weightless());
    let walls = bin(&mut world, 9.0, 9.0);
    world.create_shape(
        walls,
        rectangle_at(10.0, HALF_WALL, 0.0, 9.5, 0.0),
        ShapeDef::default(),
    );
    let mut random = Random::new(11);
    for row in 0..11 {
        for column in 0..22 {
            let x = 0.79 * (column as f32 - 10.5) + random.range(-0.05, 0.05);
            let y = 0.5 + 0.79 * row as f32;
            let def = tinted(thing(x, y), u64::from(random.below(6)));
            let def = BodyDef {
                linear_damping: 0.5,
                angular_damping: 0.5,
                ..def
            };
            drop_in(&mut world, def, circle(random.range(0.36, 0.42)));
        }
    }
    Stage::new(world)
}
