//! An ellipse: its distance from another shape, the depth where they overlap, and where a ray meets it.

use super::{EPS, Operation, mixed_gap, no_peers};
use crate::case::{Case, Stream, numbers_of};
use crate::generate::{Random, placed};
use crate::oracle::{self, Body, Frame, V, dot, to_f64};
use cairn2d_geometry::math::{Point, Pose, Vec2};
use cairn2d_geometry::{Ellipse, Ray, Shape, SimplexCache, distance, penetration};

/// Tolerance of distance and depth: roundings of the largest coordinate.
const ULPS: f64 = 8.0;
/// Tolerance of rays, relative to the largest coordinate or the length of the ray.
const TOLERANCE: f64 = 1e-5;
/// Ray that is too short to have a direction, relative.
const SHORTEST: f64 = 1e-7;

pub const OPERATION: Operation = Operation {
    name: "ellipse",
    gap: mixed_gap,
    aim,
    judge,
    peers: no_peers,
    test,
};

/// Numbers: half axes, angle; origin and step of a ray. The center is the first corner of A.
fn aim(random: &mut Random, case: &mut Case, _: Stream) {
    case.a.write_corners();
    let corners = &case.a.corners;
    let wide = corners.iter().map(|p| (p - corners[0]).norm());
    let long = wide.fold(case.a.radius, f32::max).max(1e-3);
    let flat = [
        1.0,
        random.between(1.0, 4.0),
        random.log_between(1.0, 900.0),
    ];
    let short = long / flat[random.below(3) as usize];
    case.numbers = vec![long, short, random.angle(), 0.0, 0.0, 0.0, 0.0];
    if random.below(2) == 0 {
        case.numbers.swap(0, 1);
    }
    let (Some(a), Some(b)) = (ellipse(case), case.b.shape()) else {
        return;
    };
    let gap = mixed_gap(random) * long.min(1.0);
    let center = a.center();
    // Placed about the origin: the search for the gap starts there.
    let Ok(there) = Ellipse::try_new(Point::origin(), a.radii().x, a.radii().y, a.angle()) else {
        return;
    };
    let mut pose = placed(random, &there.into(), &b, gap);
    pose.translation.vector += center.coords;
    case.pose = numbers_of(&pose);
    let from = center + random.direction() * (long * random.between(0.0, 6.0));
    let to = center + random.direction() * (long * random.between(0.0, 1.2));
    let step = (to - from) * random.between(0.5, 3.0);
    case.numbers[3..].copy_from_slice(&[from.x, from.y, step.x, step.y]);
}

fn ellipse(case: &Case) -> Option<Ellipse> {
    let n = &case.numbers;
    Ellipse::try_new(*case.a.corners.first()?, n[0], n[1], n[2]).ok()
}

/// The ellipse in double precision, as the library keeps it.
struct Exact {
    center: V,
    axes: [V; 2],
    radii: V,
}

impl Exact {
    fn new(e: &Ellipse) -> Self {
        let turn = cairn2d_geometry::math::rotation(e.angle());
        let (x, y): (f64, f64) = (turn.re.into(), turn.im.into());
        let norm = x.hypot(y);
        let (x, y) = (x / norm, y / norm);
        Self {
            center: to_f64(e.center().coords),
            axes: [[x, y], [-y, x]],
            radii: to_f64(e.radii()),
        }
    }

    fn reach(&self, n: V) -> f64 {
        let [x, y] = [0, 1].map(|i| dot(n, self.axes[i]) * self.radii[i]);
        dot(n, self.center) + x.hypot(y)
    }

    /// Returns the place in a frame in which the ellipse is the unit circle.
    fn on_circle(&self, p: V) -> V {
        let p = [p[0] - self.center[0], p[1] - self.center[1]];
        [0, 1].map(|i| dot(p, self.axes[i]) / self.radii[i])
    }

    /// Returns the distance of the surface to first order, from where it is small.
    fn off(&self, p: V) -> f64 {
        let u = self.on_circle(p);
        let norm = u[0].hypot(u[1]);
        let slope = (u[0] / self.radii[0]).hypot(u[1] / self.radii[1]) / norm.max(1e-300);
        (norm - 1.0) / slope
    }
}

