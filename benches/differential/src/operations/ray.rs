//! Hits of a ray on one shape.

use super::{Operation, is_smooth_in_parry, mixed_gap, size_of};
use crate::case::{Case, Stream, largest};
use crate::generate::Random;
use crate::oracle::{self, Body, Frame, V, dot, to_f64};
use crate::tally::Tally;
use crate::{box2d, parry};
use boxdd_sys::ffi::*;
use cairn2d_geometry::math::{Point, Pose};
use cairn2d_geometry::{Ray, Shape};

/// Tolerance, relative to the largest coordinate or the length of the ray.
const TOLERANCE: f64 = 1e-5;
/// Ray that is too short to have a direction [m].
const SHORTEST: f64 = 1e-7;

pub const OPERATION: Operation = Operation {
    name: "ray",
    gap: mixed_gap,
    aim,
    judge,
    peers,
    test,
};

/// Numbers: origin and translation.
fn aim(random: &mut Random, case: &mut Case, stream: Stream) {
    let size = size_of(case);
    let mut origin = Point::from(random.direction() * (size * random.between(0.0, 6.0)));
    let mut aim = Point::from(random.direction() * (size * random.between(0.0, 1.2)));
    let corners = &case.a.corners;
    if stream == Stream::Degenerate && !corners.is_empty() {
        // At a corner, along an edge, from the surface, upright.
        let i = random.below(corners.len() as u64) as usize;
        let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
        match random.below(4) {
            0 => aim = p,
            1 => (origin, aim) = (p + (p - q) * 2.0, p),
            2 => (origin, aim) = (p + (q - p) * 0.5, aim),
            _ => origin.x = aim.x,
        }
    }
    let step = (aim - origin) * random.between(0.5, 3.0);
    case.numbers = vec![origin.x, origin.y, step.x, step.y];
}

struct Question {
    shape: Shape,
    core: Vec<V>,
    radius: f64,
    ray: Ray,
    length: f64,
    scale: f64,
    /// Fraction of the hit, and by how much it is one, or is missed.
    exact: Option<f64>,
    margin: f64,
}

fn question(case: &Case) -> Option<Question> {
    let shape = case.a.shape()?;
    let ray = Ray::new(Point::from(case.vector(0)), case.vector(2));
    let step = to_f64(ray.translation);
    let length = dot(step, step).sqrt();
    let body = Body::new(&shape, &Frame::new(&Pose::identity()));
    let origin = to_f64(ray.origin.coords);
    let scale = (largest(body.core.iter().chain([&origin])) + body.radius).max(length);
    if length < SHORTEST * scale {
        return None;
    }
    let core = oracle::hull(body.core);
    let (exact, margin) = oracle::ray(&core, body.radius, origin, step);
    Some(Question {
        shape,
        core,
        radius: body.radius,
        ray,
        length,
        scale,
        exact,
        margin,
    })
}

impl Question {
    /// Returns the distance of the surface from the ray at a fraction.
    fn off(&self, fraction: f64) -> f64 {
        let (from, step) = (to_f64(self.ray.origin.coords), to_f64(self.ray.translation));
        let at = [from[0] + step[0] * fraction, from[1] + step[1] * fraction];
        oracle::signed_distance(&self.core, at) - self.radius
    }

    /// Returns the distance by which a crossed shape must move for the ray to miss it. A line has no depth: its distance is how
    /// far its ends are on either side of the ray, and those of the ray on either side of the line.
    fn certainty(&self, entry: f64) -> f64 {
        let (from, step) = (to_f64(self.ray.origin.coords), to_f64(self.ray.translation));
        let to = [from[0] + step[0], from[1] + step[1]];
        if let ([a, b], true) = (&*self.core, self.radius == 0.0) {
            let ends = [
                oracle::height(*a, from, to),
                oracle::height(*b, from, to),
                oracle::height(from, *a, *b),
                oracle::height(to, *a, *b),
            ];
            return ends.iter().fold(f64::INFINITY, |m, h| m.min(h.abs()));
        }
        self.margin.abs().min((1.0 - entry) * self.length)
    }
}

