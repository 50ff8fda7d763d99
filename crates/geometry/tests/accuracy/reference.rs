//! Distances in double precision, by brute force: every difference of two corners, their hull, every edge of it.
//!
//! The differential run of the benches includes this file as its judge.

use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{RoundedHull, Shape, Sweep};

pub(crate) type V = [f64; 2];

pub(crate) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(crate) fn cross(a: V, b: V) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn to_f64(v: Vec2) -> V {
    [v.x.into(), v.y.into()]
}

/// Pose of unit rotation.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    at: V,
    turn: V,
}

impl Frame {
    fn unit(at: V, turn: V) -> Self {
        let norm = dot(turn, turn).sqrt();
        Self {
            at,
            turn: [turn[0] / norm, turn[1] / norm],
        }
    }

    pub(crate) fn new(pose: &Pose) -> Self {
        let turn = [pose.rotation.re.into(), pose.rotation.im.into()];
        Self::unit(to_f64(pose.translation.vector), turn)
    }

    /// Returns the frame of a sweep at a fraction, with interpolated cosine and sine.
    pub(crate) fn of_sweep(sweep: &Sweep, fraction: f64) -> Self {
        let mix = |a: f32, b: f32| f64::from(a) * (1.0 - fraction) + f64::from(b) * fraction;
        let (from, to) = (&sweep.start_rotation, &sweep.end_rotation);
        let frame = Self::unit([0.0; 2], [mix(from.re, to.re), mix(from.im, to.im)]);
        let center = frame.out(to_f64(sweep.local_center.coords));
        let (start, end) = (&sweep.start, &sweep.end);
        Self {
            at: sub([mix(start.x, end.x), mix(start.y, end.y)], center),
            ..frame
        }
    }

    fn out(&self, v: V) -> V {
        let [cos, sin] = self.turn;
        [
            cos * v[0] - sin * v[1] + self.at[0],
            sin * v[0] + cos * v[1] + self.at[1],
        ]
    }
}

/// Core and rounding of a shape in a common frame.
pub(crate) struct Body {
    pub(crate) core: Vec<V>,
    pub(crate) radius: f64,
}

impl Body {
    pub(crate) fn new(shape: &Shape, frame: &Frame) -> Self {
        let hull = hull_of(shape);
        Self {
            core: hull
                .vertices
                .iter()
                .map(|v| frame.out(to_f64(v.coords)))
                .collect(),
            radius: hull.radius.into(),
        }
    }
}

fn hull_of(shape: &Shape) -> RoundedHull<'_> {
    match shape {
        Shape::Circle(s) => s.as_hull(),
        Shape::Capsule(s) => s.as_hull(),
        Shape::Segment(s) => s.as_hull(),
        Shape::Polygon(s) => s.as_hull(),
        _ => panic!("{shape:?} is no rounded hull"),
    }
}

/// Returns the signed distance of the surfaces.
pub(crate) fn separation(a: &Body, b: &Body) -> f64 {
    let differences = a
        .core
        .iter()
        .flat_map(|p| b.core.iter().map(|q| sub(*q, *p)));
    signed_distance(&hull(differences.collect()), [0.0; 2]) - a.radius - b.radius
}

/// Returns the corners of the convex hull, counter-clockwise.
pub(crate) fn hull(points: Vec<V>) -> Vec<V> {
    // Adding zero makes a negative zero positive: the total order distinguishes them.
    let mut points: Vec<V> = points.into_iter().map(|p| p.map(|x| x + 0.0)).collect();
    points.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &V>| {
        let mut chain: Vec<V> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && cross(sub(b, a), sub(*p, a)) <= 0.0
            {
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut points.iter());
    corners.extend(half(&mut points.iter().rev()));
    corners
}

/// Returns the signed distance of a point from a convex outline.
pub(crate) fn signed_distance(outline: &[V], p: V) -> f64 {
    let count = outline.len();
    let mut is_inside = count > 2;
    let mut nearest = f64::INFINITY;
    for i in 0..count {
        let (a, b) = (outline[i], outline[(i + 1) % count]);
        let (edge, to) = (sub(b, a), sub(p, a));
        is_inside &= cross(edge, to) >= 0.0;
        let length_sq = dot(edge, edge);
        let along = if length_sq > 0.0 {
            (dot(edge, to) / length_sq).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let off = sub(to, [edge[0] * along, edge[1] * along]);
        nearest = nearest.min(dot(off, off).sqrt());
    }
    if is_inside { -nearest } else { nearest }
}
