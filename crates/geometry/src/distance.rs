//! Distance of two convex shapes, by the algorithm of Gilbert, Johnson and Keerthi.

use crate::double::{DPose, DVec, max64, narrow_point, to_f32};
use crate::math::{Point, Pose, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::shape::{Outline, part_near};
use crate::simplex::{Advance, Difference, Simplex, SimplexCache};
use crate::support::Support;

/// Steps after which the best answer so far is returned. Polygons take one to six; two smooth
/// shapes some twenty.
const MAX_ITERATIONS: u32 = 64;
/// Gap between upper and lower bound at which a distance counts as found, relative to the largest
/// coordinate: half the spacing of the `f32` that are the input.
const RELATIVE_GAP: f64 = 0.5 * f32::EPSILON as f64;
/// Distance that counts as zero, relative to the largest coordinate: some hundred roundings of `f64`.
pub(crate) const RELATIVE_ZERO: f64 = 1.0e-14;

/// Distance of two shapes, in the frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// Least distance between the surfaces; 0 where the shapes touch or overlap \[m\].
    pub distance: f32,
    /// Nearest point of A \[m\]. Where the shapes overlap, both points are the same point of the overlap.
    pub point_a: Point,
    /// Nearest point of B \[m\].
    pub point_b: Point,
    /// Unit vector from A to B; zero where the cores of the shapes overlap and no direction is known.
    pub normal: Vec2,
    /// Number of support points examined.
    pub iterations: u32,
    /// Whether the distance is exact to rounding; otherwise it is an upper bound.
    pub converged: bool,
}

/// Nearest points of two cores, before rounding; `None` in `offset` when they overlap.
pub(crate) struct CoreDistance {
    /// From the point of A to that of B, or `None` when the cores overlap.
    pub(crate) offset: Option<DVec>,
    pub(crate) iterations: u32,
    pub(crate) converged: bool,
}

/// Returns the distance and nearest points of `a` and `b`, which is placed by `b_in_a`; everything is
/// in the frame of `a`. Source: [GilbertJohnsonKeerthi88, sec. 3], [Bergen99, sec. 3].
///
/// `cache` starts the search where the last one of this pair ended; any cache gives the same
/// distance to rounding.
#[must_use]
pub fn distance<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    cache: &mut SimplexCache,
) -> Distance {
    if let Some(part) = part_near(a, b, b_in_a) {
        return distance(&Outline(part.as_hull()), b, b_in_a, cache);
    }
    if let Some(part) = part_near(b, a, &b_in_a.inverse()) {
        return distance(a, &Outline(part.as_hull()), b_in_a, cache);
    }
    // Dispatches once per query, not at each support point.
    match (a.as_rounded_hull(), b.as_rounded_hull()) {
        (Some(a), Some(b)) => hull_distance(&Outline(a), &Outline(b), b_in_a, cache),
        _ => surface_distance(a, b, b_in_a, cache),
    }
}

/// Common code of most pairs, compiled here once and not where it is called.
fn hull_distance(
    a: &Outline<'_>,
    b: &Outline<'_>,
    b_in_a: &Pose,
    cache: &mut SimplexCache,
) -> Distance {
    surface_distance(a, b, b_in_a, cache)
}

#[inline]
fn surface_distance<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    cache: &mut SimplexCache,
) -> Distance {
    let difference = Difference {
        a,
        b,
        b_in_a: DPose::new(b_in_a),
    };
    let mut simplex = Simplex::default();
    let core = core_distance(&difference, cache, &mut simplex);
    let (point_a, point_b) = simplex.witnesses();
    let (iterations, converged) = (core.iterations, core.converged);
    let Some(offset) = core.offset else {
        let point = narrow_point(&point_a);
        let normal = Vec2::zeros();
        return Distance {
            distance: 0.0,
            point_a: point,
            point_b: point,
            normal,
            iterations,
            converged,
        };
    };
    let core_gap = offset.norm();
    let normal = offset / core_gap;
    let (radius_a, radius_b) = (f64::from(a.rounding()), f64::from(b.rounding()));
    let gap = core_gap - radius_a - radius_b;
    let (on_a, on_b) = (point_a + normal * radius_a, point_b - normal * radius_b);
    let (on_a, on_b) = if gap > 0.0 {
        (on_a, on_b)
    } else {
        ((on_a + on_b) * 0.5, (on_a + on_b) * 0.5)
    };
    Distance {
        distance: gap.max(0.0) as f32,
        point_a: narrow_point(&on_a),
        point_b: narrow_point(&on_b),
        normal: to_f32(&normal),
        iterations,
        converged,
    }
}

/// Returns `true` if the shapes share a point; touching ones do.
#[must_use]
pub fn overlaps<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B, b_in_a: &Pose) -> bool {
    let is_bounded = a.as_half_space().is_none() && b.as_half_space().is_none();
    if is_bounded
        && let (Some(a), Some(b)) = (a.as_rounded_hull(), b.as_rounded_hull())
        && let Some(overlap) = overlap_by_faces(&a, &b, b_in_a)
    {
        return overlap;
    }
    distance(a, b, b_in_a, &mut SimplexCache::default()).distance <= 0.0
}

