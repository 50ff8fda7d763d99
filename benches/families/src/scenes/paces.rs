//! Stacks on platforms that accelerate, and in steps of changing length.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::vec2;

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "platforms",
        title: "stacks of 5 to 10 boxes on a platform that accelerates back and forth, at 20 to 60 % of what tips them",
        criterion: "none falls",
        limits: Limits::STANDS,
        rarity: 1,
        build: platform,
    },
    Family {
        name: "paces",
        title: "stacks of 5 to 15 boxes in steps of 1/1000 to 1/20 s in turn",
        criterion: "none falls, thrown by at most 10 cm",
        limits: Limits {
            thrown: 0.1,
            ..Limits::STANDS
        },
        rarity: 1,
        build: pace,
    },
];

/// Half the height of the boxes.
const HALF: f32 = 0.25;

fn stack(scene: &mut Scene, count: usize, bottom: f32) {
    for i in 0..count {
        let at = [0.0, bottom + HALF * (2 * i + 1) as f32];
        let body = scene.dynamic(at, Form::Rectangle(0.5, HALF), 1.0);
        scene.member(body);
    }
}

fn platform(draw: &mut Draw) -> Scene {
    const PERIOD: f32 = 2.0;
    // After whole periods the platform is where it was.
    let mut scene = Scene::new(draw, Weight::On, 4.0 * PERIOD);
    scene.fallen_shift = 0.5;
    let count = draw.count(5, 10);
    let tipping = 10.0 * 0.5 / (HALF * count as f32);
    let share = draw.range(0.2, 0.6);
    // The friction must hold them, too.
    let acceleration = (share * tipping).min(3.0);
    let platform = scene.kinematic([0.0, -0.5], Form::Rectangle(3.0, 0.5));
    stack(&mut scene, count, 0.0);
    let unit = scene.velocity([1.0, 0.0]);
    scene.drive = Some(Box::new(move |world, time| {
        let phase = (time / PERIOD).fract();
        // Up, down through zero, and up again, by the same acceleration.
        let wave = if phase < 0.25 {
            phase
        } else if phase < 0.75 {
            0.5 - phase
        } else {
            phase - 1.0
        };
        let velocity = acceleration * PERIOD * wave * unit;
        world.body_mut(platform).set_velocity(vec2(velocity.x, 0.0));
    }));
    scene
}

fn pace(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 6.0);
    scene.ground();
    let count = draw.count(5, 15);
    stack(&mut scene, count, 0.0);
    let steps: &[f32] = draw.pick(&[
        &[1.0 / 144.0, 1.0 / 20.0],
        &[1.0 / 240.0, 1.0 / 20.0],
        &[1.0 / 1000.0, 1.0 / 30.0],
        &[1.0 / 60.0, 1.0 / 30.0],
        &[1.0 / 60.0, 1.0 / 60.0, 1.0 / 60.0, 1.0 / 20.0],
        &[1.0 / 120.0, 1.0 / 60.0, 1.0 / 30.0],
    ]);
    // The rate of the conditions counts for the run's length alone.
    let rate = scene.conditions.rate;
    scene.pace = steps.iter().map(|step| step * rate).collect();
    scene
}
