//! The few colors of a file: an index a pixel takes less than half of the room of a color a pixel.
//!
//! Pictures are drawn with few inks; all other colors are blends along edges. A still has the palette of its pixels. The palette of
//! a film is written before its other frames are known: it has the colors of the first frame, and the later colors of its bodies.

use super::color::PALETTE;
use crate::scene::TINTS;
use cairn2d::draw::Color;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Index of clear pixels, through which the frame before shows.
pub(super) const CLEAR: u8 = 0;

/// Most entries of a few.
const MAX_COLORS: usize = 256;

/// Steps of the distance that colors of a still keep from each other.
const APART_STEP: u8 = 2;

/// Colors with their indices.
pub(super) struct FewColors {
    /// Entry 0 is the clear one.
    colors: Vec<[u8; 3]>,
    known: BTreeMap<[u8; 3], u8>,
}

impl FewColors {
    fn empty() -> Self {
        Self {
            colors: vec![[0; 3]],
            known: BTreeMap::new(),
        }
    }

    /// Returns colors near all `pixels`. If there are too many colors, rare ones are replaced by frequent ones of little difference.
    pub(super) fn of(pixels: &[[u8; 3]]) -> Self {
        let mut counts: BTreeMap<[u8; 3], u32> = BTreeMap::new();
        for &pixel in pixels {
            *counts.entry(pixel).or_default() += 1;
        }
        let mut colors: Vec<_> = counts.into_iter().collect();
        colors.sort_unstable_by_key(|&(color, count)| (Reverse(count), color));
        let mut apart = 0;
        loop {
            if let Some(few) = Self::apart(colors.iter().map(|&(color, _)| color), apart) {
                return few;
            }
            apart += APART_STEP;
        }
    }

    /// Returns the first colors that differ from those before by more than `apart` in a channel; `None` if they are too many.
    fn apart(colors: impl Iterator<Item = [u8; 3]>, apart: u8) -> Option<Self> {
        let mut few = Self::empty();
        for color in colors {
            let is_near = |other: &[u8; 3]| {
                let mut channels = color.iter().zip(other);
                channels.all(|(a, b)| a.abs_diff(*b) <= apart)
            };
            if few.colors[1..].iter().any(is_near) {
                continue;
            }
            if few.colors.len() == MAX_COLORS {
                return None;
            }
            few.colors.push(color);
        }
        Some(few)
    }

    /// Returns colors near the pixels of a first frame, and near those of bodies that wake, fall asleep, or are added.
    pub(super) fn of_film(first: &[[u8; 3]]) -> Self {
        let fills = TINTS
            .into_iter()
            .flat_map(|tint| [tint, PALETTE.asleep(tint)]);
        let colors = fills.flat_map(|fill| [fill, PALETTE.body(fill, 1.0).line]);
        let marks = [PALETTE.contact, PALETTE.joint, PALETTE.velocity];
        let inks = colors.chain(marks).map(rgb_of);
        Self::of(&first.iter().copied().chain(inks).collect::<Vec<_>>())
    }

    /// Red, green and blue of all entries.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// Returns the index of the color nearest to `rgb`; of two, the smaller.
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

const fn rgb_of(color: Color) -> [u8; 3] {
    [color.r, color.g, color.b]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_a_still_are_exact_or_near() {
        let gray = |i: u8| [i, i, i];
        let mut few = FewColors::of(&[gray(3), gray(200), gray(3), gray(4)]);
        for (i, index) in [(3, 1), (4, 2), (200, 3)] {
            assert_eq!(few.index(gray(i)), index, "the most frequent first");
        }
        let many: Vec<[u8; 3]> = (0..4096u32)
            .map(|i| [i % 16, i / 16 % 16, i / 256].map(|v| 17 * v as u8))
            .chain((0..5000).map(|_| [100, 101, 102]))
            .collect();
        let mut few = FewColors::of(&many);
        assert!(few.colors.len() <= MAX_COLORS);
        let index = few.index([100, 101, 102]);
        assert_eq!(few.colors[usize::from(index)], [100, 101, 102]);
        let off = many.iter().map(|color| {
            let index = few.index(*color);
            let found = few.colors[usize::from(index)];
            (0..3).map(|i| found[i].abs_diff(color[i])).max()
        });
        assert!(off.max().flatten() < Some(60));
    }

    #[test]
    fn films_have_the_colors_of_bodies_that_are_not_there_yet() {
        let paper = rgb_of(PALETTE.background);
        let mut few = FewColors::of_film(&[paper; 9]);
        for ink in [TINTS[0], PALETTE.asleep(TINTS[5]), PALETTE.background] {
            let index = few.index(rgb_of(ink));
            assert_eq!(few.colors[usize::from(index)], rgb_of(ink));
        }
    }
}
