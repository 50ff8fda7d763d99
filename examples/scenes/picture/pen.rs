//! The canvas as a renderer of the engine's drawing.

use super::backdrop::small_print;
use super::canvas::{Align, Canvas};
use crate::view::Camera;
use cairn2d::draw::{Color, Dash, DebugDraw, Style};
use cairn2d::prelude::{Point, WorldPoint, vec2};

/// Width of the band behind the solid side of a chain [px].
const CHAIN_BAND: f32 = 9.0;

/// Size of an arrow's head [px].
const ARROW_HEAD: f32 = 5.0;

/// A canvas with a camera.
pub(crate) struct CanvasPen<'a> {
    pub(crate) canvas: &'a mut Canvas,
    pub(crate) camera: &'a Camera,
}

impl CanvasPen<'_> {
    fn outline(&mut self, pixels: &[Point], closed: bool, style: &Style) {
        match style.dash {
            Dash::Dashed => self.canvas.dashes(pixels, closed, style.width, style.line),
            _ => self.canvas.stroke(pixels, closed, style.width, style.line),
        }
    }

    fn is_outside(&self, pixels: &[Point]) -> bool {
        let (width, height) = (self.canvas.width() as f32, self.canvas.height() as f32);
        let band = CHAIN_BAND;
        pixels.iter().all(|p| p.x < -band)
            || pixels.iter().all(|p| p.x > width + band)
            || pixels.iter().all(|p| p.y < -band)
            || pixels.iter().all(|p| p.y > height + band)
    }
}

impl DebugDraw for CanvasPen<'_> {
    fn pixels_per_meter(&self) -> f32 {
        self.camera.scale()
    }

    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        let pixels: Vec<Point> = corners.iter().map(|&p| self.camera.pixel(p)).collect();
        if self.is_outside(&pixels) {
            return;
        }
        if let Some(fill) = style.fill {
            self.canvas.fill(&pixels, fill);
        }
        self.outline(&pixels, true, style);
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let pixels = [a, b].map(|p| self.camera.pixel(p));
        if !self.is_outside(&pixels) {
            self.outline(&pixels, false, style);
        }
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        self.canvas.dot(self.camera.pixel(at), 0.5 * size, color);
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: Color) {
        let size = small_print(self.canvas);
        let at = self.camera.pixel(at);
        self.canvas.text(text, at, size, Align::Middle, color);
    }

    /// Draws a line with a band on the side from which it is not solid.
    fn one_sided(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let [a, b] = [a, b].map(|p| self.camera.pixel(p));
        let Some(along) = (b - a).try_normalize(f32::EPSILON) else {
            return;
        };
        // Solid to the right of the way from a to b; pixels count downward, so left is (y, -x).
        let behind = vec2(along.y, -along.x) * CHAIN_BAND;
        let band = [a, b, b + behind, a + behind];
        if self.is_outside(&band) {
            return;
        }
        if let Some(fill) = style.fill {
            self.canvas.fill(&band, fill);
            // Covers the seam to the next band.
            self.canvas.stroke(&band, true, 0.8, fill);
        }
        self.canvas.line(a, b, style.width, style.line);
    }

    fn arrow(&mut self, from: WorldPoint, to: WorldPoint, style: &Style) {
        let [from, to] = [from, to].map(|p| self.camera.pixel(p));
        let head = ARROW_HEAD.min((to - from).norm());
        self.canvas.arrow(from, to, style.width, head, style.line);
    }
}