fn judge(case: &Case) -> Option<f64> {
    let e = ellipse(case)?;
    let exact = Exact::new(&e);
    let size = f64::from(e.center().coords.amax() + e.radii().max());
    let ray = ray_error(&e, &exact, size, case);
    let apart = distance_error(&e, &exact, size, case);
    match (ray, apart) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// Returns the error of distance or depth in tolerances.
fn distance_error(e: &Ellipse, exact: &Exact, size: f64, case: &Case) -> Option<f64> {
    let (b, pose) = (case.b.shape()?, case.pose());
    let (body, home) = (
        Body::new(&b, &Frame::new(&pose)),
        Body::new(&b, &Frame::new(&Pose::identity())),
    );
    let far = crate::case::largest(body.core.iter().chain(&home.core));
    let scale = size.max(far + body.radius);
    let steepness = 2.0 * (size + far + body.radius);
    let separation =
        oracle::separation_by_reach(|n| exact.reach(n), |n| oracle::reach(&body, n), steepness);
    let tolerance = ULPS * EPS * scale;
    let a = Shape::from(*e);
    let mut cache = SimplexCache::default();
    let found = [0, 1].map(|_| f64::from(distance(&a, &b, &pose, &mut cache).distance));
    let off = found.map(|d| (d - separation.max(0.0)).abs() / tolerance);
    let deep = if separation < -tolerance {
        let depth = penetration(&a, &b, &pose).map_or(0.0, |p| p.depth.into());
        (depth + separation).abs() / tolerance
    } else {
        0.0
    };
    Some(off[0].max(off[1]).max(deep))
}

/// Returns the error of the ray in tolerances: how far from the surface it ends, and how deep it was before.
fn ray_error(e: &Ellipse, exact: &Exact, size: f64, case: &Case) -> Option<f64> {
    let (from, step) = (case.vector(3), case.vector(5));
    let (origin, way) = (to_f64(from), to_f64(step));
    let length = way[0].hypot(way[1]);
    let scale = size.max(origin[0].abs().max(origin[1].abs())).max(length);
    if length < SHORTEST * scale {
        return None;
    }
    let at = |t: f64| [origin[0] + way[0] * t, origin[1] + way[1] * t];
    let found = e.ray_cast(&Ray::new(Point::from(from), Vec2::new(step.x, step.y)));
    let entry = crossing(&|t| {
        let u = exact.on_circle(at(t));
        dot(u, u) - 1.0
    });
    let off = match (found.map(|hit| f64::from(hit.fraction)), entry) {
        (Some(0.0), Ok(0.0)) | (None, Err(_)) => 0.0,
        (Some(t), Ok(x)) if t > x => exact.off(at(t)).abs().max(-exact.off(at(0.5 * (t + x)))),
        (Some(t), _) => exact.off(at(t)).abs(),
        // Missed: by how much it is one, at its deepest, or at its end.
        (None, Ok(x)) => {
            let deepest = (0..=64).map(|i| exact.off(at(f64::from(i) / 64.0)));
            let deepest = deepest.fold(0.0, f64::min);
            (-deepest).min((1.0 - x) * length)
        }
    };
    Some(off / (TOLERANCE * scale))
}

/// Returns the first place from 0 to 1 at which a convex function is not above zero, or where it is least.
fn crossing(value: &impl Fn(f64) -> f64) -> Result<f64, f64> {
    if value(0.0) <= 0.0 {
        return Ok(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if value(a) <= value(b) {
            high = b
        } else {
            low = a
        }
    }
    let least = if value(1.0) < value(low) { 1.0 } else { low };
    if value(least) > 0.0 {
        return Err(least);
    }
    let (mut low, mut high) = (0.0, least);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if value(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    Ok(high)
}

fn test(case: &Case) -> String {
    let n = &case.numbers;
    let c = case.a.corners.first().copied().unwrap_or_default();
    let [x, y, angle] = case.pose;
    format!(
        "    let a: Shape = Ellipse::new(point({:?}, {:?}), {:?}, {:?}, {:?}).into();\n    \
         let b: Shape = {};\n    let p = pose({x:?}, {y:?}, {angle:?});\n    \
         let ray = Ray::new(point({:?}, {:?}), vec2({:?}, {:?}));\n    \
         panic!(\"{{:?}} {{:?}} {{:?}}\", distance(&a, &b, &p, &mut SimplexCache::default()), penetration(&a, &b, &p), a.ray_cast(&ray));\n",
        c.x,
        c.y,
        n[0],
        n[1],
        n[2],
        case.b.code(),
        n[3],
        n[4],
        n[5],
        n[6],
    )
}
