//! Saves, recordings and characters.

use crate::definitions::{JsQueryFilter, query_filter};
use crate::error::{refused, set};
use crate::events::object;
use crate::fields::Fields;
use crate::world::{WebWorld, body_id};
use cairn2d::{CharacterController, Player, Recording, RecordingDef, World, vec2};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** A step of a character: the way that it went [m], and whether it stands on the ground. */
export interface CharacterMove { x: number; y: number; grounded: boolean }
";

#[wasm_bindgen]
extern "C" {
    /// See above.
    #[wasm_bindgen(typescript_type = "CharacterMove")]
    pub type JsCharacterMove;
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// The world as bytes, which load on any machine and continue with the same bits.
    pub fn save(&self) -> Vec<u8> {
        self.world.save()
    }

    /// Loads a save. Throws if it is damaged.
    pub fn load(save: &[u8]) -> Result<WebWorld, JsValue> {
        let world = World::load(save);
        world
            .map(Self::from)
            .map_err(|error| refused("save:", &error.to_string()))
    }

    /// Starts to record all calls that change the world.
    #[wasm_bindgen(js_name = startRecording)]
    pub fn start_recording(&mut self) {
        self.world.start_recording(RecordingDef::default());
    }

    /// Ends the recording and returns it.
    #[wasm_bindgen(js_name = stopRecording)]
    pub fn stop_recording(&mut self) -> Vec<u8> {
        self.world.stop_recording()
    }

    /// Moves a kinematic body by a vector [m] in the coming step of `dt` [s], along walls, up slopes and steps.
    /// Throws for invalid numbers and a stale or static body.
    #[wasm_bindgen(js_name = moveCharacter)]
    pub fn move_character(
        &mut self,
        body: f64,
        dx: f32,
        dy: f32,
        dt: f32,
        filter: Option<JsQueryFilter>,
    ) -> Result<JsCharacterMove, JsValue> {
        let fields = filter
            .as_ref()
            .map(|filter| filter.unchecked_ref::<Fields>());
        let character = CharacterController {
            filter: query_filter(fields),
            ..CharacterController::default()
        };
        let moved = character.try_move_body(&mut self.world, body_id(body), vec2(dx, dy), dt);
        let moved = moved.map_err(|error| refused("character:", &error.to_string()))?;
        let way = moved.translation;
        let report = object(&[("x", way.x.into()), ("y", way.y.into())]);
        set(&report, "grounded", moved.is_grounded().into());
        Ok(report.unchecked_into())
    }
}

/// Plays a recording.
#[wasm_bindgen(js_name = Player)]
pub struct WebPlayer(Player);

#[wasm_bindgen(js_class = Player)]
impl WebPlayer {
    /// Opens a recording. Throws if it cannot be read.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> Result<WebPlayer, JsValue> {
        let player = Recording::new(bytes).and_then(Player::new);
        player
            .map(Self)
            .map_err(|error| refused("recording:", &error.to_string()))
    }

    /// Number of steps of the recording.
    #[wasm_bindgen(getter, js_name = stepCount)]
    pub fn step_count(&self) -> f64 {
        self.0.recording().step_count() as f64
    }

    /// Number of the last step; 0 at the start.
    #[wasm_bindgen(getter)]
    pub fn step(&self) -> f64 {
        self.0.step() as f64
    }

    /// Goes to a step. Throws if the recording is damaged or its calls give another state.
    pub fn seek(&mut self, step: f64) -> Result<(), JsValue> {
        let sought = self.0.seek(step as u64);
        sought.map_err(|error| refused("recording:", &error.to_string()))
    }

    /// A copy of the world as it is after the last step.
    pub fn world(&self) -> WebWorld {
        self.0.world().clone().into()
    }
}
