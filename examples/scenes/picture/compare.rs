//! Whether two pictures look the same: a file is written anew only for a change that can be seen.

use png::{Decoder, DecodingError, FrameControl, Reader, Transformations};
use std::io::Cursor;

/// Largest difference of a channel that is not seen: the blend of an edge that moved by a fraction of a pixel, or the rounding to
/// a palette.
const MAX_FAINT: u8 = 48;

/// Most pixels of a frame that may differ by more: fewer than a digit that changed.
const MAX_PIXELS: usize = 12;

/// Returns whether two files in PNG, still or animated, look the same in all frames. A file that cannot be read looks like no other.
#[must_use]
pub fn looks_same(a: &[u8], b: &[u8]) -> bool {
    let (Ok(mut a), Ok(mut b)) = (Frames::new(a), Frames::new(b)) else {
        return false;
    };
    if (a.width, a.height, a.count) != (b.width, b.height, b.count) {
        return false;
    }
    (0..a.count).all(|_| {
        let (a, b) = (a.next(), b.next());
        matches!((a, b), (Ok(a), Ok(b)) if a.delay == b.delay && is_near(a.rgb, b.rgb))
    })
}

fn is_near(a: &[u8], b: &[u8]) -> bool {
    let pixels = |rgb| <[u8]>::as_chunks::<3>(rgb).0.iter();
    let differs = |(a, b): &(&[u8; 3], &[u8; 3])| {
        let mut channels = a.iter().zip(*b);
        channels.any(|(a, b)| a.abs_diff(*b) > MAX_FAINT)
    };
    pixels(a).zip(pixels(b)).filter(differs).count() <= MAX_PIXELS
}

/// One frame as it is seen.
struct Frame<'a> {
    rgb: &'a [u8],
    /// Numerator and denominator of the time until the next frame [s].
    delay: [u16; 2],
}

/// The frames of a file, one after the other.
struct Frames<'a> {
    reader: Reader<Cursor<&'a [u8]>>,
    width: u32,
    height: u32,
    count: u32,
    /// Red, green and blue of the visible picture.
    seen: Vec<u8>,
    /// The part of the frame that the file holds.
    part: Vec<u8>,
}

impl<'a> Frames<'a> {
    fn new(file: &'a [u8]) -> Result<Self, DecodingError> {
        let mut decoder = Decoder::new(Cursor::new(file));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let reader = decoder.read_info()?;
        let (width, height) = reader.info().size();
        Ok(Self {
            width,
            height,
            count: reader
                .info()
                .animation_control()
                .map_or(1, |a| a.num_frames),
            seen: vec![0; 3 * width as usize * height as usize],
            part: vec![0; 4 * width as usize * height as usize],
            reader,
        })
    }

    /// Lays the next frame over the visible picture: opaque pixels cover it, clear ones do not.
    fn next(&mut self) -> Result<Frame<'_>, DecodingError> {
        let output = self.reader.next_frame(&mut self.part)?;
        let whole = FrameControl {
            width: self.width,
            height: self.height,
            ..FrameControl::default()
        };
        let control = self.reader.info().frame_control().copied().unwrap_or(whole);
        let samples = output.color_type.samples();
        let rows = self
            .part
            .chunks(output.line_size)
            .take(output.height as usize);
        for (y, row) in rows.enumerate() {
            for (x, pixel) in row.chunks_exact(samples).enumerate() {
                let is_clear = matches!(pixel, [_, _, _, 0]);
                let column = control.x_offset as usize + x;
                let line = control.y_offset as usize + y;
                let at = 3 * (line * self.width as usize + column);
                if !is_clear && let [red, green, blue, ..] = *pixel {
                    self.seen[at..at + 3].copy_from_slice(&[red, green, blue]);
                }
            }
        }
        Ok(Frame {
            rgb: &self.seen,
            delay: [control.delay_num, control.delay_den],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Canvas, Film, write_png};
    use cairn2d::draw::Color;
    use cairn2d::prelude::point;

    /// Returns a disc, `shift` pixels right of the middle, as PNG.
    fn disc(shift: f32) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_png(&drawn(shift), &mut bytes).unwrap();
        bytes
    }

    fn drawn(shift: f32) -> Canvas {
        let mut canvas = Canvas::new(80, 60);
        canvas.dot(point(40.0 + shift, 30.0), 15.0, Color::rgb(30, 60, 200));
        canvas
    }

    fn film(shifts: &[f32], per_second: u16) -> Vec<u8> {
        let mut bytes = Vec::new();
        let frames = shifts.len() as u32;
        let mut film = Film::new(&mut bytes, &drawn(shifts[0]), frames, per_second).unwrap();
        for &shift in &shifts[1..] {
            film.add(&drawn(shift)).unwrap();
        }
        film.finish().unwrap();
        bytes
    }

    #[test]
    fn shifts_of_a_tenth_of_a_pixel_are_not_seen_and_of_a_pixel_are() {
        assert!(looks_same(&disc(0.0), &disc(0.1)));
        assert_ne!(disc(0.0), disc(0.1));
        assert!(!looks_same(&disc(0.0), &disc(1.0)));
    }

    #[test]
    fn a_film_differs_by_its_last_frame_its_length_and_its_speed() {
        let usual = film(&[0.0, 5.0, 10.0], 20);
        assert!(looks_same(&usual, &film(&[0.1, 5.1, 10.1], 20)));
        assert!(!looks_same(&usual, &film(&[0.0, 5.0, 12.0], 20)));
        assert!(!looks_same(&usual, &film(&[0.0, 5.0, 10.0, 10.0], 20)));
        assert!(!looks_same(&usual, &film(&[0.0, 5.0, 10.0], 30)));
    }

    #[test]
    fn other_files_look_like_no_picture() {
        assert!(!looks_same(b"text", &disc(0.0)));
        let half = &disc(0.0)[..60];
        assert!(!looks_same(half, half));
    }
}
