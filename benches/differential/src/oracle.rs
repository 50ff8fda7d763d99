//! The judge: answers in double precision by methods that share no code with the library.
//!
//! A core is a list of vertices. The difference of two cores is the hull of all differences of their
//! vertices; its signed distance from zero, less the radii, is the separation of the shapes.

use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{RoundedHull, Sweep};

pub type V = [f64; 2];

pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: V, b: V) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn wide(v: Vec2) -> V {
    [v.x.into(), v.y.into()]
}

/// Pose in double precision, of unit length.
#[derive(Clone, Copy)]
pub struct Frame {
    pub at: V,
    pub cos: f64,
    pub sin: f64,
}

impl Frame {
    pub fn new(pose: &Pose) -> Self {
        let (c, s) = (f64::from(pose.rotation.re), f64::from(pose.rotation.im));
        let n = (c * c + s * s).sqrt();
        Self {
            at: wide(pose.translation.vector),
            cos: c / n,
            sin: s / n,
        }
    }

    pub fn out(&self, v: V) -> V {
        [
            self.cos * v[0] - self.sin * v[1] + self.at[0],
            self.sin * v[0] + self.cos * v[1] + self.at[1],
        ]
    }

    /// Returns the frame of a sweep at a fraction, with interpolated cosine and sine.
    pub fn of_sweep(s: &Sweep, t: f64) -> Self {
        let mix = |a: f32, b: f32| f64::from(a) * (1.0 - t) + f64::from(b) * t;
        let (c, i) = (
            mix(s.start_rotation.re, s.end_rotation.re),
            mix(s.start_rotation.im, s.end_rotation.im),
        );
        let n = (c * c + i * i).sqrt();
        let mut frame = Self {
            at: [0.0; 2],
            cos: c / n,
            sin: i / n,
        };
        let center = frame.out(wide(s.local_center.coords));
        frame.at = [
            mix(s.start.x, s.end.x) - center[0],
            mix(s.start.y, s.end.y) - center[1],
        ];
        frame
    }
}

/// Core and rounding in one frame.
pub struct Body {
    pub core: Vec<V>,
    pub radius: f64,
}

impl Body {
    pub fn new(hull: &RoundedHull<'_>, frame: &Frame) -> Self {
        Self {
            core: hull
                .vertices
                .iter()
                .map(|v| frame.out(wide(v.coords)))
                .collect(),
            radius: hull.radius.into(),
        }
    }

    /// Returns how far the body reaches along a unit direction.
    pub fn reach(&self, n: V) -> f64 {
        self.core
            .iter()
            .map(|v| dot(*v, n))
            .fold(f64::NEG_INFINITY, f64::max)
            + self.radius
    }
}

/// Returns the convex hull, counter-clockwise.
pub fn hull(points: Vec<V>) -> Vec<V> {
    // Adding zero makes a negative zero positive: the total order tells them apart.
    let mut points: Vec<V> = points.into_iter().map(|p| p.map(|x| x + 0.0)).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = V>| {
        let mut chain: Vec<V> = vec![];
        for p in points {
            while let [.., a, b] = chain[..] {
                if cross(sub(b, a), sub(p, a)) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

/// Signed distance of two bodies: negative where they overlap.
pub fn separation(a: &Body, b: &Body) -> f64 {
    let difference = a
        .core
        .iter()
        .flat_map(|p| b.core.iter().map(|q| sub(*q, *p)))
        .collect();
    signed_distance(&hull(difference), [0.0; 2]) - a.radius - b.radius
}

/// Signed distance of a point from a convex outline.
pub fn signed_distance(outline: &[V], p: V) -> f64 {
    let n = outline.len();
    let mut is_inside = n > 2;
    let mut nearest = f64::INFINITY;
    for i in 0..n {
        let (a, b) = (outline[i], outline[(i + 1) % n]);
        let (edge, to) = (sub(b, a), sub(p, a));
        is_inside &= cross(edge, to) >= 0.0;
        let length = dot(edge, edge);
        let t = if length > 0.0 {
            (dot(edge, to) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let off = sub(to, [edge[0] * t, edge[1] * t]);
        nearest = nearest.min(dot(off, off).sqrt());
    }
    if is_inside { -nearest } else { nearest }
}

/// Returns the first fraction in 0 to 1 at which `outline`, rounded, is reached from `from` along `step`;
/// `None` if it is not, and by how much it is missed.
pub fn ray(outline: &[V], radius: f64, from: V, step: V) -> (Option<f64>, f64) {
    let at = |t: f64| [from[0] + step[0] * t, from[1] + step[1] * t];
    let off = |t: f64| signed_distance(outline, at(t)) - radius;
    if off(0.0) <= 0.0 {
        return (Some(0.0), -off(0.0));
    }
    // The distance along a line from a convex set is convex: find its least by thirds, then the
    // crossing before it by halves.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if off(a) <= off(b) { high = b } else { low = a }
    }
    let least = 0.5 * (low + high);
    let depth = off(least).min(off(1.0));
    let end = if off(1.0) < off(least) { 1.0 } else { least };
    if depth > 0.0 {
        return (None, depth);
    }
    let (mut low, mut high) = (0.0, end);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if off(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    (Some(low), -depth)
}

/// Mass, center and inertia of a rounded convex outline by slicing: independent of the closed form.
pub fn mass(outline: &[V], radius: f64) -> (f64, V, f64) {
    // The border as a fine polygon, then the shoelace moments: arcs by 4096 chords each turn.
    let count = 4096;
    let mut border: Vec<V> = vec![];
    for i in 0..count {
        let angle = std::f64::consts::TAU * (i as f64) / (count as f64);
        let n = [libm::cos(angle), libm::sin(angle)];
        let far = outline
            .iter()
            .copied()
            .max_by(|a, b| dot(*a, n).total_cmp(&dot(*b, n)))
            .unwrap_or([0.0; 2]);
        border.push([far[0] + n[0] * radius, far[1] + n[1] * radius]);
    }
    if radius == 0.0 {
        border = outline.to_vec();
    }
    let c0 = border[0];
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
    for i in 0..border.len() {
        let (p, q) = (sub(border[i], c0), sub(border[(i + 1) % border.len()], c0));
        let a = 0.5 * cross(p, q);
        area += a;
        first[0] += a * (p[0] + q[0]) / 3.0;
        first[1] += a * (p[1] + q[1]) / 3.0;
        second += a * (dot(p, p) + dot(p, q) + dot(q, q)) / 6.0;
    }
    let center = [first[0] / area, first[1] / area];
    (
        area,
        [c0[0] + center[0], c0[1] + center[1]],
        second - area * dot(center, center),
    )
}
