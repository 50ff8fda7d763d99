//! A canvas as PNG.

use super::canvas::Canvas;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use std::io::Write;

/// Writes `canvas` as a PNG without transparency, as small as the encoder can make it.
///
/// # Errors
/// If `sink` cannot be written.
pub fn write_png(canvas: &Canvas, sink: impl Write) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(sink, canvas.width(), canvas.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.rgb())?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_picture_reads_back() {
        let canvas = Canvas::new(17, 5);
        let mut bytes = Vec::new();
        write_png(&canvas, &mut bytes).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (17, 5));
        assert_eq!(pixels, canvas.rgb());
    }
}
