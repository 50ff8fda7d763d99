//! The few colors of a film: an index a pixel takes a quarter of the room of a color a pixel.
//!
//! Pictures are drawn with few inks; all other colors are blends along edges. The palette has the inks, blends of each
//! fill with its outline and with the paper, and a coarse cube for what is drawn over each other.

use super::color::{FAINT_TEXT, GRID, GRID_AXIS, PALETTE, PAPER, TEXT};
use crate::scene::TINTS;
use cairn2d::draw::Color;
use std::collections::BTreeMap;

/// Index of clear pixels, through which the frame before shows.
pub(super) const CLEAR: u8 = 0;

/// Most entries of a few.
const MAX_COLORS: usize = 256;

/// Steps of the cube along each channel.
const CUBE: u8 = 4;

/// Colors with their indices.
pub(super) struct FewColors {
    /// Entry 0 is the clear one.
    colors: Vec<[u8; 3]>,
    known: BTreeMap<[u8; 3], u8>,
}

impl FewColors {
    pub(super) fn new() -> Self {
        let mut few = Self {
            colors: vec![[0; 3]],
            known: BTreeMap::new(),
        };
        few.add(PAPER);
        few.add_blends(PAPER, TEXT, 5);
        few.add_blends(PAPER, GRID, 2);
        few.add_blends(PAPER, GRID_AXIS, 2);
        for ink in other_inks() {
            few.add_blends(PAPER, ink, 2);
            few.add_blends(ink, outline_of(ink), 3);
        }
        for tint in TINTS {
            for fill in [tint, PALETTE.asleep(tint)] {
                few.add(fill);
                few.add_blends(fill, outline_of(fill), 4);
                few.add_blends(PAPER, outline_of(fill), 3);
            }
        }
        few.add_cube();
        few
    }

    fn add(&mut self, color: Color) {
        let rgb = rgb_of(color);
        if self.colors.len() < MAX_COLORS && !self.colors[1..].contains(&rgb) {
            self.colors.push(rgb);
        }
    }

    /// Adds `count` blends of `a` and `b`, the last of which is `b`.
    fn add_blends(&mut self, a: Color, b: Color, count: u8) {
        for i in 1..=count {
            self.add(a.mixed(b, f32::from(i) / f32::from(count)));
        }
    }

    fn add_cube(&mut self) {
        let level = |i: u8| i * (u8::MAX / (CUBE - 1));
        for i in 0..CUBE.pow(3) {
            let [r, g, b] = [i / CUBE / CUBE, i / CUBE % CUBE, i % CUBE].map(level);
            self.add(Color::rgb(r, g, b));
        }
    }

    /// Red, green and blue of all entries.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// Returns the index of the color nearest to `rgb`; of two, the lesser.
    pub(super) fn index(&mut self, rgb: [u8; 3]) -> u8 {
        if let Some(&index) = self.known.get(&rgb) {
            return index;
        }
        let distance = |color: &[u8; 3]| -> u32 {
            let channel = |i: usize| u32::from(color[i].abs_diff(rgb[i])).pow(2);
            channel(0) + channel(1) + channel(2)
        };
        let entries = (1u8..=u8::MAX).zip(&self.colors[1..]);
        let nearest = entries.min_by_key(|(_, color)| distance(color));
        let index = nearest.map_or(CLEAR, |(index, _)| index);
        self.known.insert(rgb, index);
        index
    }
}

/// What is drawn with beside paper, text and the fills of dynamic bodies.
const fn other_inks() -> [Color; 10] {
    let p = &PALETTE;
    [
        p.fixed,
        p.kinematic,
        p.sensor,
        p.fat_box,
        p.joint,
        p.contact,
        p.velocity,
        p.half_plane,
        p.obstacle,
        FAINT_TEXT,
    ]
}

/// Returns the color of the outline around a fill.
fn outline_of(fill: Color) -> Color {
    PALETTE.body(fill, 1.0).line
}

const fn rgb_of(color: Color) -> [u8; 3] {
    [color.r, color.g, color.b]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inks_keep_their_color_and_others_change_little() {
        let mut few = FewColors::new();
        assert!(few.colors.len() <= MAX_COLORS);
        for ink in [PAPER, TEXT, TINTS[0], PALETTE.asleep(TINTS[5])] {
            let index = few.index(rgb_of(ink));
            assert_eq!(few.colors[usize::from(index)], rgb_of(ink));
        }
        let blend = rgb_of(PAPER.mixed(outline_of(TINTS[2]), 0.4));
        let index = few.index(blend);
        let found = few.colors[usize::from(index)];
        let off = (0..3).map(|i| found[i].abs_diff(blend[i])).max();
        assert!(off < Some(30), "{blend:?} becomes {found:?}");
    }
}
