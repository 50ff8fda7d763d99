//! Recordings: one that is written while a scene runs, and one that is played.

use crate::past::scrub_bar;
use crate::theme::FAINT;
use cairn2d::prelude::{BodyKind, World};
use cairn2d::{Player, Recording, RecordingDef, ReplayError};
use eframe::egui::{RichText, Ui};
use scenes::view::Frame;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

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

    /// Writes the calls recorded since the last write.
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
        let defect = recording.defect();
        let mut player = Player::new(recording).map_err(|error| of_file(&error))?;
        let frame = frame_of(&mut player).map_err(|error| of_file(&error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            title: format!("Recording {name}"),
            frame,
            trouble: defect.map(|defect| defect.to_string()),
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

    /// Shows the scrub bar and the state of the recording; returns the step that the user chose.
    pub(crate) fn show(&self, ui: &mut Ui) -> Option<u64> {
        let chosen = scrub_bar(ui, self.step(), self.len());
        let state = self.trouble.as_deref().unwrap_or("as recorded");
        ui.label(RichText::new(state).small().color(FAINT));
        chosen
    }
}

/// Returns a frame that shows the dynamic bodies at the end and at the start, where the player is left.
fn frame_of(player: &mut Player) -> Result<Frame, ReplayError> {
    let mut places = Vec::new();
    for step in [u64::MAX, 0] {
        match player.seek(step) {
            Err(error) if !matches!(error, ReplayError::Mismatch { .. }) => return Err(error),
            _ => {}
        }
        let bodies = player.world().bodies();
        let moving = bodies.filter(|body| body.kind() == BodyKind::Dynamic);
        places.extend(moving.map(|body| body.center_exact()));
    }
    let [x, y] = [
        range(places.iter().map(|at| at.x)),
        range(places.iter().map(|at| at.y)),
    ];
    let half = [x, y].map(|(low, high)| (0.6 * (high - low)).max(MIN_VIEW) as f32);
    let frame = Frame::new(-half[0], -half[1], half[0], half[1]);
    Ok(frame.shifted(0.5 * (x.0 + x.1), 0.5 * (y.0 + y.1)))
}

/// Returns the least and the greatest of some numbers; zeros if there are none.
fn range(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    });
    if low <= high { (low, high) } else { (0.0, 0.0) }
}
