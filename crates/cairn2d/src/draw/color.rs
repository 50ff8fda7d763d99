//! Colors, styles of lines and areas, and palettes.

/// A color of red, green, blue and opacity, each 0 to 255; not premultiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity: 0 is transparent, 255 opaque.
    pub a: u8,
}

impl Color {
    /// Returns the opaque color.
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// Returns the color with its opacity multiplied by `share`, 0 to 1.
    #[must_use]
    pub fn faded(self, share: f32) -> Self {
        let a = (f32::from(self.a) * share.clamp(0.0, 1.0)).round() as u8;
        Self { a, ..self }
    }

    /// Returns the color with a `share` of `other` mixed in, 0 to 1; keeps its opacity.
    #[must_use]
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let mix = |from: u8, to: u8| {
            let (from, to) = (f32::from(from), f32::from(to));
            (from + (to - from) * share.clamp(0.0, 1.0)).round() as u8
        };
        Self {
            r: mix(self.r, other.r),
            g: mix(self.g, other.g),
            b: mix(self.b, other.b),
            a: self.a,
        }
    }
}

/// Dash pattern of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dash {
    /// A continuous line.
    #[default]
    Solid,
    /// A dashed line: the outline of sensors.
    Dashed,
}

/// Fill and outline of a drawn shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Color of the fill; `None` leaves it empty.
    pub fill: Option<Color>,
    /// Color of the outline.
    pub line: Color,
    /// Width of the outline \[px\].
    pub width: f32,
    /// Dash pattern of the outline.
    pub dash: Dash,
}

impl Style {
    /// Returns the style of a line of `width` \[px\] without fill.
    #[must_use]
    pub const fn line(color: Color, width: f32) -> Self {
        Self {
            fill: None,
            line: color,
            width,
            dash: Dash::Solid,
        }
    }
}

/// The colors of debug drawing.
///
/// ```
/// use cairn2d::draw::{Color, Palette};
///
/// let mine = Palette { dynamic: Color::rgb(200, 30, 90), ..Palette::dark() };
/// assert_eq!(mine.by_index(0), mine.cycle[0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Background; sleeping bodies are mixed with it.
    pub background: Color,
    /// Foreground; outlines are mixed with it.
    pub foreground: Color,
    /// Static bodies.
    pub fixed: Color,
    /// Kinematic bodies.
    pub kinematic: Color,
    /// Dynamic bodies.
    pub dynamic: Color,
    /// Sensors.
    pub sensor: Color,
    /// Joints and their anchors.
    pub joint: Color,
    /// Contact points and normals.
    pub contact: Color,
    /// Normal impulses.
    pub impulse: Color,
    /// Friction impulses.
    pub friction: Color,
    /// Velocities.
    pub velocity: Color,
    /// Fat boxes of the broad phase.
    pub fat_box: Color,
    /// Nodes of the trees of the broad phase.
    pub tree: Color,
    /// Agents of a crowd.
    pub agent: Color,
    /// Obstacles of a crowd.
    pub obstacle: Color,
    /// Half-planes of velocities that an agent must not choose.
    pub half_plane: Color,
    /// Likely mistakes, such as dynamic bodies without mass.
    pub warning: Color,
    /// The x and y axes of frames.
    pub axes: [Color; 2],
    /// Colors of numbered items (islands, colors of the constraint graph), used in turn.
    pub cycle: [Color; 12],
    /// Opacity of the fill of a body, 0 to 1.
    pub fill_share: f32,
    /// Share of the foreground in the outline of a body, 0 to 1.
    pub outline_share: f32,
    /// Share of the background in a sleeping body, 0 to 1.
    pub sleep_share: f32,
}

/// Twelve hues that are distinct on light and dark backgrounds.
const CYCLE: [Color; 12] = [
    Color::rgb(0x4e, 0x9a, 0xd9),
    Color::rgb(0xe8, 0x9a, 0x3c),
    Color::rgb(0x5f, 0xb5, 0x5c),
    Color::rgb(0xdd, 0x5f, 0x5f),
    Color::rgb(0x9b, 0x7f, 0xd6),
    Color::rgb(0xa8, 0x7a, 0x5a),
    Color::rgb(0xe0, 0x7b, 0xb5),
    Color::rgb(0x8a, 0x93, 0xa0),
    Color::rgb(0xc2, 0xb7, 0x3a),
    Color::rgb(0x3f, 0xb8, 0xb8),
    Color::rgb(0x6c, 0x6f, 0xe0),
    Color::rgb(0x9a, 0xc2, 0x5a),
];

