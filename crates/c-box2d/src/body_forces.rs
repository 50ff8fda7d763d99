//! Bodies: forces, impulses, and mass.

use crate::abi::Outcome;
use crate::types::*;
use crate::worlds::{body, body_mut};
use cairn2d::{BodyKind, BodyMut, MassData};

/// Acts on a body; one that sleeps and shall not wake is left alone.
fn act(
    id: b2BodyId,
    wake: bool,
    action: impl FnOnce(&mut BodyMut<'_>) -> Outcome<()>,
) -> Outcome<()> {
    body_mut(id, |body| {
        if wake || body.as_ref().is_awake() {
            action(body)
        } else {
            Ok(())
        }
    })
}

/// Mass, center and inertia. Of a body that is not dynamic: nothing but the center.
fn mass_data(body: cairn2d::BodyRef<'_>) -> b2MassData {
    b2MassData {
        mass: body.mass(),
        center: body.local_center().into(),
        rotationalInertia: body.inertia(),
    }
}

fn set_mass(body: &mut BodyMut<'_>, mass: Option<MassData>) -> Outcome<()> {
    if body.as_ref().kind() != BodyKind::Dynamic && mass.is_some() {
        return Ok(());
    }
    Ok(body.try_set_mass(mass)?)
}

c_functions! {
    fn b2Body_ApplyForce(id: b2BodyId, force: b2Vec2, point: b2Pos, wake: bool) {
        act(id, wake, |body| Ok(body.try_apply_force_at(force.vec(), point.place())?))?
    }

    fn b2Body_ApplyForceToCenter(id: b2BodyId, force: b2Vec2, wake: bool) {
        act(id, wake, |body| Ok(body.try_apply_force(force.vec())?))?
    }

    fn b2Body_ApplyTorque(id: b2BodyId, torque: f32, wake: bool) {
        act(id, wake, |body| Ok(body.try_apply_torque(torque)?))?
    }

    fn b2Body_ClearForces(id: b2BodyId) {
        body_mut(id, |body| {
            let (force, torque) = body.as_ref().applied_force();
            if force.norm() > 0.0 {
                body.try_apply_force(-force)?;
            }
            if torque != 0.0 {
                body.try_apply_torque(-torque)?;
            }
            Ok(())
        })?
    }

    fn b2Body_ApplyLinearImpulse(id: b2BodyId, impulse: b2Vec2, point: b2Pos, wake: bool) {
        act(id, wake, |body| Ok(body.try_apply_impulse_at(impulse.vec(), point.place())?))?
    }

    fn b2Body_ApplyLinearImpulseToCenter(id: b2BodyId, impulse: b2Vec2, wake: bool) {
        act(id, wake, |body| Ok(body.try_apply_impulse(impulse.vec())?))?
    }

    fn b2Body_ApplyAngularImpulse(id: b2BodyId, impulse: f32, wake: bool) {
        act(id, wake, |body| Ok(body.try_apply_angular_impulse(impulse)?))?
    }

    fn b2Body_GetMass(id: b2BodyId) -> f32 { body(id, |body| body.mass())? }

    fn b2Body_GetRotationalInertia(id: b2BodyId) -> f32 { body(id, |body| body.inertia())? }

    fn b2Body_GetLocalCenter(id: b2BodyId) -> b2Vec2 { body(id, |body| body.local_center().into())? }

    fn b2Body_GetWorldCenter(id: b2BodyId) -> b2Pos { body(id, |body| body.center_exact().into())? }

    fn b2Body_SetMassData(id: b2BodyId, mass: b2MassData) {
        body_mut(id, |body| set_mass(body, Some(mass.mass())))?
    }

    fn b2Body_GetMassData(id: b2BodyId) -> b2MassData { body(id, mass_data)? }

    fn b2Body_ApplyMassFromShapes(id: b2BodyId) { body_mut(id, |body| set_mass(body, None))? }
}
