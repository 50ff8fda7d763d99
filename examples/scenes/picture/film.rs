//! A run as an animated PNG of few colors: each frame holds only changes since the one before.

use super::canvas::Canvas;
use super::palette::{CLEAR, FewColors};
use png::{
    BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder, EncodingError, Filter, Writer,
};
use std::io::Write;

/// Animated PNG in the making.
pub struct Film<W: Write> {
    writer: Writer<W>,
    width: u32,
    colors: FewColors,
    /// Color of each pixel of the last frame.
    last: Vec<u8>,
}

/// Part of a frame that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Patch {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl<W: Write> Film<W> {
    /// Starts a film of `frames` frames like `first`, `per_second` of them in a second, that repeats for
    /// ever.
    ///
    /// # Errors
    /// If `sink` cannot be written.
    pub fn new(
        sink: W,
        first: &Canvas,
        frames: u32,
        per_second: u16,
    ) -> Result<Self, EncodingError> {
        let mut encoder = Encoder::new(sink, first.width(), first.height());
        let mut colors = FewColors::of_film(first.rgb().as_chunks().0);
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(colors.bytes());
        encoder.set_trns([0].as_slice());
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        // Neighboring indices are not neighboring colors.
        encoder.set_filter(Filter::NoFilter);
        encoder.set_animated(frames, 0)?;
        encoder.set_frame_delay(1, per_second)?;
        encoder.set_blend_op(BlendOp::Over)?;
        encoder.set_dispose_op(DisposeOp::None)?;
        let mut film = Self {
            writer: encoder.write_header()?,
            width: first.width(),
            last: indices(&mut colors, first),
            colors,
        };
        film.writer.write_image_data(&film.last)?;
        Ok(film)
    }

    /// Adds a frame of the same size as the first.
    ///
    /// # Errors
    /// If the file cannot be written, or there are more frames than announced.
    pub fn add(&mut self, canvas: &Canvas) -> Result<(), EncodingError> {
        let pixels = indices(&mut self.colors, canvas);
        let patch = changed(&self.last, &pixels, self.width);
        // The size is checked at the place of the last patch.
        self.writer.set_frame_position(0, 0)?;
        self.writer.set_frame_dimension(patch.width, patch.height)?;
        self.writer.set_frame_position(patch.x, patch.y)?;
        self.writer
            .write_image_data(&difference(&self.last, &pixels, self.width, patch))?;
        self.last = pixels;
        Ok(())
    }

    /// Ends the film.
    ///
    /// # Errors
    /// If the file cannot be written, or frames are missing.
    pub fn finish(self) -> Result<(), EncodingError> {
        self.writer.finish()
    }
}

fn indices(colors: &mut FewColors, canvas: &Canvas) -> Vec<u8> {
    let rgb = canvas.rgb();
    let pixels = rgb.as_chunks::<3>().0.iter();
    pixels.map(|&pixel| colors.index(pixel)).collect()
}

/// Returns the smallest rectangle around all pixels that differ; one pixel if none does.
fn changed(before: &[u8], after: &[u8], width: u32) -> Patch {
    let pixels = before.iter().zip(after);
    let differing = pixels
        .enumerate()
        .filter(|(_, (a, b))| a != b)
        .map(|(i, _)| i as u32);
    let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
    for i in differing {
        let at = [i % width, i / width];
        for axis in 0..2 {
            low[axis] = low[axis].min(at[axis]);
            high[axis] = high[axis].max(at[axis] + 1);
        }
    }
    if high == [0; 2] {
        (low, high) = ([0; 2], [1; 2]);
    }
    Patch {
        x: low[0],
        y: low[1],
        width: high[0] - low[0],
        height: high[1] - low[1],
    }
}

/// Returns the pixels of `patch`, unchanged ones clear.
fn difference(before: &[u8], after: &[u8], width: u32, patch: Patch) -> Vec<u8> {
    let mut pixels = Vec::with_capacity((patch.width * patch.height) as usize);
    for y in patch.y..patch.y + patch.height {
        for x in patch.x..patch.x + patch.width {
            let i = (y * width + x) as usize;
            pixels.push(if before[i] == after[i] {
                CLEAR
            } else {
                after[i]
            });
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::draw::Color;
    use cairn2d::prelude::point;

    /// Cause: the size of a patch was checked at the place of the last one, and the film was refused.
    #[test]
    fn large_change_may_follow_a_small_one_in_the_corner() {
        let mut bytes = Vec::new();
        let mut canvas = Canvas::new(20, 10);
        let mut film = Film::new(&mut bytes, &canvas, 3, 30).unwrap();
        canvas.dot(point(18.0, 8.0), 1.0, Color::rgb(0, 0, 0));
        film.add(&canvas).unwrap();
        canvas.dot(point(5.0, 5.0), 4.0, Color::rgb(0, 0, 0));
        film.add(&canvas).unwrap();
        film.finish().unwrap();
    }

    #[test]
    fn film_reads_back_with_all_frames() {
        let mut bytes = Vec::new();
        let mut canvas = Canvas::new(20, 10);
        let mut film = Film::new(&mut bytes, &canvas, 3, 30).unwrap();
        canvas.dot(point(5.0, 5.0), 2.0, Color::rgb(0, 0, 0));
        film.add(&canvas).unwrap();
        film.add(&canvas).unwrap();
        film.finish().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        for _ in 0..3 {
            reader.next_frame(&mut pixels).unwrap();
        }
        assert_eq!(
            reader.info().frame_control().unwrap().width,
            1,
            "nothing changed"
        );
    }

    #[test]
    fn patch_covers_exactly_what_changed() {
        let before = vec![0; 40];
        let mut after = before.clone();
        after[12] = 1;
        after[25] = 1;
        let patch = changed(&before, &after, 10);
        assert_eq!([patch.x, patch.y, patch.width, patch.height], [2, 1, 4, 2]);
    }
}