impl Palette {
    /// Returns the palette of dark lines on a light background, for print and documentation.
    #[must_use]
    pub const fn light() -> Self {
        Self {
            background: Color::rgb(0xfa, 0xf8, 0xf3),
            foreground: Color::rgb(0x1d, 0x24, 0x30),
            fixed: Color::rgb(0xb4, 0xb9, 0xbf),
            kinematic: Color::rgb(0xa8, 0x8f, 0xc4),
            dynamic: Color::rgb(0x6b, 0x9a, 0xc9),
            sensor: Color::rgb(0x4f, 0x9d, 0x8a),
            joint: Color::rgb(0x2f, 0x36, 0x40),
            contact: Color::rgb(0xc9, 0x2a, 0x3c),
            impulse: Color::rgb(0xd9, 0x6b, 0x1c),
            friction: Color::rgb(0x9a, 0x6a, 0x1e),
            velocity: Color::rgb(0x1f, 0x7a, 0x4d),
            fat_box: Color::rgb(0x9a, 0x66, 0xb8),
            tree: Color::rgb(0x3f, 0x7f, 0xa8),
            agent: Color::rgb(0x55, 0xb0, 0xae),
            obstacle: Color::rgb(0x8a, 0x7f, 0x72),
            half_plane: Color::rgb(0xc0, 0x4f, 0x8a),
            warning: Color::rgb(0xe0, 0x1f, 0xb4),
            axes: [Color::rgb(0xc9, 0x2a, 0x3c), Color::rgb(0x1f, 0x7a, 0x4d)],
            cycle: CYCLE,
            fill_share: 1.0,
            outline_share: 0.55,
            sleep_share: 0.55,
        }
    }

    /// Returns the palette of light lines on a dark background, for a screen.
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            background: Color::rgb(0x16, 0x1a, 0x20),
            foreground: Color::rgb(0xee, 0xf2, 0xf6),
            fixed: Color::rgb(0x5d, 0x67, 0x73),
            kinematic: Color::rgb(0xa5, 0x84, 0xd6),
            dynamic: Color::rgb(0x5b, 0x9b, 0xdb),
            sensor: Color::rgb(0x4d, 0xc2, 0xa5),
            joint: Color::rgb(0xe6, 0xe2, 0xd3),
            contact: Color::rgb(0xff, 0x5d, 0x6c),
            impulse: Color::rgb(0xff, 0xa9, 0x4d),
            friction: Color::rgb(0xd9, 0xc2, 0x5a),
            velocity: Color::rgb(0x57, 0xd9, 0x8d),
            fat_box: Color::rgb(0xb5, 0x84, 0xd6),
            tree: Color::rgb(0x4f, 0xa8, 0xd6),
            agent: Color::rgb(0x4f, 0xc4, 0xc0),
            obstacle: Color::rgb(0x7d, 0x74, 0x69),
            half_plane: Color::rgb(0xe0, 0x6c, 0xaa),
            warning: Color::rgb(0xff, 0x4f, 0xd8),
            axes: [Color::rgb(0xff, 0x5d, 0x6c), Color::rgb(0x57, 0xd9, 0x8d)],
            cycle: CYCLE,
            fill_share: 0.75,
            outline_share: 0.3,
            sleep_share: 0.5,
        }
    }

    /// Returns the color of the item with this number.
    #[must_use]
    pub const fn by_index(&self, number: u32) -> Color {
        self.cycle[number as usize % self.cycle.len()]
    }

    /// Returns the color of a sleeping body, given that of the awake one.
    #[must_use]
    pub fn asleep(&self, color: Color) -> Color {
        color.mixed(self.background, self.sleep_share)
    }

    /// Returns the style of a body with the given color and outline width \[px\].
    #[must_use]
    pub fn body(&self, color: Color, width: f32) -> Style {
        Style {
            fill: Some(color.faded(self.fill_share)),
            line: color.mixed(self.foreground, self.outline_share),
            width,
            dash: Dash::Solid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_goes_from_one_color_to_the_other() {
        let (black, white) = (Color::rgb(0, 0, 0), Color::rgb(255, 255, 255));
        assert_eq!(black.mixed(white, 0.0), black);
        assert_eq!(black.mixed(white, 1.0), white);
        assert_eq!(black.mixed(white, 0.2), Color::rgb(51, 51, 51));
        assert_eq!(white.faded(0.5).a, 128);
    }

    #[test]
    fn hues_of_the_cycle_are_distinct() {
        for (i, a) in CYCLE.iter().enumerate() {
            assert!(!CYCLE[..i].contains(a), "{a:?}");
        }
    }
}
