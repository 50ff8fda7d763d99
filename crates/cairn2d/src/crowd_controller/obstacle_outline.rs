//! The outline of a shape as vertices of a crowd obstacle, which is a ring or a line.
//!
//! Round parts become tangent polygons: the ring encloses the shape, so an agent outside of the ring is
//! outside of the shape.

use cairn2d_crowd::Outline;
use cairn2d_geometry::math::{PI, Point, Vec2, atan2, cross, right_perp, rotation, sin_cos};
use cairn2d_geometry::{Ellipse, Shape};

/// Maximum distance of a vertex from a round shape \[m\]: much less than the radius of an agent.
const MAX_CORNER_GAP: f32 = 0.01;

/// Minimum number of vertices of a full circle: fewer would make a small pillar a box.
const MIN_CORNERS: f32 = 8.0;

/// Maximum number of vertices of a full circle: each is an edge that the agents near it process.
const MAX_CORNERS: f32 = 64.0;

/// Length of a half-space as an obstacle, to each side of its point \[m\]. Larger: its edges have fewer digits.
const HALF_SPACE_REACH: f32 = 10_000.0;

/// Returns the vertices of `shape` in its own frame, and whether they form a ring or a line.
pub(super) fn outline(shape: &Shape) -> (Vec<Point>, Outline) {
    match shape {
        Shape::Circle(s) => (ring(s.center(), s.radius(), s.radius()), Outline::Ring),
        Shape::Ellipse(s) => (ellipse(s), Outline::Ring),
        Shape::Capsule(s) => (rounded(&[s.a(), s.b()], s.radius()), Outline::Ring),
        Shape::Polygon(s) if s.radius() > 0.0 => (rounded(s.vertices(), s.radius()), Outline::Ring),
        Shape::Polygon(s) => (s.vertices().to_vec(), Outline::Ring),
        Shape::Segment(s) => (vec![s.a(), s.b()], Outline::Line),
        Shape::ChainSegment(s) => (vec![s.a(), s.b()], Outline::Line),
        Shape::HalfSpace(s) => (
            s.square_near(s.point(), HALF_SPACE_REACH).to_vec(),
            Outline::Ring,
        ),
        // A shape of a later version: no obstacle.
        _ => (Vec::new(), Outline::Line),
    }
}

/// Returns the number of vertices of a full circle of `radius` \[m\].
///
/// A vertex between tangents has the distance `r (1 / cos(pi / n) - 1)`, about `r pi^2 / (2 n^2)`.
fn corners_of(radius: f32) -> f32 {
    let count = PI * (radius / (2.0 * MAX_CORNER_GAP)).sqrt();
    count.clamp(MIN_CORNERS, MAX_CORNERS).ceil()
}

/// Returns the tangent polygon of an axis-aligned ellipse, which may be a circle.
fn ring(center: Point, radius_x: f32, radius_y: f32) -> Vec<Point> {
    let count = corners_of(radius_x.max(radius_y));
    let reach = 1.0 / sin_cos(PI / count).1;
    let corner = |i: u32| {
        let (sin, cos) = sin_cos((2 * i + 1) as f32 * PI / count);
        center + Vec2::new(radius_x * reach * cos, radius_y * reach * sin)
    };
    (0..count as u32).map(corner).collect()
}

fn ellipse(shape: &Ellipse) -> Vec<Point> {
    let turn = rotation(shape.angle());
    let radii = shape.radii();
    let upright = ring(Point::origin(), radii.x, radii.y);
    let place = |p: &Point| shape.center() + turn * p.coords;
    upright.iter().map(place).collect()
}

/// Returns the tangent polygon of a convex polygon of two or more vertices, expanded by `radius` \[m\].
fn rounded(corners: &[Point], radius: f32) -> Vec<Point> {
    let count = corners.len();
    let normal = |i: usize| right_perp(&(corners[(i + 1) % count] - corners[i])).normalize();
    let mut points = Vec::new();
    for (i, &corner) in corners.iter().enumerate() {
        let (before, after) = (normal((i + count - 1) % count), normal(i));
        let turn = atan2(cross(&before, &after), before.dot(&after)).abs();
        let pieces = (corners_of(radius) * turn / (2.0 * PI)).ceil().max(1.0);
        let half = 0.5 * turn / pieces;
        let reach = radius / sin_cos(half).1;
        for piece in 0..pieces as u32 {
            let direction = rotation(half * (2 * piece + 1) as f32) * before;
            points.push(corner + direction * reach);
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;
    use cairn2d_geometry::{Capsule, Circle, Polygon};

    /// Checks that the ring runs counter-clockwise around the shape, that every edge touches it, and that
    /// vertices are at most `stand_off` away.
    fn check(shape: impl Into<Shape>, stand_off: f32) {
        let shape = shape.into();
        let (points, kind) = outline(&shape);
        assert_eq!(kind, Outline::Ring);
        let rounding = 2.0e-6;
        for (i, p) in points.iter().enumerate() {
            let q = points[(i + 1) % points.len()];
            let after = points[(i + 2) % points.len()];
            assert!(cross(&(q - p), &(after - q)) > 0.0, "{shape:?}: corner {q}");
            let gap = shape.project(p).separation;
            assert!(
                (-rounding..=stand_off).contains(&gap),
                "{shape:?}: {gap} at {p}"
            );
            let outward = right_perp(&(q - p)).normalize();
            let inside = outward.dot(&(shape.support(&outward) - p));
            assert!(
                inside.abs() < rounding,
                "{shape:?}: edge {i} is off by {inside}"
            );
        }
    }

    #[test]
    fn rings_enclose_their_shapes_closely() {
        // Eight vertices stand off by 0.08 of the radius where that is less than 1 cm.
        let coarse = |radius: f32| MAX_CORNER_GAP.max(0.083 * radius);
        check(Circle::new(point(1.0, 2.0), 0.05), coarse(0.05));
        check(Circle::new(point(-1.0, 2.0), 3.0), 1.1 * MAX_CORNER_GAP);
        let capsule = Capsule::new(point(0.0, 0.0), point(0.0, 2.0), 0.25);
        check(capsule, coarse(0.25));
        check(Polygon::rectangle(1.0, 2.0), 0.0);
        check(Polygon::rounded_rectangle(1.0, 2.0, 0.5), coarse(0.5));
        check(Polygon::regular(5, 1.0), 0.0);
        let ellipse = Ellipse::new(point(0.0, 1.0), 1.0, 2.0, 0.5);
        check(ellipse, 2.0 * MAX_CORNER_GAP);
    }
}
