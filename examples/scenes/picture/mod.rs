//! Pictures of worlds, without a window: shapes, joints, contacts and words on a canvas, as PNG.

mod color;
mod font;
mod canvas;
mod backdrop;
mod pen;
mod draw;
mod palette;
mod encode;
mod film;
mod compare;

pub use canvas::Canvas;
pub use compare::looks_same;
pub use draw::{Caption, Detail, Picture, draw};
pub use encode::{write_png, write_rgb};
pub use film::Film;
