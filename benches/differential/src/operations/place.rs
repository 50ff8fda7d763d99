//! Containment, projection, box and support of one shape.

use super::{EPS, Operation, mixed_gap, no_peers, size_of};
use crate::case::{Case, Stream, largest};
use crate::generate::Random;
use crate::oracle::{self, Body, Frame, V, dot, to_f64};
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Point, Pose};

/// Tolerance of projection and support: roundings of the largest coordinate.
const ULPS: f64 = 16.0;
/// By how much a box may be too large, in the same unit.
const BOX_ULPS: f64 = 64.0;
/// By how much it may be wrong on which side of the surface a point is.
const SIDE_ULPS: f64 = 4.0;

pub const OPERATION: Operation = Operation {
    name: "place",
    gap: mixed_gap,
    aim,
    judge,
    peers: no_peers,
    test,
};

/// Numbers: the point, the direction.
fn aim(random: &mut Random, case: &mut Case, stream: Stream) {
    let size = size_of(case);
    let at = random.direction() * (size * random.between(0.0, 1.5));
    let along = random.direction();
    case.numbers = vec![at.x, at.y, along.x, along.y];
    let corners = case.a.corners.clone();
    if stream != Stream::Degenerate || corners.is_empty() {
        return;
    }
    // At a corner, on or beyond an edge; along an edge or across it.
    let count = corners.len();
    let i = random.below(count as u64) as usize;
    let (p, edge) = (corners[i], corners[(i + 1) % count] - corners[i]);
    let at = p + edge * [0.0, 0.5, 1.0, 1.5][random.below(4) as usize];
    (case.numbers[0], case.numbers[1]) = (at.x, at.y);
    if random.below(2) == 0 {
        (case.numbers[2], case.numbers[3]) = (edge.y, -edge.x);
    }
}

struct Question {
    shape: Shape,
    pose: Pose,
    core: Vec<V>,
    placed: Body,
    radius: f64,
    point: Point,
    scale: f64,
}

fn question(case: &Case) -> Option<Question> {
    let (shape, pose) = (case.a.shape()?, case.pose());
    let here = Body::new(&shape, &Frame::new(&Pose::identity()));
    let placed = Body::new(&shape, &Frame::new(&pose));
    let point = Point::from(case.vector(0));
    let (at, to) = (to_f64(point.coords), to_f64(pose.translation.vector));
    let points = here.core.iter().chain(&placed.core).chain([&at, &to]);
    let scale = largest(points) + here.radius;
    Some(Question {
        core: oracle::hull(here.core),
        radius: here.radius,
        shape,
        pose,
        placed,
        point,
        scale,
    })
}

fn judge(case: &Case) -> Option<f64> {
    let q = question(case)?;
    let ulp = EPS * q.scale;
    Some(
        side_error(&q, ulp)
            .max(box_error(&q, ulp))
            .max(support_error(&q, case, ulp)),
    )
}

/// Judges containment and projection.
fn side_error(q: &Question, ulp: f64) -> f64 {
    let margin = oracle::signed_distance(&q.core, to_f64(q.point.coords)) - q.radius;
    // A point within rounding of the surface may be reported on either side.
    let is_wrong = q.shape.contains(&q.point) != (margin <= 0.0);
    let side = if is_wrong {
        margin.abs() / (SIDE_ULPS * ulp)
    } else {
        0.0
    };
    let on = q.shape.project(&q.point);
    side.max((f64::from(on.separation) - margin).abs() / (ULPS * ulp))
}

/// The box contains the shape, and is larger by rounding only.
fn box_error(q: &Question, ulp: f64) -> f64 {
    let aabb = q.shape.aabb(&q.pose);
    let sides = [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)];
    let over = sides.map(|(axis, sign)| {
        let far = q.placed.core.iter().map(|v| v[axis] * sign);
        let exact = far.fold(f64::MIN, f64::max) + q.radius;
        let corner = if sign > 0.0 { aabb.max } else { aabb.min };
        f64::from(corner[axis]) * sign - exact
    });
    over.into_iter().fold(0.0, |worst, over| {
        let error = if over < 0.0 {
            f64::INFINITY
        } else {
            over / (BOX_ULPS * ulp)
        };
        f64::max(worst, error)
    })
}

fn support_error(q: &Question, case: &Case, ulp: f64) -> f64 {
    let direction = case.vector(2);
    let n = to_f64(direction);
    let length = dot(n, n).sqrt();
    if length == 0.0 {
        return 0.0;
    }
    let reach = q.core.iter().map(|v| dot(*v, n)).fold(f64::MIN, f64::max) + q.radius * length;
    let found = dot(to_f64(q.shape.support(&direction).coords), n);
    (found - reach).abs() / (ULPS * ulp * length)
}

fn test(case: &Case) -> String {
    let (at, along) = (case.vector(0), case.vector(2));
    let margin = question(case).map_or(0.0, |q| {
        oracle::signed_distance(&q.core, to_f64(q.point.coords)) - q.radius
    });
    format!(
        "{}    let at = point({:?}, {:?});\n    \
         // Signed distance {margin:?}; the box at `p` and the support point have limits of their own.\n    \
         let found = (a.contains(&at), a.project(&at), a.aabb(&p), a.support(&vec2({:?}, {:?})));\n    \
         assert!((found.1.separation - {margin:?}).abs() <= 1e-6, \"{{found:?}}\");\n",
        case.code(),
        at.x,
        at.y,
        along.x,
        along.y
    )
}
