//! Distance of two shapes, cold and cached.

use super::{EPS, Operation, is_smooth_in_parry, mixed_gap, nothing_more};
use crate::case::{Case, Pair};
use crate::tally::Tally;
use crate::{box2d, oracle, parry};
use boxdd_sys::ffi::*;
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::{SimplexCache, distance};

/// Tolerance: roundings of the largest coordinate.
const ULPS: f64 = 8.0;

pub const OPERATION: Operation = Operation {
    name: "distance",
    gap: mixed_gap,
    aim: nothing_more,
    judge,
    peers,
    test,
};

fn exact(pair: &Pair) -> f64 {
    oracle::separation(&pair.bodies.0, &pair.bodies.1).max(0.0)
}

fn judge(case: &Case) -> Option<f64> {
    let pair = Pair::of(case)?;
    let exact = exact(&pair);
    let mut cache = SimplexCache::default();
    let errors = [0, 1].map(|_| {
        let ours = distance(&pair.a, &pair.b, &pair.pose, &mut cache);
        (f64::from(ours.distance) - exact).abs() / (ULPS * EPS * pair.scale)
    });
    Some(errors[0].max(errors[1]))
}

fn test(case: &Case) -> String {
    let (exact, tolerance) =
        Pair::of(case).map_or((0.0, 0.0), |pair| (exact(&pair), ULPS * EPS * pair.scale));
    format!(
        "{}    let found = distance(&a, &b, &p, &mut SimplexCache::default());\n    \
         assert!((found.distance - {exact:?}).abs() <= {tolerance:e}, \"{{found:?}}\");\n",
        case.code()
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = Pair::of(case) else { return };
    let exact = exact(&q);
    let tolerance = 1e-5 * q.scale.max(1.0);
    let input = b2DistanceInput {
        proxyA: box2d::proxy(&q.a),
        proxyB: box2d::proxy(&q.b),
        transform: box2d::transform(&q.pose),
        useRadii: true,
    };
    let theirs = unsafe {
        let mut cache: b2SimplexCache = std::mem::zeroed();
        b2ShapeDistance(&input, &mut cache, std::ptr::null_mut(), 0)
    };
    let off = f64::from(theirs.distance) - exact;
    let show = |off: f64| format!("off by {off:e} of {exact} {case:?}");
    tally.peer("box2d", off.abs() > tolerance, || show(off));
    let ((a, at_a), (b, at_b)) = (parry::make(&q.a), parry::make(&q.b));
    let theirs = parry2d::query::distance(
        &parry::shifted(&Pose::identity(), at_a),
        &*a.0,
        &parry::shifted(&q.pose, at_b),
        &*b.0,
    );
    let Ok(theirs) = theirs else { return };
    let off = f64::from(theirs.distance) - exact;
    let is_smooth = is_smooth_in_parry(&q.a) || is_smooth_in_parry(&q.b);
    let cause = match (off > 0.0, theirs.distance == 0.0, is_smooth) {
        (true, _, true) => "parry2d: too far, capsule or rounded polygon",
        (true, _, false) => "parry2d: too far, other kinds",
        (_, true, _) => "parry2d: says they touch",
        _ => "parry2d: too near",
    };
    tally.peer(cause, off.abs() > tolerance, || show(off));
}
