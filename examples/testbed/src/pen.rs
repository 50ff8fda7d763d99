//! One mesh for the whole view: the engine's drawing as triangles for egui.

use cairn2d::draw::{Color, Dash, DebugDraw, Style};
use cairn2d::prelude::{Point, Vec2, WorldPoint, vec2};
use eframe::egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Shape, pos2};
use scenes::view::Camera;

/// Width of the band behind the solid side of a chain [points].
const CHAIN_BAND: f32 = 8.0;

/// Length of a dash and of a gap [points].
const DASH: f32 = 5.0;

/// Most dashes of a line: of a longer one the rest is not seen.
const MAX_DASHES: usize = 400;

/// Size of words [points].
const TEXT_SIZE: f32 = 12.5;

/// Corners of a dot.
const DOT_CORNERS: usize = 10;

/// Collects triangles and words; [`Pen::paint`] hands them over.
///
/// Lines have hard ends: the window's multisampling smooths them, so a line is two triangles and ten thousand shapes are one
/// call of the graphics card.
pub(crate) struct Pen {
    camera: Camera,
    mesh: Mesh,
    words: Vec<(Pos2, String, Color32)>,
}

/// Returns a color as egui has it.
pub(crate) fn to_egui(color: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r, color.g, color.b, color.a)
}

impl Pen {
    pub(crate) fn new(camera: Camera) -> Self {
        Self {
            camera,
            mesh: Mesh::default(),
            words: Vec::new(),
        }
    }

    /// Draws the collected meshes, then the texts.
    pub(crate) fn paint(self, painter: &Painter) {
        painter.add(Shape::mesh(self.mesh));
        for (at, words, color) in self.words {
            let font = FontId::proportional(TEXT_SIZE);
            painter.text(at, Align2::CENTER_CENTER, words, font, color);
        }
    }

    /// Adds a filled convex polygon.
    pub(crate) fn fill(&mut self, corners: &[Point], color: Color) {
        if corners.len() < 3 {
            return;
        }
        let first = self.mesh.vertices.len() as u32;
        let color = to_egui(color);
        for p in corners {
            self.mesh.colored_vertex(pos2(p.x, p.y), color);
        }
        for i in 2..corners.len() as u32 {
            self.mesh.add_triangle(first, first + i - 1, first + i);
        }
    }

    /// Adds a straight line.
    pub(crate) fn line(&mut self, a: Point, b: Point, width: f32, color: Color) {
        if let Some(along) = (b - a).try_normalize(f32::EPSILON) {
            let side = vec2(-along.y, along.x) * (0.5 * width);
            self.fill(&[a + side, b + side, b - side, a - side], color);
        }
    }

    fn dashes(&mut self, a: Point, b: Point, width: f32, color: Color) {
        let length = (b - a).norm();
        let along: Vec2 = (b - a) / length.max(f32::EPSILON);
        let count = (length / (2.0 * DASH)).ceil() as usize;
        for i in 0..count.min(MAX_DASHES) {
            let start = 2.0 * DASH * i as f32;
            let end = (start + DASH).min(length);
            self.line(a + along * start, a + along * end, width, color);
        }
    }

    fn stroke(&mut self, a: Point, b: Point, style: &Style) {
        match style.dash {
            Dash::Dashed => self.dashes(a, b, style.width, style.line),
            _ => self.line(a, b, style.width, style.line),
        }
    }

    /// Adds the outline of a closed figure, with corners that meet.
    fn outline(&mut self, corners: &[Point], style: &Style) {
        if style.dash == Dash::Dashed {
            let next = corners.iter().cycle().skip(1);
            for (&a, &b) in corners.iter().zip(next) {
                self.dashes(a, b, style.width, style.line);
            }
            return;
        }
        let first = self.mesh.vertices.len() as u32;
        let count = corners.len();
        let color = to_egui(style.line);
        for i in 0..count {
            let (before, at, after) = (
                corners[(i + count - 1) % count],
                corners[i],
                corners[(i + 1) % count],
            );
            let miter = miter(before, at, after) * (0.5 * style.width);
            for p in [at + miter, at - miter] {
                self.mesh.colored_vertex(pos2(p.x, p.y), color);
            }
        }
        for i in 0..count as u32 {
            let (a, b) = (first + 2 * i, first + 2 * ((i + 1) % count as u32));
            self.mesh.add_triangle(a, a + 1, b);
            self.mesh.add_triangle(a + 1, b + 1, b);
        }
    }
}

