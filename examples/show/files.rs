//! Writing files, with their folders.

use crate::error::ShowError;
use scenes::picture::{Canvas, looks_same, write_png};
use std::fs;
use std::path::Path;

/// Writes a file, and makes the folder that it is in.
pub(crate) fn save(bytes: &[u8], path: &Path) -> Result<(), ShowError> {
    let refused = |source| ShowError::Write {
        path: path.to_owned(),
        source,
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refused)?;
    }
    fs::write(path, bytes).map_err(refused)
}

/// Writes a picture or a film in PNG, unless the file that is there looks the same: the history of the repository keeps every version.
pub(crate) fn save_picture(bytes: &[u8], path: &Path) -> Result<(), ShowError> {
    match fs::read(path) {
        Ok(old) if looks_same(&old, bytes) => Ok(()),
        _ => save(bytes, path),
    }
}

/// Writes a canvas as [`save_picture`] does.
pub(crate) fn save_canvas(canvas: &Canvas, path: &Path) -> Result<(), ShowError> {
    let mut bytes = Vec::new();
    write_png(canvas, &mut bytes).map_err(encoding(path))?;
    save_picture(&bytes, path)
}

/// Names the file in an encoder's error.
pub(crate) fn encoding(path: &Path) -> impl Fn(png::EncodingError) -> ShowError {
    move |source| ShowError::Encode {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenes::picture::{Caption, Detail, Picture, draw};
    use scenes::registry;
    use scenes::scene::Stage;

    /// Draws a scene, its world moved by `shift` pixels.
    fn canvas(stage: &Stage, shift: f32) -> Canvas {
        let mut frame = registry::find("stack").unwrap().frame;
        frame = frame.shifted(f64::from(2.0 * frame.half_width * shift / 320.0), 0.0);
        let picture = Picture {
            title: "A stack",
            frame,
            width: 320,
            height: 180,
            detail: Detail::Plain,
            caption: Caption::State,
        };
        draw(stage, &picture)
    }

    #[test]
    fn files_are_kept_unless_they_visibly_change() {
        let mut stage = registry::find("stack").unwrap().run(3);
        let path = std::env::temp_dir().join(format!("cairn2d-show-{}.png", std::process::id()));
        let _ = fs::remove_file(&path);
        let written = |canvas: &Canvas| {
            save_canvas(canvas, &path).unwrap();
            fs::read(&path).unwrap()
        };
        let first = written(&canvas(&stage, 0.0));
        let shifted = canvas(&stage, 0.05);
        assert_ne!(shifted.rgb(), canvas(&stage, 0.0).rgb());
        assert_eq!(written(&shifted), first, "too little to be seen");
        let moved = written(&canvas(&stage, 3.0));
        assert_ne!(moved, first);
        stage.step();
        let later = written(&canvas(&stage, 3.0));
        assert_ne!(later, moved, "the caption counts steps");
        fs::write(&path, b"no picture").unwrap();
        assert_eq!(written(&canvas(&stage, 3.0)), later);
        fs::remove_file(&path).unwrap();
    }
}
