//! The judge: answers in double precision by methods that share no code with the library.
//!
//! A core is a list of vertices. The difference of two cores is the hull of all differences of their
//! vertices; its signed distance from zero, less the radii, is the separation of the shapes.

#[path = "../../../crates/geometry/tests/accuracy/reference.rs"]
mod reference;

pub(crate) use reference::{Body, Frame, V, cross, dot, hull, separation, signed_distance, to_f64};

use reference::sub;

/// Returns how far a body reaches along a unit direction.
pub(crate) fn reach(body: &Body, n: V) -> f64 {
    let along = body.core.iter().map(|v| dot(*v, n));
    along.fold(f64::NEG_INFINITY, f64::max) + body.radius
}

/// Returns all differences of a core point of B and one of A.
pub(crate) fn differences(a: &Body, b: &Body) -> Vec<V> {
    let of = |p: &V| -> Vec<V> { b.core.iter().map(|q| sub(*q, *p)).collect() };
    a.core.iter().flat_map(of).collect()
}

/// Returns the signed distance of two convex shapes that are given by how far they reach along a unit direction: the
/// greatest gap between parallel tangents, over all directions.
///
/// Separate shapes have one greatest gap. For shapes that overlap, each local maximum is a candidate, and all that
/// come near the best are refined. `steepness` is the largest distance of a point of one from a point of the other.
pub(crate) fn separation_by_reach(
    a: impl Fn(V) -> f64,
    b: impl Fn(V) -> f64,
    steepness: f64,
) -> f64 {
    const DIRECTIONS: usize = 2048;
    const HALVINGS: usize = 60;
    let step = std::f64::consts::TAU / DIRECTIONS as f64;
    let gap = |angle: f64| {
        let n = [libm::cos(angle), libm::sin(angle)];
        -a(n) - b([-n[0], -n[1]])
    };
    let gaps: Vec<f64> = (0..DIRECTIONS).map(|i| gap(i as f64 * step)).collect();
    let best = gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_near = |i: &usize| {
        let (before, after) = ((i + DIRECTIONS - 1) % DIRECTIONS, (i + 1) % DIRECTIONS);
        gaps[*i] >= gaps[before].max(gaps[after]) && gaps[*i] >= best - steepness * step
    };
    let refined = (0..DIRECTIONS).filter(is_near).map(|i| {
        let (mut low, mut high) = ((i as f64 - 1.0) * step, (i as f64 + 1.0) * step);
        for _ in 0..2 * HALVINGS {
            let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if gap(p) < gap(q) { low = p } else { high = q }
        }
        gap(0.5 * (low + high))
    });
    refined.fold(best, f64::max)
}

/// Returns the first fraction in 0 to 1 at which `outline`, rounded, is reached from `from` along `step`;
/// `None` if it is not, and by how much it is missed.
pub(crate) fn ray(outline: &[V], radius: f64, from: V, step: V) -> (Option<f64>, f64) {
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

/// Mass, center and inertia of a rounded convex outline by its border: independent of the closed form.
pub(crate) fn mass(outline: &[V], radius: f64) -> (f64, V, f64) {
    // The border as a fine polygon, then the shoelace moments.
    let count = outline.len();
    let mut border: Vec<V> = vec![];
    for i in 0..count {
        let [before, at, after] = [i + count - 1, i, i + 1].map(|j| outline[j % count]);
        border.extend(corner(before, at, after, radius));
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

/// Returns `true` if plain double precision finds the turn of three points from any of them: the differences are
/// exact, and the sign is that of the exact one.
pub(crate) fn is_turn_decided(p: V, q: V, r: V) -> bool {
    let is_exact = |a: f64, b: f64| (a - b) + b == a && a - (a - b) == b;
    let exact = [(p, q), (q, r), (r, p)]
        .iter()
        .all(|(a, b)| is_exact(a[0], b[0]) && is_exact(a[1], b[1]));
    let ([x, y], [u, v]) = (sub(q, p), sub(r, p));
    let (left, right) = (x * v, y * u);
    // Rounding errors of the products.
    let rest = x.mul_add(v, -left) - y.mul_add(u, -right);
    let sign = |d: f64| (d > 0.0, d < 0.0);
    exact && sign(left - right) == sign((left - right) + rest)
}

/// Points of the border about a corner: an arc from the normal of the edge before to that of the edge after, by chords.
fn corner(before: V, at: V, after: V, radius: f64) -> Vec<V> {
    /// Chords of a whole turn. They are off by a millionth of the area of the arc.
    const CHORDS: f64 = 4096.0;
    use std::f64::consts::TAU;
    if radius == 0.0 {
        return vec![at];
    }
    let normal_angle = |edge: V| libm::atan2(-edge[0], edge[1]);
    let (from, turn) = if before == at {
        (0.0, TAU)
    } else {
        let from = normal_angle(sub(at, before));
        let turn = normal_angle(sub(after, at)) - from;
        (from, if turn < 0.0 { turn + TAU } else { turn })
    };
    let count = (CHORDS * turn / TAU).ceil().max(1.0);
    (0..=count as u32)
        .map(|i| from + turn * f64::from(i) / count)
        .map(|a| [at[0] + radius * libm::cos(a), at[1] + radius * libm::sin(a)])
        .collect()
}

/// Returns the height of a point over the line through two others; 0 where these are one.
pub(crate) fn height(p: V, a: V, b: V) -> f64 {
    let edge = sub(b, a);
    let length = dot(edge, edge).sqrt();
    if length > 0.0 {
        cross(edge, sub(p, a)) / length
    } else {
        0.0
    }
}
