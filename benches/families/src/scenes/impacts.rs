//! Impacts on piles: a crate on small boxes, a dense box on a row.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::ShapeDef;

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "crates",
        title: "a crate falls on 5 to 24 small boxes of the same density",
        criterion: "no step longer than 20 times the mean",
        limits: Limits {
            spike: 20.0,
            ..Limits::STANDS
        },
        rarity: 1,
        build: falling_crate,
    },
    Family {
        name: "rows",
        title: "a box of 1000 times the density lands at 10 m/s on a row of 1 to 12 boxes",
        criterion: "overlap at most 5 cm, rebound at most 1 m/s",
        limits: Limits {
            overlap: 0.05,
            thrown: 0.05,
            ..Limits::STANDS
        },
        rarity: 1,
        build: row,
    },
];

fn falling_crate(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 2.0);
    scene.ground();
    let count = draw.count(5, 24);
    let columns = draw.count(1, 5);
    let size = draw.range(0.1, 0.2);
    for i in 0..count {
        let (column, row) = (i % columns, i / columns);
        let at = [
            (2.05 * size) * (column as f32 - 0.5 * (columns - 1) as f32),
            size + 2.0 * size * row as f32,
        ];
        scene.dynamic(at, Form::Rectangle(size, size), 1.0);
    }
    let half = draw.range(0.4, 1.2);
    let top = 2.0 * size * count.div_ceil(columns) as f32;
    let velocity = [draw.range(-1.0, 1.0), -draw.range(0.0, 8.0)];
    let def = scene
        .moving(velocity, 0.0)
        .angle(draw.pick(&[0.0, 0.1, 0.4]));
    let at = [draw.range(-0.2, 0.2), top + 1.5 * half + 0.1];
    let form = Form::Rectangle(half, half);
    scene.dynamic_of(def, at, form, &ShapeDef::default());
    scene
}

fn row(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 2.0);
    scene.ground();
    let count = draw.pick(&[1, 2, 3, 6, 12]);
    for i in 0..count {
        let x = 1.01 * (i as f32 - 0.5 * (count - 1) as f32);
        scene.dynamic([x, 0.5], Form::Rectangle(0.5, 0.5), 1.0);
    }
    let half = (0.5 * count as f32).max(0.5);
    let def = scene
        .moving([0.0, -10.0], 0.0)
        .angle(draw.pick(&[0.0, 0.0, 0.05]));
    let shape = ShapeDef::default().density(1000.0);
    let at = [draw.range(-0.1, 0.1), 1.5 + 0.1 * half];
    let form = Form::Rectangle(half, 0.4);
    scene.dynamic_of(def, at, form, &shape);
    scene
}
