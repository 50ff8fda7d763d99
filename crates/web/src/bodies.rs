//! Bodies: poses of all in one read, and changes of one.

use crate::definitions::{body_kind, locks};
use crate::error::{set, thrown};
use crate::events::object;
use crate::fields::{Fields, part, put};
use crate::world::{WebWorld, body_id, number, or_throw};
use cairn2d::{BodyDef, BodyKind, BodyMut, BodyRef, Locks, MassData, WorldError, WorldPoint, vec2};
use js_sys::{Float64Array, Object};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "BodyState")]
    pub type JsBodyState;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "BodyChange")]
    pub type JsBodyChange;
}

const fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Static => "static",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Dynamic => "dynamic",
    }
}

/// Returns the mass that an object names. What it leaves out is that of the body; the inertia then grows with the mass.
fn mass(from: &Fields, body: &BodyRef<'_>) -> MassData {
    let old = [body.mass(), body.inertia()];
    let mut mass = old[0];
    put(&mut mass, from.mass());
    let scaled = if old[0] > 0.0 {
        old[1] * (mass / old[0])
    } else {
        old[1]
    };
    MassData {
        mass,
        inertia: from.inertia().map_or(scaled, |inertia| inertia as f32),
        center: from.center().map_or_else(
            || body.to_local(body.center_exact()),
            |center| center.to_point(),
        ),
    }
}

/// Returns the definition of a body with the changes of an object, for the fields that can change after creation.
fn changed_def(from: &Fields, body: &BodyRef<'_>) -> BodyDef {
    let [linear, angular] = body.damping();
    let mut def = BodyDef {
        linear_damping: linear,
        angular_damping: angular,
        gravity_scale: body.gravity_scale(),
        ..BodyDef::dynamic()
    };
    put(&mut def.linear_damping, from.linear_damping());
    put(&mut def.angular_damping, from.angular_damping());
    put(&mut def.gravity_scale, from.gravity_scale());
    def
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
            ("inertia", body.inertia().into()),
            ("centerX", body.center_exact().x),
            ("centerY", body.center_exact().y),
            ("linearDamping", body.damping()[0].into()),
            ("angularDamping", body.damping()[1].into()),
            ("gravityScale", body.gravity_scale().into()),
            ("userData", body.user_data() as f64),
        ] {
            set(&state, field, value.into());
        }
        set(&state, "awake", body.is_awake().into());
        set(&state, "enabled", body.is_enabled().into());
        set(&state, "type", kind_name(body.kind()).into());
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

    /// Applies a force for the next step at a place in the world [N], [m].
    #[wasm_bindgen(js_name = applyForceAt)]
    pub fn apply_force_at(
        &mut self,
        body: f64,
        fx: f32,
        fy: f32,
        x: f64,
        y: f64,
    ) -> Result<(), JsValue> {
        let at = WorldPoint::new(x, y);
        or_throw(self.body(body)?.try_apply_force_at(vec2(fx, fy), at))
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

    /// Applies an impulse at a place in the world [N s], [m].
    #[wasm_bindgen(js_name = applyImpulseAt)]
    pub fn apply_impulse_at(
        &mut self,
        body: f64,
        ix: f32,
        iy: f32,
        x: f64,
        y: f64,
    ) -> Result<(), JsValue> {
        let at = WorldPoint::new(x, y);
        or_throw(self.body(body)?.try_apply_impulse_at(vec2(ix, iy), at))
    }

    /// Applies an angular impulse [N m s].
    #[wasm_bindgen(js_name = applyAngularImpulse)]
    pub fn apply_angular_impulse(&mut self, body: f64, impulse: f32) -> Result<(), JsValue> {
        or_throw(self.body(body)?.try_apply_angular_impulse(impulse))
    }

    /// Velocity of the point of a body at a place in the world [m/s], or undefined if the id is stale.
    #[wasm_bindgen(js_name = velocityAt, unchecked_return_type = "{ x: number; y: number } | undefined")]
    pub fn velocity_at(&self, body: f64, x: f64, y: f64) -> Option<Object> {
        let body = self.world.get_body(body_id(body))?;
        let velocity = body.velocity_at(WorldPoint::new(x, y));
        Some(object(&[
            ("x", velocity.x.into()),
            ("y", velocity.y.into()),
        ]))
    }

    /// Ids of the shapes on a body, or undefined if the id is stale.
    #[wasm_bindgen(js_name = shapesOf)]
    pub fn shapes_of(&self, body: f64) -> Option<Vec<f64>> {
        let body = self.world.get_body(body_id(body))?;
        Some(
            body.shapes()
                .map(|shape| number(shape.id().to_bits()))
                .collect(),
        )
    }

    /// Ids of the joints on a body, or undefined if the id is stale.
    #[wasm_bindgen(js_name = jointsOf)]
    pub fn joints_of(&self, body: f64) -> Option<Vec<f64>> {
        let body = self.world.get_body(body_id(body))?;
        Some(
            body.joints()
                .map(|joint| number(joint.id().to_bits()))
                .collect(),
        )
    }

    /// Changes the named properties of a body, all or none; `mass: null` takes the mass from the shapes again. Throws for invalid
    /// values and a stale body.
    #[wasm_bindgen(js_name = setBody)]
    pub fn set_body(&mut self, body: f64, change: JsBodyChange) -> Result<(), JsValue> {
        let from: &Fields = change.unchecked_ref();
        let kind = from.kind().map(|kind| body_kind(&kind)).transpose()?;
        let mut body = self.body(body)?;
        let def = changed_def(from, &body.as_ref());
        or_throw(def.validate())?;
        if let Some(mass) = part(from.mass_value(), |from| mass(from, &body.as_ref())) {
            or_throw(body.try_set_mass(mass))?;
        }
        if let Some(kind) = kind {
            body.set_kind(kind);
        }
        // The definition is valid, so none of these can refuse it.
        if [def.linear_damping, def.angular_damping] != body.as_ref().damping() {
            or_throw(body.try_set_damping(def.linear_damping, def.angular_damping))?;
        }
        if def.gravity_scale != body.as_ref().gravity_scale() {
            or_throw(body.try_set_gravity_scale(def.gravity_scale))?;
        }
        let old: Locks = body.as_ref().locks();
        let locks = locks(from, old);
        if locks != old {
            body.set_locks(locks);
        }
        if let Some(bullet) = from.bullet() {
            body.set_bullet(bullet);
        }
        if let Some(can_sleep) = from.can_sleep() {
            body.set_can_sleep(can_sleep);
        }
        if let Some(user_data) = from.user_data() {
            body.set_user_data(user_data as u64);
        }
        match from.enabled() {
            Some(true) => body.enable(),
            Some(false) => body.disable(),
            None => {}
        }
        Ok(())
    }

    /// Lets a body and its island fall asleep.
    pub fn sleep(&mut self, body: f64) -> Result<(), JsValue> {
        self.body(body)?.sleep();
        Ok(())
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
