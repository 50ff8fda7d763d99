//! Internal edges: bodies slide and roll over a floor of pieces as over a single one.

use super::Question;
use super::rig::{Figure, awake};
use crate::kit::{circle, lying_capsule, place, rectangle, standing_capsule, thing, usual_world};
use crate::scene::DT;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{BodyDef, Locks, Point, Polygon, Segment, Shape, ShapeDef, World, point};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "seams",
        measure: seams,
    },
    Question {
        name: "all_seams",
        measure: all_seams,
    },
];

/// Pieces of a floor, each 1 m long.
#[derive(Clone, Copy)]
enum Floor {
    /// Tiles of one body.
    Tiles,
    /// Tiles that are bodies of their own.
    Bodies,
    /// Segments without neighbors.
    Segments,
}

const PIECES: u32 = 110;

fn smooth() -> ShapeDef {
    ShapeDef::default().friction(0.0)
}

fn lay(world: &mut World, floor: Floor) {
    let tile = |middle: Point| Polygon::offset_rectangle(0.5, 0.5, middle, 0.0);
    let one = world.create_body(BodyDef::static_());
    for i in 0..PIECES {
        let x = i as f32;
        match floor {
            Floor::Tiles => {
                world.create_shape(one, tile(point(x, -0.5)), smooth());
            }
            Floor::Bodies => {
                let def = BodyDef::static_().position(x, -0.5);
                place(world, def, tile(Point::origin()), smooth());
            }
            Floor::Segments => {
                let segment = Segment::new(point(x - 0.5, 0.0), point(x + 0.5, 0.0));
                world.create_shape(one, segment, smooth());
            }
        }
    }
}

/// Sliding bodies, with the height of the center above the floor \[m\]. A capsule on its end is kept from falling over.
fn things() -> Vec<(Shape, f32, Locks)> {
    let corners: Vec<Point> = (0..6_u8)
        .map(|i| sin_cos(PI / 3.0 * f32::from(i)))
        .map(|(sin, cos)| point(0.4 * cos, 0.4 * sin))
        .collect();
    let hexagon = Polygon::hull(&corners);
    let rounded = Polygon::rounded_rectangle(0.3, 0.2, 0.1);
    let free = Locks::default();
    vec![
        (rectangle(0.5, 0.5).into(), 0.5, free),
        (rounded.into(), 0.3, free),
        (circle(0.5).into(), 0.5, free),
        (lying_capsule(0.3, 0.25).into(), 0.25, free),
        (standing_capsule(0.3, 0.3).into(), 0.6, Locks::ROTATION),
        (hexagon.into(), 0.4 * 0.75_f32.sqrt(), free),
    ]
}

/// Lets something slide for 100 m, 10 s at most. Returns the change of its speed, as a share, and how far it rose or sank
/// \[m\].
fn slide(floor: Floor, (shape, height, locks): (Shape, f32, Locks), speed: f32) -> (f64, f64) {
    let mut world = usual_world();
    lay(&mut world, floor);
    let def = thing(1.0, height).velocity(speed, 0.0).locks(locks);
    let body = place(&mut world, awake(def), shape, smooth());
    let mut bump = 0.0_f64;
    for _ in 0..(100.0 / speed / DT).min(600.0) as u32 {
        world.step(DT);
        let rise = world.body(body).position_exact().y - f64::from(height);
        bump = bump.max(rise.abs());
    }
    let share = f64::from(world.body(body).velocity().x / speed);
    ((share - 1.0).abs(), bump)
}

/// The greatest change of speed, and the greatest rise or fall, of the first of the things at some speeds.
fn worst(floor: Floor, count: usize, speeds: &[f32]) -> (f64, f64) {
    let (mut slowed, mut bump) = (0.0_f64, 0.0_f64);
    for thing in things().into_iter().take(count) {
        for &speed in speeds {
            let found = slide(floor, thing.clone(), speed);
            (slowed, bump) = (slowed.max(found.0), bump.max(found.1));
        }
    }
    (slowed, bump)
}

fn seams() -> Vec<Figure> {
    let [tiles, bodies] = [Floor::Tiles, Floor::Bodies].map(|floor| worst(floor, 5, &[8.0, 40.0]));
    vec![
        Figure::new(
            "boxes, ball and capsules slide over 100 tiles at 8 and 40 m/s: relative change of speed",
            tiles.0,
            1.0e-5,
            "0.64",
        ),
        Figure::new("rise or sink by [m]", tiles.1, 1.0e-4, "0.25"),
        Figure::new(
            "over tiles that are separate bodies: relative change of speed",
            bodies.0,
            1.0e-5,
            "0.64",
        ),
    ]
}

fn all_seams() -> Vec<Figure> {
    let floors = [Floor::Tiles, Floor::Bodies, Floor::Segments];
    let (mut slowed, mut bump) = (0.0_f64, 0.0_f64);
    for floor in floors {
        let found = worst(floor, 6, &[0.7, 8.0, 40.0]);
        (slowed, bump) = (slowed.max(found.0), bump.max(found.1));
    }
    vec![
        Figure::new(
            "these and a hexagon, also over segments and at 0.7 m/s: relative change of speed",
            slowed,
            1.0e-5,
            "0.64",
        ),
        Figure::new("rise or sink by [m]", bump, 1.0e-4, "0.25"),
    ]
}
