//! Writing files, with their folders.

use crate::error::ShowError;
use scenes::picture::{Canvas, write_png};
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

/// Opens a file for writing, and makes the folder that it is in.
pub(crate) fn create(path: &Path) -> Result<BufWriter<File>, ShowError> {
    let refused = |source| ShowError::Write {
        path: path.to_owned(),
        source,
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refused)?;
    }
    File::create(path).map(BufWriter::new).map_err(refused)
}

/// Writes a picture as PNG.
pub(crate) fn save_png(canvas: &Canvas, path: &Path) -> Result<(), ShowError> {
    write_png(canvas, create(path)?).map_err(encoding(path))
}

/// Names the file in an encoder's error.
pub(crate) fn encoding(path: &Path) -> impl Fn(png::EncodingError) -> ShowError {
    move |source| ShowError::Encode {
        path: path.to_owned(),
        source,
    }
}
