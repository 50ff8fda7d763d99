//! The palette.

use tiny_skia::Color;

/// Red, green and blue, 0 to 255, and how opaque it is, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    rgb: [u8; 3],
    alpha: f32,
}

impl Ink {
    pub(crate) const fn new(r: u8, g: u8, b: u8) -> Self {
        Self {
            rgb: [r, g, b],
            alpha: 1.0,
        }
    }

    /// Returns the color, `alpha` opaque.
    pub(crate) const fn alpha(self, alpha: f32) -> Self {
        Self { alpha, ..self }
    }

    /// Returns the color with a share of another mixed in.
    pub(crate) fn mixed(self, other: Self, share: f32) -> Self {
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        let [r, g, b] = self.rgb;
        let [r2, g2, b2] = other.rgb;
        Self {
            rgb: [mix(r, r2), mix(g, g2), mix(b, b2)],
            alpha: self.alpha,
        }
    }

    pub(crate) fn to_color(self) -> Color {
        let [r, g, b] = self.rgb;
        Color::from_rgba8(r, g, b, (self.alpha * 255.0).round() as u8)
    }
}

pub(crate) const PAPER: Ink = Ink::new(0xfa, 0xf8, 0xf3);
pub(crate) const GRID: Ink = Ink::new(0xee, 0xeb, 0xe2);
pub(crate) const GRID_AXIS: Ink = Ink::new(0xe0, 0xdc, 0xd0);
pub(crate) const TEXT: Ink = Ink::new(0x33, 0x3a, 0x44);
pub(crate) const FAINT_TEXT: Ink = Ink::new(0x7c, 0x82, 0x8a);
pub(crate) const STATIC: Ink = Ink::new(0xb4, 0xb9, 0xbf);
pub(crate) const KINEMATIC: Ink = Ink::new(0xa8, 0x8f, 0xc4);
pub(crate) const SENSOR: Ink = Ink::new(0x4f, 0x9d, 0x8a);
pub(crate) const JOINT: Ink = Ink::new(0x2f, 0x36, 0x40);
pub(crate) const CONTACT: Ink = Ink::new(0xc9, 0x2a, 0x3c);
pub(crate) const VELOCITY: Ink = Ink::new(0x1f, 0x7a, 0x4d);
pub(crate) const FAT_BOX: Ink = Ink::new(0x9a, 0x66, 0xb8);
pub(crate) const HIT: Ink = Ink::new(0xd0, 0x3b, 0x2f);
pub(crate) const MISS: Ink = Ink::new(0x8f, 0xa3, 0xb5);

/// Fills of dynamic bodies; a body's user data chooses one.
const DYNAMIC: [Ink; 6] = [
    Ink::new(0x6b, 0x9a, 0xc9),
    Ink::new(0xe5, 0xa8, 0x4b),
    Ink::new(0x7d, 0xb3, 0x7a),
    Ink::new(0xd5, 0x7f, 0x6b),
    Ink::new(0x8f, 0x86, 0xc6),
    Ink::new(0x55, 0xb0, 0xae),
];

/// Darkest ink: outlines are fills with this mixed in.
const DARK: Ink = Ink::new(0x1d, 0x24, 0x30);

/// Share of paper in the fill of a sleeping body.
const SLEEP_SHARE: f32 = 0.55;

/// Share of dark ink in an outline.
const OUTLINE_SHARE: f32 = 0.55;

/// Returns the fill of a dynamic body.
pub(crate) fn dynamic_fill(tint: u64) -> Ink {
    DYNAMIC[(tint % DYNAMIC.len() as u64) as usize]
}

/// Returns the color of something at rest.
pub(crate) fn asleep(ink: Ink) -> Ink {
    ink.mixed(PAPER, SLEEP_SHARE)
}

/// Returns the color of the outline around a fill.
pub(crate) fn outline_of(fill: Ink) -> Ink {
    fill.mixed(DARK, OUTLINE_SHARE)
}
