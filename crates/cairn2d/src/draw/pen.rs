//! The interface of a renderer for debug drawing.

use super::color::{Color, Style};
use super::outline::{arc_points, ellipse_points, rounded_points};
use cairn2d_geometry::math::{PI, Point, Rotation, Vec2, WorldPoint, left_perp, rotation, vec2};

/// Default scale [px/m]: a shape of 1 m is as wide as a finger.
const USUAL_PIXELS_PER_METER: f32 = 40.0;

/// Maximum deviation of round outlines \[px\].
const ROUND_TOLERANCE: f32 = 0.08;

/// Length of the head of an arrow \[px\].
const ARROW_HEAD: f32 = 6.0;

/// Half the angle of the head of an arrow \[rad\].
const ARROW_ANGLE: f32 = 0.45;

/// A renderer of the user, called by [`Draw::draw`](super::Draw::draw).
///
/// Positions are in the world \[m\], y up; sizes of points and widths of lines are in pixels. Four methods
/// are required; the others have default implementations in terms of these, which a renderer may replace.
///
/// ```
/// use cairn2d::draw::{Style, Color, DebugDraw, Draw, DrawOptions};
/// use cairn2d::prelude::*;
///
/// /// Counts the polygons it draws.
/// #[derive(Default)]
/// struct Counter {
///     polygons: usize,
/// }
///
/// impl DebugDraw for Counter {
///     fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
///         self.polygons += 1;
///     }
///     fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {}
///     fn point(&mut self, at: WorldPoint, size: f32, color: Color) {}
///     fn text(&mut self, at: WorldPoint, text: &str, color: Color) {}
/// }
///
/// let mut world = World::default();
/// let body = world.create_body(BodyDef::dynamic());
/// world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
/// let mut counter = Counter::default();
/// world.draw(&mut counter, &DrawOptions::default());
/// assert_eq!(counter.polygons, 1);
/// ```
pub trait DebugDraw {
    /// Draws a convex polygon of three or more corners, counter-clockwise. The last corner is connected to
    /// the first and is not a copy of it.
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style);

    /// Draws a line segment.
    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style);

    /// Draws a point with a diameter of `size` pixels.
    fn point(&mut self, at: WorldPoint, size: f32, color: Color);

    /// Draws one line of text, centered at `at`.
    fn text(&mut self, at: WorldPoint, text: &str, color: Color);

    /// Returns the scale [px/m], which decides the accuracy of round outlines and the length of arrows.
    fn pixels_per_meter(&self) -> f32 {
        USUAL_PIXELS_PER_METER
    }

    /// Draws a circle of `radius` \[m\].
    fn circle(&mut self, center: WorldPoint, radius: f32, style: &Style) {
        let tolerance = ROUND_TOLERANCE / self.pixels_per_meter();
        let points = arc_points(Point::origin(), radius, Vec2::x(), 2.0 * PI, tolerance);
        self.polygon(&offset(center, &points), style);
    }

    /// Draws a capsule: all points within `radius` \[m\] of the segment from `a` to `b`.
    fn capsule(&mut self, a: WorldPoint, b: WorldPoint, radius: f32, style: &Style) {
        self.rounded_polygon(&[a, b], radius, style);
    }

    /// Draws a rounded polygon: all points within `radius` \[m\] of a convex polygon of two or more corners.
    fn rounded_polygon(&mut self, corners: &[WorldPoint], radius: f32, style: &Style) {
        let Some(&start) = corners.first() else {
            return;
        };
        let tolerance = ROUND_TOLERANCE / self.pixels_per_meter();
        let near: Vec<Point> = corners
            .iter()
            .map(|&corner| Point::from(corner - start))
            .collect();
        let points = rounded_points(&near, radius, tolerance);
        self.polygon(&offset(start, &points), style);
    }

    /// Draws an ellipse with `radii` \[m\] along the axes of a frame rotated by `turn`.
    fn ellipse(&mut self, center: WorldPoint, radii: Vec2, turn: Rotation, style: &Style) {
        let tolerance = ROUND_TOLERANCE / self.pixels_per_meter();
        let points = ellipse_points(Point::origin(), radii, turn, tolerance);
        self.polygon(&offset(center, &points), style);
    }

    /// Draws a chain segment, which is solid from the right side of the direction from `a` to `b`.
    fn one_sided(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        self.segment(a, b, style);
    }

    /// Draws an arrow.
    fn arrow(&mut self, from: WorldPoint, to: WorldPoint, style: &Style) {
        self.segment(from, to, style);
        let Some(along) = (to - from).try_normalize(f32::EPSILON) else {
            return;
        };
        let head = along * (ARROW_HEAD / self.pixels_per_meter()).min(0.5 * (to - from).norm());
        for side in [-ARROW_ANGLE, ARROW_ANGLE] {
            self.segment(to, to - rotation(side) * head, style);
        }
    }

    /// Draws the axes of a frame, each of `length` \[m\], x in the first color and y in the second.
    fn transform(&mut self, at: WorldPoint, turn: Rotation, length: f32, axes: [Color; 2]) {
        let x = turn * vec2(length, 0.0);
        for (axis, color) in [x, left_perp(&x)].into_iter().zip(axes) {
            self.segment(at, at + axis, &Style::line(color, 1.2));
        }
    }
}

fn offset(center: WorldPoint, points: &[Point]) -> Vec<WorldPoint> {
    points.iter().map(|p| center + p.coords).collect()
}
