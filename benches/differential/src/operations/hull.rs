//! Convex hull of points, exact.

use super::Operation;
use crate::case::{Case, Stream};
use crate::generate::Random;
use crate::oracle::{self, V, to_f64};
use crate::tally::Tally;
use crate::{box2d, parry};
use boxdd_sys::ffi::*;
use cairn2d_geometry::convex_hull;
use cairn2d_geometry::math::Point;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Error of a hull that is not the exact one, in tolerances: there is none.
const WRONG: f64 = 2.0;

pub const OPERATION: Operation = Operation {
    name: "hull",
    gap: |_| 0.0,
    aim,
    judge,
    peers,
    test,
};

/// Replaces the corners of A by points, half of the time on a grid, where many are equal or on one line.
fn aim(random: &mut Random, case: &mut Case, stream: Stream) {
    if stream == Stream::Degenerate && case.a.corners.len() > 2 {
        return;
    }
    let count = 3 + random.below(6) as usize;
    let is_grid = random.below(2) == 0;
    let mut number = || {
        let x = random.between(-4.0, 4.0);
        if is_grid { x.round() } else { x }
    };
    case.a.half = None;
    case.a.corners = (0..count).map(|_| Point::new(number(), number())).collect();
}

fn exact(case: &Case) -> Vec<V> {
    oracle::hull(case.a.corners.iter().map(|p| to_f64(p.coords)).collect())
}

/// Says whether double precision decides every turn: the judge has no more than that.
fn is_decided(case: &Case) -> bool {
    let points: Vec<V> = case.a.corners.iter().map(|p| to_f64(p.coords)).collect();
    points.iter().enumerate().all(|(i, p)| {
        let rest = &points[i + 1..];
        rest.iter().enumerate().all(|(j, q)| {
            rest[j + 1..]
                .iter()
                .all(|r| oracle::is_turn_decided(*p, *q, *r))
        })
    })
}

fn judge(case: &Case) -> Option<f64> {
    if !is_decided(case) {
        return None;
    }
    let ours = convex_hull(&case.a.corners);
    let exact = exact(case);
    let is_same =
        ours.len() == exact.len() && ours.iter().zip(&exact).all(|(p, e)| to_f64(p.coords) == *e);
    Some(if is_same { 0.0 } else { WRONG })
}

fn test(case: &Case) -> String {
    let point = |x: String, y: String| format!("point({x}, {y})");
    let points: Vec<String> = case
        .a
        .corners
        .iter()
        .map(|p| point(format!("{:?}", p.x), format!("{:?}", p.y)))
        .collect();
    let corners: Vec<String> = exact(case)
        .iter()
        .map(|p| point(format!("{:?}", p[0]), format!("{:?}", p[1])))
        .collect();
    format!(
        "    let found = convex_hull(&[{}]);\n    assert_eq!(found, [{}]);\n",
        points.join(", "),
        corners.join(", ")
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let (points, exact) = (&case.a.corners, exact(case));
    let made: Vec<b2Vec2> = points.iter().map(box2d::at).collect();
    let theirs = unsafe { b2ComputeHull(made.as_ptr(), made.len() as i32) };
    let show = || format!("{points:?} exact {exact:?}");
    let is_area = exact.len() > 2;
    let found = theirs.count as usize;
    let kept: Vec<V> = theirs.points[..found]
        .iter()
        .map(|p| to_f64(box2d::ours(p)))
        .collect();
    // Distance of the farthest corner outside of the peer's hull.
    let lost = exact
        .iter()
        .map(|p| oracle::signed_distance(&kept, *p))
        .fold(0.0, f64::max);
    let slop = f64::from(LINEAR_SLOP);
    let cause = match found {
        0 => "box2d: refuses what is thinner than two slops or has a weld left",
        _ if found < exact.len() && lost <= 2.0 * slop => "box2d: welds within two slops",
        _ if found < exact.len() => "box2d: loses a corner",
        _ => "box2d: keeps what is no corner",
    };
    tally.peer(cause, is_area && found != exact.len(), show);
    let made: Vec<_> = points.iter().map(parry::at).collect();
    let theirs = std::panic::catch_unwind(|| parry2d::transformation::convex_hull(&made).len());
    let found = *theirs.as_ref().unwrap_or(&0);
    let cause = match (&theirs, found < exact.len()) {
        (Err(_), _) => "parry2d: panics",
        (_, true) => "parry2d: loses a corner",
        _ => "parry2d: keeps points on an edge, or twice",
    };
    let is_off = theirs.is_err() || is_area && found != exact.len();
    tally.peer(cause, is_off, show);
}
