//! Machines: cranes of hinges with limits, flippers, motors against limits.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::math::PI;
use cairn2d::{Limit, Motor};

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "cranes",
        title: "5 to 40 cranes of 30 hinges with limits",
        criterion: "top speed at most 60 m/s, no step longer than 20 times the mean",
        limits: Limits {
            speed: 60.0,
            spike: 20.0,
            ..Limits::STANDS
        },
        rarity: 6,
        build: cranes,
    },
    Family {
        name: "flippers",
        title: "flippers moved by `set_velocity` and `set_angular_velocity`",
        criterion: "joint gaps at most 20 mm",
        limits: Limits {
            gap: 0.02,
            ..Limits::STANDS
        },
        rarity: 1,
        build: flippers,
    },
    Family {
        name: "motors",
        title: "motors that push arms against their limits",
        criterion: "at most 0.1 rad beyond a limit",
        limits: Limits {
            limit: 0.1,
            ..Limits::STANDS
        },
        rarity: 1,
        build: motors,
    },
];

fn cranes(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 2.0);
    let bound = draw.range(0.02, 0.2);
    for crane in 0..draw.pick(&[5, 20, 40]) {
        let foot = [40.0 * crane as f32, 30.0];
        let mut last = scene.fixed_at(foot, Form::Ball(0.05));
        for i in 0..30 {
            let x = foot[0] + i as f32;
            let form = Form::Rectangle(0.45, 0.1);
            let link = scene.dynamic([x + 0.5, foot[1]], form, 1.0);
            let limit = Some(Limit::new(-bound, bound));
            scene.hinge(last, link, [x, foot[1]], limit, None);
            last = link;
        }
        let load = [foot[0] + 30.5, foot[1]];
        let load_body = scene.dynamic(load, Form::Rectangle(0.4, 0.4), draw.pick(&[1.0, 10.0]));
        scene.weld(last, load_body, [foot[0] + 30.0, foot[1]]);
    }
    scene
}

fn flippers(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 3.0);
    scene.ground();
    let base = scene.fixed_at([0.0, 3.0], Form::Ball(0.05));
    let limit = Some(Limit::new(-0.6, 0.6));
    let flipper = scene.dynamic([1.0, 3.0], Form::Rectangle(1.0, 0.1), 5.0);
    scene.hinge(base, flipper, [0.0, 3.0], limit, None);
    for i in 0..draw.count(0, 6) {
        let at = [0.4 + 0.25 * i as f32, 3.4 + 0.3 * i as f32];
        scene.dynamic(at, Form::Ball(0.12), draw.pick(&[1.0, 10.0]));
    }
    let speed = draw.range(2.0, 30.0);
    let period = draw.range(0.1, 0.6);
    let also_moves = draw.rng.bool();
    let up = scene.velocity([0.0, speed]);
    let spin = speed / scene.conditions.time_unit();
    scene.drive = Some(Box::new(move |world, time| {
        let sign = if (time / period).rem_euclid(2.0) < 1.0 {
            1.0
        } else {
            -1.0
        };
        let mut body = world.body_mut(flipper);
        body.set_angular_velocity(sign * spin);
        if also_moves {
            body.set_velocity(sign * up);
        }
    }));
    scene
}

fn motors(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 3.0);
    let mut last = scene.fixed_at([0.0, 0.0], Form::Ball(0.05));
    let conditions = scene.conditions;
    let time = conditions.time_unit();
    // Weight of a link of 1 m x 0.2 m, times its length [N m].
    let scale = conditions.scale;
    let weight = 0.2 * scale * scale * scale * conditions.gravity;
    for i in 0..draw.count(1, 5) {
        let x = i as f32;
        let link = scene.dynamic([x + 0.5, 0.0], Form::Rectangle(0.4, 0.1), 1.0);
        let limit = Limit::new(-draw.range(0.05, 0.5 * PI), draw.range(0.05, 0.5 * PI));
        let speed = draw.sign() * draw.range(1.0, 30.0) / time;
        let motor = Motor::new(speed, weight * draw.range(1.0, 1000.0));
        scene.hinge(last, link, [x, 0.0], Some(limit), Some(motor));
        last = link;
    }
    // A motor does work, so the energy of the scene may grow.
    scene.drive = Some(Box::new(|_, _| {}));
    scene
}
