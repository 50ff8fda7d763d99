//! Bodies: poses of all in one read, and changes of one.

use crate::definitions::body_kind;
use crate::error::{set, thrown};
use crate::world::{WebWorld, body_id, number, or_throw};
use cairn2d::{BodyMut, WorldError, WorldPoint, vec2};
use js_sys::{Float64Array, Object};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "BodyState")]
    pub type JsBodyState;
}

impl WebWorld {
    fn body(&mut self, id: f64) -> Result<BodyMut<'_>, JsValue> {
        let id = body_id(id);
        let body = self.world.get_body_mut(id);
        body.ok_or_else(|| thrown(&WorldError::NoSuchBody(id)))
    }
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Poses of all bodies, in order of slot: id, x, y [m], cosine and sine of the angle; five numbers each.
    pub fn poses(&mut self) -> Float64Array {
        self.poses.clear();
        for body in self.world.bodies() {
            let (at, rotation) = (body.position_exact(), body.rotation());
            let id = number(body.id().to_bits());
            let pose = [id, at.x, at.y, rotation.re.into(), rotation.im.into()];
            self.poses.extend(pose);
        }
        self.poses.as_slice().into()
    }

    /// State of a body, or undefined if the id is stale.
    #[wasm_bindgen(js_name = bodyState)]
    pub fn body_state(&self, body: f64) -> Option<JsBodyState> {
        let body = self.world.get_body(body_id(body))?;
        let (at, velocity) = (body.position_exact(), body.velocity());
        let state = Object::new();
        for (field, value) in [
            ("x", at.x),
            ("y", at.y),
            ("angle", body.angle().into()),
            ("vx", velocity.x.into()),
            ("vy", velocity.y.into()),
            ("angularVelocity", body.angular_velocity().into()),
            ("mass", body.mass().into()),
            ("userData", body.user_data() as f64),
        ] {
            set(&state, field, value.into());
        }
        set(&state, "awake", body.is_awake().into());
        Some(state.unchecked_into())
    }

    /// Teleports a body to a place [m] and angle [rad]. Like all methods below, throws for invalid numbers and a stale body.
    #[wasm_bindgen(js_name = setPose)]
    pub fn set_pose(&mut self, body: f64, x: f64, y: f64, angle: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_set_pose(WorldPoint::new(x, y), angle))
    }

    /// Sets the velocities of a kinematic body so that it arrives within a step of `dt` [s].
    #[wasm_bindgen(js_name = moveTo)]
    pub fn move_to(
        &mut self,
        body: f64,
        x: f64,
        y: f64,
        angle: f32,
        dt: f32,
    ) -> Result<(), JsValue> {
        or_throw(
            self.body(body)?
                .try_move_to(WorldPoint::new(x, y), angle, dt),
        )
    }

    /// Sets the velocity of the center of mass [m/s].
    #[wasm_bindgen(js_name = setVelocity)]
    pub fn set_velocity(&mut self, body: f64, x: f32, y: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_set_velocity(vec2(x, y)))
    }

    /// Sets the angular velocity, counter-clockwise [rad/s].
    #[wasm_bindgen(js_name = setAngularVelocity)]
    pub fn set_angular_velocity(&mut self, body: f64, speed: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_set_angular_velocity(speed))
    }

    /// Applies a force for the next step at the center of mass [N].
    #[wasm_bindgen(js_name = applyForce)]
    pub fn apply_force(&mut self, body: f64, x: f32, y: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_apply_force(vec2(x, y)))
    }

    /// Applies a torque for the next step [N m].
    #[wasm_bindgen(js_name = applyTorque)]
    pub fn apply_torque(&mut self, body: f64, torque: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_apply_torque(torque))
    }

    /// Applies an impulse at the center of mass [N s].
    #[wasm_bindgen(js_name = applyImpulse)]
    pub fn apply_impulse(&mut self, body: f64, x: f32, y: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_apply_impulse(vec2(x, y)))
    }

    /// Changes the kind of a body.
    #[wasm_bindgen(js_name = setType)]
    pub fn set_kind(&mut self, body: f64, kind: &str) -> Result<(), JsValue> {
        let kind = body_kind(kind)?;
        self.body(body)?.set_kind(kind);
        Ok(())
    }

    /// Enables or disables a body.
    #[wasm_bindgen(js_name = setEnabled)]
    pub fn set_enabled(&mut self, body: f64, enabled: bool) -> Result<(), JsValue> {
        let mut body = self.body(body)?;
        if enabled {
            body.enable();
        } else {
            body.disable();
        }
        Ok(())
    }

    /// Wakes a body and the island that it belongs to.
    pub fn wake(&mut self, body: f64) -> Result<(), JsValue> {
        self.body(body)?.wake();
        Ok(())
    }
}
