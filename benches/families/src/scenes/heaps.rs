//! Heaps with high mass ratios: at rest in a bin, and poured.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Region, Scene, Weight};

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "heavy-bin",
        title: "200 to 2000 bodies in a bin, 30 % of them 1000 times as dense; measured after a second of rest",
        criterion: "top speed at most 10 m/s, thrown at most 1 m above the start, none outside",
        limits: Limits {
            speed: 10.0,
            thrown: 1.0,
            ..Limits::STANDS
        },
        rarity: 10,
        build: heavy_bin,
    },
    Family {
        name: "pours",
        title: "bodies of a mass ratio of 1000 poured into a bin at 480 steps a second",
        criterion: "thrown at most 1 m above the start, none outside",
        limits: Limits {
            thrown: 1.0,
            ..Limits::STANDS
        },
        rarity: 3,
        build: pour,
    },
    Family {
        name: "overlaps",
        title: "20 to 2000 bodies created in overlap",
        criterion: "top speed at most 20 m/s",
        limits: Limits {
            speed: 20.0,
            ..Limits::STANDS
        },
        rarity: 5,
        build: overlaps,
    },
];

/// Builds a bin, open above; returns its region.
fn bin(scene: &mut Scene, half_width: f32, height: f32) {
    scene.fixed(Form::Beside([half_width + 2.0, 1.0], [0.0, -1.0], 0.0));
    for side in [-1.0, 1.0] {
        let at = [side * (half_width + 1.0), 0.5 * height];
        scene.fixed(Form::Beside([1.0, 0.5 * height + 1.0], at, 0.0));
    }
    scene.region = Some(Region {
        min_x: -half_width,
        max_x: half_width,
        min_y: 0.0,
    });
}

fn random_form(draw: &mut Draw, radius: f32) -> Form {
    match draw.count(0, 3) {
        0 => Form::Ball(radius),
        1 => Form::Regular(draw.count(3, 8), radius),
        2 => Form::Capsule(0.5 * radius, 0.5 * radius),
        _ => Form::Rectangle(0.7 * radius, 0.7 * radius),
    }
}

fn density(draw: &mut Draw, share: f32) -> f32 {
    if draw.chance(share) { 1000.0 } else { 1.0 }
}

fn heavy_bin(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    let count = draw.pick(&[200, 500, 1000, 2000]);
    let half_width = 0.3 * (count as f32).sqrt();
    let columns = (2.0 * half_width / 0.52) as usize;
    bin(&mut scene, half_width, 300.0);
    for i in 0..count {
        let (column, row) = (i % columns, i / columns);
        let at = [
            -half_width + 0.3 + 0.52 * column as f32 + draw.range(-0.005, 0.005),
            0.26 + 0.52 * row as f32,
        ];
        let form = random_form(draw, 0.25);
        let density = density(draw, 0.3);
        scene.dynamic(at, form, density);
    }
    scene.settle = 1.0;
    scene
}

fn pour(draw: &mut Draw) -> Scene {
    if draw.conditions.rate == 60.0 {
        draw.conditions.rate = 480.0;
    }
    let mut scene = Scene::new(draw, Weight::On, 3.0);
    bin(&mut scene, 4.0, 300.0);
    let share = draw.range(0.05, 0.5);
    for i in 0..draw.count(40, 120) {
        let at = [
            draw.range(-3.0, 3.0),
            1.0 + 0.08 * i as f32 + draw.range(0.0, 0.05),
        ];
        let radius = draw.range(0.1, 0.3);
        let form = random_form(draw, radius);
        let density = density(draw, share);
        scene.dynamic(at, form, density);
    }
    scene
}

fn overlaps(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 2.0);
    let count = draw.pick(&[20, 100, 500, 2000]);
    let half_width = draw.range(0.1, 0.25) * (count as f32).sqrt();
    scene.ground();
    for _ in 0..count {
        let at = [
            draw.range(-half_width, half_width),
            draw.range(0.3, 2.0 * half_width + 0.5),
        ];
        let form = random_form(draw, 0.25);
        scene.dynamic(at, form, 1.0);
    }
    // Overlaps at the start are those of the user.
    scene.settle = 0.5;
    scene
}
