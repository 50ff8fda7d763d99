//! Fast bodies and thin obstacles: spinning bars, landing boxes, shots at plates.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Crossing, Scene, Weight};
use cairn2d::math::{PI, sin_cos};
use cairn2d::{BodyDef, ShapeDef};

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "pegs",
        title: "a thin bar spins in place toward a static peg or segment",
        criterion: "the bar does not pass",
        limits: Limits::STANDS,
        rarity: 1,
        build: peg,
    },
    Family {
        name: "landings",
        title: "a box of 2 x 0.5 m lands tilted at 20 m/s on a box floor, a segment or a chain, some as bullets",
        criterion: "no corner more than 20 mm below the floor",
        limits: Limits {
            overlap: 0.02,
            ..Limits::STANDS
        },
        rarity: 1,
        build: landing,
    },
    Family {
        name: "plates",
        title: "16 to 200 balls of 5 cm at 300 m/s against as many dynamic plates of 2 cm",
        criterion: "no ball passes",
        limits: Limits::STANDS,
        rarity: 4,
        build: plates,
    },
];

/// A time shorter than all motion after the impact.
const BRIEF: f32 = 1.0;

fn peg(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::Off, BRIEF);
    let half_length = 2.0;
    let half_thickness = draw.pick(&[0.02, 0.02, 0.1]);
    let spin = draw.sign() * draw.range(5.0, 20.0);
    let start = draw.range(0.0, 2.0 * PI);
    let (sin, cos) = sin_cos(start);
    let distance = draw.range(0.5, 1.8);
    let at = [distance * cos, distance * sin];
    let obstacle = if draw.rng.bool() {
        scene.fixed_at(at, Form::Ball(0.05))
    } else {
        let half = 0.15;
        let end = [half * cos, half * sin];
        scene.fixed_at(at, Form::Segment([-end[0], -end[1]], end))
    };
    let def = scene.moving([0.0, 0.0], spin);
    let form = Form::Rectangle(half_length, half_thickness);
    let bar = scene.dynamic_of(def, [0.0, 0.0], form, &ShapeDef::default());
    // Not in overlap at the start.
    let angle = start - spin.signum() * draw.range(0.3, PI - 0.3);
    let center = scene.place([0.0, 0.0]);
    scene.world.body_mut(bar).set_pose(center, angle);
    scene.crossings.push(Crossing {
        plate: bar,
        half_length: half_length - 0.1,
        body: obstacle,
    });
    scene
}

fn landing(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, BRIEF);
    match draw.count(0, 2) {
        0 => drop(scene.ground()),
        1 => drop(scene.fixed(Form::Segment([-100.0, 0.0], [100.0, 0.0]))),
        _ => {
            let points: Vec<_> = (-25..=25).map(|i| [4.0 * i as f32, 0.0]).collect();
            scene.terrain(&points);
        }
    }
    scene.floor = Some(0.0);
    let velocity = [draw.range(0.0, 10.0), -draw.range(10.0, 25.0)];
    let mut def = scene.moving(velocity, draw.range(-5.0, 5.0));
    def = def.angle(draw.range(-PI, PI));
    if draw.chance(0.33) {
        def = def.bullet();
    }
    let at = [0.0, draw.range(1.5, 4.0)];
    scene.dynamic_of(def, at, Form::Rectangle(1.0, 0.25), &ShapeDef::default());
    scene
}

fn plates(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::Off, 0.1);
    let count = draw.pick(&[16, 64, 65, 200]);
    let unit = scene.conditions.speed_unit();
    for i in 0..count {
        let y = 3.0 * i as f32;
        let plate = scene.dynamic([0.0, y], Form::Rectangle(1.0, 0.01), 1.0);
        let upright = scene.place([0.0, y]);
        scene.world.body_mut(plate).set_pose(upright, 0.5 * PI);
        let def = BodyDef::dynamic().velocity(300.0 * unit, 0.0);
        let at = [-draw.range(2.0, 10.0), y + draw.range(-0.3, 0.3)];
        let ball = scene.dynamic_of(def, at, Form::Ball(0.025), &ShapeDef::default());
        scene.crossings.push(Crossing {
            plate,
            half_length: 1.0,
            body: ball,
        });
    }
    scene
}
