//! A machine that walks on six legs, all driven by one crank [Jansen07].

use crate::kit::{circle, floor, frame_on, hull, pin, rectangle, thing, tinted, usual_world};
use crate::linkages::{rod, tie};
use crate::scene::{Category, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{BodyId, Motor, ShapeDef, World};

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    Category::Joints,
    "walker",
    "A walking machine",
    Frame::new(-15.0, -1.0, 5.0, 8.5),
    walker,
)
.about("Theo Jansen's linkage: one crank, six legs of rods and triangles, and it walks.")
.steps(240)
.overlap(4.0)];

/// A place in a leg's plane.
type Place = (f32, f32);

// Lengths of the inventor's linkage, with his letters [units].
const A: f32 = 38.0;
const B: f32 = 41.5;
const C: f32 = 39.3;
const D: f32 = 40.1;
const E: f32 = 55.8;
const F: f32 = 39.4;
const G: f32 = 36.7;
const H: f32 = 65.7;
const I: f32 = 49.0;
const J: f32 = 50.0;
const K: f32 = 61.9;
const L: f32 = 7.8;
const M: f32 = 15.0;

/// Meters in one of the inventor's units.
const UNIT: f32 = 0.05;

/// Speed of the crank [rad/s].
const CRANK_SPEED: f32 = 2.0;

/// Joints of one leg about the crank's axle [units], for a leg to the left.
struct Leg {
    crank: Place,
    fixed: Place,
    /// Upper triangle: `fixed`, `knee`, `hip`.
    knee: Place,
    hip: Place,
    /// Lower triangle: `ankle`, `heel`, `toe`.
    ankle: Place,
    heel: Place,
    toe: Place,
}

/// Returns the point at distance `ra` from `a` and `rb` from `b`, to the left of the line from `a`.
fn meet(a: Place, ra: f32, b: Place, rb: f32) -> Place {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let apart = (dx * dx + dy * dy).sqrt();
    let along = (ra * ra - rb * rb + apart * apart) / (2.0 * apart);
    let aside = (ra * ra - along * along).max(0.0).sqrt();
    let (ux, uy) = (dx / apart, dy / apart);
    (a.0 + along * ux - aside * uy, a.1 + along * uy + aside * ux)
}

impl Leg {
    /// Returns the leg with its crank at `angle` [rad].
    fn at(angle: f32) -> Self {
        let (sin, cos) = sin_cos(angle);
        let crank = (M * cos, M * sin);
        let fixed = (-A, -L);
        let knee = meet(fixed, B, crank, J);
        let hip = meet(fixed, D, knee, E);
        let ankle = meet(crank, K, fixed, C);
        let heel = meet(ankle, G, hip, F);
        Self {
            crank,
            fixed,
            knee,
            hip,
            ankle,
            heel,
            toe: meet(ankle, I, heel, H),
        }
    }
}

/// Angles of the crank's three pins [rad].
fn phases() -> [f32; 3] {
    [0, 1, 2].map(|i| 0.5 * PI + 2.0 * PI * i as f32 / 3.0)
}

/// Returns the leg on a side, -1 left and 1 right, as if it were to the left.
fn leg_of(side: f32, phase: f32) -> Leg {
    // A leg to the right is one to the left seen in a mirror, and so is its crank.
    Leg::at(if side < 0.0 { phase } else { PI - phase })
}

fn walker() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 20.0);
    let toes = phases()
        .into_iter()
        .flat_map(|phase| [-1.0, 1.0].map(|side| leg_of(side, phase).toe.1));
    let height = -UNIT * toes.fold(0.0, f32::min) + 0.02;
    let mut flesh = ShapeDef::default().friction(0.9);
    flesh.filter.group = -1;
    let chassis = world.create_body(tinted(thing(0.0, height), 3));
    world.create_shape(chassis, rectangle(1.2 * A * UNIT, 0.25), flesh);
    let crank = world.create_body(tinted(thing(0.0, height), 1));
    world.create_shape(crank, circle(1.1 * M * UNIT), flesh);
    let mut axle = pin(&world, chassis, crank, (0.0, height));
    axle.motor = Some(Motor::new(CRANK_SPEED, 400.0));
    world.create_joint(axle);
    for phase in phases() {
        for side in [-1.0, 1.0] {
            add_leg(&mut world, [chassis, crank], side, phase, height, flesh);
        }
    }
    Stage::new(world)
}

fn add_leg(
    world: &mut World,
    [chassis, crank]: [BodyId; 2],
    side: f32,
    phase: f32,
    height: f32,
    flesh: ShapeDef,
) {
    let leg = leg_of(side, phase);
    let place = |p: Place| (-side * p.0 * UNIT, height + p.1 * UNIT);
    let [pin_of_crank, fixed, knee, hip, ankle, heel, toe] = [
        leg.crank, leg.fixed, leg.knee, leg.hip, leg.ankle, leg.heel, leg.toe,
    ]
    .map(place);
    let tint = if side < 0.0 { 0 } else { 5 };
    let upper = triangle(world, [fixed, knee, hip], tint, flesh);
    let lower = triangle(world, [ankle, heel, toe], tint, flesh);
    tie(world, chassis, upper, fixed);
    let rods = [
        ((crank, pin_of_crank), (upper, knee)),
        ((crank, pin_of_crank), (lower, ankle)),
        ((chassis, fixed), (lower, ankle)),
        ((upper, hip), (lower, heel)),
    ];
    for (a, b) in rods {
        let rod = rod(world, a, b);
        world.create_joint(rod);
    }
}

/// Adds a body that is a triangle, its origin at the first corner.
fn triangle(world: &mut World, corners: [Place; 3], tint: u64, flesh: ShapeDef) -> BodyId {
    let (x, y) = corners[0];
    let body = world.create_body(tinted(thing(x, y), tint));
    let local = corners.map(|(cx, cy)| {
        let anchor = frame_on(world, body, (cx, cy)).anchor;
        (anchor.x, anchor.y)
    });
    world.create_shape(body, hull(&local), flesh);
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leg_has_the_lengths_of_its_rods() {
        let far =
            |a: Place, b: Place| ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt();
        for step in 0..12 {
            let leg = Leg::at(step as f32);
            for (a, b, length) in [
                (leg.crank, leg.knee, J),
                (leg.crank, leg.ankle, K),
                (leg.fixed, leg.ankle, C),
                (leg.hip, leg.heel, F),
                (leg.ankle, leg.toe, I),
                (leg.heel, leg.toe, H),
                (leg.knee, leg.hip, E),
            ] {
                assert!((far(a, b) - length).abs() < 1.0e-3, "step {step}: {length}");
            }
        }
    }
}
