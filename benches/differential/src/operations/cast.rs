//! First contact of a shape that moves straight.

use super::Operation;
use crate::box2d;
use crate::case::{Case, Pair, Stream};
use crate::generate::Random;
use crate::oracle::{self, Body, dot, to_f64};
use crate::tally::Tally;
use boxdd_sys::ffi::*;
use cairn2d_geometry::math::{Vec2, rotation};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{SimplexCache, distance, shape_cast};

/// Tolerance, relative to the largest coordinate or the length of the way.
const TOLERANCE: f64 = 1e-5;
/// Tolerance for the peers.
const PEER_TOLERANCE: f64 = 1e-3;
/// Gap at the start below which touching is a matter of rounding, relative.
const LEAST_GAP: f64 = 1e-6;

pub const OPERATION: Operation = Operation {
    name: "cast",
    gap: |random| random.log_between(1e-3, 3.0),
    aim,
    judge,
    peers,
    test,
};

/// Numbers: the way of B, toward A or nearly so; in degenerate cases also just as far as the gap, or upright.
fn aim(random: &mut Random, case: &mut Case, stream: Stream) {
    case.numbers = vec![0.0; 2];
    let (Some(a), Some(b)) = (case.a.shape(), case.b.shape()) else {
        return;
    };
    let apart = distance(&a, &b, &case.pose(), &mut SimplexCache::default());
    let turn = rotation(random.between(-0.8, 0.8));
    let far = apart.distance * random.between(0.9, 3.5);
    let step = match random.below(4) {
        0 if stream == Stream::Degenerate => -apart.normal * apart.distance,
        1 if stream == Stream::Degenerate => Vec2::new(0.0, -far.copysign(apart.normal.y)),
        _ => turn * -apart.normal * far,
    };
    case.numbers = vec![step.x, step.y];
}

struct Question {
    pair: Pair,
    step: Vec2,
    length: f64,
    scale: f64,
    exact: Option<f64>,
    margin: f64,
}

fn question(case: &Case) -> Option<Question> {
    let (pair, step) = (Pair::of(case)?, case.vector(0));
    let (a, b) = &pair.bodies;
    let way = to_f64(step);
    let length = dot(way, way).sqrt();
    let scale = pair.scale.max(length);
    if oracle::separation(a, b) <= LEAST_GAP * scale || length <= LEAST_GAP * scale {
        return None;
    }
    // B moving by t step meets A where zero, moving back, meets the difference: a ray against it.
    let difference = oracle::hull(oracle::differences(a, b));
    let back = [-way[0], -way[1]];
    let (exact, margin) = oracle::ray(&difference, a.radius + b.radius, [0.0; 2], back);
    Some(Question {
        pair,
        step,
        length,
        scale,
        exact,
        margin,
    })
}

impl Question {
    /// Returns the separation at a fraction of the way.
    fn off(&self, fraction: f64) -> f64 {
        let (a, b) = &self.pair.bodies;
        let way = to_f64(self.step);
        let core = b
            .core
            .iter()
            .map(|p| [p[0] + way[0] * fraction, p[1] + way[1] * fraction])
            .collect();
        let radius = b.radius;
        oracle::separation(a, &Body { core, radius })
    }
}

/// Returns the error of a contact, or of none, in tolerances: how far apart the shapes are there, and how deep they
/// were before.
fn error(q: &Question, found: Option<f64>, tolerance: f64) -> f64 {
    let off = match (found, q.exact) {
        (Some(t), Some(e)) if t > e => q.off(t).abs().max(-q.off(0.5 * (t + e))),
        (Some(t), _) => q.off(t).abs(),
        // The ends of a gap that closes in the last moment, and ways that only graze.
        (None, Some(e)) => q.margin.abs().min((1.0 - e) * q.length),
        (None, None) => 0.0,
    };
    off / (tolerance * q.scale)
}

fn judge(case: &Case) -> Option<f64> {
    let q = question(case)?;
    let ours = shape_cast(&q.pair.a, &q.pair.b, &q.pair.pose, q.step, 1.0);
    let found = ours.map(|h| h.fraction.into());
    Some(error(&q, found, TOLERANCE))
}

fn test(case: &Case) -> String {
    let exact = question(case).and_then(|q| q.exact);
    format!(
        "{}    let found = shape_cast(&a, &b, &p, vec2({:?}, {:?}), 1.0);\n    \
         // Exact: {exact:?}.\n    assert_eq!(found.map(|hit| hit.fraction), {:?}, \"{{found:?}}\");\n",
        case.code(),
        case.numbers[0],
        case.numbers[1],
        exact.map(|t| t as f32)
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = question(case) else { return };
    let input = b2ShapeCastPairInput {
        proxyA: box2d::proxy(&q.pair.a),
        proxyB: box2d::proxy(&q.pair.b),
        transform: box2d::transform(&q.pair.pose),
        translationB: box2d::vec(&q.step),
        maxFraction: 1.0,
        canEncroach: false,
    };
    let theirs = unsafe { b2ShapeCast(&input) };
    let found = theirs.hit.then(|| f64::from(theirs.fraction));
    let slop = f64::from(LINEAR_SLOP);
    let cause = match (found, q.exact) {
        (Some(t), _) if q.off(t).abs() <= 1.5 * slop => "box2d: stops within a slop of the surface",
        (Some(t), _) if q.off(t) > 0.0 => "box2d: stops farther out",
        (Some(_), _) => "box2d: stops deeper in",
        (None, Some(_)) if q.margin.abs() <= slop => {
            "box2d: misses what is less than a slop in its way"
        }
        (None, Some(e)) if (1.0 - e) * q.length <= slop => {
            "box2d: misses what the last slop of the way meets"
        }
        _ => "box2d: misses",
    };
    let is_off = error(&q, found, PEER_TOLERANCE) > 1.0;
    tally.peer(cause, is_off, || {
        format!("{found:?} for {:?} {case:?}", q.exact)
    });
}
