//! A scene or a recording that runs.

use crate::grip::Grip;
use crate::pen::CommandPen;
use cairn2d::draw::{Draw, DrawOptions, Layer, Layers, Palette};
use cairn2d::{Aabb, Player, Point, Recording, RecordingDef, World, WorldPoint};
use scenes::registry;
use scenes::scene::{Stage, Steering};
use scenes::view::{Camera, Frame};
use wasm_bindgen::prelude::*;

/// The running scene or recording.
enum Source {
    Scene(Box<Stage>),
    Recording(Box<Player>),
}

/// A scene or a recording that runs, and its drawing.
#[wasm_bindgen]
pub struct Play {
    source: Source,
    frame: Frame,
    grip: Option<Grip>,
    commands: Vec<f32>,
    texts: Vec<String>,
}

impl Play {
    fn new(source: Source, frame: Frame) -> Self {
        Self {
            source,
            frame,
            grip: None,
            commands: Vec::new(),
            texts: Vec::new(),
        }
    }

    fn stage_mut(&mut self) -> Option<&mut Stage> {
        match &mut self.source {
            Source::Scene(stage) => Some(stage),
            Source::Recording(_) => None,
        }
    }

    fn world(&self) -> &World {
        match &self.source {
            Source::Scene(stage) => &stage.world,
            Source::Recording(player) => player.world(),
        }
    }
}

/// Returns the frame of everything that moves or stands in a world.
fn frame_of(world: &World) -> Frame {
    let boxes = world.bodies().filter_map(|body| body.aabb());
    let all = boxes.reduce(|all, next| all.union(&next));
    let all = all.unwrap_or(Aabb::new(Point::new(-10.0, -10.0), Point::new(10.0, 10.0)));
    Frame::new(all.min.x, all.min.y, all.max.x, all.max.y)
}

#[wasm_bindgen]
impl Play {
    /// Starts a scene with a value for each of its knobs. Throws if there is none of this name.
    pub fn scene(name: &str, values: &[f32]) -> Result<Play, JsError> {
        let scene = registry::find(name).map_err(|error| JsError::new(&error.to_string()))?;
        let stage = scene.build_with(values);
        Ok(Self::new(Source::Scene(Box::new(stage)), scene.frame))
    }

    /// Opens a recording. Throws if it cannot be read.
    pub fn recording(bytes: Vec<u8>) -> Result<Play, JsError> {
        let player = Recording::new(bytes).and_then(Player::new);
        let player = player.map_err(|error| JsError::new(&error.to_string()))?;
        let frame = frame_of(player.world());
        Ok(Self::new(Source::Recording(Box::new(player)), frame))
    }

    /// Lets a step pass; returns false at the end of a recording. Throws if a recording is damaged.
    pub fn step(&mut self) -> Result<bool, JsError> {
        match &mut self.source {
            Source::Scene(stage) => {
                stage.step();
                Ok(true)
            }
            Source::Recording(player) => player
                .advance()
                .map_err(|error| JsError::new(&error.to_string())),
        }
    }

    /// Goes to a step of a recording. Throws if the recording is damaged.
    pub fn seek(&mut self, step: u32) -> Result<(), JsError> {
        if let Source::Recording(player) = &mut self.source {
            let sought = player.seek(step.into());
            sought.map_err(|error| JsError::new(&error.to_string()))?;
        }
        Ok(())
    }

    /// Step of a recording, and the number of its steps; empty for a scene.
    pub fn place(&self) -> Vec<f64> {
        match &self.source {
            Source::Recording(player) => {
                let places = [player.step(), player.recording().step_count()];
                places.map(|step| step as f64).to_vec()
            }
            Source::Scene(_) => Vec::new(),
        }
    }

    /// Starts to record a scene from here on.
    #[wasm_bindgen(js_name = startRecording)]
    pub fn start_recording(&mut self) {
        if let Some(stage) = self.stage_mut() {
            stage.world.start_recording(RecordingDef::default());
        }
    }

    /// Ends the recording of a scene and returns it.
    #[wasm_bindgen(js_name = stopRecording)]
    pub fn stop_recording(&mut self) -> Vec<u8> {
        let stage = self.stage_mut();
        stage.map_or_else(Vec::new, |stage| stage.world.stop_recording())
    }

