//! Points and normal of two shapes that touch.

use super::{Operation, nothing_more};
use crate::box2d;
use crate::case::{Case, Pair};
use crate::generate::Random;
use crate::oracle::{self, dot, to_f64};
use crate::tally::Tally;
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;
use cairn2d_geometry::{ManifoldCache, collide};

/// Tolerance of the least separation, relative to the largest coordinate or a meter.
const TOLERANCE: f64 = 1e-4;
/// By how much the length of a normal may differ from 1.
const UNIT: f64 = 1e-5;

pub const OPERATION: Operation = Operation {
    name: "manifold",
    gap,
    aim: nothing_more,
    judge,
    peers,
    test,
};

fn gap(random: &mut Random) -> f32 {
    match random.below(3) {
        0 => random.between(0.0, 0.03),
        1 => -random.log_between(1e-6, 1e-2),
        _ => -random.log_between(1e-4, 0.3),
    }
}

fn tolerance(pair: &Pair) -> f64 {
    TOLERANCE * pair.scale.max(1.0)
}

fn judge(case: &Case) -> Option<f64> {
    let pair = Pair::of(case)?;
    let (bodies, tolerance) = (&pair.bodies, tolerance(&pair));
    let exact = oracle::separation(&bodies.0, &bodies.1);
    let ours = collide(&pair.a, &pair.b, &pair.pose, &mut ManifoldCache::default());
    let Some(least) = ours.min_separation() else {
        return Some((f64::from(SPECULATIVE_DISTANCE) - exact) / tolerance);
    };
    let n = to_f64(ours.normal);
    if (dot(n, n).sqrt() - 1.0).abs() >= UNIT {
        return Some(f64::INFINITY);
    }
    let along = -oracle::reach(&bodies.0, n) - oracle::reach(&bodies.1, [-n[0], -n[1]]);
    let off = (f64::from(least) - exact).abs();
    Some(off.max(exact - along) / tolerance)
}

fn test(case: &Case) -> String {
    let (exact, tolerance) = Pair::of(case).map_or((0.0, 0.0), |pair| {
        let exact = oracle::separation(&pair.bodies.0, &pair.bodies.1);
        (exact, tolerance(&pair))
    });
    format!(
        "{}    let found = collide(&a, &b, &p, &mut ManifoldCache::default());\n    \
         let least = found.min_separation().unwrap();\n    \
         assert!((least - {exact:?}).abs() <= {tolerance:e}, \"{{found:?}}\");\n",
        case.code()
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = Pair::of(case) else { return };
    let exact = oracle::separation(&q.bodies.0, &q.bodies.1);
    let tolerance = tolerance(&q);
    let (a, b) = (box2d::make(&q.a), box2d::make(&q.b));
    let Some(theirs) = box2d::collide(&a, &b, box2d::transform(&q.pose)) else {
        return;
    };
    let points = &theirs.points[..theirs.pointCount as usize];
    let least = points
        .iter()
        .map(|p| f64::from(p.separation))
        .reduce(f64::min);
    let reach = f64::from(SPECULATIVE_DISTANCE);
    let is_off = least.map_or(exact < reach - tolerance, |least| {
        (least - exact).abs() > tolerance
    });
    let is_zero = theirs.normal.x == 0.0 && theirs.normal.y == 0.0;
    let cause = match least {
        None if exact > 0.0 => "box2d: no points, apart",
        None => "box2d: no points, overlapping",
        Some(_) if is_zero => "box2d: no normal",
        Some(least) if least > exact => "box2d: not deep enough",
        Some(_) => "box2d: too deep",
    };
    tally.peer(cause, is_off, || format!("{least:?} for {exact} {case:?}"));
}