/// Longest way to the corner of an outline, in half widths: pointed corners are cut.
const MAX_MITER: f32 = 3.0;

/// Returns the way from a corner to the corner of an outline of half width 1.
fn miter(before: Point, at: Point, after: Point) -> Vec2 {
    let normal = |a: Point, b: Point| {
        let along = (b - a).try_normalize(f32::EPSILON).unwrap_or_default();
        vec2(-along.y, along.x)
    };
    let (n, m) = (normal(before, at), normal(at, after));
    let sum = n + m;
    let square = sum.norm_squared();
    if square <= f32::EPSILON {
        return n;
    }
    let miter = sum * (2.0 / square);
    let length = miter.norm();
    miter * (MAX_MITER / length).min(1.0)
}

impl DebugDraw for Pen {
    fn pixels_per_meter(&self) -> f32 {
        self.camera.scale()
    }

    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        let pixels: Vec<Point> = corners.iter().map(|&p| self.camera.pixel(p)).collect();
        if let Some(fill) = style.fill {
            self.fill(&pixels, fill);
        }
        if style.width > 0.0 {
            self.outline(&pixels, style);
        }
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let [a, b] = [a, b].map(|p| self.camera.pixel(p));
        self.stroke(a, b, style);
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        let at = self.camera.pixel(at);
        let corner = |i: usize| {
            let turn =
                cairn2d::math::rotation(i as f32 * 2.0 * cairn2d::math::PI / DOT_CORNERS as f32);
            at + turn * vec2(0.5 * size, 0.0)
        };
        let corners: Vec<Point> = (0..DOT_CORNERS).map(corner).collect();
        self.fill(&corners, color);
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: Color) {
        let at = self.camera.pixel(at);
        self.words
            .push((pos2(at.x, at.y), text.to_owned(), to_egui(color)));
    }

    fn one_sided(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let [a, b] = [a, b].map(|p| self.camera.pixel(p));
        if let Some(along) = (b - a).try_normalize(f32::EPSILON) {
            // Solid to the right of the way from a to b; points count downward, so left is (y, -x).
            let behind = vec2(along.y, -along.x) * CHAIN_BAND;
            if let Some(fill) = style.fill {
                self.fill(&[a, b, b + behind, a + behind], fill);
            }
        }
        self.stroke(a, b, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::prelude::point;

    #[test]
    fn corners_of_outlines_meet() {
        let right_angle = miter(point(0.0, 0.0), point(1.0, 0.0), point(1.0, 1.0));
        assert!(
            (right_angle - vec2(-1.0, 1.0)).norm() < 1.0e-6,
            "{right_angle}"
        );
        let needle = miter(point(0.0, 0.0), point(1.0, 0.0), point(0.0, 0.01));
        assert!(needle.norm() <= MAX_MITER + 1.0e-4);
    }

    #[test]
    fn polygons_become_a_fan_and_a_rim() {
        let camera = Camera::new(WorldPoint::ORIGIN, 10.0, point(0.0, 0.0));
        let mut pen = Pen::new(camera);
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(WorldPoint::from);
        let style = Style {
            fill: Some(Color::rgb(1, 2, 3)),
            ..Style::line(Color::rgb(4, 5, 6), 1.0)
        };
        pen.polygon(&square, &style);
        assert_eq!(pen.mesh.indices.len(), 3 * (2 + 8));
        assert!(pen.mesh.is_valid());
    }
}
