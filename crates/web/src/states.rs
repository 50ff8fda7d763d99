//! Saves, recordings and characters.

use crate::definitions::query_filter;
use crate::error::{refused, set};
use crate::events::{object, place};
use crate::fields::{Fields, getters, put};
use crate::world::{WebWorld, body_id, number};
use cairn2d::{
    BaseSave, BodyId, CharacterController, CharacterMove, Footing, Player, Recording, RecordingDef,
    ShapeId, World, vec2,
};
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How a character walks, and the shapes that stop it. All lengths in meters, angles in radians. */
export interface CharacterOptions extends QueryFilter {
  /** Steepest slope that it climbs, and slope from which it slides down. */
  maxClimbAngle?: number;
  minSlideAngle?: number;
  /** Highest step that it climbs, and least depth of the tread. */
  maxStepHeight?: number;
  minStepWidth?: number;
  /** Gap that it keeps to walls. */
  skin?: number;
  /** Depth down to which it stays on the ground when the ground falls away. */
  snapDistance?: number;
  /** Whether moving ground carries it. */
  ride?: boolean;
  /** Unit vector away from the ground; (0, 1) by default. */
  up?: Vec;
  /** Mass with which it pushes the dynamic bodies that it runs into [kg]; it pushes none by default. */
  pushMass?: number;
}
/** A step of a character. */
export interface CharacterMove {
  /** The way that it went [m]. */
  x: number; y: number;
  /** Whether it stands on ground that it can walk on, and what it stands on. */
  grounded: boolean;
  footing: "air" | "slope" | "ground";
  ground?: { body: BodyId; shape: ShapeId; x: number; y: number; nx: number; ny: number; vx: number; vy: number };
  /** The shapes that it ran into. */
  hits: { body: BodyId; shape: ShapeId; x: number; y: number; nx: number; ny: number; approach: number }[];
}
"#;

#[wasm_bindgen]
extern "C" {
    /// See above.
    #[wasm_bindgen(typescript_type = "CharacterMove")]
    pub type JsCharacterMove;
    /// See above.
    #[wasm_bindgen(typescript_type = "CharacterOptions")]
    pub type JsCharacterOptions;
}

getters! {
    max_climb_angle "maxClimbAngle" f64; min_slide_angle "minSlideAngle" f64; max_step_height "maxStepHeight" f64;
    min_step_width "minStepWidth" f64; skin "skin" f64; snap_distance "snapDistance" f64; ride "ride" bool; push_mass "pushMass" f64;
}

fn character(from: &Fields) -> CharacterController<'static> {
    let mut character = CharacterController {
        filter: query_filter(Some(from)),
        ..CharacterController::default()
    };
    put(&mut character.max_climb_angle, from.max_climb_angle());
    put(&mut character.min_slide_angle, from.min_slide_angle());
    put(&mut character.max_step_height, from.max_step_height());
    put(&mut character.min_step_width, from.min_step_width());
    put(&mut character.skin, from.skin());
    put(&mut character.snap_distance, from.snap_distance());
    character.ride = from.ride().unwrap_or(character.ride);
    character.up = from.up().map_or(character.up, |up| up.to_vec2());
    character
}

fn report(moved: &CharacterMove) -> JsCharacterMove {
    let way = moved.translation;
    let report = object(&[("x", way.x.into()), ("y", way.y.into())]);
    set(&report, "grounded", moved.is_grounded().into());
    let footing = match moved.footing {
        Footing::Ground => "ground",
        Footing::Slope => "slope",
        _ => "air",
    };
    set(&report, "footing", footing.into());
    let ids = |body: BodyId, shape: ShapeId| {
        [
            ("body", number(body.to_bits())),
            ("shape", number(shape.to_bits())),
        ]
    };
    if let Some(ground) = &moved.ground {
        let velocity = [
            ("vx", ground.velocity.x.into()),
            ("vy", ground.velocity.y.into()),
        ];
        let place = place(ground.point, ground.normal);
        let fields = [&ids(ground.body, ground.shape)[..], &place, &velocity].concat();
        set(&report, "ground", object(&fields).into());
    }
    let hits: Array = moved
        .hits
        .iter()
        .map(|hit| {
            let approach = [("approach", hit.approach.into())];
            let place = place(hit.point, hit.normal);
            object(&[&ids(hit.body, hit.shape)[..], &place, &approach].concat())
        })
        .collect();
    set(&report, "hits", hits.into());
    report.unchecked_into()
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

    /// Saves the world as a base for deltas: a delta of a later state is much smaller than a save.
    #[wasm_bindgen(js_name = saveBase)]
    pub fn save_base(&mut self) -> WebBase {
        WebBase(self.world.save_base())
    }

    /// What changed since a base of this world, as bytes.
    #[wasm_bindgen(js_name = saveDelta)]
    pub fn save_delta(&self, base: &WebBase) -> Vec<u8> {
        self.world.save_delta(&base.0)
    }

    /// Loads a delta, and the bytes of its base. Throws if they are damaged or do not belong together.
    #[wasm_bindgen(js_name = loadDelta)]
    pub fn load_delta(base: &[u8], delta: &[u8]) -> Result<WebWorld, JsValue> {
        let world = World::load_delta(base, delta);
        world
            .map(Self::from)
            .map_err(|error| refused("delta:", &error.to_string()))
    }

    /// A copy of the world, which continues with the same bits and has the same hooks.
    #[wasm_bindgen(js_name = clone)]
    pub fn copy(&self) -> WebWorld {
        self.world.clone().into()
    }

    /// Makes this world equal to another one: with a clone from before, it goes back in time. Ids of that time are valid again.
    pub fn restore(&mut self, from: &WebWorld) {
        self.world.clone_from(&from.world);
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
        options: Option<JsCharacterOptions>,
    ) -> Result<JsCharacterMove, JsValue> {
        let fields = options
            .as_ref()
            .map(|options| options.unchecked_ref::<Fields>());
        let character = fields.map_or_else(CharacterController::default, character);
        let moved = character.try_move_body(&mut self.world, body_id(body), vec2(dx, dy), dt);
        let moved = moved.map_err(|error| refused("character:", &error.to_string()))?;
        if let Some(mass) = fields.and_then(Fields::push_mass) {
            character.push(&mut self.world, &moved, mass as f32, dt);
        }
        Ok(report(&moved))
    }
}

/// The save of a world to which deltas refer.
#[wasm_bindgen(js_name = Base)]
pub struct WebBase(BaseSave);

#[wasm_bindgen(js_class = Base)]
impl WebBase {
    /// The save as bytes.
    #[wasm_bindgen(getter)]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.bytes().to_vec()
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
