//! A canvas: filled and stroked lines, dots and words in pixels, anti-aliased.

use super::color::PAPER;
use super::font::{text_path, text_width};
use cairn2d::draw::Color;
use cairn2d::prelude::{Point, vec2};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

/// Stroke along the outlines of letters as a share of their height: the thin lines of a light font need it at small sizes.
const LETTER_STROKE: f32 = 0.035;

/// Width of the paper-colored rim around letters as a share of their height.
const LETTER_RIM: f32 = 0.55;

/// Picture in the making.
#[derive(Clone, Debug)]
pub struct Canvas {
    pixmap: Pixmap,
}

/// Alignment of a line of text at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Middle,
}

impl Canvas {
    /// Returns an empty sheet of `width` by `height` pixels.
    ///
    /// # Panics
    /// If a side is 0 or the picture does not fit into memory.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        let pixmap = Pixmap::new(width, height);
        let mut pixmap = pixmap
            .unwrap_or_else(|| panic!("a picture of {width} by {height} pixels is impossible"));
        pixmap.fill(to_skia(PAPER));
        Self { pixmap }
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.pixmap.height()
    }

    /// Returns red, green and blue of all pixels, row by row from the top left.
    #[must_use]
    pub fn rgb(&self) -> Vec<u8> {
        let pixels = self.pixmap.pixels().iter();
        pixels
            .flat_map(|p| [p.red(), p.green(), p.blue()])
            .collect()
    }

    pub(crate) fn fill(&mut self, points: &[Point], ink: Color) {
        if let Some(path) = path(points, true) {
            let paint = paint(ink);
            let unmoved = Transform::identity();
            self.pixmap
                .fill_path(&path, &paint, FillRule::Winding, unmoved, None);
        }
    }

    pub(crate) fn stroke(&mut self, points: &[Point], closed: bool, width: f32, ink: Color) {
        self.stroke_with(points, closed, &pen(width), ink);
    }

    pub(crate) fn dashes(&mut self, points: &[Point], closed: bool, width: f32, ink: Color) {
        let pen = Stroke {
            dash: StrokeDash::new(vec![5.0, 4.0], 0.0),
            line_cap: LineCap::Butt,
            ..pen(width)
        };
        self.stroke_with(points, closed, &pen, ink);
    }

    fn stroke_with(&mut self, points: &[Point], closed: bool, pen: &Stroke, ink: Color) {
        if let Some(path) = path(points, closed) {
            let unmoved = Transform::identity();
            self.pixmap
                .stroke_path(&path, &paint(ink), pen, unmoved, None);
        }
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, width: f32, ink: Color) {
        self.stroke(&[from, to], false, width, ink);
    }

    pub(crate) fn dot(&mut self, at: Point, radius: f32, ink: Color) {
        if let Some(path) = PathBuilder::from_circle(at.x, at.y, radius) {
            let unmoved = Transform::identity();
            self.pixmap
                .fill_path(&path, &paint(ink), FillRule::Winding, unmoved, None);
        }
    }

    /// Draws an arrow with a head of `head` pixels.
    pub(crate) fn arrow(&mut self, from: Point, to: Point, width: f32, head: f32, ink: Color) {
        let Some(along) = (to - from).try_normalize(f32::EPSILON) else {
            return;
        };
        let across = vec2(-along.y, along.x) * (0.5 * head);
        let base = to - along * head;
        self.line(from, base, width, ink);
        self.fill(&[to, base + across, base - across], ink);
    }

    /// Writes a line of text whose capitals are `height` pixels high, with its baseline at `at`.
    pub(crate) fn text(&mut self, text: &str, at: Point, height: f32, align: Align, ink: Color) {
        let shift = match align {
            Align::Left => 0.0,
            Align::Middle => 0.5,
        };
        let start = at - vec2(shift * text_width(text, height), 0.0);
        let Some(path) = text_path(text, start, height) else {
            return;
        };
        let (unmoved, ink) = (Transform::identity(), paint(ink));
        let pixmap = &mut self.pixmap;
        let rim = paint(PAPER.faded(0.85));
        pixmap.stroke_path(&path, &rim, &pen(height * LETTER_RIM), unmoved, None);
        pixmap.fill_path(&path, &ink, FillRule::Winding, unmoved, None);
        pixmap.stroke_path(&path, &ink, &pen(height * LETTER_STROKE), unmoved, None);
    }
}

/// Length that a point is stretched to, so that it has a direction and its round ends show [px].
const POINT_LENGTH: f32 = 0.05;

fn push(builder: &mut PathBuilder, points: impl Iterator<Item = Point>) {
    let mut last: Option<Point> = None;
    for p in points {
        match last {
            None => builder.move_to(p.x, p.y),
            Some(before) if before == p => builder.line_to(p.x + POINT_LENGTH, p.y),
            Some(_) => builder.line_to(p.x, p.y),
        }
        last = Some(p);
    }
}

fn path(points: &[Point], closed: bool) -> Option<Path> {
    let is_drawable = |p: &Point| p.x.is_finite() && p.y.is_finite();
    if points.len() < 2 || !points.iter().all(is_drawable) {
        return None;
    }
    let mut builder = PathBuilder::new();
    push(&mut builder, points.iter().copied());
    if closed {
        builder.close();
    }
    builder.finish()
}

fn paint(ink: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(to_skia(ink));
    paint.anti_alias = true;
    paint
}

fn to_skia(ink: Color) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(ink.r, ink.g, ink.b, ink.a)
}

fn pen(width: f32) -> Stroke {
    Stroke {
        width,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::prelude::point;

    fn at(canvas: &Canvas, x: u32, y: u32) -> [u8; 3] {
        let rgb = canvas.rgb();
        let start = 3 * (y * canvas.width() + x) as usize;
        [rgb[start], rgb[start + 1], rgb[start + 2]]
    }

    #[test]
    fn what_is_filled_has_the_ink_and_the_rest_is_paper() {
        let mut canvas = Canvas::new(20, 20);
        let square = [(5.0, 5.0), (15.0, 5.0), (15.0, 15.0), (5.0, 15.0)].map(|(x, y)| point(x, y));
        canvas.fill(&square, Color::rgb(10, 200, 30));
        assert_eq!(at(&canvas, 10, 10), [10, 200, 30]);
        assert_eq!(at(&canvas, 2, 2), [0xfa, 0xf8, 0xf3]);
    }

    #[test]
    fn unusable_points_draw_nothing() {
        let mut canvas = Canvas::new(8, 8);
        let before = canvas.rgb();
        canvas.fill(
            &[point(f32::NAN, 0.0), point(4.0, 0.0), point(4.0, 4.0)],
            Color::rgb(0, 0, 0),
        );
        canvas.arrow(
            point(1.0, 1.0),
            point(1.0, 1.0),
            1.0,
            3.0,
            Color::rgb(0, 0, 0),
        );
        assert_eq!(canvas.rgb(), before);
    }

    #[test]
    fn words_leave_ink() {
        let mut canvas = Canvas::new(60, 20);
        canvas.text(
            "To. 1",
            point(5.0, 15.0),
            10.0,
            Align::Left,
            Color::rgb(0, 0, 0),
        );
        let dark = canvas.rgb().iter().filter(|&&v| v < 80).count();
        assert!(dark > 60, "{dark} dark values");
    }
}
