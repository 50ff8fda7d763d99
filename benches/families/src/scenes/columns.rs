//! Columns: of round bodies, built one by one, collapsing.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{MEASURED, Member};
use crate::scene::{Scene, Weight};
use cairn2d::{BodyDef, ShapeDef, WorldPoint};

pub(super) const FAMILIES: [Family; 3] = [
    Family {
        name: "round-columns",
        title: "columns of 3 to 12 capsules, octagons or hexagons, placed with gaps of up to 1 to 3 cm",
        criterion: "none falls",
        limits: Limits::STANDS,
        rarity: 1,
        build: round_column,
    },
    Family {
        name: "built-stacks",
        title: "stacks of 20 to 100 boxes, built one box per 1 to 10 steps",
        criterion: "no box shifts by more than 1e-4 of its size",
        limits: Limits {
            shift: 1.0e-4,
            ..Limits::STANDS
        },
        rarity: 4,
        build: built_stack,
    },
    Family {
        name: "gap-columns",
        title: "columns of 20 to 100 boxes collapse over gaps of 0.5 to 5 cm",
        criterion: "thrown by at most 1 mm, gain of energy at most 0.1 %",
        limits: Limits {
            thrown: 1.0e-3,
            gain: 1.0e-3,
            ..Limits::STANDS
        },
        rarity: 4,
        build: gap_column,
    },
];

fn round_column(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 6.0);
    scene.ground();
    let form = draw.pick(&[
        Form::Capsule(0.5, 0.25),
        Form::Regular(8, 0.5),
        Form::Regular(6, 0.5),
    ]);
    // Both polygons lie on a side, turned by half a corner.
    let (turn, half_height) = match form {
        Form::Regular(count, radius) => {
            let half = core::f32::consts::PI / count as f32;
            let down = -0.5 * core::f32::consts::PI + half;
            (down, radius * cairn2d::math::sin_cos(half).1)
        }
        _ => (0.0, 0.25),
    };
    let most = draw.pick(&[0.005, 0.01, 0.03]);
    let count = draw.count(3, 12);
    let mut bottom = 0.0;
    for _ in 0..count {
        bottom += draw.range(0.0, most);
        let at = [draw.range(-0.002, 0.002), bottom + half_height];
        let def = BodyDef::dynamic().angle(turn);
        let body = scene.dynamic_of(def, at, form, &ShapeDef::default());
        scene.member(body);
        bottom += 2.0 * half_height;
    }
    scene.fallen_shift = 0.25 + most * count as f32;
    scene
}

fn built_stack(draw: &mut Draw) -> Scene {
    let count = draw.pick(&[20, 50, 100]);
    let pause = draw.pick(&[1, 10]);
    let mut scene = Scene::new(draw, Weight::On, 0.0);
    let conditions = scene.conditions;
    let dt = conditions.dt() / conditions.time_unit();
    scene.duration = (count * pause) as f32 * dt + 3.0;
    scene.ground();
    let boxes = (0..count).map(|i| [0.0, 0.5 + i as f32]);
    build_by_steps(&mut scene, boxes, Form::Rectangle(0.5, 0.5), pause);
    scene
}

/// Lets bodies of a form appear at their places, one every `pause` steps.
pub(super) fn build_by_steps(
    scene: &mut Scene,
    places: impl Iterator<Item = [f32; 2]>,
    form: Form,
    pause: usize,
) {
    let size = scene.conditions.scale;
    let shape = form.shape(size);
    // All boxes exist from the start, so that they are measured; those not placed yet are disabled.
    let mut boxes = Vec::new();
    for [x, y] in places {
        let def = BodyDef::dynamic()
            .user_data(MEASURED)
            .position(size * x, size * y);
        let body = scene.world.create_body(def);
        scene
            .world
            .create_shape(body, shape.clone(), ShapeDef::default());
        scene.world.body_mut(body).disable();
        let place = WorldPoint::new(f64::from(size * x), f64::from(size * y));
        scene.members.push(Member { body, place });
        scene.bodies.push(body);
        boxes.push(body);
    }
    let mut step = 0;
    scene.drive = Some(Box::new(move |world, _| {
        if step % pause == 0
            && let Some(&next) = boxes.get(step / pause)
        {
            world.body_mut(next).enable();
        }
        step += 1;
    }));
}

fn gap_column(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 6.0);
    scene.ground();
    let gap = draw.pick(&[0.005, 0.02, 0.05]);
    let count = draw.pick(&[20, 50, 100]);
    for i in 0..count {
        let at = [0.0, 0.5 + (1.0 + gap) * i as f32 + gap];
        let body = scene.dynamic(at, Form::Rectangle(0.5, 0.5), 1.0);
        scene.member(body);
    }
    scene.fallen_shift = 0.25 + gap * (count + 1) as f32;
    scene
}
