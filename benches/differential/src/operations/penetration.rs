//! Depth of two overlapping shapes, and the way out.

use super::{EPS, Operation, is_smooth_in_parry, nothing_more};
use crate::case::{Case, Pair};
use crate::generate::Random;
use crate::oracle::{self, to_f64};
use crate::parry;
use crate::tally::Tally;
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::penetration;

/// Tolerance of the depth: roundings of the largest coordinate.
const ULPS: f64 = 8.0;
/// By how much the normal may be a longer way out, relative to the largest coordinate.
const NORMAL: f64 = 1e-5;

pub const OPERATION: Operation = Operation {
    name: "penetration",
    gap,
    aim: nothing_more,
    judge,
    peers,
    test,
};

fn gap(random: &mut Random) -> f32 {
    -random.log_between(1e-4, 0.5)
}

/// Returns the depth, if it is more than rounding.
fn exact(pair: &Pair) -> Option<f64> {
    let depth = -oracle::separation(&pair.bodies.0, &pair.bodies.1);
    (depth > ULPS * EPS * pair.scale).then_some(depth)
}

fn judge(case: &Case) -> Option<f64> {
    let pair = Pair::of(case)?;
    let exact = exact(&pair)?;
    let tolerance = ULPS * EPS * pair.scale;
    let Some(ours) = penetration(&pair.a, &pair.b, &pair.pose) else {
        // No overlap is a depth of zero, right or wrong by as much.
        return Some(exact / tolerance);
    };
    let off = (f64::from(ours.depth) - exact).abs() / tolerance;
    let n = to_f64(ours.normal);
    let along = oracle::reach(&pair.bodies.0, n) + oracle::reach(&pair.bodies.1, [-n[0], -n[1]]);
    Some(off.max((along - exact) / (NORMAL * pair.scale)))
}

fn test(case: &Case) -> String {
    let pair = Pair::of(case);
    let depth = pair.as_ref().and_then(exact).unwrap_or_default();
    let tolerance = pair.map_or(0.0, |pair| ULPS * EPS * pair.scale);
    format!(
        "{}    let found = penetration(&a, &b, &p).unwrap();\n    \
         assert!((found.depth - {depth:?}).abs() <= {tolerance:e}, \"{{found:?}}\");\n",
        case.code()
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = Pair::of(case) else { return };
    let Some(exact) = exact(&q) else { return };
    let ((a, at_a), (b, at_b)) = (parry::make(&q.a), parry::make(&q.b));
    let theirs = parry2d::query::contact(
        &parry::shifted(&Pose::identity(), at_a),
        &*a.0,
        &parry::shifted(&q.pose, at_b),
        &*b.0,
        0.0,
    );
    let Ok(theirs) = theirs else { return };
    let found = theirs.map_or(0.0, |c| -f64::from(c.dist));
    let off = found - exact;
    let is_smooth = is_smooth_in_parry(&q.a) || is_smooth_in_parry(&q.b);
    let cause = match (theirs.is_none(), off > 0.0, is_smooth) {
        (true, _, true) => "parry2d: no contact, capsule or rounded polygon",
        (true, _, false) => "parry2d: no contact, other kinds",
        (_, true, true) => "parry2d: too deep, capsule or rounded polygon",
        (_, true, false) => "parry2d: too deep, other kinds",
        (_, false, true) => "parry2d: not deep enough, capsule or rounded polygon",
        (_, false, false) => "parry2d: not deep enough, other kinds",
    };
    let is_off = off.abs() > 1e-4 * q.scale.max(1.0);
    tally.peer(cause, is_off, || {
        format!("off by {off:e} of {exact} {case:?}")
    });
}
