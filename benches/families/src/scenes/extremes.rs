//! Restitutions from next to none to full in piles, and slabs of a hundred meters on things of a centimeter.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::{BodyDef, ShapeDef};

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "bouncy-piles",
        title: "restitution of 0.001 to 1 where a box of 100 or 1000 times the density lies on a pile, or one body bounces",
        criterion: "overlap at rest at most 5 cm",
        limits: Limits {
            overlap: 0.05,
            ..Limits::STANDS
        },
        rarity: 1,
        build: bouncy_pile,
    },
    Family {
        name: "slabs",
        title: "a slab of 100 m on 3 to 20 boxes or balls of a few centimeters",
        criterion: "top speed at rest at most 0.2 m/s",
        limits: Limits {
            speed: 0.2,
            ..Limits::STANDS
        },
        rarity: 1,
        build: slab,
    },
];

fn bouncy_pile(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    scene.settle = 3.0;
    scene.ground();
    let restitution = draw.pick(&[0.001, 0.01, 0.1, 0.14, 0.3, 0.7, 1.0]);
    let bouncy = ShapeDef::default().restitution(restitution);
    let only_one = draw.rng.bool();
    let dull = if only_one {
        ShapeDef::default()
    } else {
        bouncy
    };
    let columns = draw.count(1, 3);
    let rows = draw.count(1, 4);
    for i in 0..columns * rows {
        let x = 1.05 * ((i % columns) as f32 - 0.5 * (columns - 1) as f32);
        let at = [x, 0.5 + (i / columns) as f32];
        scene.dynamic_of(BodyDef::dynamic(), at, Form::Rectangle(0.5, 0.5), &dull);
    }
    let heavy = dull.density(draw.pick(&[100.0, 1000.0]));
    let half = 0.5 * columns as f32;
    let top = rows as f32;
    let form = Form::Rectangle(half, 0.5);
    scene.dynamic_of(BodyDef::dynamic(), [0.0, top + 0.7], form, &heavy);
    if only_one {
        let at = [0.0, top + 1.6];
        scene.dynamic_of(BodyDef::dynamic(), at, Form::Ball(0.3), &bouncy);
    }
    scene
}

fn slab(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 6.0);
    scene.settle = 4.0;
    scene.ground();
    let count = draw.count(3, 20);
    // Spread along the slab, or all under its middle; of one size, or of many.
    let width = draw.pick(&[1.0, 10.0, 80.0]);
    let most = draw.pick(&[0.01, 0.02, 0.05]);
    let is_even = draw.rng.bool();
    for i in 0..count {
        let x = width * (i as f32 / (count - 1) as f32 - 0.5);
        let size = if is_even {
            most
        } else {
            draw.range(0.3, 1.0) * most
        };
        let form = if draw.rng.bool() {
            Form::Ball(size)
        } else {
            Form::Rectangle(size, size)
        };
        scene.dynamic([x, size], form, 1.0);
    }
    let half_height = draw.pick(&[0.05, 0.5]);
    let at = [0.0, 2.0 * most + half_height + 0.001];
    scene.dynamic(at, Form::Rectangle(50.0, half_height), 1.0);
    scene
}
