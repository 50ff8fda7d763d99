//! First contact of a shape that moves without turning.

use crate::distance::RELATIVE_ZERO;
use crate::double::{DPose, DVec, narrow_point, to_f32, to_f64, wide_vec};
use crate::epa::separation;
use crate::inflated::Inflated;
use crate::math::{Point, Pose, Vec2};
use crate::shape::{ChainSegment, Outline, Shape, part_along};
use crate::simplex::{Difference, Simplex, SimplexCache};
use crate::support::Support;

/// Steps after which the best answer so far is returned. Polygons take some six.
const MAX_ITERATIONS: u32 = 128;
/// Gap that counts as contact, relative to the largest coordinate: half the spacing of `f32`.
const RELATIVE_TOUCH: f64 = 0.5 * f32::EPSILON as f64;

/// First contact of a moving shape, in the frame of A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CastHit {
    /// Fraction of the translation after which the shapes touch; 0 where they do from the start.
    pub fraction: f32,
    /// Point of touch \[m\]; for an overlap at the start, the middle of its depth.
    pub point: Point,
    /// Unit normal there, from A to B; for an overlap at the start, the direction of the smallest separating
    /// translation of B.
    pub normal: Vec2,
    /// Number of support points examined.
    pub iterations: u32,
    /// Whether the fraction is exact to rounding; otherwise the shapes touch later.
    pub converged: bool,
}

/// Returns where `b`, placed by `b_in_a` and moved along `translation`, first touches `a`, or `None`
/// if that is not up to `max_fraction` of the translation.
///
/// Everything is in the frame of `a`. There is no slop: the surfaces touch exactly. Shapes that touch or
/// overlap at the start hit at fraction 0, for any direction. A chain segment is hit only by shapes that come from
/// its solid side and starts with its middle there.
#[must_use]
pub fn shape_cast(
    a: &Shape,
    b: &Shape,
    b_in_a: &Pose,
    translation: Vec2,
    max_fraction: f32,
) -> Option<CastHit> {
    if !meets_solid_side(a, b, b_in_a, &translation) {
        return None;
    }
    shape_cast_of(a, b, b_in_a, translation, max_fraction)
}

/// Returns where `b`, placed by `b_in_a` and moved along `translation`, first comes within `gap` \[m\] of `a`, else
/// like [`shape_cast`]; the point is on the surface of `a`. A gap that is not greater than zero counts as none.
#[must_use]
pub fn shape_cast_to_gap(
    a: &Shape,
    b: &Shape,
    b_in_a: &Pose,
    translation: Vec2,
    max_fraction: f32,
    gap: f32,
) -> Option<CastHit> {
    if !meets_solid_side(a, b, b_in_a, &translation) {
        return None;
    }
    shape_cast_of(a, &Inflated::new(b, gap), b_in_a, translation, max_fraction)
}

/// Returns `true` if `b` comes to the side of `a`, and the other way round, from which chain segments are
/// solid.
fn meets_solid_side(a: &Shape, b: &Shape, b_in_a: &Pose, translation: &Vec2) -> bool {
    match (a, b) {
        (Shape::ChainSegment(_), Shape::ChainSegment(_)) => false,
        (Shape::ChainSegment(s), _) => is_before(s, &(b_in_a * middle(b)), translation),
        (_, Shape::ChainSegment(s)) => {
            let back = b_in_a.rotation.inverse() * -translation;
            is_before(s, &b_in_a.inverse_transform_point(&middle(a)), &back)
        }
        _ => true,
    }
}

/// Returns `true` if a shape at `center` that moves along `step` comes from the solid side.
fn is_before(segment: &ChainSegment, center: &Point, step: &Vec2) -> bool {
    let normal = segment.normal();
    normal.dot(&(center - segment.a())) >= 0.0 && normal.dot(step) < 0.0
}

fn middle(shape: &Shape) -> Point {
    shape.aabb(&Pose::identity()).center()
}

/// Returns the first contact as [`shape_cast`] does, for any convex shapes.
///
/// Advances by the gap along an axis over the speed of approach along it, while the search for the distance goes
/// on: never past the first contact, and exact where a face decides. Source: [Bergen04, sec. 3].
#[must_use]
pub fn shape_cast_of<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    translation: Vec2,
    max_fraction: f32,
) -> Option<CastHit> {
    let step = translation * max_fraction.clamp(0.0, 1.0);
    if let Some(part) = part_along(a, b, b_in_a, &step) {
        let part = Outline(part.as_hull());
        return shape_cast_of(&part, b, b_in_a, translation, max_fraction);
    }
    let back = b_in_a.inverse();
    if let Some(part) = part_along(b, a, &back, &(back.rotation * -step)) {
        let part = Outline(part.as_hull());
        return shape_cast_of(a, &part, b_in_a, translation, max_fraction);
    }
    match (a.as_rounded_hull(), b.as_rounded_hull()) {
        (Some(a), Some(b)) => advance(&Outline(a), &Outline(b), b_in_a, translation, max_fraction),
        _ => advance(a, b, b_in_a, translation, max_fraction),
    }
}

