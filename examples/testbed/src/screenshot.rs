//! A picture of the window, and the end.

use eframe::egui::{ColorImage, Context, ViewportCommand};
use scenes::picture::write_rgb;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Frames to wait for: the first ones lay out panels and load fonts.
const SETTLING_FRAMES: u32 = 6;

/// A picture to be taken.
pub(crate) struct Screenshot {
    path: PathBuf,
    frames: u32,
    taken: Arc<Mutex<Option<Arc<ColorImage>>>>,
}

impl Screenshot {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            frames: 0,
            taken: Arc::default(),
        }
    }

    /// Counts a frame; requests the picture after the last step, writes it when it arrives, and closes the window.
    pub(crate) fn after_frame(&mut self, ctx: &Context) {
        self.frames += 1;
        ctx.request_repaint();
        if self.frames == SETTLING_FRAMES {
            let (taken, woken) = (Arc::clone(&self.taken), ctx.clone());
            ctx.request_screenshot(move |image| {
                if let Ok(mut place) = taken.lock() {
                    *place = Some(image);
                }
                woken.request_repaint();
            });
        }
        let image = self.taken.lock().ok().and_then(|mut place| place.take());
        if let Some(image) = image {
            if let Err(error) = write(&image, &self.path) {
                eprintln!("testbed: cannot write {}: {error}", self.path.display());
            }
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }
}

fn write(image: &ColorImage, path: &Path) -> io::Result<()> {
    let [width, height] = image.size.map(|side| side as u32);
    let rgb: Vec<u8> = image
        .pixels
        .iter()
        .flat_map(|p| [p.r(), p.g(), p.b()])
        .collect();
    let file = BufWriter::new(File::create(path)?);
    write_rgb(width, height, &rgb, file).map_err(io::Error::other)
}
