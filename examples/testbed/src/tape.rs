//! Recordings: one that is written while a scene runs, and one that is played.

use crate::theme::{FAINT, TEXT};
use cairn2d::prelude::{BodyKind, World};
use cairn2d::{Player, Recording, RecordingDef, ReplayError};
use eframe::egui::{Button, RichText, Slider, Ui};
use scenes::view::Frame;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Width of the scrub bar that buttons and words leave free [points].
const BUTTONS_WIDTH: f32 = 420.0;

/// Least half width of the view of a recording [m].
const MIN_VIEW: f64 = 5.0;

/// A recording that is written to a file step by step.
pub(crate) struct TapeWriter {
    file: File,
    path: PathBuf,
}

impl TapeWriter {
    /// Starts to record a world.
    pub(crate) fn start(world: &mut World, path: PathBuf) -> Result<Self, String> {
        let file = File::create(&path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        world.start_recording(RecordingDef::default());
        Ok(Self { file, path })
    }

    /// Writes what was recorded since the last call.
    pub(crate) fn write(&mut self, world: &mut World) -> Result<(), String> {
        self.put(&world.take_recording())
    }

    /// Writes the rest.
    pub(crate) fn finish(mut self, world: &mut World) -> Result<(), String> {
        self.put(&world.stop_recording())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), String> {
        let written = self.file.write_all(bytes);
        written.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// A recording that is played.
pub(crate) struct Tape {
    player: Player,
    pub(crate) title: String,
    pub(crate) frame: Frame,
    /// The first defect or difference that was found.
    pub(crate) trouble: Option<String>,
}

impl Tape {
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let of_file = |error: &dyn core::fmt::Display| format!("{}: {error}", path.display());
        let bytes = std::fs::read(path).map_err(|error| of_file(&error))?;
        let recording = Recording::new(bytes).map_err(|error| of_file(&error))?;
        let lost = recording.info().lost_bytes;
        let player = Player::new(recording).map_err(|error| of_file(&error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            title: format!("Recording {name}"),
            frame: frame_of(player.world()),
            trouble: (lost > 0).then(|| format!("the last {lost} bytes are incomplete")),
            player,
        })
    }

    pub(crate) const fn world(&self) -> &World {
        self.player.world()
    }

    pub(crate) const fn step(&self) -> u64 {
        self.player.step()
    }

    pub(crate) fn len(&self) -> u64 {
        self.player.recording().step_count()
    }

    /// Plays a step. Returns `false` at the end.
    pub(crate) fn advance(&mut self) -> bool {
        match self.player.advance() {
            Ok(goes_on) => goes_on,
            Err(error) => self.report(error),
        }
    }

    /// Goes to a step.
    pub(crate) fn seek(&mut self, step: u64) {
        if let Err(error) = self.player.seek(step) {
            self.report(error);
        }
    }

    /// Returns `true` if the player can go on.
    fn report(&mut self, error: ReplayError) -> bool {
        let goes_on = matches!(error, ReplayError::Mismatch { .. });
        self.trouble.get_or_insert_with(|| error.to_string());
        goes_on
    }

    /// Shows the buttons and the scrub bar; returns the step that the user chose.
    pub(crate) fn show(&self, ui: &mut Ui) -> Option<u64> {
        let (now, last) = (self.step(), self.len());
        let mut step = now;
        ui.horizontal(|ui| {
            let targets = [
                ("Start", "First state (Home)", 0),
                ("Back", "One step back (, or Left)", now.saturating_sub(1)),
                ("Forward", "One step (. or Right)", now + 1),
                ("End", "Last step (End)", last),
            ];
            for (word, hint, target) in targets {
                let button = ui.add_enabled(target.min(last) != now, Button::new(word));
                if button.on_hover_text(hint).clicked() {
                    step = target.min(last);
                }
            }
            ui.spacing_mut().slider_width = (ui.available_width() - BUTTONS_WIDTH).max(100.0);
            ui.add(Slider::new(&mut step, 0..=last).show_value(false));
            ui.label(RichText::new(format!("step {now} of {last}")).color(TEXT));
            let state = self.trouble.as_deref().unwrap_or("every step repeats");
            ui.label(RichText::new(state).small().color(FAINT));
        });
        (step != now).then_some(step)
    }
}

/// Returns a frame that shows the dynamic bodies, and some space around them.
fn frame_of(world: &World) -> Frame {
    let moving = world
        .bodies()
        .filter(|body| body.kind() == BodyKind::Dynamic);
    let places: Vec<_> = moving.map(|body| body.center_exact()).collect();
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for at in &places {
        low = [low[0].min(at.x), low[1].min(at.y)];
        high = [high[0].max(at.x), high[1].max(at.y)];
    }
    if places.is_empty() {
        (low, high) = ([0.0; 2], [0.0; 2]);
    }
    let center = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]));
    let half = [0, 1].map(|axis| (0.75 * (high[axis] - low[axis])).max(MIN_VIEW) as f32);
    Frame::new(-half[0], -half[1], half[0], half[1]).shifted(center[0], center[1])
}
