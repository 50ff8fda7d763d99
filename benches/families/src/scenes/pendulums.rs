//! Pendulums: free chains, a double pendulum hit by a pebble, one pendulum among many.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::math::{PI, sin_cos};
use cairn2d::{BodyDef, BodyId, Filter, ShapeDef};

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "chains",
        title: "free pendulum chains of 4 to 12 links",
        criterion: "joint gaps at most 1 mm, gain of energy at most 1 %",
        limits: Limits {
            gap: 1.0e-3,
            gain: 0.01,
            ..Limits::STANDS
        },
        rarity: 1,
        build: chain,
    },
    Family {
        name: "pebbles",
        title: "a double pendulum hit once by a pebble of 1e-4 of its mass",
        criterion: "joint gaps at most 3 mm",
        limits: Limits {
            gap: 3.0e-3,
            ..Limits::STANDS
        },
        rarity: 1,
        build: pebble,
    },
    Family {
        name: "pendulum-crowds",
        title: "a pendulum released from level, in a world with 0 to 500 others",
        criterion: "energy kept to 1e-5",
        limits: Limits {
            error: 1.0e-5,
            ..Limits::STANDS
        },
        rarity: 4,
        build: crowd,
    },
];

/// Hangs a chain of links on a post, straight at an angle from the vertical; returns its links.
fn hang(scene: &mut Scene, post: [f32; 2], links: usize, angle: f32) -> Vec<BodyId> {
    let (sin, cos) = sin_cos(angle);
    let mut last = scene.fixed_at(post, Form::Ball(0.02));
    let mut bodies = Vec::new();
    // Links do not touch each other.
    let shape = ShapeDef::default().filter(Filter {
        group: -1,
        ..Filter::default()
    });
    for i in 0..links {
        let along = |way: f32| [post[0] + way * sin, post[1] - way * cos];
        let def = BodyDef::dynamic().angle(angle);
        let form = Form::Rectangle(0.05, 0.4);
        let link = scene.dynamic_of(def, along(i as f32 + 0.5), form, &shape);
        scene.pin(last, link, along(i as f32));
        bodies.push(link);
        last = link;
    }
    bodies
}

fn chain(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 8.0);
    let (links, angle) = (draw.count(4, 12), draw.sign() * draw.range(0.5, PI));
    hang(&mut scene, [0.0, 20.0], links, angle);
    scene
}

fn pebble(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 8.0);
    let angle = draw.sign() * draw.range(0.5, 2.5);
    hang(&mut scene, [0.0, 20.0], 2, angle);
    // It flies through the reach of the pendulum and, in most scenes, hits it.
    let speed = draw.range(3.0, 20.0);
    let def = scene.moving([speed, 0.0], 0.0);
    let shape = ShapeDef::default().density(0.01);
    let at = [-4.0, 20.0 - draw.range(0.0, 1.8)];
    scene.dynamic_of(def, at, Form::Ball(0.016), &shape);
    scene
}

fn crowd(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 10.0);
    scene.conserved = hang(&mut scene, [0.0, 0.0], 1, 0.5 * PI);
    for i in 0..draw.pick(&[0, 63, 64, 500]) {
        let post = [10.0 + 4.0 * (i % 25) as f32, 4.0 * (i / 25) as f32];
        let angle = draw.range(-2.0, 2.0);
        hang(&mut scene, post, 1, angle);
    }
    scene
}
