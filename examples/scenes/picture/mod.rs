//! Pictures of worlds, without a window: shapes, joints, contacts and words on a canvas, as PNG.

mod color;
mod font;
mod canvas;
mod backdrop;
mod pen;
mod draw;
mod encode;
mod palette;
mod film;

pub use canvas::Canvas;
pub use draw::{Detail, Picture, draw};
pub use encode::write_png;
pub use film::Film;
