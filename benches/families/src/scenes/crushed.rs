//! A piston that crushes a pile in a channel.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Region, Scene, Weight};
use cairn2d::vec2;

pub(super) const FAMILIES: [Family; 1] = [Family {
    name: "pistons",
    title: "a kinematic piston crushes a pile in a channel at 2 to 80 m/s",
    criterion: "no body outside of the channel",
    limits: Limits::STANDS,
    rarity: 1,
    build: piston,
}];

/// Half width of the channel, and half the thickness of its walls [m].
const HALF_WIDTH: f32 = 2.0;
const HALF_WALL: f32 = 0.5;

fn piston(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 2.5);
    let floor = [HALF_WIDTH + 2.0 * HALF_WALL, HALF_WALL];
    scene.fixed(Form::Beside(floor, [0.0, -HALF_WALL], 0.0));
    for side in [-1.0, 1.0] {
        let at = [side * (HALF_WIDTH + HALF_WALL), 50.0];
        scene.fixed(Form::Beside([HALF_WALL, 51.0], at, 0.0));
    }
    scene.region = Some(Region {
        min_x: -HALF_WIDTH,
        max_x: HALF_WIDTH,
        min_y: 0.0,
    });
    let count = draw.count(5, 60);
    for i in 0..count {
        let (column, row) = (i % 6, i / 6);
        let at = [
            -1.6 + 0.62 * column as f32 + draw.range(-0.02, 0.02),
            0.31 + 0.62 * row as f32,
        ];
        let form = match draw.count(0, 2) {
            0 => Form::Ball(0.28),
            1 => Form::Rectangle(0.28, 0.28),
            _ => Form::Regular(6, 0.29),
        };
        scene.dynamic(at, form, 1.0);
    }
    let top = 0.62 * (count as f32 / 6.0).ceil() + 1.0;
    let at = [0.0, top + 1.0];
    let piston = scene.kinematic(at, Form::Rectangle(HALF_WIDTH - 0.02, 0.5));
    let speed = draw.pick(&[2.0, 5.0, 10.0, 20.0, 40.0, 80.0]) * draw.range(0.8, 1.0);
    // It stops where the pile has a third to all of its height left.
    let stroke = (1.0 + draw.range(0.0, 0.67) * (top - 1.0)) / speed;
    let (down, start) = (scene.velocity([0.0, -speed]), 0.5);
    scene.drive = Some(Box::new(move |world, time| {
        let moves = (start..start + stroke).contains(&time);
        let velocity = if moves { down } else { vec2(0.0, 0.0) };
        world.body_mut(piston).set_velocity(velocity);
    }));
    scene
}
