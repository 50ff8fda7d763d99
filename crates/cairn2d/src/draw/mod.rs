//! Debug drawing through a renderer of the user.
//!
//! A renderer implements [`DebugDraw`]: polygons, lines, points and text. [`Draw::draw`] draws a [`World`] or
//! a crowd with it; [`DrawOptions`] sets layers, colors and sizes.

mod color;
mod options;
mod outline;
mod pen;
mod bodies;
mod joints;
mod internals;
#[cfg(feature = "crowd")]
mod crowd;

use cairn2d_dynamics::World;

pub use bodies::draw_shape_at;
pub use color::{Color, Dash, Palette, Style};
pub use options::{DrawOptions, Layer, Layers};
pub use pen::DebugDraw;

/// A world or crowd that can be drawn.
pub trait Draw {
    /// Draws the layers of `options`, lowest first.
    fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions);
}

impl Draw for World {
    fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions) {
        bodies::draw_bodies(self, pen, options);
        joints::draw_joints(self, pen, options);
        internals::draw_internals(self, pen, options);
    }
}

#[cfg(feature = "crowd")]
impl Draw for cairn2d_crowd::Crowd {
    fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions) {
        crowd::draw_crowd(self, pen, options);
    }
}
