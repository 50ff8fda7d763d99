//! Stars of joints about a hub, which are passive, and wrecking balls.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::math::{PI, sin_cos};
use cairn2d::{
    JointSoftness, Limit, PrismaticJointDef, ShapeDef, Spring, WeldJointDef, WheelJointDef, vec2,
};

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "stars",
        title: "3 to 16 disks on sliders, wheels, pins or soft welds about a hub that drifts and spins, weightless",
        criterion: "gain of energy at most 1 %",
        limits: Limits {
            gain: 0.01,
            ..Limits::STANDS
        },
        rarity: 1,
        build: star,
    },
    Family {
        name: "wrecking-balls",
        title: "a ball of 100 to 3000 times a link's mass on a chain of 10 to 30 links swings into a wall",
        criterion: "joint gaps at most 1 m",
        limits: Limits {
            gap: 1.0,
            ..Limits::STANDS
        },
        rarity: 2,
        build: wrecking_ball,
    },
];

fn star(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::Off, 3.0);
    let count = draw.count(3, 16);
    // Neighbors do not touch.
    let distance = (1.0 + 0.25 * count as f32).max(1.2);
    let shape = ShapeDef::default();
    let hub_def = scene.moving([0.3, 0.1], 0.4);
    let hub = scene.dynamic_of(hub_def, [0.0, 0.0], Form::Ball(0.3), &shape);
    let size = scene.conditions.scale;
    let limit = Some(Limit::new(-0.2 * size, 0.2 * size));
    let hertz = 20.0 / scene.conditions.time_unit();
    let kind = draw.count(0, 3);
    for i in 0..count {
        let (sin, cos) = sin_cos(2.0 * PI * i as f32 / count as f32);
        let at = [distance * cos, distance * sin];
        let disk = scene.dynamic([at[0], at[1]], Form::Ball(0.3), 1.0);
        let (place, axis) = (scene.place(at), vec2(cos, sin));
        match kind {
            0 => {
                let mut def = PrismaticJointDef::new(hub, disk).at(&scene.world, place, axis);
                def.limit = limit;
                scene.world.create_joint(def);
            }
            1 => {
                let mut def = WheelJointDef::new(hub, disk).at(&scene.world, place, axis);
                def.limit = limit;
                def.spring = Some(Spring::new(0.2 * hertz, 0.7));
                scene.world.create_joint(def);
            }
            2 => {
                let limit = Some(Limit::new(-0.3, 0.3));
                scene.hinge(hub, disk, [0.3 * cos, 0.3 * sin], limit, None);
            }
            _ => {
                let mut def = WeldJointDef::new(hub, disk).at(&scene.world, place);
                let soft = JointSoftness {
                    hertz,
                    damping_ratio: 0.5,
                };
                (def.linear, def.angular) = (Some(soft), Some(soft));
                scene.world.create_joint(def);
            }
        }
    }
    scene
}

fn wrecking_ball(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 6.0);
    scene.ground();
    let links = draw.count(10, 30);
    let (half, length) = (0.2, 0.4 * links as f32);
    let top = length + draw.range(0.8, 1.5);
    let mut last = scene.fixed_at([0.0, top], Form::Ball(0.05));
    for i in 0..links {
        let x = -0.4 * i as f32;
        let link = scene.dynamic([x - half, top], Form::Rectangle(0.18, 0.05), 1.0);
        scene.pin(last, link, [x, top]);
        last = link;
    }
    // A link weighs 0.036 kg.
    let ratio = draw.pick(&[100.0, 1000.0, 3000.0]);
    let density = 0.036 * ratio / (PI * 0.6 * 0.6);
    let ball = scene.dynamic([-length - 0.6, top], Form::Ball(0.6), density);
    scene.pin(last, ball, [-length, top]);
    for i in 0..draw.count(6, 24) {
        let at = [1.0 + 0.82 * (i % 3) as f32, 0.4 + 0.8 * (i / 3) as f32];
        scene.dynamic(at, Form::Rectangle(0.4, 0.4), draw.pick(&[1.0, 10.0]));
    }
    scene
}
