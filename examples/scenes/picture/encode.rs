//! A picture as PNG.

use super::canvas::Canvas;
use super::palette::FewColors;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use std::io::Write;

/// Writes `canvas` as a PNG of at most 255 colors, as small as the encoder can make it.
///
/// # Errors
/// If `sink` cannot be written.
pub fn write_png(canvas: &Canvas, sink: impl Write) -> Result<(), EncodingError> {
    write_rgb(canvas.width(), canvas.height(), &canvas.rgb(), sink)
}

/// Writes a picture as [`write_png`] does: `rgb` has red, green and blue of all pixels, row by row from the top left.
///
/// # Errors
/// If `sink` cannot be written, or `rgb` does not have `3 * width * height` values.
pub fn write_rgb(
    width: u32,
    height: u32,
    rgb: &[u8],
    sink: impl Write,
) -> Result<(), EncodingError> {
    let pixels = rgb.as_chunks::<3>().0;
    let mut colors = FewColors::of(pixels);
    let indices: Vec<u8> = pixels.iter().map(|&pixel| colors.index(pixel)).collect();
    let mut encoder = Encoder::new(sink, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_palette(colors.bytes());
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    // Neighboring indices are not neighboring colors.
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&indices)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::draw::Color;
    use cairn2d::prelude::point;
    use png::Transformations;

    #[test]
    fn written_picture_reads_back() {
        let mut canvas = Canvas::new(17, 5);
        canvas.dot(point(6.0, 2.0), 2.0, Color::rgb(200, 30, 90));
        let mut bytes = Vec::new();
        write_png(&canvas, &mut bytes).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (17, 5));
        assert_eq!(pixels, canvas.rgb(), "few colors are kept exactly");
    }
}
