//! The window opens, shows a world between its panels, and is written as a picture: on a display of its own without a screen.

use std::env;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::Command;

/// Size of the window [px].
const SIZE: (u32, u32) = (1280, 800);

/// A picture as rows of red, green and blue.
struct Picture {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width + x]
    }

    /// Number of pixels that differ from the other picture's.
    fn difference(&self, other: &Self) -> usize {
        let pairs = self.pixels.iter().zip(&other.pixels);
        pairs.filter(|(a, b)| a != b).count()
    }

    fn share_of(&self, wanted: [u8; 3]) -> f32 {
        let close = |p: &&[u8; 3]| p.iter().zip(wanted).all(|(&a, b)| a.abs_diff(b) <= 2);
        self.pixels.iter().filter(close).count() as f32 / self.pixels.len() as f32
    }

    fn colors(&self) -> usize {
        let mut colors = self.pixels.clone();
        colors.sort_unstable();
        colors.dedup();
        colors.len()
    }
}

/// Returns a picture of the window, opened with `words`.
fn window(name: &str, words: &[&str]) -> Picture {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .with_extension("png");
    let _ = std::fs::remove_file(&file);
    let size = format!("{}x{}", SIZE.0, SIZE.1);
    let output = Command::new("xvfb-run")
        .args(["--auto-servernum", "--server-args=-screen 0 1400x900x24"])
        .arg(env!("CARGO_BIN_EXE_testbed"))
        .args(words)
        .args(["--size", &size, "--screenshot"])
        .arg(&file)
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("xvfb-run, of the Debian packages xvfb and xauth, should be there");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    let opened = File::open(&file).unwrap_or_else(|error| panic!("{name}: {error}: {errors}"));
    let mut decoder = png::Decoder::new(BufReader::new(opened));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), SIZE, "{name}");
    Picture {
        width: info.width as usize,
        pixels: bytes.as_chunks().0.to_vec(),
    }
}

#[test]
fn the_window_shows_a_world_between_its_panels() {
    let plain = window("plain", &["stack", "--steps", "10"]);
    // The file has at most 255.
    assert!(plain.colors() > 100, "{} colors", plain.colors());
    let (paper, panel) = ([0x16, 0x1a, 0x20], [0x1d, 0x22, 0x2a]);
    assert!(plain.share_of(paper) > 0.3, "{}", plain.share_of(paper));
    assert!(plain.share_of(panel) > 0.15, "{}", plain.share_of(panel));
    let edges = [plain.at(3, 700), plain.at(1276, 700)];
    assert_eq!(edges, [panel; 2], "panels at both sides");

    // The tower is in the middle of the view: other colors than paper and grid. After 30 steps it would sleep, and be dim.
    // Rows of two boxes: every second one is orange, with little blue.
    let rows = (400..450).flat_map(|y| (300..900).map(move |x| (x, y)));
    let middle = rows.filter(|&(x, y)| plain.at(x, y)[2] > 0x60).count();
    assert!(middle > 100, "{middle} pixels of a body");

    let later = window("later", &["stack", "--steps", "11"]);
    let inside = window("inside", &["stack", "--steps", "10", "--layers", "all"]);
    assert!(inside.difference(&plain) > 2 * later.difference(&plain));

    let selected = window("selected", &["stack", "--steps", "10", "--select", "0,0.5"]);
    let right = |picture: &Picture| -> Vec<[u8; 3]> {
        let rows = picture.pixels.chunks(picture.width);
        rows.flat_map(|row| row[picture.width - 280..].to_vec())
            .collect()
    };
    let (with, without) = (right(&selected), right(&plain));
    let inspected = with.iter().zip(&without).filter(|(a, b)| a != b).count();
    assert!(inspected > 5_000, "{inspected} pixels of the inspector");

    let other = window("other", &["terrain", "--steps", "200"]);
    assert!(other.difference(&plain) > 20_000);
}

#[test]
fn a_recorded_scene_is_opened_at_a_step_with_a_bar_to_scrub() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stack.recording");
    let file = file.to_str().expect("a path that is text");
    let recorded = window("recorded", &["stack", "--steps", "30", "--record", file]);
    let bytes = std::fs::metadata(file).unwrap().len();
    assert!(bytes > 1000, "{bytes} bytes");

    let (early, late) = (
        window("early", &["--open", file, "--steps", "1"]),
        window("late", &["--open", file, "--steps", "30"]),
    );
    // The bar is below the view, for scenes and for recordings, and its handle moves.
    let below = |picture: &Picture| picture.at(640, SIZE.1 as usize - 3);
    let panel = [0x1d, 0x22, 0x2a];
    assert_eq!([&early, &late, &recorded].map(below), [panel; 3]);
    let bar = SIZE.0 as usize * (SIZE.1 as usize - 30);
    let rows = |picture: &Picture| picture.pixels[bar..].to_vec();
    let (before, after) = (rows(&early), rows(&late));
    let moved = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    assert!(moved > 100, "{moved} pixels of the bar");
    assert!(early.difference(&late) > 100);
}
