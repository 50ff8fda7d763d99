//! Bodies: create, destroy, pose, velocity, settings.

use crate::abi::{Fault, In, Out, Outcome};
use crate::convert::{body_kind, body_type};
use crate::defaults::check_cookie;
use crate::hook_view;
use crate::slot::{BodyExtra, Slot, item_at};
use crate::types::*;
use crate::worlds::{body, body_mut, read, world_mut, write};
use cairn2d::{BodyDef, BodyRef, InitialState, Point};
use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;

/// Longest name of a body [bytes].
const NAME_LENGTH: usize = 10;

/// Returns the name, cut to its longest length; `None` for an empty one.
fn name_of(text: &CStr) -> Option<CString> {
    let bytes = text.to_bytes();
    let bytes = &bytes[..bytes.len().min(NAME_LENGTH)];
    (!bytes.is_empty()).then(|| CString::new(bytes).unwrap_or_default())
}

fn engine_def(def: &b2BodyDef) -> Outcome<BodyDef> {
    let initial_state = if !def.isEnabled.is_set() {
        InitialState::Disabled
    } else if def.isAwake.is_set() {
        InitialState::Awake
    } else {
        InitialState::Asleep
    };
    Ok(BodyDef {
        kind: body_kind(def.r#type)?,
        position: def.position.place(),
        angle: def.rotation.angle()?,
        velocity: def.linearVelocity.vec(),
        angular_velocity: def.angularVelocity,
        linear_damping: def.linearDamping,
        angular_damping: def.angularDamping,
        gravity_scale: def.gravityScale,
        sleep_speed: def.sleepThreshold,
        can_sleep: def.enableSleep.is_set(),
        initial_state,
        locks: def.motionLocks.locks(),
        bullet: def.isBullet.is_set(),
        fast_rotation: def.allowFastRotation.is_set(),
        user_data: def.userData as u64,
        ..BodyDef::default()
    })
}

fn create(slot: &mut Slot, def: &b2BodyDef) -> Outcome<b2BodyId> {
    let id = slot.world.try_create_body(engine_def(def)?)?;
    *item_at(&mut slot.bodies, id.index(), BodyExtra::DEFAULT) = BodyExtra {
        name: name_of(def.name.string()),
        sleep_threshold: def.sleepThreshold,
        recycles_contacts: def.enableContactRecycling.is_set(),
    };
    Ok(b2BodyId::of(id, slot.world0))
}

fn destroy(slot: &mut Slot, id: b2BodyId) -> Outcome<()> {
    let body = slot.body(id)?.id();
    slot.chains.remove_of_body(body);
    slot.world.destroy_body(body);
    Ok(())
}

/// Reads a body, also within a callback of a step if it is one of the two there.
fn seen<R>(
    id: b2BodyId,
    hooked: impl FnOnce(&hook_view::ShapeView) -> R,
    read: impl FnOnce(BodyRef<'_>) -> R,
) -> Outcome<R> {
    match hook_view::body(id, hooked) {
        Some(result) => Ok(result),
        None => body(id, read),
    }
}

/// Returns the pose of a body.
pub(crate) fn transform(body: BodyRef<'_>) -> b2Transform {
    b2Transform::new(body.position_exact(), body.rotation())
}

/// Velocity at a point of a body, in the body's frame.
fn velocity_at(body: BodyRef<'_>, local: Point) -> b2Vec2 {
    body.velocity_at(body.to_world_exact(local)).into()
}

/// Sets the velocity with which a body reaches a pose in one step.
fn aim(slot: &mut Slot, id: b2BodyId, target: b2Transform, dt: f32, wake: bool) -> Outcome<()> {
    let angle = target.q.angle()?;
    let body = slot.body(id)?;
    let stays = !wake && !body.is_awake();
    if dt.is_nan() || dt <= 0.0 || stays {
        return Ok(());
    }
    let place = target.p.finite("target")?.place();
    Ok(slot.body_mut(id)?.try_move_to(place, angle, dt)?)
}

fn is_valid(id: b2BodyId) -> bool {
    seen(id, |_| (), |_| ()).is_ok()
}

c_functions! {
    fn b2CreateBody(world: b2WorldId, def: In<b2BodyDef>) -> b2BodyId {
        let def = def.as_ref()?;
        check_cookie(def.internalValue)?;
        world_mut(world, |slot| create(slot, def))?
    }

    fn b2DestroyBody(id: b2BodyId) { write(id.world0, |slot| destroy(slot, id))? }

    fn b2Body_IsValid(id: b2BodyId) -> bool { is_valid(id) }

    fn b2Body_GetType(id: b2BodyId) -> b2BodyType {
        seen(id, |view| view.kind, |body| body_type(body.kind()))?
    }

    fn b2Body_SetType(id: b2BodyId, kind: b2BodyType) {
        let kind = body_kind(kind)?;
        body_mut(id, |body| {
            body.set_kind(kind);
            Ok(())
        })?
    }

    fn b2Body_SetName(id: b2BodyId, name: In<c_char>) {
        write(id.world0, |slot| {
            slot.body_extra_mut(id)?.name = name_of(name.string());
            Ok(())
        })?
    }

    /// The string lasts until the name changes or the body is destroyed.
    fn b2Body_GetName(id: b2BodyId) -> *const c_char {
        read(id.world0, |slot| {
            let index = slot.body(id)?.id().index() as usize;
            let name = slot.bodies.get(index).and_then(|extra| extra.name.as_ref());
            Ok(name.map_or(c"".as_ptr(), |name| name.as_ptr()))
        })?
    }

    fn b2Body_SetUserData(id: b2BodyId, user_data: *mut c_void) {
        body_mut(id, |body| {
            body.set_user_data(user_data as u64);
            Ok(())
        })?
    }

    fn b2Body_GetUserData(id: b2BodyId) -> *mut c_void {
        seen(id, |view| view.body_user_data, |body| body.user_data() as usize)? as *mut c_void
    }

    fn b2Body_GetPosition(id: b2BodyId) -> b2Pos {
        seen(id, |view| view.transform.p, |body| body.position_exact().into())?
    }

    fn b2Body_GetRotation(id: b2BodyId) -> b2Rot {
        seen(id, |view| view.transform.q, |body| body.rotation().into())?
    }

    fn b2Body_GetTransform(id: b2BodyId) -> b2WorldTransform {
        seen(id, |view| view.transform, transform)?
    }

    fn b2Body_SetTransform(id: b2BodyId, position: b2Pos, rotation: b2Rot) {
        let angle = rotation.angle()?;
        body_mut(id, |body| Ok(body.try_set_pose(position.place(), angle)?))?
    }

    fn b2Body_GetLocalPoint(id: b2BodyId, point: b2Pos) -> b2Vec2 {
        body(id, |body| body.to_local(point.place()).into())?
    }

    fn b2Body_GetWorldPoint(id: b2BodyId, point: b2Vec2) -> b2Pos {
        body(id, |body| body.to_world_exact(point.point()).into())?
    }

    fn b2Body_GetLocalVector(id: b2BodyId, vector: b2Vec2) -> b2Vec2 {
        body(id, |body| body.rotation().inverse_transform_vector(&vector.vec()).into())?
    }

    fn b2Body_GetWorldVector(id: b2BodyId, vector: b2Vec2) -> b2Vec2 {
        body(id, |body| (body.rotation() * vector.vec()).into())?
    }

    fn b2Body_GetLinearVelocity(id: b2BodyId) -> b2Vec2 {
        seen(id, |view| view.velocity, |body| body.velocity().into())?
    }

    fn b2Body_GetAngularVelocity(id: b2BodyId) -> f32 {
        seen(id, |view| view.angular_velocity, |body| body.angular_velocity())?
    }

    fn b2Body_SetLinearVelocity(id: b2BodyId, velocity: b2Vec2) {
        body_mut(id, |body| Ok(body.try_set_velocity(velocity.vec())?))?
    }

    fn b2Body_SetAngularVelocity(id: b2BodyId, velocity: f32) {
        body_mut(id, |body| Ok(body.try_set_angular_velocity(velocity)?))?
    }

    fn b2Body_SetTargetTransform(id: b2BodyId, target: b2WorldTransform, dt: f32, wake: bool) {
        write(id.world0, |slot| aim(slot, id, target, dt, wake))?
    }

    fn b2Body_GetLocalPointVelocity(id: b2BodyId, point: b2Vec2) -> b2Vec2 {
        body(id, |body| velocity_at(body, point.point()))?
    }

    fn b2Body_GetWorldPointVelocity(id: b2BodyId, point: b2Pos) -> b2Vec2 {
        body(id, |body| body.velocity_at(point.place()).into())?
    }

    fn b2Body_IsAwake(id: b2BodyId) -> bool { body(id, |body| body.is_awake())? }

    fn b2Body_SetAwake(id: b2BodyId, awake: bool) {
        body_mut(id, |body| {
            if awake { body.wake() } else { body.sleep() }
            Ok(())
        })?
    }

    fn b2Body_WakeTouching(id: b2BodyId) {
        write(id.world0, |slot| {
            let contacts = slot.body(id)?.contacts();
            let others: Vec<_> = contacts.filter_map(|contact| contact.other(id.engine())).collect();
            for other in others {
                if let Some(mut body) = slot.world.get_body_mut(other) {
                    body.wake();
                }
            }
            Ok(())
        })?
    }

    fn b2Body_EnableSleep(id: b2BodyId, flag: bool) {
        body_mut(id, |body| {
            body.set_can_sleep(flag);
            Ok(())
        })?
    }

    fn b2Body_IsSleepEnabled(id: b2BodyId) -> bool { body(id, |body| body.can_sleep())? }

    fn b2Body_SetSleepThreshold(id: b2BodyId, threshold: f32) {
        write(id.world0, |slot| {
            slot.body_mut(id)?.try_set_sleep_speed(threshold)?;
            slot.body_extra_mut(id)?.sleep_threshold = threshold;
            Ok(())
        })?
    }

    fn b2Body_GetSleepThreshold(id: b2BodyId) -> f32 {
        read(id.world0, |slot| Ok(slot.body_extra(id)?.sleep_threshold))?
    }

    fn b2Body_IsEnabled(id: b2BodyId) -> bool { body(id, |body| body.is_enabled())? }

    fn b2Body_Disable(id: b2BodyId) {
        body_mut(id, |body| {
            body.disable();
            Ok(())
        })?
    }

    fn b2Body_Enable(id: b2BodyId) {
        body_mut(id, |body| {
            body.enable();
            Ok(())
        })?
    }

    fn b2Body_SetMotionLocks(id: b2BodyId, locks: b2MotionLocks) {
        body_mut(id, |body| {
            body.set_locks(locks.locks());
            Ok(())
        })?
    }

    fn b2Body_GetMotionLocks(id: b2BodyId) -> b2MotionLocks { body(id, |body| body.locks().into())? }

    fn b2Body_SetBullet(id: b2BodyId, flag: bool) {
        body_mut(id, |body| {
            body.set_bullet(flag);
            Ok(())
        })?
    }

    fn b2Body_IsBullet(id: b2BodyId) -> bool { body(id, |body| body.is_bullet())? }

    /// Contacts are recycled where that does not change them: the flag is stored and has no effect.
    fn b2Body_EnableContactRecycling(id: b2BodyId, flag: bool) {
        write(id.world0, |slot| {
            slot.body_extra_mut(id)?.recycles_contacts = flag;
            Ok(())
        })?
    }

    fn b2Body_IsContactRecyclingEnabled(id: b2BodyId) -> bool {
        read(id.world0, |slot| Ok(slot.body_extra(id)?.recycles_contacts))?
    }

    fn b2Body_SetLinearDamping(id: b2BodyId, damping: f32) {
        body_mut(id, |body| {
            let [_, angular] = body.as_ref().damping();
            Ok(body.try_set_damping(damping, angular)?)
        })?
    }

    fn b2Body_GetLinearDamping(id: b2BodyId) -> f32 { body(id, |body| body.damping()[0])? }

    fn b2Body_SetAngularDamping(id: b2BodyId, damping: f32) {
        body_mut(id, |body| {
            let [linear, _] = body.as_ref().damping();
            Ok(body.try_set_damping(linear, damping)?)
        })?
    }

    fn b2Body_GetAngularDamping(id: b2BodyId) -> f32 { body(id, |body| body.damping()[1])? }

    fn b2Body_SetGravityScale(id: b2BodyId, scale: f32) {
        body_mut(id, |body| Ok(body.try_set_gravity_scale(scale)?))?
    }

    fn b2Body_GetGravityScale(id: b2BodyId) -> f32 { body(id, |body| body.gravity_scale())? }

    fn b2Body_GetShapeCount(id: b2BodyId) -> c_int { body(id, |body| body.shapes().count() as c_int)? }

    fn b2Body_GetShapes(id: b2BodyId, shapes: Out<b2ShapeId>, capacity: c_int) -> c_int {
        read(id.world0, |slot| {
            let ids = slot.body(id)?.shapes().map(|shape| b2ShapeId::of(shape.id(), id.world0));
            shapes.fill(capacity, ids)
        })?
    }

    fn b2Body_GetJointCount(id: b2BodyId) -> c_int { body(id, |body| body.joints().count() as c_int)? }

    fn b2Body_GetJoints(id: b2BodyId, joints: Out<b2JointId>, capacity: c_int) -> c_int {
        read(id.world0, |slot| {
            let ids = slot.body(id)?.joints().map(|joint| slot.joint_id(joint.id()));
            joints.fill(capacity, ids)
        })?
    }

    fn b2Body_ComputeAABB(id: b2BodyId) -> b2AABB {
        body(id, |body| {
            let place = body.position_exact().into();
            body.aabb().map_or(b2AABB { lowerBound: place, upperBound: place }, b2AABB::from)
        })?
    }
}

/// Sets or clears a flag of all shapes of a body.
pub(crate) fn flag_shapes(id: b2BodyId, flag: u64, is_set: bool) -> Outcome<()> {
    write(id.world0, |slot| {
        let shapes: Vec<_> = slot.body(id)?.shapes().map(|shape| shape.id()).collect();
        for shape in shapes {
            let shape = slot.world.get_shape_mut(shape);
            let mut shape = shape.ok_or(Fault::Stale("shape"))?;
            let flags = shape.as_ref().user_data();
            shape.set_user_data(if is_set { flags | flag } else { flags & !flag });
        }
        Ok(())
    })
}

c_functions! {
    fn b2Body_EnableContactEvents(id: b2BodyId, flag: bool) {
        flag_shapes(id, crate::slot::shape_flags::CONTACT_EVENTS, flag)?
    }

    fn b2Body_EnableHitEvents(id: b2BodyId, flag: bool) {
        flag_shapes(id, crate::slot::shape_flags::HIT_EVENTS, flag)?
    }
}
