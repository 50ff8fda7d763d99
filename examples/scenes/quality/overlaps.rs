//! Overlaps: bodies that are pressed, dropped or created into each other, and torn joints, are corrected without high speeds.

use super::Question;
use super::rig::{Figure, awake, gap, overlap, unit_box, world_with_floor};
use crate::kit::{drop_in, place, rectangle, thing, usual_world, weightless_world};
use crate::scene::DT;
use cairn2d::prelude::{BodyDef, BodyId, JointFrame, RevoluteJointDef, ShapeDef, World};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "heavy_drop",
        measure: heavy_drop,
    },
    Question {
        name: "boxes_at_a_point",
        measure: boxes_at_a_point,
    },
    Question {
        name: "boxes_in_a_floor",
        measure: boxes_in_a_floor,
    },
    Question {
        name: "stretched_chain",
        measure: stretched_chain,
    },
];

fn heavy_drop() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    unit_box(&mut world, 0.0, 0.5);
    let heavy = ShapeDef::default().density(400.0);
    place(
        &mut world,
        awake(thing(0.0, 16.5)),
        rectangle(0.5, 0.5),
        heavy,
    );
    let mut deepest = 0.0_f64;
    for _ in 0..300 {
        world.step(DT);
        deepest = deepest.max(overlap(&world));
    }
    vec![Figure::new(
        "box of 400 times the mass falls 15 m onto a box: overlap [m]",
        deepest,
        0.02,
        "0.63",
    )]
}

/// Measures of a world while its overlaps are corrected.
struct Relief {
    /// Until no overlap or gap is above 1 cm any more \[s\].
    time: f64,
    /// Greatest speed of a body \[m/s\].
    fastest: f64,
    /// Speed of the fastest body at the end \[m/s\].
    left: f64,
}

/// Steps for `seconds`; `error` is the overlap that remains \[m\].
fn relieve(world: &mut World, seconds: f64, error: impl Fn(&World) -> f64) -> Relief {
    let mut relief = Relief {
        time: 0.0,
        fastest: 0.0,
        left: 0.0,
    };
    let steps = (seconds * 60.0).round() as u32;
    for step in 1..=steps {
        world.step(DT);
        let speeds = world.bodies().map(|body| f64::from(body.velocity().norm()));
        relief.left = speeds.fold(0.0, f64::max);
        relief.fastest = relief.fastest.max(relief.left);
        if error(world) > 0.01 {
            relief.time = f64::from(step + 1) * f64::from(DT);
        }
    }
    relief
}

fn boxes_at_a_point() -> Vec<Figure> {
    let mut world = weightless_world();
    for _ in 0..20 {
        unit_box(&mut world, 0.0, 0.0);
    }
    let relief = relieve(&mut world, 5.0, overlap);
    vec![
        Figure::new(
            "20 boxes at one point without gravity: separated after [s]",
            relief.time,
            0.7,
            "1.1 (Chipmunk), 0.7",
        ),
        Figure::new(
            "remaining speed [m/s]",
            relief.left,
            1.0e-3,
            "0 (Chipmunk), 3.4",
        ),
    ]
}

fn boxes_in_a_floor() -> Vec<Figure> {
    let mut world = world_with_floor(20.0);
    for _ in 0..20 {
        unit_box(&mut world, 0.0, 0.5);
    }
    let relief = relieve(&mut world, 5.0, overlap);
    vec![
        Figure::new(
            "20 boxes at one point on a floor: overlap below 1 cm after [s]",
            relief.time,
            1.0,
            "1.42",
        ),
        Figure::new("maximum speed [m/s]", relief.fastest, 5.0, "8.9"),
    ]
}

fn stretched_chain() -> Vec<Figure> {
    let mut world = usual_world();
    let mut above: BodyId = world.create_body(BodyDef::static_());
    for i in 0..20_u32 {
        let y = -(0.5 + i as f32);
        let link = drop_in(&mut world, awake(thing(0.0, 2.0 * y)), rectangle(0.05, 0.5));
        let mut joint = RevoluteJointDef::new(above, link);
        joint.base.frame_a = JointFrame::at(0.0, if i == 0 { 0.0 } else { -0.5 });
        joint.base.frame_b = JointFrame::at(0.0, 0.5);
        world.create_joint(joint);
        above = link;
    }
    let relief = relieve(&mut world, 10.0, gap);
    vec![
        Figure::new(
            "hanging chain of 20 links stretched to twice its length: gaps below 1 cm after [s]",
            relief.time,
            1.0,
            "7.3",
        ),
        Figure::new("maximum speed [m/s]", relief.fastest, 30.0, "250"),
    ]
}
