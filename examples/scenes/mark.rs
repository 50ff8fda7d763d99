//! Marks that a scene draws beside its world: rays, hits, words.

use cairn2d::draw::{Color, DebugDraw, Palette, Style, draw_shape_at};
use cairn2d::prelude::{Shape, WorldPoint};

/// Color of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Something looked for and found.
    Hit,
    /// Something looked for and not found.
    Miss,
    /// A remark.
    Note,
}

/// Something drawn over the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A straight line.
    Line {
        /// Start \[m\].
        from: WorldPoint,
        /// End \[m\].
        to: WorldPoint,
        /// Its color.
        tone: Tone,
    },
    /// The outline of a shape.
    Outline {
        /// The shape.
        shape: Shape,
        /// Origin of its frame \[m\].
        at: WorldPoint,
        /// Angle of its frame \[rad\].
        angle: f32,
        /// Its color.
        tone: Tone,
    },
    /// A dot of a fixed size in pixels.
    Dot {
        /// Place \[m\].
        at: WorldPoint,
        /// Its color.
        tone: Tone,
    },
    /// A line of text, its middle above the place.
    Text {
        /// Place \[m\].
        at: WorldPoint,
        /// The text.
        text: String,
    },
}

/// Width of marked lines [px].
const LINE_WIDTH: f32 = 1.2;

/// Diameter of dots [px].
const DOT_SIZE: f32 = 6.0;

/// Share of ink in marks of queries without a result: a thin line alone must be visible.
const MISS_INK: f32 = 0.3;

impl Tone {
    fn color(self, palette: &Palette) -> Color {
        match self {
            Self::Hit => palette.contact,
            Self::Miss => palette.fixed.mixed(palette.foreground, MISS_INK),
            Self::Note => palette.foreground,
        }
    }
}

impl Mark {
    /// Draws the mark.
    pub fn draw(&self, pen: &mut impl DebugDraw, palette: &Palette) {
        match self {
            Self::Line { from, to, tone } => {
                pen.segment(*from, *to, &Style::line(tone.color(palette), LINE_WIDTH));
            }
            Self::Outline {
                shape,
                at,
                angle,
                tone,
            } => {
                let style = Style::line(tone.color(palette), LINE_WIDTH);
                draw_shape_at(pen, shape, *at, *angle, &style);
            }
            Self::Dot { at, tone } => pen.point(*at, DOT_SIZE, tone.color(palette)),
            Self::Text { at, text } => pen.text(*at, text, palette.foreground),
        }
    }
}
