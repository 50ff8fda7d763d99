//! Drawing what the engine knows, with a renderer of the user's.
//!
//! A renderer implements [`DebugDraw`]: polygons, lines, dots and words. [`Draw::draw`] then shows a [`World`] or a
//! [`Crowd`] through it; [`DrawOptions`] says what is shown, in which colors and how large.

mod color;
mod options;
mod outline;
mod pen;
mod bodies;
mod internals;
mod crowd;

use cairn2d_crowd::Crowd;
use cairn2d_dynamics::World;

pub use bodies::draw_shape_at;
pub use color::{Color, Dash, Palette, Style};
pub use options::{DrawOptions, Layer, Layers};
pub use pen::DebugDraw;

/// What can be drawn.
pub trait Draw {
    /// Draws the layers that `options` asks for, lowest first.
    fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions);
}

impl Draw for World {
    fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions) {
        bodies::draw_bodies(self, pen, options);
        bodies::draw_joints(self, pen, options);
        internals::draw_internals(self, pen, options);
    }
}

impl Draw for Crowd {
    fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions) {
        crowd::draw_crowd(self, pen, options);
    }
}
