//! The world: steps, creation and removal.

use crate::definitions::{
    JsBodyDef, JsShape, JsShapeDef, JsWorldDef, body_def, shape, shape_def, world_def,
};
use crate::error::{Thrown, thrown};
use crate::fields::{Fields, points_of};
use crate::joints::{JsJointDef, joint_def};
use cairn2d::{BodyId, Chain, ChainKind, JointId, ShapeDef, ShapeId, World, WorldDef};
use wasm_bindgen::prelude::*;

/// A world of bodies, shapes and joints.
#[wasm_bindgen(js_name = World)]
pub struct WebWorld {
    pub(crate) world: World,
    /// Poses as they are handed out: kept, so that a read allocates nothing.
    pub(crate) poses: Vec<f64>,
}

/// Returns the value, or throws the error.
pub(crate) fn or_throw<T, E: Thrown>(result: Result<T, E>) -> Result<T, JsValue> {
    result.map_err(|error| thrown(&error))
}

/// Returns an id as a number.
pub(crate) fn number(bits: u64) -> f64 {
    bits as f64
}

/// Returns the bits of an id from its number. Numbers that are no id, even NaN, give bits that no world has: a plain conversion would
/// make 0 of them, which is the first body.
fn bits(number: f64) -> u64 {
    if number >= 0.0 {
        number as u64
    } else {
        u64::MAX
    }
}

/// Returns the body of a number.
pub(crate) fn body_id(number: f64) -> BodyId {
    BodyId::from_bits(bits(number))
}

/// Returns the shape of a number.
pub(crate) fn shape_id(number: f64) -> ShapeId {
    ShapeId::from_bits(bits(number))
}

/// Returns the joint of a number.
pub(crate) fn joint_id(number: f64) -> JointId {
    JointId::from_bits(bits(number))
}

pub(crate) fn shape_def_or_default(def: &Option<JsShapeDef>) -> ShapeDef {
    let fields = def.as_ref().map(|def| def.unchecked_ref::<Fields>());
    fields.map_or_else(ShapeDef::default, shape_def)
}

impl From<World> for WebWorld {
    fn from(world: World) -> Self {
        let poses = Vec::new();
        Self { world, poses }
    }
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Creates an empty world. Throws for invalid numbers.
    #[wasm_bindgen(constructor)]
    pub fn new(def: Option<JsWorldDef>) -> Result<WebWorld, JsValue> {
        let fields = def.as_ref().map(|def| def.unchecked_ref::<Fields>());
        let def = fields.map_or_else(WorldDef::default, world_def);
        or_throw(World::try_new(def)).map(Self::from)
    }

    /// Lets time pass [s]. Steps of one length, usually 1/60, give repeatable results.
    pub fn step(&mut self, dt: f32) -> Result<(), JsValue> {
        or_throw(self.world.try_step(dt))?;
        #[cfg(feature = "full")]
        crate::functions::rethrow()?;
        Ok(())
    }

    /// Number of steps so far.
    #[wasm_bindgen(getter, js_name = stepCount)]
    pub fn step_count(&self) -> f64 {
        self.world.step_count() as f64
    }

    /// Number of bodies.
    #[wasm_bindgen(getter, js_name = bodyCount)]
    pub fn body_count(&self) -> usize {
        self.world.body_count()
    }

    /// Hash of the state that later steps read, as 16 hexadecimal digits: equal on all machines.
    #[wasm_bindgen(js_name = stateHash)]
    pub fn state_hash(&self) -> String {
        let hash = self.world.state_hash();
        let digit = |place: u32| char::from_digit((hash >> (4 * place)) as u32 & 15, 16);
        (0..16).rev().filter_map(digit).collect()
    }

    /// Number of joints.
    #[wasm_bindgen(getter, js_name = jointCount)]
    pub fn joint_count(&self) -> usize {
        self.world.joint_count()
    }

    /// Sets the acceleration of everything that falls [m/s^2].
    #[wasm_bindgen(js_name = setGravity)]
    pub fn set_gravity(&mut self, x: f32, y: f32) -> Result<(), JsValue> {
        or_throw(self.world.try_set_gravity(cairn2d::vec2(x, y)))
    }

    /// Creates a body and returns its id. Throws for invalid numbers.
    #[wasm_bindgen(js_name = createBody)]
    pub fn create_body(&mut self, def: JsBodyDef) -> Result<f64, JsValue> {
        let def = body_def(def.unchecked_ref())?;
        or_throw(self.world.try_create_body(def)).map(|id| number(id.to_bits()))
    }

    /// Removes a body with its shapes and joints; returns false if the id is stale.
    #[wasm_bindgen(js_name = destroyBody)]
    pub fn destroy_body(&mut self, body: f64) -> bool {
        self.world.destroy_body(body_id(body))
    }

    /// Puts a shape on a body and returns its id. Throws for invalid numbers and a stale body.
    #[wasm_bindgen(js_name = createShape)]
    pub fn create_shape(
        &mut self,
        body: f64,
        geometry: JsShape,
        def: Option<JsShapeDef>,
    ) -> Result<f64, JsValue> {
        let geometry = shape(geometry.unchecked_ref())?;
        let def = shape_def_or_default(&def);
        let made = self.world.try_create_shape(body_id(body), geometry, def);
        or_throw(made).map(|id| number(id.to_bits()))
    }

    /// Puts a one-sided chain of segments through points on a body; its left side is solid.
    /// Returns the ids of its shapes.
    #[wasm_bindgen(js_name = createChain)]
    pub fn create_chain(
        &mut self,
        body: f64,
        #[wasm_bindgen(unchecked_param_type = "Points")] points: &[f32],
        closed: Option<bool>,
        def: Option<JsShapeDef>,
    ) -> Result<Vec<f64>, JsValue> {
        let kind = if closed == Some(true) {
            ChainKind::Loop
        } else {
            ChainKind::Open
        };
        let chain = or_throw(Chain::try_new(&points_of(points), kind))?;
        let def = shape_def_or_default(&def);
        let made = or_throw(self.world.try_create_chain(body_id(body), &chain, def))?;
        Ok(made.iter().map(|id| number(id.to_bits())).collect())
    }

    /// Removes a shape; returns false if the id is stale.
    #[wasm_bindgen(js_name = destroyShape)]
    pub fn destroy_shape(&mut self, shape: f64) -> bool {
        self.world.destroy_shape(shape_id(shape))
    }

    /// Creates a joint and returns its id. Throws for invalid numbers and stale bodies.
    #[wasm_bindgen(js_name = createJoint)]
    pub fn create_joint(&mut self, def: JsJointDef) -> Result<f64, JsValue> {
        let def = joint_def(&self.world, def.unchecked_ref())?;
        or_throw(self.world.try_create_joint(def)).map(|id| number(id.to_bits()))
    }

    /// Removes a joint; returns false if the id is stale.
    #[wasm_bindgen(js_name = destroyJoint)]
    pub fn destroy_joint(&mut self, joint: f64) -> bool {
        self.world.destroy_joint(joint_id(joint))
    }
}
