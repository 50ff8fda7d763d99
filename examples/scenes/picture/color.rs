//! The colors of pictures.

use cairn2d::draw::{Color, Palette};

/// Colors of bodies, joints and the like in pictures.
pub(crate) const PALETTE: Palette = Palette::light();

pub(crate) const PAPER: Color = PALETTE.background;
pub(crate) const GRID: Color = Color::rgb(0xee, 0xeb, 0xe2);
pub(crate) const GRID_AXIS: Color = Color::rgb(0xe0, 0xdc, 0xd0);
pub(crate) const TEXT: Color = Color::rgb(0x33, 0x3a, 0x44);
pub(crate) const FAINT_TEXT: Color = Color::rgb(0x7c, 0x82, 0x8a);
