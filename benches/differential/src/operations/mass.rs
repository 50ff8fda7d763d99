//! Area, center and inertia of one shape.

use super::{Operation, mixed_gap, nothing_more, size_of};
use crate::case::Case;
use crate::oracle::{self, Body, Frame, V, dot, to_f64};
use crate::tally::Tally;
use crate::{box2d, parry};
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::Pose;

/// Tolerance of mass, relative, and of the center, relative to the size.
const TOLERANCE: f64 = 1e-5;
/// Tolerance of the inertia, relative.
const INERTIA_TOLERANCE: f64 = 1e-4;
/// Area that the judge cannot weigh, relative to the square of the size: its sums cancel.
const LEAST_AREA: f64 = 1e-9;

pub const OPERATION: Operation = Operation {
    name: "mass",
    gap: mixed_gap,
    aim: nothing_more,
    judge,
    peers,
    test,
};

struct Question {
    shape: Shape,
    area: f64,
    center: V,
    inertia: f64,
    size: f64,
}

fn question(case: &Case) -> Option<Question> {
    let shape = case.a.shape()?;
    if matches!(shape, Shape::Segment(_)) {
        return None;
    }
    let body = Body::new(&shape, &Frame::new(&Pose::identity()));
    let (area, center, inertia) = oracle::mass(&oracle::hull(body.core), body.radius);
    let size = f64::from(size_of(case));
    // Inertia and area are said as single numbers, whose range ends.
    let is_in_range = inertia > f64::from(f32::MIN_POSITIVE) && inertia < f64::from(f32::MAX);
    (area > LEAST_AREA * size * size && is_in_range).then_some(Question {
        shape,
        area,
        center,
        inertia,
        size,
    })
}

fn error(q: &Question, mass: f64, center: V, inertia: f64) -> f64 {
    // The judge's arcs are chords: off by a millionth.
    let off = |found: f64, exact: f64, tolerance: f64| (found - exact).abs() / (tolerance * exact);
    let c = [center[0] - q.center[0], center[1] - q.center[1]];
    off(mass, q.area, TOLERANCE)
        .max(dot(c, c).sqrt() / (TOLERANCE * q.size))
        .max(off(inertia, q.inertia, INERTIA_TOLERANCE))
}

fn judge(case: &Case) -> Option<f64> {
    let q = question(case)?;
    let ours = q.shape.mass(1.0);
    let center = to_f64(ours.center.coords);
    Some(error(&q, ours.mass.into(), center, ours.inertia.into()))
}

fn test(case: &Case) -> String {
    let exact = question(case).map(|q| (q.area, q.center, q.inertia));
    format!(
        "{}    let found = a.mass(1.0);\n    // Area, center, inertia: {exact:?}.\n    \
         assert!((found.mass - {area:?}).abs() <= 1e-5 * {area:?}, \"{{found:?}}\");\n",
        case.code(),
        area = exact.map_or(0.0, |e| e.0)
    )
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = question(case) else { return };
    let is_rounded_polygon = matches!(&q.shape, Shape::Polygon(s) if s.radius() > 0.0);
    if let Some(theirs) = box2d::mass(&box2d::make(&q.shape)) {
        let center = to_f64(box2d::ours(&theirs.center));
        let cause = if is_rounded_polygon {
            "box2d: rounded polygon, corners pushed out"
        } else {
            "box2d: other kinds"
        };
        let off = error(
            &q,
            theirs.mass.into(),
            center,
            theirs.rotationalInertia.into(),
        );
        tally.peer(cause, off > 1.0, || format!("{off} tolerances {case:?}"));
    }
    let (made, at) = parry::make(&q.shape);
    let theirs = made.mass_properties(1.0);
    let center = theirs.local_com + at;
    let cause = match &q.shape {
        _ if is_rounded_polygon => "parry2d: rounded polygon, rounding left out",
        Shape::Capsule(_) => "parry2d: capsule, inertia too small",
        _ => "parry2d: other kinds",
    };
    let center = [f64::from(center.x), f64::from(center.y)];
    let inertia = theirs.principal_inertia().into();
    let off = error(&q, theirs.mass().into(), center, inertia);
    tally.peer(cause, off > 1.0, || format!("{off} tolerances {case:?}"));
}
