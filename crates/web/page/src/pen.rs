//! Drawing as a list of numbers, in pixels, which the page paints on its canvas.
//!
//! | command | numbers |
//! |---|---|
//! | polygon | 0, count, fill, opacity of the fill, line, opacity of the line, width, dash, then x and y of each corner |
//! | segment | 1, line, opacity, width, dash, x and y of both ends |
//! | point | 2, color, opacity, diameter, x, y |
//! | text | 3, color, opacity, index of the text, x, y |
//!
//! A color is 65536 red + 256 green + blue: an `f32` holds it exactly. Opacity 0 means none.

use cairn2d::WorldPoint;
use cairn2d::draw::{Color, Dash, DebugDraw, Style};
use scenes::view::Camera;

/// A pen that writes commands.
pub(crate) struct CommandPen<'a> {
    pub(crate) camera: Camera,
    pub(crate) commands: &'a mut Vec<f32>,
    pub(crate) texts: &'a mut Vec<String>,
}

fn ink(color: Color) -> [f32; 2] {
    let [r, g, b] = [color.r, color.g, color.b].map(f32::from);
    [65536.0 * r + 256.0 * g + b, f32::from(color.a) / 255.0]
}

/// Returns the length of dashes \[px\]; 0 for solid lines.
fn dash(style: &Style) -> f32 {
    if style.dash == Dash::Solid { 0.0 } else { 4.0 }
}

impl CommandPen<'_> {
    fn place(&mut self, at: WorldPoint) {
        let pixel = self.camera.pixel(at);
        self.commands.extend([pixel.x, pixel.y]);
    }
}

impl DebugDraw for CommandPen<'_> {
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        let [fill, fill_opacity] = style.fill.map_or([0.0; 2], ink);
        let [line, line_opacity] = ink(style.line);
        let count = corners.len() as f32;
        let head = [
            0.0,
            count,
            fill,
            fill_opacity,
            line,
            line_opacity,
            style.width,
            dash(style),
        ];
        self.commands.extend(head);
        for &corner in corners {
            self.place(corner);
        }
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        let [line, opacity] = ink(style.line);
        self.commands
            .extend([1.0, line, opacity, style.width, dash(style)]);
        self.place(a);
        self.place(b);
    }

    fn point(&mut self, at: WorldPoint, size: f32, color: Color) {
        let [color, opacity] = ink(color);
        self.commands.extend([2.0, color, opacity, size]);
        self.place(at);
    }

    fn text(&mut self, at: WorldPoint, text: &str, color: Color) {
        let [color, opacity] = ink(color);
        self.commands
            .extend([3.0, color, opacity, self.texts.len() as f32]);
        self.place(at);
        self.texts.push(text.replace('\n', " "));
    }

    fn pixels_per_meter(&self) -> f32 {
        self.camera.scale()
    }
}
