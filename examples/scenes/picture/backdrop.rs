//! The backdrop of a picture: grid, scale bar and caption.

use super::canvas::{Align, Canvas};
use super::color::{FAINT_TEXT, GRID, GRID_AXIS, TEXT};
use crate::view::Camera;
use cairn2d::prelude::{Point, point};

/// Fewest pixels between two lines of the grid.
const MIN_GRID_PIXELS: f32 = 45.0;

/// Least share of the picture's width taken by the scale bar.
const MIN_BAR_SHARE: f32 = 0.06;

/// Height of capitals as a share of the picture's height.
const TITLE_SHARE: f32 = 0.026;

/// Smallest capitals that can be read [px].
const MIN_TITLE: f32 = 8.0;

/// Size of small print against the title.
const SMALL_SHARE: f32 = 0.72;

/// Draws a light grid over the whole picture; the lines through the origin are a little darker.
pub(crate) fn draw_grid(canvas: &mut Canvas, camera: &Camera) {
    let step = round_length(f64::from(MIN_GRID_PIXELS / camera.scale()));
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    let low = camera.place(point(0.0, height));
    let high = camera.place(point(width, 0.0));
    for i in lines(low.x, high.x, step) {
        let x = camera.pixel([i as f64 * step, low.y].into()).x;
        let ink = if i == 0 { GRID_AXIS } else { GRID };
        canvas.line(point(x, 0.0), point(x, height), 1.0, ink);
    }
    for i in lines(low.y, high.y, step) {
        let y = camera.pixel([low.x, i as f64 * step].into()).y;
        let ink = if i == 0 { GRID_AXIS } else { GRID };
        canvas.line(point(0.0, y), point(width, y), 1.0, ink);
    }
}

/// Returns the multiples of `step` between `low` and `high`.
fn lines(low: f64, high: f64, step: f64) -> core::ops::RangeInclusive<i64> {
    (low / step).ceil() as i64..=(high / step).floor() as i64
}

/// Returns the least of 1, 2, 5, 10, 20, ... (and their tenths, ...) that is not less than `least`.
fn round_length(least: f64) -> f64 {
    let decade = libm::pow(10.0, libm::floor(libm::log10(least)));
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * decade >= least);
    factor.unwrap_or(10.0) * decade
}

/// Draws a bar of a round length at the bottom right.
pub(crate) fn draw_scale_bar(canvas: &mut Canvas, camera: &Camera) {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    let length = round_length(f64::from(MIN_BAR_SHARE * width / camera.scale()));
    let pixels = length as f32 * camera.scale();
    let size = small_print(canvas);
    let margin = 1.6 * size;
    let right = point(width - margin, height - margin);
    let left = point(right.x - pixels, right.y);
    let up = |p: Point| point(p.x, p.y - 0.5 * size);
    canvas.stroke(&[up(left), left, right, up(right)], false, 1.5, TEXT);
    let middle = point(0.5 * (left.x + right.x), right.y - 0.9 * size);
    canvas.text(&length_text(length), middle, size, Align::Middle, TEXT);
}

fn length_text(length: f64) -> String {
    match length {
        l if l >= 1000.0 => format!("{} km", l / 1000.0),
        l if l >= 1.0 => format!("{l} m"),
        l if l >= 0.01 => format!("{} cm", (l * 100.0).round()),
        l => format!("{} mm", (l * 1.0e5).round() / 100.0),
    }
}

/// Writes the title and a line of small print at the top left.
pub(crate) fn draw_caption(canvas: &mut Canvas, title: &str, small: &str) {
    let size = title_size(canvas);
    let margin = 1.3 * size;
    canvas.text(title, point(margin, margin + size), size, Align::Left, TEXT);
    let print = small_print(canvas);
    let below = point(margin, margin + size + 2.1 * print);
    canvas.text(small, below, print, Align::Left, FAINT_TEXT);
}

fn title_size(canvas: &Canvas) -> f32 {
    (TITLE_SHARE * canvas.height() as f32).max(MIN_TITLE)
}

/// Height of the capitals of small print [px].
pub(crate) fn small_print(canvas: &Canvas) -> f32 {
    (SMALL_SHARE * title_size(canvas)).max(SMALL_SHARE * MIN_TITLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_lengths_are_the_next_above() {
        for (least, round) in [
            (0.9, 1.0),
            (1.1, 2.0),
            (3.0, 5.0),
            (7.0, 10.0),
            (0.03, 0.05),
        ] {
            let got = round_length(least);
            assert!((got - round).abs() < 1.0e-12, "{least}: {got}");
        }
    }

    #[test]
    fn lengths_have_the_unit_that_fits() {
        assert_eq!(length_text(2000.0), "2 km");
        assert_eq!(length_text(0.5), "50 cm");
        assert_eq!(length_text(0.002), "2 mm");
    }
}
