//! Shapes that change while the world runs.

use crate::kit::{
    bin, circle, drop_in, hull, lying_capsule, rectangle, thing, tinted, usual_world,
};
use crate::random::Random;
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{BodyDef, Polygon, Shape, ShapeDef, ShapeId, World};

const CATEGORY: Category = Category::Shapes;

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    CATEGORY,
    "modify_geometry",
    "Changing shape",
    Frame::new(-9.0, -1.0, 9.0, 8.5),
    modify_geometry,
)
.about("Three shapes in a heap swell and shrink, and become others; the heap follows.")
.steps(290)
.overlap(12.0)];

/// Steps for which a shape stays of one kind.
const KIND_STEPS: u64 = 120;

/// Shapes that are made anew each step.
#[derive(Clone, Debug)]
struct Changers {
    shapes: Vec<ShapeId>,
}

/// Returns the shape of a changer in a step.
fn form(which: u64, step: u64) -> Shape {
    let (sin, _) = sin_cos(2.0 * PI * step as f32 / KIND_STEPS as f32);
    let size = 0.9 + 0.25 * sin;
    match (step / KIND_STEPS + which) % 4 {
        0 => circle(size).into(),
        1 => rectangle(size, 0.6 * size).into(),
        2 => lying_capsule(0.7 * size, 0.6 * size).into(),
        _ => Polygon::regular(5, 1.1 * size)
            .expect("sizes are positive")
            .into(),
    }
}

impl Script for Changers {
    fn before_step(&mut self, world: &mut World, step: u64) {
        for (i, &shape) in self.shapes.iter().enumerate() {
            world.shape_mut(shape).set_geometry(form(i as u64, step));
        }
    }
}

fn modify_geometry() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 7.0, 5.0);
    let shapes = (0..3_u64)
        .map(|i| {
            let def = BodyDef::kinematic().at(-4.0 + 4.0 * i as f32, 1.6);
            let body = world.create_body(def);
            world.create_shape(body, form(i, 0), ShapeDef::default())
        })
        .collect();
    let mut random = Random::new(6);
    for i in 0..70_u64 {
        let (x, y) = (-6.0 + 1.3 * (i % 10) as f32, 3.6 + 0.8 * (i / 10) as f32);
        let def = tinted(thing(x, y).turned(random.range(-PI, PI)), i % 6);
        match i % 3 {
            0 => drop_in(&mut world, def, circle(0.32)),
            1 => drop_in(&mut world, def, rectangle(0.35, 0.25)),
            _ => drop_in(
                &mut world,
                def,
                hull(&[(-0.35, -0.25), (0.35, -0.25), (0.0, 0.4)]),
            ),
        };
    }
    Stage::new(world).with(Changers { shapes })
}
