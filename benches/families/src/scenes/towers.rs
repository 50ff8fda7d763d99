//! Towers whose boxes lie to the left and to the right in turn: placed at once, and built box by box.

use super::columns::build_by_steps;
use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};

/// Shift that is no fall yet, and that no tower may reach: it sinks under its weight.
const SUNK: f32 = 0.5;
const LIMITS: Limits = Limits {
    shift: 0.3,
    ..Limits::STANDS
};

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "towers",
        title: "towers of 10 to 60 boxes, planks or rounded boxes, alternately 0 to 10 cm off, placed at once",
        criterion: "none falls, none sinks by more than 30 cm",
        limits: LIMITS,
        rarity: 4,
        build: placed,
    },
    Family {
        name: "built-towers",
        title: "the same towers, built one box per 10 to 30 steps",
        criterion: "none falls, none sinks by more than 30 cm",
        limits: LIMITS,
        rarity: 4,
        build: built,
    },
];

/// Draws the form of the boxes and their places.
fn tower(draw: &mut Draw) -> (Form, Vec<[f32; 2]>) {
    let (form, half_height) = draw.pick(&[
        (Form::Rectangle(0.5, 0.5), 0.5),
        (Form::Rectangle(0.5, 0.5), 0.5),
        (Form::Rectangle(1.0, 0.2), 0.2),
        (Form::Rounded(0.5, 0.5, 0.1), 0.5),
    ]);
    let offset = draw.pick(&[0.0, 0.02, 0.05, 0.1]);
    let count = draw.pick(&[10, 20, 30, 60]);
    let place = |i: usize| {
        let side = if i.is_multiple_of(2) { -0.5 } else { 0.5 };
        [side * offset, half_height * (2 * i + 1) as f32]
    };
    (form, (0..count).map(place).collect())
}

fn placed(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 10.0);
    scene.ground();
    scene.fallen_shift = SUNK;
    let (form, places) = tower(draw);
    for at in places {
        let body = scene.dynamic(at, form, 1.0);
        scene.member(body);
    }
    scene
}

fn built(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 0.0);
    scene.ground();
    scene.fallen_shift = SUNK;
    let (form, places) = tower(draw);
    let pause = draw.pick(&[10, 30]);
    let step = scene.conditions.dt() / scene.conditions.time_unit();
    scene.duration = (places.len() * pause) as f32 * step + 10.0;
    build_by_steps(&mut scene, places.into_iter(), form, pause);
    scene
}
