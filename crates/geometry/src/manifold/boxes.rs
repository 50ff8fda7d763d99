//! Manifolds of two rectangles: the commonest pair, in closed form.
//!
//! The separation along a side normal of one box is the distance of the centers less the half width and the
//! reach of the other box. The reach is a sum of two absolute products. The rest is the clipping of
//! [`hulls`](super::hulls), with the corners written as center plus and minus half a side.

use super::hulls::collide_corners;
use super::record::{CachedAxis, FeatureId, Manifold, ManifoldCache, ManifoldPoint};
use crate::math::{Point, Pose, Vec2, left_perp};
use crate::shape::{Polygon, Rectangle};
use crate::tolerance::{FACE_TOLERANCE, SPECULATIVE_DISTANCE};

/// Returns the manifold of two polygons that are rectangles.
pub(super) fn collide_boxes(
    a: (&Polygon, &Rectangle),
    b: (&Polygon, &Rectangle),
    b_in_a: &Pose,
    cache: &mut ManifoldCache,
) -> Manifold {
    let ((polygon_a, box_a), (polygon_b, box_b)) = (a, b);
    let center_b = b_in_a * box_b.center;
    let axis_b = b_in_a.rotation * box_b.axis;
    let offset = center_b - box_a.center;
    let seen_from_a = Seen {
        half: box_a.half,
        other: box_b.half,
        offset: into_frame(&box_a.axis, &offset),
        turn: into_frame(&box_a.axis, &axis_b),
    };
    let seen_from_b = seen_from_a.swapped();

    let (gap_a, gap_b) = (seen_from_a.separation(), seen_from_b.separation());
    let (least_a, least_b) = (gap_a.max(), gap_b.max());
    let separation = least_a.max(least_b);
    let radii = [polygon_a.radius(), polygon_b.radius()];
    let radius_sum = radii[0] + radii[1];
    if separation > SPECULATIVE_DISTANCE + radius_sum {
        return Manifold::of_separated(separation - radius_sum);
    }
    // The box whose face was taken last time keeps it while it is as good, so that ids stay.
    let lead = if cache.axis.in_b().is_some() {
        FACE_TOLERANCE
    } else {
        -FACE_TOLERANCE
    };
    let manifold = if least_b + lead > least_a {
        let face = seen_from_b.face(&gap_b);
        cache.axis = CachedAxis::face_of_b(face);
        let frame = Frame {
            center: center_b,
            axis: axis_b,
        };
        seen_from_b
            .clip(face, separation, [radii[1], radii[0]], &frame)
            .map(Manifold::swapped)
    } else {
        let face = seen_from_a.face(&gap_a);
        cache.axis = CachedAxis::face_of_a(face);
        let frame = Frame {
            center: box_a.center,
            axis: box_a.axis,
        };
        seen_from_a.clip(face, separation, radii, &frame)
    };
    manifold.unwrap_or_else(|| collide_corners(&polygon_a.as_hull(), &polygon_b.as_hull(), b_in_a))
}

/// Returns `v` in a frame whose first axis is `axis`.
#[inline]
fn into_frame(axis: &Vec2, v: &Vec2) -> Vec2 {
    Vec2::new(axis.x * v.x + axis.y * v.y, axis.x * v.y - axis.y * v.x)
}

/// Returns the direction `v` out of a frame whose first axis is `axis`.
#[inline]
fn out_of_frame(axis: &Vec2, v: &Vec2) -> Vec2 {
    Vec2::new(axis.x * v.x - axis.y * v.y, axis.y * v.x + axis.x * v.y)
}

/// Place of a box in the frame of the answer.
struct Frame {
    center: Point,
    axis: Vec2,
}

/// Two boxes, in the frame of one of them.
struct Seen {
    /// Half width and height of the box whose frame it is.
    half: Vec2,
    /// Half width and height of the other.
    other: Vec2,
    /// Center of the other.
    offset: Vec2,
    /// First axis of the other.
    turn: Vec2,
}