    /// Says what the arrow keys do; empty if there is nothing to steer.
    pub fn keys(&self) -> String {
        match &self.source {
            Source::Scene(stage) => stage.keys().to_owned(),
            Source::Recording(_) => String::new(),
        }
    }

    /// Passes the arrow keys to a scene, which goes by itself until the first call.
    pub fn steer(&mut self, right: f32, up: bool, down: bool) {
        if let Some(stage) = self.stage_mut() {
            stage.steer(Steering { right, up, down });
        }
    }

    /// Center of the body that a scene is about \[m\]; empty if there is none.
    pub fn focus(&self) -> Vec<f64> {
        let focus = match &self.source {
            Source::Scene(stage) => stage.focus(),
            Source::Recording(_) => None,
        };
        focus.map_or_else(Vec::new, |at| vec![at.x, at.y])
    }

    /// Hash of the world, as 16 hexadecimal digits.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.world().state_hash())
    }

    /// The part of the world to show first: center, half width and half height \[m\].
    pub fn frame(&self) -> Vec<f64> {
        let Frame {
            center,
            half_width,
            half_height,
        } = self.frame;
        vec![center.x, center.y, half_width.into(), half_height.into()]
    }

    /// Figures of the world: steps, bodies, awake bodies, contacts, joints.
    pub fn figures(&self) -> Vec<f64> {
        let (world, counters) = (self.world(), self.world().counters());
        let counts = [
            world.body_count(),
            counters.awake_bodies,
            counters.solved_contacts,
            world.joint_count(),
        ];
        let mut figures = vec![world.step_count() as f64];
        figures.extend(counts.map(|count| count as f64));
        figures
    }

    /// Draws the world with `x`, `y` \[m\] in the middle of `width` by `height` pixels, `scale` pixels to the meter, and a bit
    /// for each layer. Returns the commands; see `pen.rs`.
    #[expect(
        clippy::too_many_arguments,
        reason = "numbers pass the border one by one"
    )]
    pub fn draw(
        &mut self,
        x: f64,
        y: f64,
        scale: f32,
        width: f32,
        height: f32,
        layers: u32,
        dark: bool,
    ) -> Vec<f32> {
        self.commands.clear();
        self.texts.clear();
        let middle = Point::new(0.5 * width, 0.5 * height);
        let camera = Camera::new(WorldPoint::new(x, y), scale, middle);
        let shown = (0..)
            .zip(Layer::ALL.iter().copied())
            .filter(|(bit, _)| layers >> bit & 1 == 1);
        let options = DrawOptions {
            layers: shown.fold(Layers::NONE, |layers, (_, layer)| layers.with(layer)),
            view: Some(camera.seen(width as u32, height as u32)),
            palette: if dark {
                Palette::dark()
            } else {
                Palette::light()
            },
            ..Stage::draw_options()
        };
        let mut pen = CommandPen {
            camera,
            commands: &mut self.commands,
            texts: &mut self.texts,
        };
        match &self.source {
            Source::Scene(stage) => stage.draw(&mut pen, &options),
            Source::Recording(player) => player.world().draw(&mut pen, &options),
        }
        self.commands.clone()
    }

    /// Texts of the last drawing, a line each.
    pub fn texts(&self) -> String {
        self.texts.join("\n")
    }

    /// Takes hold of the dynamic body at a place \[m\]; returns false if there is none, and for recordings.
    pub fn grab(&mut self, x: f64, y: f64) -> bool {
        self.release();
        if let Source::Scene(stage) = &mut self.source {
            self.grip = Grip::take(&mut stage.world, WorldPoint::new(x, y));
        }
        self.grip.is_some()
    }

    /// Pulls the held body to a place \[m\].
    pub fn pull(&mut self, x: f64, y: f64) {
        if let (Source::Scene(stage), Some(grip)) = (&mut self.source, &self.grip) {
            grip.pull(&mut stage.world, WorldPoint::new(x, y));
        }
    }

    /// Lets the held body go.
    pub fn release(&mut self) {
        if let (Source::Scene(stage), Some(grip)) = (&mut self.source, self.grip.take()) {
            grip.release(&mut stage.world);
        }
    }
}
