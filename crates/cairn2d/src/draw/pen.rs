//! What a renderer has to be able to do.

use super::color::{Color, Style};
use super::outline::{arc_points, ellipse_points, rounded_points};
use cairn2d_geometry::math::{PI, Point, Rotation, Vec2, WorldPoint, left_perp, rotation, vec2};

/// Pixels per metre where a renderer does not say: things of a metre fill a finger's breadth.
const USUAL_PIXELS_PER_METER: f32 = 40.0;

/// Error of round parts \[px\].
const ROUND_TOLERANCE: f32 = 0.08;

/// Length of the head of an arrow \[px\].
const ARROW_HEAD: f32 = 6.0;

/// Half the angle of the head of an arrow \[rad\].
const ARROW_ANGLE: f32 = 0.45;

/// A renderer of the user's: it draws what [`Draw::draw`](super::Draw::draw) tells it to.
///
/// Places are in the world \[m\], y up; sizes of points and widths of lines in pixels. Four methods must be written, the others
/// are made from them, and can be written too where the renderer has something better.
///
/// ```
/// use cairn2d::draw::{Style, Color, DebugDraw, Draw, DrawOptions};
/// use cairn2d::prelude::*;
///
/// /// Counts what it is asked to draw.
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
/// world.create_shape(body, Polygon::rectangle(0.5, 0.5)?, ShapeDef::default());
/// let mut counter = Counter::default();
/// world.draw(&mut counter, &DrawOptions::default());
/// assert_eq!(counter.polygons, 1);
/// # Ok::<(), ShapeError>(())
/// ```
pub trait DebugDraw {
    /// Draws a convex polygon with three or more corners, counter-clockwise; nothing joins the last to the first
    /// if it is repeated.
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style);

    /// Draws a straight line.
    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style);

    /// Draws a dot of `size` pixels across.
    fn point(&mut self, at: WorldPoint, size: f32, color: Color);

    /// Writes a line of words with its middle at `at`.
    fn text(&mut self, at: WorldPoint, text: &str, color: Color);

    /// How large a metre is drawn \[px\]: it says how fine round parts must be, and how long arrows are.
    fn pixels_per_meter(&self) -> f32 {
        USUAL_PIXELS_PER_METER
    }

    /// Draws a circle.
    fn circle(&mut self, center: WorldPoint, radius: f32, style: &Style) {
        let tolerance = ROUND_TOLERANCE / self.pixels_per_meter();
        let points = arc_points(Point::origin(), radius, Vec2::x(), 2.0 * PI, tolerance);
        self.polygon(&offset(center, &points), style);
    }

    /// Draws all points within `radius` of the line from `a` to `b`.
    fn capsule(&mut self, a: WorldPoint, b: WorldPoint, radius: f32, style: &Style) {
        self.rounded_polygon(&[a, b], radius, style);
    }

    /// Draws all points within `radius` of a convex polygon with two or more corners.
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

    /// Draws an ellipse with `radii` along the axes of a frame turned by `turn`.
    fn ellipse(&mut self, center: WorldPoint, radii: Vec2, turn: Rotation, style: &Style) {
        let tolerance = ROUND_TOLERANCE / self.pixels_per_meter();
        let points = ellipse_points(Point::origin(), radii, turn, tolerance);
        self.polygon(&offset(center, &points), style);
    }

    /// Draws a line that is solid only from the right of the way from `a` to `b`: a piece of a chain.
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

    /// Draws the axes of a frame, each `length` long \[m\], x in the first color and y in the second.
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
