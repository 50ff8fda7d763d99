//! Bodies that kinematic ones squeeze: in presses, and under gates on belts.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Region, Scene, Weight};
use cairn2d::ShapeDef;

/// No body may be much faster than what squeezes it, at most 2 m/s, and what falls down a pile.
const LIMITS: Limits = Limits {
    speed: 12.0,
    ..Limits::STANDS
};

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "presses",
        title: "two kinematic plates squeeze 2 to 20 bodies at 0.2 to 2 m/s each, on a floor between walls or without",
        criterion: "top speed at most 12 m/s, no body below the floor",
        limits: LIMITS,
        rarity: 1,
        build: press,
    },
    Family {
        name: "gates",
        title: "belts carry crates under a kinematic gate that moves up and down",
        criterion: "top speed at most 12 m/s, no body below the belt",
        limits: LIMITS,
        rarity: 1,
        build: gate,
    },
];

fn form(draw: &mut Draw) -> Form {
    draw.pick(&[
        Form::Rectangle(0.5, 0.5),
        Form::Rectangle(0.5, 0.5),
        Form::Rectangle(0.6, 0.25),
        Form::Ball(0.4),
        Form::Regular(6, 0.5),
    ])
}

const BELOW: Region = Region {
    min_x: -200.0,
    max_x: 200.0,
    min_y: -0.1,
};

fn press(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    scene.ground();
    scene.region = Some(BELOW);
    let columns = draw.count(1, 4);
    let rows = draw.count(2, 5);
    for i in 0..columns * rows {
        let x = 1.25 * ((i % columns) as f32 - 0.5 * (columns - 1) as f32);
        let form = form(draw);
        scene.dynamic([x, 0.51 + 1.02 * (i / columns) as f32], form, 1.0);
    }
    let half_width = 0.65 * columns as f32;
    let height = 1.1 * rows as f32;
    let speed = draw.range(0.2, 2.0);
    // Upright plates from both sides, or one from above against the floor, between walls.
    let plates = if draw.rng.bool() {
        [-1.0, 1.0].map(|side: f32| {
            let at = [side * (half_width + 0.5), 0.5 * height + 0.05];
            let plate = scene.kinematic(at, Form::Rectangle(0.3, 0.5 * height));
            (plate, scene.velocity([-side * speed, 0.0]))
        })
    } else {
        for side in [-1.0, 1.0] {
            let at = [side * (half_width + 1.5), 5.0];
            scene.fixed(Form::Beside([0.5, 6.0], at, 0.0));
        }
        [0.0, 1.0].map(|part: f32| {
            let at = [(part - 0.5) * half_width, height + 0.5];
            let plate = scene.kinematic(at, Form::Rectangle(0.5 * half_width, 0.3));
            (plate, scene.velocity([0.0, -speed]))
        })
    };
    for (plate, velocity) in plates {
        scene.world.body_mut(plate).set_velocity(velocity);
    }
    let way = draw.range(0.3, 0.9) * half_width.min(height);
    let end = 0.5 / speed + way / speed;
    scene.drive = Some(Box::new(move |world, time| {
        if time >= end {
            for (plate, velocity) in plates {
                world.body_mut(plate).set_velocity(0.0 * velocity);
            }
        }
    }));
    scene
}

fn gate(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 6.0);
    let belt = scene.ground();
    scene.region = Some(BELOW);
    let speed = draw.range(0.5, 2.0);
    let surface = scene.velocity([speed, 0.0]).x;
    let belt: Vec<_> = scene.world.body(belt).shapes().map(|s| s.id()).collect();
    for shape in belt {
        scene.world.shape_mut(shape).set_surface_speed(-surface);
    }
    for i in 0..draw.count(3, 12) {
        let (column, row) = (i / 2, i % 2);
        let form = form(draw);
        let at = [-1.0 - 1.3 * column as f32, 0.51 + 1.02 * row as f32];
        scene.dynamic_of(
            scene.moving([speed, 0.0], 0.0),
            at,
            form,
            &ShapeDef::default(),
        );
    }
    let open = 2.4;
    let gate = scene.kinematic(
        [2.0, open + 1.0],
        Form::Rectangle(draw.range(0.2, 1.0), 1.0),
    );
    let stroke = draw.range(1.0, 2.0);
    let period = draw.range(1.0, 3.0);
    let down = scene.velocity([0.0, -2.0 * stroke / period]);
    scene.drive = Some(Box::new(move |world, time| {
        let closes = (time / period).fract() < 0.5;
        let velocity = if closes { down } else { -down };
        world.body_mut(gate).set_velocity(velocity);
    }));
    scene
}
