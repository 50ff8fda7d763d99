//! First things to see.

use crate::kit::{
    bin, circle, drop_in, floor, hull, lying_capsule, place, rectangle, thing, tinted, usual_world,
};
use crate::random::Random;
use crate::scene::{Category, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::PI;
use cairn2d::prelude::{Ellipse, Point, Polygon, ShapeDef, World, point};

const CATEGORY: Category = Category::Basics;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "readme",
        "Hello, cairn",
        Frame::new(-8.0, -1.0, 8.0, 6.5),
        readme,
    )
    .about("The README's program: a ground, a few boxes and a ball that knocks them over.")
    .steps(84),
    Scene::new(
        CATEGORY,
        "single_box",
        "A single box",
        Frame::new(-4.0, -1.0, 4.0, 3.5),
        single_box,
    )
    .about("One box slides to a halt and falls asleep.")
    .steps(180)
    .without_picture(),
    Scene::new(
        CATEGORY,
        "tilted_boxes",
        "Tilted boxes",
        Frame::new(-9.0, -1.0, 9.0, 5.0),
        tilted_boxes,
    )
    .about("Boxes dropped at different angles come to rest on one side.")
    .steps(240)
    .shown_at(50),
    Scene::new(
        CATEGORY,
        "bin",
        "Mixed shapes in a bin",
        Frame::new(-10.0, -1.0, 10.0, 9.5),
        mixed_bin,
    )
    .about("Circles, capsules, ellipses, sharp and rounded polygons, poured into a bin.")
    .steps(480)
    .overlap(8.0),
];

fn readme() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 8.0);
    for row in 0..5 {
        let def = tinted(thing(2.0, 0.5 + 1.0 * row as f32), 1);
        drop_in(&mut world, def, rectangle(0.5, 0.5));
    }
    let ball = thing(-6.0, 2.0).velocity(9.0, 3.0);
    place(
        &mut world,
        ball,
        circle(0.6),
        ShapeDef::default().density(4.0),
    );
    Stage::new(world)
}

fn single_box() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 4.0);
    drop_in(
        &mut world,
        thing(-2.5, 0.5).velocity(4.0, 0.0),
        rectangle(0.5, 0.5),
    );
    Stage::new(world)
}

fn tilted_boxes() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    for i in 0..7 {
        let x = 2.4 * (i as f32 - 3.0);
        let angle = i as f32 * PI / 14.0;
        let def = tinted(thing(x, 2.0).angle(angle), i % 6);
        drop_in(&mut world, def, rectangle(0.7, 0.4));
    }
    Stage::new(world)
}

fn mixed_bin() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 7.0, 9.0);
    let mut random = Random::new(3);
    for row in 0..22 {
        for column in 0..10 {
            let x = 1.2 * (column as f32 - 4.5) + random.range(-0.1, 0.1);
            let y = 1.5 + 1.2 * row as f32;
            drop_mixed(&mut world, &mut random, x, y);
        }
    }
    Stage::new(world)
}

/// Adds one of six kinds of shapes, at a random size and angle.
fn drop_mixed(world: &mut World, random: &mut Random, x: f32, y: f32) {
    let size = random.range(0.25, 0.45);
    let kind = random.below(6);
    let def = tinted(thing(x, y).angle(random.range(-PI, PI)), kind.into());
    match kind {
        0 => drop_in(world, def, circle(size)),
        1 => drop_in(world, def, lying_capsule(0.6 * size, 0.6 * size)),
        2 => drop_in(world, def, rectangle(size, 0.7 * size)),
        3 => drop_in(
            world,
            def,
            Polygon::rounded_rectangle(0.5 * size, 0.5 * size, 0.4 * size),
        ),
        4 => drop_in(
            world,
            def,
            Ellipse::new(Point::origin(), 1.2 * size, 0.7 * size, 0.0),
        ),
        _ => drop_in(world, def, random_polygon(random, size)),
    };
}

/// Returns the hull of points about a circle of `radius` [m].
fn random_polygon(random: &mut Random, radius: f32) -> Polygon {
    let count = 3 + random.below(5);
    let corners: Vec<(f32, f32)> = (0..count)
        .map(|i| {
            let angle = (i as f32 + random.range(-0.25, 0.25)) * 2.0 * PI / count as f32;
            let (sin, cos) = cairn2d::geometry::math::sin_cos(angle);
            let corner = point(cos, sin) * radius * 1.15;
            (corner.x, corner.y)
        })
        .collect();
    hull(&corners)
}
