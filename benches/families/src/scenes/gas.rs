//! A gas of bouncing balls.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Region, Scene, Weight};
use cairn2d::ShapeDef;
use cairn2d::math::{PI, sin_cos};

pub(super) const FAMILIES: [Family; 1] = [Family {
    name: "gas",
    title: "40 to 1000 balls that bounce without loss",
    criterion: "energy kept to 1e-5",
    limits: Limits {
        error: 1.0e-5,
        ..Limits::STANDS
    },
    rarity: 10,
    build: gas,
}];

fn gas(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::Off, 5.0);
    let count = draw.pick(&[40, 200, 1000]);
    let columns = (count as f32).sqrt().ceil() as usize;
    let half = 0.5 * columns as f32 + 0.5;
    let bouncy = ShapeDef::default().restitution(1.0).friction(0.0);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let size = [1.0 + half * f32::abs(y), 1.0 + half * f32::abs(x)];
        let at = [x * (half + 1.0), y * (half + 1.0)];
        scene.fixed(Form::Beside(size, at, 0.0));
    }
    for i in 0..count {
        let at = [
            (i % columns) as f32 + 0.5 - 0.5 * columns as f32,
            (i / columns) as f32 + 0.5 - 0.5 * columns as f32,
        ];
        let (sin, cos) = sin_cos(draw.range(-PI, PI));
        let speed = draw.range(1.0, 5.0);
        let def = scene.moving([speed * cos, speed * sin], 0.0);
        let ball = scene.dynamic_of(def, at, Form::Ball(0.2), &bouncy);
        scene.conserved.push(ball);
    }
    scene.region = Some(Region {
        min_x: -half,
        max_x: half,
        min_y: -half,
    });
    scene
}