fn advance<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    translation: Vec2,
    max_fraction: f32,
) -> Option<CastHit> {
    let start = to_f64(&Point::from(b_in_a.translation.vector));
    let step = wide_vec(&translation);
    let radii = [f64::from(a.rounding()), f64::from(b.rounding())];
    let mut difference = Difference {
        a,
        b,
        b_in_a: DPose::new(b_in_a),
    };
    let mut simplex = Simplex::default();
    difference.start(&SimplexCache::default(), &mut simplex);
    let mut fraction = 0.0;
    let mut nearest = simplex.reduce();
    let mut last: Option<Contact> = None;
    // Whether rounding has kept the last vertex from bringing the simplex nearer.
    let mut is_stuck = false;
    for iterations in 1..=MAX_ITERATIONS {
        let scale = simplex.scale();
        let apart = nearest.filter(|v| v.norm() > RELATIVE_ZERO * scale);
        let Some(v) = apart else {
            // Rounding carried the cores into each other; the step before knows the normal.
            return last.map_or_else(
                || Some(hit_at_start(a, b, b_in_a)),
                |contact| Some(contact.hit(fraction, iterations, true)),
            );
        };
        let norm_sq = v.norm_squared();
        let vertex = difference.support_near(&-v, norm_sq, simplex.hint());
        let norm = norm_sq.sqrt();
        let normal = v / norm;
        // The distance is at least the gap along the axis, and at most the norm of the simplex.
        let (least, most) = (normal.dot(&vertex.w), norm);
        let touch = RELATIVE_TOUCH * scale;
        let gap = most - radii[0] - radii[1];
        if gap <= touch && last.is_none() {
            return Some(hit_at_start(a, b, b_in_a));
        }
        let is_exact = is_stuck || most - least <= touch || simplex.has(&vertex);
        let approach = -normal.dot(&step);
        let is_last = iterations == MAX_ITERATIONS && approach > 0.0;
        if gap <= touch || is_last {
            let (on_a, _) = simplex.witnesses();
            let point = on_a + normal * radii[0];
            return Some(Contact { normal, point }.hit(fraction, iterations, gap <= touch));
        }
        let free = if is_exact {
            gap
        } else {
            least - radii[0] - radii[1]
        };
        if free > 0.0 {
            if approach <= 0.0 {
                return None;
            }
            let (on_a, _) = simplex.witnesses();
            last = Some(Contact {
                normal,
                point: on_a + normal * radii[0],
            });
            fraction += free / approach;
            if fraction > f64::from(max_fraction) || fraction.is_nan() {
                return None;
            }
        }
        if !is_exact {
            simplex.push(&vertex);
        }
        let place = start + step * fraction;
        simplex.move_by(&(place - difference.b_in_a.offset));
        difference.b_in_a.offset = place;
        nearest = simplex.reduce();
        is_stuck = free <= 0.0 && nearest.is_some_and(|next| next.norm() >= norm);
    }
    None
}

#[derive(Clone, Copy)]
struct Contact {
    normal: DVec,
    point: DVec,
}

impl Contact {
    fn hit(&self, fraction: f64, iterations: u32, converged: bool) -> CastHit {
        CastHit {
            fraction: fraction as f32,
            point: narrow_point(&self.point),
            normal: to_f32(&self.normal),
            iterations,
            converged,
        }
    }
}

fn hit_at_start<A: Support + ?Sized, B: Support + ?Sized>(a: &A, b: &B, b_in_a: &Pose) -> CastHit {
    let gap = separation(a, b, b_in_a, &mut SimplexCache::default());
    let contact = Contact {
        normal: gap.normal,
        point: (gap.point_a + gap.point_b) * 0.5,
    };
    contact.hit(0.0, 1 + gap.iterations, gap.converged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{point, pose, vec2};
    use crate::shape::{ChainSegment, Circle, Polygon};

    #[test]
    fn cast_to_a_gap_stops_that_far_from_the_surface() {
        let wall = Shape::from(Polygon::rectangle(1.0, 2.0));
        let ball = Shape::from(Circle::new(point(0.0, 0.0), 0.5));
        let start = pose(-6.0, 0.5, 0.0);
        for gap in [0.0, 0.01, 0.5] {
            let hit = shape_cast_to_gap(&wall, &ball, &start, vec2(10.0, 0.0), 1.0, gap).unwrap();
            assert!((10.0 * hit.fraction - (4.5 - gap)).abs() < 1.0e-5, "{gap}");
            assert!((hit.point - point(-1.0, 0.5)).norm() < 1.0e-5);
            assert_eq!(hit.normal, vec2(-1.0, 0.0));
        }
        // Past the corner: the plain cast misses it, the gap does not.
        let past = pose(-6.0, 2.6, 0.0);
        let cast = |gap| shape_cast_to_gap(&wall, &ball, &past, vec2(10.0, 0.0), 1.0, gap);
        assert!(cast(0.09).is_none() && cast(0.11).is_some());
    }

    #[test]
    fn chain_segment_is_met_at_a_gap_from_its_solid_side_only() {
        let ground = ChainSegment::new(None, point(3.0, 0.0), point(-3.0, 0.0), None);
        let up = ground.normal().y;
        let ball = Shape::from(Circle::new(point(0.0, 0.0), 0.5));
        let ground = Shape::from(ground);
        let cast = |side: f32| {
            let start = pose(0.0, 2.0 * side, 0.0);
            shape_cast_to_gap(&ground, &ball, &start, vec2(0.0, -4.0 * side), 1.0, 0.1)
        };
        assert!(cast(up).is_some() && cast(-up).is_none());
    }
}
