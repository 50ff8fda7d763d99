//! The outline of a shape as a row of points.

use cairn2d::geometry::math::{PI, cross, rotation, sin_cos};
use cairn2d::prelude::{Ellipse, Point, Shape, Vec2};

/// Row of points around or along a shape, in the shape's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The points \[m\].
    pub points: Vec<Point>,
    /// Whether the last point is joined to the first.
    pub closed: bool,
}

/// Most points of a full circle: at that number a circle as large as a picture looks round.
const MAX_ROUND_POINTS: f32 = 180.0;

/// Fewest points of a full circle.
const MIN_ROUND_POINTS: f32 = 12.0;

/// Returns the outline of `shape` with round parts so fine that they are off by `tolerance` \[m\].
#[must_use]
pub fn outline(shape: &Shape, tolerance: f32) -> Outline {
    match shape {
        Shape::Circle(s) => closed(arc(s.center(), s.radius(), Vec2::x(), 2.0 * PI, tolerance)),
        Shape::Capsule(s) => closed(rounded(&[s.a(), s.b()], s.radius(), tolerance)),
        Shape::Polygon(s) if s.radius() > 0.0 => {
            closed(rounded(s.vertices(), s.radius(), tolerance))
        }
        Shape::Polygon(s) => closed(s.vertices().to_vec()),
        Shape::Ellipse(s) => closed(ellipse(s, tolerance)),
        Shape::Segment(s) => open(vec![s.a(), s.b()]),
        Shape::ChainSegment(s) => open(vec![s.a(), s.b()]),
    }
}

fn closed(points: Vec<Point>) -> Outline {
    Outline {
        points,
        closed: true,
    }
}

fn open(points: Vec<Point>) -> Outline {
    Outline {
        points,
        closed: false,
    }
}

/// Returns the number of pieces for a turn of `angle` [rad] at `radius` [m].
///
/// A chord over the angle `a` lies `r (1 - cos(a / 2))`, about `r a^2 / 8`, inside its arc.
fn pieces(radius: f32, angle: f32, tolerance: f32) -> u32 {
    let chord = (8.0 * tolerance / radius).sqrt();
    let round = (2.0 * PI / chord).clamp(MIN_ROUND_POINTS, MAX_ROUND_POINTS);
    (round * angle / (2.0 * PI)).ceil().max(1.0) as u32
}

/// Returns points on the arc of `angle` [rad], counter-clockwise from the unit vector `start`.
fn arc(center: Point, radius: f32, start: Vec2, angle: f32, tolerance: f32) -> Vec<Point> {
    let count = pieces(radius, angle, tolerance);
    let full = angle >= 2.0 * PI;
    let last = if full { count } else { count + 1 };
    let along = |i: u32| rotation(angle * i as f32 / count as f32) * start;
    (0..last).map(|i| center + along(i) * radius).collect()
}

/// Returns the outline of a convex polygon of two or more corners, grown by `radius`.
fn rounded(corners: &[Point], radius: f32, tolerance: f32) -> Vec<Point> {
    let count = corners.len();
    let normal = |i: usize| {
        let edge = corners[(i + 1) % count] - corners[i];
        Vec2::new(edge.y, -edge.x).normalize()
    };
    let mut points = Vec::new();
    for (i, &corner) in corners.iter().enumerate() {
        let (before, after) = (normal((i + count - 1) % count), normal(i));
        // Half a turn where the polygon is a segment: there the sine may come out negative.
        let turn = cairn2d::geometry::math::atan2(cross(&before, &after), before.dot(&after)).abs();
        points.extend(arc(corner, radius, before, turn, tolerance));
    }
    points
}

fn ellipse(shape: &Ellipse, tolerance: f32) -> Vec<Point> {
    let count = pieces(shape.radii().max(), 2.0 * PI, tolerance);
    let turn = rotation(shape.angle());
    let at = |i: u32| {
        let (sin, cos) = sin_cos(2.0 * PI * i as f32 / count as f32);
        turn * Vec2::new(shape.radii().x * cos, shape.radii().y * sin)
    };
    (0..count).map(|i| shape.center() + at(i)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::prelude::{Capsule, Circle, Polygon, point};

    const TOLERANCE: f32 = 0.005;

    /// Checks that every point lies on the surface and that the way round has the right length.
    fn check(shape: impl Into<Shape>, length: f32) {
        let shape = shape.into();
        let outline = outline(&shape, TOLERANCE);
        let points = &outline.points;
        for p in points {
            assert!(
                shape.project(p).separation.abs() < 1.0e-4,
                "{p} of {shape:?}"
            );
        }
        let next = |i: usize| points[(i + 1) % points.len()];
        let around: f32 = (0..points.len())
            .map(|i| (next(i) - points[i]).norm())
            .sum();
        assert!(outline.closed);
        assert!(
            (around - length).abs() < 0.02 * length,
            "{around}, not {length}"
        );
    }

    #[test]
    fn outlines_lie_on_the_surface_and_go_once_around() {
        check(Circle::new(point(1.0, 2.0), 0.5).unwrap(), PI);
        check(
            Capsule::new(point(0.0, 0.0), point(0.0, 2.0), 0.25).unwrap(),
            4.0 + 0.5 * PI,
        );
        check(Polygon::rectangle(1.0, 2.0).unwrap(), 12.0);
        check(
            Polygon::rounded_rectangle(1.0, 2.0, 0.5).unwrap(),
            12.0 + PI,
        );
        check(
            Ellipse::new(point(0.0, 1.0), 1.0, 1.0, 0.5).unwrap(),
            2.0 * PI,
        );
    }
}