/// Returns the error of a hit, or of none, in tolerances: how far from the surface it is, and how deep the ray was
/// before.
fn error(q: &Question, found: Option<f64>, tolerance: f64) -> f64 {
    let off = match (found, q.exact) {
        // Inside from the start.
        (Some(0.0), Some(0.0)) => 0.0,
        (Some(t), Some(e)) if t > e => q.off(t).abs().max(-q.off(0.5 * (t + e))),
        (Some(t), _) => q.off(t).abs(),
        (None, Some(e)) => q.certainty(e),
        (None, None) => 0.0,
    };
    off / (tolerance * q.scale)
}

fn judge(case: &Case) -> Option<f64> {
    let q = question(case)?;
    let found = q.shape.ray_cast(&q.ray).map(|hit| hit.fraction.into());
    Some(error(&q, found, TOLERANCE))
}

fn test(case: &Case) -> String {
    let (origin, step) = (case.vector(0), case.vector(2));
    let exact = question(case).and_then(|q| q.exact);
    format!(
        "{}    let ray = Ray::new(point({:?}, {:?}), vec2({:?}, {:?}));\n    \
         let found = a.ray_cast(&ray).map(|hit| hit.fraction);\n    \
         // Exact: {exact:?}.\n    assert_eq!(found, {:?});\n",
        case.code(),
        origin.x,
        origin.y,
        step.x,
        step.y,
        exact.map(|t| t as f32)
    )
}

/// Difference of a fraction from the exact one.
enum Verdict {
    Missed,
    Beside,
    Late,
    Early,
}

fn verdict(found: Option<f64>, exact: Option<f64>) -> Verdict {
    match (found, exact) {
        (None, _) => Verdict::Missed,
        (_, None) => Verdict::Beside,
        (Some(t), Some(e)) if t > e => Verdict::Late,
        _ => Verdict::Early,
    }
}

fn peers(case: &Case, tally: &mut Tally) {
    let Some(q) = question(case) else { return };
    if q.exact == Some(0.0) {
        return;
    }
    let show = |found: Option<f64>| format!("{found:?} for {:?} {case:?}", q.exact);
    let found = in_box2d(&q);
    let is_rounded_polygon = matches!(&q.shape, Shape::Polygon(s) if s.radius() > 0.0);
    let cause = match (is_rounded_polygon, verdict(found, q.exact)) {
        (true, Verdict::Missed) => "box2d: rounded polygon missed",
        (true, Verdict::Beside) => "box2d: rounded polygon hit beside it",
        (true, Verdict::Late) => "box2d: rounded polygon late",
        (true, Verdict::Early) => "box2d: rounded polygon early",
        _ => "box2d: other kinds",
    };
    tally.peer(cause, error(&q, found, TOLERANCE) > 1.0, || show(found));
    let found = in_parry(&q);
    let cause = match (
        is_smooth_in_parry(&q.shape),
        &q.shape,
        verdict(found, q.exact),
    ) {
        (true, _, Verdict::Missed) => "parry2d: capsule or rounded polygon missed",
        (true, _, Verdict::Beside) => "parry2d: capsule or rounded polygon hit beside it",
        (true, _, Verdict::Late) => "parry2d: capsule or rounded polygon late",
        (true, _, Verdict::Early) => "parry2d: capsule or rounded polygon early",
        (_, Shape::Polygon(_), Verdict::Missed) => "parry2d: polygon missed",
        (_, Shape::Polygon(_), _) => "parry2d: polygon off",
        (_, Shape::Segment(_), _) => "parry2d: segment",
        _ => "parry2d: circle",
    };
    let is_off = error(&q, found, 2.0 * TOLERANCE) > 1.0;
    tally.peer(cause, is_off, || show(found));
}

fn in_box2d(q: &Question) -> Option<f64> {
    let input = b2RayCastInput {
        origin: box2d::at(&q.ray.origin),
        translation: box2d::vec(&q.ray.translation),
        maxFraction: 1.0,
    };
    let theirs = box2d::ray_cast(&box2d::make(&q.shape), &input);
    theirs.hit.then_some(f64::from(theirs.fraction))
}

fn in_parry(q: &Question) -> Option<f64> {
    let (made, at) = parry::make(&q.shape);
    let start = parry::at(&q.ray.origin) - at;
    let ray = parry2d::query::Ray::new(start, parry::vec(&q.ray.translation));
    let theirs = made.cast_local_ray_and_get_normal(&ray, 1.0, true);
    theirs.map(|h| f64::from(h.time_of_impact))
}
