//! The semicircular masonry arch: the least thickness at which a line of thrust fits into it.

use super::Case;
use super::lab::{Figure, G, Maker, body, settings, slab, stays, wrong_outcomes};
use crate::engine::{BodyHandle, Engine};
use cairn2d::prelude::{BodyDef, Point, Polygon, Shape, ShapeDef, point};
use std::f64::consts::PI;

pub(super) const CASES: &[Case] = &[Case {
    name: "arch",
    measure: arch,
}];

/// Radius of the middle line \[m\].
pub const RADIUS: f64 = 10.0;
/// Stones: an odd number, so that none of the joints is at the crown.
pub const STONES: usize = 31;
/// Friction at which no stone slides.
const FRICTION: f32 = 1.0;

/// Corners of a stone: inner and outer at one joint, outer and inner at the next.
fn corners(stones: usize, thickness: f64, index: usize) -> [[f64; 2]; 4] {
    let at = |radius: f64, joint: usize| {
        let (sin, cos) = libm::sincos(PI * joint as f64 / stones as f64);
        [radius * cos, radius * sin]
    };
    let (inner, outer) = (RADIUS - 0.5 * thickness, RADIUS + 0.5 * thickness);
    let (i, j) = (index, index + 1);
    [at(inner, i), at(outer, i), at(outer, j), at(inner, j)]
}

/// Area and centroid of a polygon.
fn centroid(corners: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let cross = 0.5 * (a[0] * b[1] - a[1] * b[0]);
        area += cross;
        sum[0] += cross * (a[0] + b[0]) / 3.0;
        sum[1] += cross * (a[1] + b[1]) / 3.0;
    }
    (area, [sum[0] / area, sum[1] / area])
}

/// Returns `true` if a line of thrust fits: then the arch is stable \[Heyman66\]. By symmetry the unknowns are the thrust `h` and the
/// moment `m` at the springing. At each joint the thrust passes between the inner and the outer end, so for each `h` there
/// is a range of `m`; its length is a concave function of `h`.
#[must_use]
pub fn stands(stones: usize, thickness: f64) -> bool {
    let weights: Vec<_> = (0..stones)
        .map(|i| centroid(&corners(stones, thickness, i)))
        .collect();
    let total: f64 = weights.iter().map(|(area, _)| area).sum();
    // Moment of the vertical forces about a point: the reaction at the springing, and the stones up to the joint.
    let moment = |[x, _]: [f64; 2], joint: usize| {
        let of = |(area, center): &(f64, [f64; 2])| area * (center[0] - x);
        0.5 * total * (RADIUS - x) - weights[..joint].iter().map(of).sum::<f64>()
    };
    let ends: Vec<_> = (0..stones)
        .map(|joint| {
            let [inner, outer, ..] = corners(stones, thickness, joint);
            (inner, moment(inner, joint), outer, moment(outer, joint))
        })
        .collect();
    let room = |h: f64| {
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for &(inner, at_inner, outer, at_outer) in &ends {
            low = low.max(h * inner[1] - at_inner);
            high = high.min(h * outer[1] - at_outer);
        }
        high - low
    };
    let (mut low, mut high) = (0.0, total);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if room(a) < room(b) {
            low = a;
        } else {
            high = b;
        }
    }
    room(0.5 * (low + high)) >= 0.0
}

/// Returns the least thickness over the radius.
#[must_use]
pub fn least_thickness(stones: usize) -> f64 {
    let (mut falls, mut holds) = (0.05, 0.2);
    for _ in 0..50 {
        let middle = 0.5 * (falls + holds);
        if stands(stones, middle * RADIUS) {
            holds = middle;
        } else {
            falls = middle;
        }
    }
    holds
}

/// Adds an arch on two foundations, its middle at `middle` \[m\].
pub fn build(
    engine: &mut dyn Engine,
    stones: usize,
    thickness: f64,
    middle: f64,
) -> Vec<BodyHandle> {
    let surface = ShapeDef::default().friction(FRICTION);
    for side in [-1.0_f32, 1.0] {
        let x = middle as f32 + side * RADIUS as f32;
        slab(engine, [x - 2.0, -1.0, x + 2.0, 0.0], &surface);
    }
    let stone = |index: usize, engine: &mut dyn Engine| {
        let corners = corners(stones, thickness, index);
        let (_, [x, y]) = centroid(&corners);
        let local: Vec<Point> = corners
            .iter()
            .map(|corner| point((corner[0] - x) as f32, (corner[1] - y) as f32))
            .collect();
        let shape = Shape::Polygon(Polygon::hull(&local));
        let def = BodyDef::dynamic().world_position([middle + x, y]);
        body(engine, def, &shape, &surface)
    };
    (0..stones).map(|index| stone(index, engine)).collect()
}

/// Returns whether an arch of `factor` times the least thickness stays within a tenth of its thickness for 20 s.
fn holds(make: &Maker<'_>, factor: f64) -> bool {
    let mut engine = make(&settings(G));
    let thickness = factor * least_thickness(STONES) * RADIUS;
    let stones = build(&mut *engine, STONES, thickness, 0.0);
    stays(&mut *engine, &stones, (0.1 * thickness, 20.0))
}

fn arch(make: &Maker<'_>) -> Vec<Figure> {
    let least = format!("{:.5} of the radius", least_thickness(STONES));
    vec![Figure::new(
        "semicircular arch of 31 stones, 0.98 and 1.02 of the least thickness, 20 s: wrong outcomes, of 2",
        least,
        wrong_outcomes(holds(make, 1.02), holds(make, 0.98)),
        0.0,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_thickness_of_many_stones_is_the_classical_one() {
        // 0.1075 of the mean radius for radial joints [Milankovitch07].
        let many = least_thickness(401);
        assert!((many - 0.1075).abs() < 5.0e-5, "{many}");
    }

    #[test]
    fn fewer_joints_stand_with_less() {
        assert!(least_thickness(STONES) < least_thickness(401));
        assert!(least_thickness(9) < least_thickness(STONES));
    }
}
