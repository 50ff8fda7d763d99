//! Letters of pictures: the outlines of a font as paths.

use cairn2d::prelude::Point;
use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, OutlineBuilder};

/// The font is part of the program, so that all machines draw the same letters.
static FACE: LazyLock<Face<'static>> = LazyLock::new(|| {
    Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).expect("the built-in font is valid")
});

/// Height of capitals as a share of the em square, where the font does not state it.
const USUAL_CAP_SHARE: f32 = 0.7;

/// Returns the pixels of a unit of the font at which capitals are `height` pixels high.
fn scale(height: f32) -> f32 {
    let stated = FACE.capital_height().map(f32::from);
    height / stated.unwrap_or_else(|| USUAL_CAP_SHARE * f32::from(FACE.units_per_em()))
}

/// Returns the width of a line of text with capitals of `height` pixels [px].
pub(crate) fn text_width(text: &str, height: f32) -> f32 {
    let advance = |letter| FACE.glyph_hor_advance(FACE.glyph_index(letter)?);
    let widths = text.chars().filter_map(advance).map(f32::from);
    widths.sum::<f32>() * scale(height)
}

/// Returns the outline of a line of text that starts at `start` on the baseline; `None` if it has no ink.
pub(crate) fn text_path(text: &str, start: Point, height: f32) -> Option<Path> {
    let mut pen = GlyphPen {
        builder: PathBuilder::new(),
        x: start.x,
        baseline: start.y,
        scale: scale(height),
    };
    for letter in text.chars() {
        let Some(glyph) = FACE.glyph_index(letter) else {
            continue;
        };
        let _ = FACE.outline_glyph(glyph, &mut pen);
        pen.x += f32::from(FACE.glyph_hor_advance(glyph).unwrap_or(0)) * pen.scale;
    }
    pen.builder.finish()
}

/// Takes the outline of a glyph, in units of the font and y up, to pixels.
struct GlyphPen {
    builder: PathBuilder,
    /// Left end of the glyph [px].
    x: f32,
    baseline: f32,
    scale: f32,
}

impl GlyphPen {
    fn pixel(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.baseline - y * self.scale)
    }
}

impl OutlineBuilder for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.pixel(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.pixel(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.pixel(x1, y1), self.pixel(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = (self.pixel(x1, y1), self.pixel(x2, y2));
        let (x, y) = self.pixel(x, y);
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::prelude::point;

    #[test]
    fn capitals_have_the_height_and_stand_on_the_baseline() {
        let bounds = text_path("H", point(5.0, 30.0), 20.0).unwrap().bounds();
        assert!((bounds.top() - 10.0).abs() < 0.1, "{bounds:?}");
        assert!((bounds.bottom() - 30.0).abs() < 0.1, "{bounds:?}");
    }

    #[test]
    fn text_is_as_wide_as_its_letters() {
        let (narrow, wide) = (text_width("ii", 20.0), text_width("mm", 20.0));
        assert!(wide > 2.0 * narrow, "{narrow} {wide}");
        let path = text_path("mm", point(0.0, 0.0), 20.0).unwrap();
        let over = wide - path.bounds().right();
        assert!((0.0..5.0).contains(&over), "{over}");
        assert_eq!(text_width("", 20.0), 0.0);
    }

    #[test]
    fn scenes_are_described_in_letters_that_the_font_has() {
        for scene in crate::registry::all() {
            let missing: Vec<char> = scene
                .title
                .chars()
                .filter(|&letter| FACE.glyph_index(letter).is_none())
                .collect();
            assert!(missing.is_empty(), "{}: {missing:?}", scene.name);
        }
    }
}
