//! Bodies that float, and bodies that sink.

use crate::kit::{
    bin, circle, hull, lying_capsule, place, rectangle, rectangle_at, thing, tinted, usual_world,
};
use crate::mark::{Mark, Tone};
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::prelude::{BodyDef, Ellipse, Fluid, Point, Polygon, Shape, ShapeDef, World};

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    Category::Events,
    "pool",
    "A pool",
    Frame::new(-9.5, -1.5, 9.5, 8.0),
    pool,
)
.about("Shapes of every kind float as deep as their density says: from the left 0.2, 0.4, 0.6, 0.8 of that of the water. A laden barge floats, a stone sinks.")
.steps(900)];

/// Half the width of the pool and the height of the surface \[m\].
const HALF_POOL: f32 = 8.5;
const SURFACE: f32 = 4.0;

/// The water, applied before each step and drawn as a line.
#[derive(Clone)]
struct Water(Fluid);

impl Script for Water {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        world.apply_fluid(&self.0);
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let end = |x: f32| (x, SURFACE).into();
        vec![Mark::Line {
            from: end(-HALF_POOL),
            to: end(HALF_POOL),
            tone: Tone::Hit,
        }]
    }
}

/// A barge of thin plates, so that the water inside its outline is displaced by the whole of it.
fn add_barge(world: &mut World, x: f32) {
    let barge = world.create_body(tinted(thing(x, SURFACE + 0.3), 3));
    let solid = ShapeDef::default().density(0.15);
    let ends = [(-1.5, 0.5), (-1.0, -0.4), (1.0, -0.4), (1.5, 0.5)];
    world.create_shape(barge, hull(&ends), solid);
    for (i, x_of_crate) in [-0.6, 0.0, 0.6].into_iter().enumerate() {
        let load = tinted(thing(x + x_of_crate, SURFACE + 1.1), i as u64);
        place(world, load, rectangle(0.25, 0.25), ShapeDef::default());
    }
    let side = ShapeDef::default().density(0.05);
    for side_x in [-1.2, 1.2] {
        world.create_shape(barge, rectangle_at(0.06, 0.25, side_x, 0.75, 0.0), side);
    }
}

fn pool() -> Stage {
    let mut world = usual_world();
    bin(&mut world, HALF_POOL, 6.0);
    let ellipse = Ellipse::new(Point::origin(), 0.6, 0.35, 0.0);
    let rounded = Polygon::rounded_rectangle(0.4, 0.25, 0.12);
    let kinds: [Shape; 4] = [
        circle(0.5).into(),
        lying_capsule(0.45, 0.3).into(),
        ellipse.into(),
        rounded.into(),
    ];
    for (i, shape) in kinds.into_iter().enumerate() {
        let i = i as u8;
        let density = 0.2 * f32::from(i + 1);
        let body = tinted(thing(-7.4 + 1.9 * f32::from(i), 5.5), u64::from(i));
        place(
            &mut world,
            body,
            shape,
            ShapeDef::default().density(density),
        );
    }
    let cone = hull(&[(0.0, -0.7), (0.5, 0.5), (-0.5, 0.5)]);
    place(
        &mut world,
        tinted(thing(0.4, 5.5), 4),
        cone,
        ShapeDef::default().density(0.5),
    );
    add_barge(&mut world, 3.6);
    place(
        &mut world,
        tinted(thing(7.3, 5.5), 5),
        rectangle(0.4, 0.4),
        ShapeDef::default().density(0.5),
    );
    let stone = BodyDef {
        angular_velocity: 1.0,
        ..thing(-1.6, 7.0)
    };
    let corners = [(-0.5, -0.2), (0.3, -0.4), (0.5, 0.2), (-0.1, 0.4)];
    place(
        &mut world,
        stone,
        hull(&corners),
        ShapeDef::default().density(2.6),
    );
    let water = Fluid::new((0.0, SURFACE), 1.0).drag(1.5, 1.5);
    Stage::new(world).with(Water(water))
}
