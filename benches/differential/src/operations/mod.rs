//! The operations: generation of cases, judgment of the results, calls of the peers, and the text of a test.

mod place;
mod distance;
mod penetration;
mod manifold;
mod ray;
mod cast;
mod impact;
mod mass;
mod hull;
mod ellipse;
mod chain;

use crate::case::{Case, Stream};
use crate::generate::Random;
use crate::tally::Tally;

/// One kind of question.
pub struct Operation {
    pub name: &'static str,
    /// Gap at which random pairs are placed [m].
    pub gap: fn(&mut Random) -> f32,
    /// Adds further arguments to shapes and pose.
    pub aim: fn(&mut Random, &mut Case, Stream),
    /// Returns the error of our answer in tolerances; nothing if the case is no question: the library refuses the
    /// shapes, or there is no answer to compare.
    pub judge: fn(&Case) -> Option<f64>,
    /// Asks the peers.
    pub peers: fn(&Case, &mut Tally),
    /// Returns the body of a test that fails as the case does.
    pub test: fn(&Case) -> String,
}

pub const OPERATIONS: [Operation; 11] = [
    place::OPERATION,
    distance::OPERATION,
    penetration::OPERATION,
    manifold::OPERATION,
    ray::OPERATION,
    cast::OPERATION,
    impact::OPERATION,
    mass::OPERATION,
    hull::OPERATION,
    ellipse::OPERATION,
    chain::OPERATION,
];

/// Rounding of single precision, relative.
const EPS: f64 = f32::EPSILON as f64;

/// Gaps far and near, touch on both sides, deep.
fn mixed_gap(random: &mut Random) -> f32 {
    match random.below(10) {
        0..=3 => random.log_between(1e-4, 10.0),
        4 | 5 => random.log_between(1e-6, 1e-2),
        6 => -random.log_between(1e-6, 1e-2),
        _ => -random.log_between(1e-4, 0.5),
    }
}

fn nothing_more(_: &mut Random, _: &mut Case, _: Stream) {}

fn no_peers(_: &Case, _: &mut Tally) {}

/// Returns the size of the first shape: how far its corners and surface are from the origin.
fn size_of(case: &Case) -> f32 {
    let form = &case.a;
    let far = form
        .corners
        .iter()
        .map(|p| p.coords.amax())
        .chain(form.half.map(|half| half.amax()));
    far.fold(0.0, f32::max) + form.radius
}

/// Says whether parry2d sees the shape as a smooth support map, and not by its corners.
fn is_smooth_in_parry(shape: &cairn2d_geometry::Shape) -> bool {
    shape.radius() > 0.0 && !matches!(shape, cairn2d_geometry::Shape::Circle(_))
}