impl Seen {
    /// Returns the same two boxes in the frame of the other.
    #[inline]
    fn swapped(&self) -> Self {
        Self {
            half: self.other,
            other: self.half,
            offset: -into_frame(&self.turn, &self.offset),
            turn: Vec2::new(self.turn.x, -self.turn.y),
        }
    }

    /// Returns the separations along both axes of this box.
    #[inline]
    fn separation(&self) -> Vec2 {
        let (cos, sin) = (self.turn.x.abs(), self.turn.y.abs());
        let reach = Vec2::new(
            cos * self.other.x + sin * self.other.y,
            sin * self.other.x + cos * self.other.y,
        );
        self.offset.abs() - self.half - reach
    }

    /// Returns the face with the larger separation: 0 below, 1 right, 2 above, 3 left.
    #[inline]
    fn face(&self, gap: &Vec2) -> usize {
        if gap.x > gap.y {
            if self.offset.x > 0.0 { 1 } else { 3 }
        } else if self.offset.y > 0.0 {
            2
        } else {
            0
        }
    }

    /// Returns the manifold with this box as A, or `None` where the nearest features are corners.
    #[inline]
    fn clip(&self, face: usize, least: f32, radii: [f32; 2], frame: &Frame) -> Option<Manifold> {
        let normal = NORMALS[face];
        let tangent = left_perp(&normal);
        let (width, height) = if face & 1 == 1 {
            (self.half.y, self.half.x)
        } else {
            (self.half.x, self.half.y)
        };
        let (along, up) = (self.offset.dot(&tangent), self.offset.dot(&normal));

        // The normal in the frame of the other box selects the face that is opposed to it.
        let against = into_frame(&self.turn, &normal);
        let (p, q) = (against.x, against.y);
        let is_side = p.abs() > q.abs();
        // Half of its depth and of its width, how fast it runs along the reference face, and climbs.
        let (incident, depth, half, run, climb) = if is_side {
            let (face, climb) = if p > 0.0 { (3, q) } else { (1, -q) };
            (face, self.other.x, self.other.y, p.abs(), climb)
        } else {
            let (face, climb) = if q > 0.0 { (0, -p) } else { (2, p) };
            (face, self.other.y, self.other.x, q.abs(), climb)
        };
        // Middle of the incident face, along and up the reference face.
        let middle = (along + depth * climb, up - depth * run);
        let (low, high) = (middle.0 - half * run, middle.0 + half * run);
        let past = (low - width).max(-width - high);
        // Corners on one spot: the line between them points anywhere, and the face is as good as any.
        let is_one_spot = past < FACE_TOLERANCE && least < FACE_TOLERANCE;
        if past > 0.0 && !is_one_spot {
            return None;
        }
        // Steepness of the incident face; it looks down within 45 degrees, so `run` is not small.
        let slope = climb / run;
        let ends = [low.max(-width), high.min(width)];
        let heights = ends.map(|at| middle.1 + slope * (at - middle.0) - height);
        if heights[0].min(heights[1]) > least + FACE_TOLERANCE {
            return None;
        }
        let next = |corner: usize| (corner + 1) & 3;
        let corners = [(face, next(incident)), (next(face), incident)];
        let points = core::array::from_fn(|i| {
            let level = height + 0.5 * (heights[i] + radii[0] - radii[1]);
            let point = tangent * ends[i] + normal * level;
            ManifoldPoint {
                point: frame.center + out_of_frame(&frame.axis, &point),
                separation: heights[i] - radii[0] - radii[1],
                id: FeatureId::new(corners[i].0, corners[i].1),
            }
        });
        Some(Manifold::of_near(
            out_of_frame(&frame.axis, &normal),
            points,
        ))
    }
}

/// Outward normals of the faces in the frame of a box.
const NORMALS: [Vec2; 4] = [
    Vec2::new(0.0, -1.0),
    Vec2::new(1.0, 0.0),
    Vec2::new(0.0, 1.0),
    Vec2::new(-1.0, 0.0),
];
