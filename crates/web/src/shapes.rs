//! Shapes on bodies: reading and changing them.

use crate::definitions::{changed_shape_def, shape};
use crate::error::{set, thrown};
use crate::events::object;
use crate::fields::Fields;
use crate::world::{WebWorld, number, or_throw, shape_id};
use cairn2d::{ShapeDef, ShapeRef, WorldError};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "ShapeChange")]
    pub type JsShapeChange;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "ShapeState")]
    pub type JsShapeState;
}

fn def_of(shape: &ShapeRef<'_>) -> ShapeDef {
    ShapeDef {
        density: shape.density(),
        material: shape.material(),
        filter: shape.filter(),
        sensor: shape.is_sensor(),
        pre_solve: shape.asks_pre_solve(),
        force_event_threshold: shape.force_event_threshold(),
        user_data: shape.user_data(),
    }
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// State of a shape, or undefined if the id is stale.
    #[wasm_bindgen(js_name = shapeState)]
    pub fn shape_state(&self, shape: f64) -> Option<JsShapeState> {
        let shape = self.world.get_shape(shape_id(shape))?;
        let (def, extent) = (def_of(&shape), shape.aabb());
        let state = object(&[
            ("body", number(shape.body().to_bits())),
            ("density", def.density.into()),
            ("friction", def.material.friction.into()),
            ("restitution", def.material.restitution.into()),
            ("surfaceSpeed", def.material.surface_speed.into()),
            ("category", def.filter.category as f64),
            ("mask", def.filter.mask as f64),
            ("group", def.filter.group.into()),
            ("userData", def.user_data as f64),
            ("left", extent.min.x.into()),
            ("bottom", extent.min.y.into()),
            ("right", extent.max.x.into()),
            ("top", extent.max.y.into()),
        ]);
        set(&state, "sensor", def.sensor.into());
        set(&state, "enabled", shape.is_enabled().into());
        Some(state.unchecked_into())
    }

    /// Changes the named properties of a shape, all or none. Throws for invalid values and a stale shape.
    #[wasm_bindgen(js_name = setShape)]
    pub fn set_shape(&mut self, shape: f64, change: JsShapeChange) -> Result<(), JsValue> {
        let from: &Fields = change.unchecked_ref();
        let geometry = from.geometry().map(|geometry| self::shape(&geometry));
        let geometry = geometry.transpose()?;
        let id = shape_id(shape);
        let shape = self.world.get_shape_mut(id);
        let mut shape = shape.ok_or_else(|| thrown(&WorldError::NoSuchShape(id)))?;
        let def = changed_shape_def(from, def_of(&shape.as_ref()));
        or_throw(def.validate())?;
        if let Some(geometry) = geometry {
            or_throw(shape.try_set_geometry(geometry))?;
        }
        // The definition is valid, so none of these can refuse it.
        if def.density != shape.as_ref().density() {
            or_throw(shape.try_set_density(def.density))?;
        }
        or_throw(shape.try_set_material(def.material))?;
        or_throw(shape.try_set_force_event_threshold(def.force_event_threshold))?;
        shape.set_filter(def.filter);
        shape.set_sensor(def.sensor);
        shape.set_pre_solve(def.pre_solve);
        shape.set_user_data(def.user_data);
        match from.enabled() {
            Some(true) => shape.enable(),
            Some(false) => shape.disable(),
            None => {}
        }
        Ok(())
    }
}
