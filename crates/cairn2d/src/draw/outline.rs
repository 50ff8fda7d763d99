//! Round outlines as sequences of points.

use cairn2d_geometry::math::{PI, Point, Rotation, Vec2, atan2, cross, rotation, sin_cos};

/// Maximum number of points of a full circle: enough for a circle as large as the picture.
const MAX_ROUND_POINTS: f32 = 180.0;

/// Minimum number of points of a full circle.
const MIN_ROUND_POINTS: f32 = 12.0;

/// Returns the number of segments for an arc of `angle` \[rad\] at `radius` \[m\] with a deviation of at most
/// `tolerance` \[m\].
///
/// A chord over the angle `a` deviates from its arc by `r (1 - cos(a / 2))`, about `r a^2 / 8`.
fn segment_count(radius: f32, angle: f32, tolerance: f32) -> u32 {
    // A radius of -0 is valid, and would make the quotient negative.
    let chord = (8.0 * tolerance / radius.abs()).sqrt();
    let round = (2.0 * PI / chord).clamp(MIN_ROUND_POINTS, MAX_ROUND_POINTS);
    (round * angle / (2.0 * PI)).ceil().max(1.0) as u32
}

/// Returns points on the arc of `angle` \[rad\], counter-clockwise from the unit vector `start`, with a
/// deviation of at most `tolerance` \[m\]. The first point of a full circle is not repeated.
pub(super) fn arc_points(
    center: Point,
    radius: f32,
    start: Vec2,
    angle: f32,
    tolerance: f32,
) -> Vec<Point> {
    let count = segment_count(radius, angle, tolerance);
    let full = angle >= 2.0 * PI;
    let last = if full { count } else { count + 1 };
    let along = |i: u32| rotation(angle * i as f32 / count as f32) * start;
    (0..last).map(|i| center + along(i) * radius).collect()
}

/// Returns the outline of a convex polygon of two or more corners, expanded by `radius` \[m\].
pub(super) fn rounded_points(corners: &[Point], radius: f32, tolerance: f32) -> Vec<Point> {
    let count = corners.len();
    let normal = |i: usize| {
        let edge = corners[(i + 1) % count] - corners[i];
        Vec2::new(edge.y, -edge.x).normalize()
    };
    let mut points = Vec::new();
    for (i, &corner) in corners.iter().enumerate() {
        let (before, after) = (normal((i + count - 1) % count), normal(i));
        // At the ends of a segment the turn is half a turn, and rounding can make the sine negative.
        let turn = atan2(cross(&before, &after), before.dot(&after)).abs();
        points.extend(arc_points(corner, radius, before, turn, tolerance));
    }
    points
}

/// Returns points on an ellipse with `radii` \[m\] along the axes of a frame rotated by `turn`.
pub(super) fn ellipse_points(
    center: Point,
    radii: Vec2,
    turn: Rotation,
    tolerance: f32,
) -> Vec<Point> {
    let count = segment_count(radii.max(), 2.0 * PI, tolerance);
    let at = |i: u32| {
        let (sin, cos) = sin_cos(2.0 * PI * i as f32 / count as f32);
        turn * Vec2::new(radii.x * cos, radii.y * sin)
    };
    (0..count).map(|i| center + at(i)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;
    use cairn2d_geometry::{Capsule, Circle, Ellipse, Polygon, Shape};

    const TOLERANCE: f32 = 0.005;

    /// Checks that every point lies on the surface and that the way round has the right length.
    fn check(shape: impl Into<Shape>, points: &[Point], length: f32) {
        let shape = shape.into();
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
        assert!(
            (around - length).abs() < 0.02 * length,
            "{around}, not {length}"
        );
    }

    #[test]
    fn outlines_lie_on_the_surface_and_go_once_around() {
        let center = point(1.0, 2.0);
        let circle = arc_points(center, 0.5, Vec2::x(), 2.0 * PI, TOLERANCE);
        check(Circle::new(center, 0.5), &circle, PI);
        let (a, b) = (point(0.0, 0.0), point(0.0, 2.0));
        let capsule = rounded_points(&[a, b], 0.25, TOLERANCE);
        check(Capsule::new(a, b, 0.25), &capsule, 4.0 + 0.5 * PI);
        let rounded = Polygon::rounded_rectangle(1.0, 2.0, 0.5);
        let points = rounded_points(rounded.vertices(), 0.5, TOLERANCE);
        check(rounded, &points, 12.0 + PI);
        let turn = rotation(0.5);
        let ellipse = ellipse_points(center, Vec2::new(1.0, 0.5), turn, TOLERANCE);
        // Ramanujan's second approximation of the way around: 4.844.
        check(Ellipse::new(center, 1.0, 0.5, 0.5), &ellipse, 4.844);
    }
}