/// Separation up to which faces do not tell whether hulls overlap, relative to the sum of the largest coordinates: some
/// roundings of the normals and of the heights over them.
const FACE_MARGIN: f32 = 10.0 * f32::EPSILON;

/// Returns whether two hulls overlap if their faces tell, which takes less time than a distance: most answers of an
/// overlap query. `None` near a touch, beside rounded corners, and if neither hull has area.
fn overlap_by_faces(a: &RoundedHull<'_>, b: &RoundedHull<'_>, b_in_a: &Pose) -> Option<bool> {
    if a.vertices.len() < 3 && b.vertices.len() < 3 {
        return None;
    }
    let offset = b_in_a.translation.vector;
    let margin = FACE_MARGIN * (reach(a) + reach(b) + offset.x.abs() + offset.y.abs());
    let apart = a.radius + b.radius + margin;
    let mut separation = face_separation(a, b, b_in_a, apart);
    if separation <= apart {
        separation = larger(separation, face_separation(b, a, &b_in_a.inverse(), apart));
    }
    match separation {
        gap if gap > apart => Some(false),
        depth if depth < -margin => Some(true),
        _ => None,
    }
}

/// Returns the larger number. `f32::max` also handles NaN, at three times the cost.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the largest coordinate of a hull's vertices \[m\].
#[inline]
fn reach(hull: &RoundedHull<'_>) -> f32 {
    let mut most = 0.0;
    for vertex in hull.vertices {
        most = larger(most, larger(vertex.x.abs(), vertex.y.abs()));
    }
    most
}

/// Returns how far the core of `other` is outside of one of the faces of `hull`, at most \[m\]; the first one that is
/// above `enough`.
fn face_separation(
    hull: &RoundedHull<'_>,
    other: &RoundedHull<'_>,
    other_in_hull: &Pose,
    enough: f32,
) -> f32 {
    match *other.vertices {
        // Loops of a known length take half the time.
        [a, b, c, d] => vertex_separation(hull, &[a, b, c, d], other_in_hull, enough),
        ref vertices => vertex_separation(hull, vertices, other_in_hull, enough),
    }
}

/// Returns the [`face_separation`] of the hull of some vertices.
#[inline(always)]
fn vertex_separation(
    hull: &RoundedHull<'_>,
    vertices: &[Point],
    other_in_hull: &Pose,
    enough: f32,
) -> f32 {
    let (cos, sin) = (other_in_hull.rotation.re, other_in_hull.rotation.im);
    let mut most = f32::NEG_INFINITY;
    for (n, face) in hull.normals.iter().zip(hull.vertices) {
        let direction = Vec2::new(cos * n.x + sin * n.y, cos * n.y - sin * n.x);
        let mut least = f32::INFINITY;
        for vertex in vertices {
            let height = direction.x * vertex.x + direction.y * vertex.y;
            least = if height < least { height } else { least };
        }
        let base = n.dot(&(other_in_hull.translation.vector - face.coords));
        most = larger(most, base + least);
        if most > enough {
            break;
        }
    }
    most
}

/// Finds the nearest points of the cores, as points of `simplex`. It is written in place: it is large, and
/// copies of it were a tenth of the time.
#[inline]
pub(crate) fn core_distance<A: Support + ?Sized, B: Support + ?Sized>(
    difference: &Difference<'_, A, B>,
    cache: &mut SimplexCache,
    simplex: &mut Simplex,
) -> CoreDistance {
    difference.start(cache, simplex);
    let mut nearest = simplex.reduce();
    let mut iterations = 0;
    let mut converged = false;
    let mut scale = simplex.scale();
    while let Some(v) = nearest {
        let norm_sq = v.norm_squared();
        if norm_sq <= (RELATIVE_ZERO * scale) * (RELATIVE_ZERO * scale) {
            nearest = None;
            break;
        }
        if iterations == MAX_ITERATIONS {
            break;
        }
        iterations += 1;
        let vertex = difference.support_near(&-v, norm_sq, simplex.hint());
        scale = max64(scale, vertex.scale());
        // `v . w / |v|` bounds the distance from below: no point of the difference lies nearer.
        let gap = norm_sq - v.dot(&vertex.w);
        let least_gap = RELATIVE_GAP * scale;
        if gap <= 0.0 || gap * gap <= least_gap * least_gap * norm_sq || simplex.has(&vertex) {
            converged = true;
            break;
        }
        match simplex.advance(&vertex, norm_sq) {
            Advance::Inside => nearest = None,
            Advance::To(next) => nearest = Some(next),
            Advance::Stuck => {
                // Rounding: the support points of a smooth core are only good to an ulp.
                converged = true;
                break;
            }
        }
    }
    *cache = simplex.cache();
    CoreDistance {
        offset: nearest,
        iterations,
        converged: converged || nearest.is_none(),
    }
}
