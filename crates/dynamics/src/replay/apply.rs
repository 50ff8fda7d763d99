//! Repeats a recorded call. The lists are those of `world/record/call.rs`; a call that is missing does not compile.

use crate::hook::Hooks;
use crate::id::Id;
use crate::replay::answer_book::AnswerBook;
use crate::world::record::call::{BodyCall, Call, JointCall, ShapeCall, WorldCall};
use crate::world::record::chunk::hook_bits;
use crate::world::{BodyMut, JointMut, ShapeMut, World, WorldError};
use crate::world_def::WorldDef;

/// Repeats a call.
///
/// # Errors
/// If the world refuses the call.
///
/// # Panics
/// If a setter refuses its arguments, with a message that names them.
pub(super) fn apply(world: &mut World, call: Call, book: &AnswerBook) -> Result<(), WorldError> {
    match call {
        Call::World { call } => apply_to_world(world, call, book),
        Call::Body { body, call } => {
            let view = world.get_body_mut(body);
            apply_to_body(&mut view.ok_or(WorldError::NoSuchBody(body))?, call);
            Ok(())
        }
        Call::Shape { shape, call } => {
            let view = world.get_shape_mut(shape);
            apply_to_shape(&mut view.ok_or(WorldError::NoSuchShape(shape))?, call);
            Ok(())
        }
        Call::Joint { joint, call } => {
            let view = world.get_joint_mut(joint);
            apply_to_joint(&mut view.ok_or(WorldError::NoSuchJoint(joint))?, call)
        }
    }
}

fn apply_to_world(world: &mut World, call: WorldCall, book: &AnswerBook) -> Result<(), WorldError> {
    match call {
        WorldCall::Step { dt, answers } => {
            book.open(answers);
            return world.try_step(dt);
        }
        WorldCall::SetDef { def } => {
            // The clock is not recorded.
            let clock = world.def.clock;
            return world.try_set_def(WorldDef { clock, ..*def });
        }
        WorldCall::CreateBody { def } => return world.try_create_body(&*def).map(forget),
        WorldCall::DestroyBody { body } => _ = world.destroy_body(body),
        WorldCall::CreateShape {
            body,
            geometry,
            def,
        } => return world.try_create_shape(body, *geometry, *def).map(forget),
        WorldCall::DestroyShape { shape } => _ = world.destroy_shape(shape),
        WorldCall::CreateJoint { def } => return world.try_create_joint(*def).map(forget),
        WorldCall::DestroyJoint { joint } => _ = world.destroy_joint(joint),
        WorldCall::IgnorePair { a, b, how_long } => return world.try_ignore_pair(a, b, how_long),
        WorldCall::UnignorePair { a, b } => _ = world.unignore_pair(a, b),
        WorldCall::ShiftOrigin { origin } => return world.try_shift_origin(origin),
        WorldCall::SetHooks {
            pair_filter,
            pre_solve,
        } => world.hooks = recorded_hooks(book, pair_filter, pre_solve),
        WorldCall::FilterAgain { answers } => {
            book.open(answers);
            world.filter_again();
        }
        WorldCall::RefreshHookedContacts {} => world.refresh_hooked_contacts(),
        WorldCall::BeginBatch {} => world.broad.begin_batch(),
        WorldCall::EndBatch {} => world.broad.end_batch(),
    }
    Ok(())
}

/// An id that is the same again, since ids follow from the calls.
fn forget<K>(_: Id<K>) {}

fn recorded_hooks(book: &AnswerBook, pair_filter: bool, pre_solve: bool) -> Hooks {
    let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    book.hooks(bit(pair_filter, hook_bits::PAIR_FILTER) | bit(pre_solve, hook_bits::PRE_SOLVE))
}

fn apply_to_body(body: &mut BodyMut<'_>, call: BodyCall) {
    match call {
        BodyCall::Wake {} => body.wake(),
        BodyCall::Sleep {} => body.sleep(),
        BodyCall::SetVelocity { velocity } => body.set_velocity(velocity),
        BodyCall::SetAngularVelocity { angular_velocity } => {
            body.set_angular_velocity(angular_velocity);
        }
        BodyCall::SetPose { position, angle } => body.set_pose(position, angle),
        BodyCall::SetKind { kind } => body.set_kind(kind),
        BodyCall::Enable {} => body.enable(),
        BodyCall::Disable {} => body.disable(),
        BodyCall::SetLocks { locks } => body.set_locks(locks),
        BodyCall::SetContinuous { continuous } => body.set_continuous(continuous),
        BodyCall::SetBullet { bullet } => body.set_bullet(bullet),
        BodyCall::SetFastRotation { fast } => body.set_fast_rotation(fast),
        BodyCall::SetGravityScale { scale } => body.set_gravity_scale(scale),
        BodyCall::SetDamping { linear, angular } => body.set_damping(linear, angular),
        BodyCall::SetMaxLinearSpeed { speed } => body.set_max_linear_speed(speed),
        BodyCall::SetMaxAngularSpeed { speed } => body.set_max_angular_speed(speed),
        BodyCall::SetCanSleep { can_sleep } => body.set_can_sleep(can_sleep),
        BodyCall::SetSleepSpeed { speed } => body.set_sleep_speed(speed),
        BodyCall::SetMass { mass } => body.set_mass(mass),
        BodyCall::SetUserData { user_data } => body.set_user_data(user_data),
        BodyCall::ApplyForce { force } => body.apply_force(force),
        BodyCall::ApplyForceAt { force, point } => body.apply_force_at(force, point),
        BodyCall::ApplyTorque { torque } => body.apply_torque(torque),
        BodyCall::ApplyImpulse { impulse } => body.apply_impulse(impulse),
        BodyCall::ApplyImpulseAt { impulse, point } => body.apply_impulse_at(impulse, point),
        BodyCall::ApplyAngularImpulse { impulse } => body.apply_angular_impulse(impulse),
        BodyCall::ApplyWind { wind } => body.apply_wind(&wind),
        BodyCall::ApplyFluidForce { force, torque } => body.apply_fluid_force(force, torque),
    }
}

fn apply_to_shape(shape: &mut ShapeMut<'_>, call: ShapeCall) {
    match call {
        ShapeCall::SetGeometry { geometry } => shape.set_geometry(*geometry),
        ShapeCall::SetSensor { sensor } => shape.set_sensor(sensor),
        ShapeCall::SetFilter { filter } => shape.set_filter(filter),
        ShapeCall::SetMaterial { material } => shape.set_material(material),
        ShapeCall::SetDensity { density } => shape.set_density(density),
        ShapeCall::SetPreSolve { asked } => shape.set_pre_solve(asked),
        ShapeCall::SetForceEventThreshold { threshold } => {
            shape.set_force_event_threshold(threshold);
        }
        ShapeCall::SetUserData { user_data } => shape.set_user_data(user_data),
        ShapeCall::ApplyWind { wind } => shape.apply_wind(&wind),
        ShapeCall::Enable {} => shape.enable(),
        ShapeCall::Disable {} => shape.disable(),
    }
}

fn apply_to_joint(joint: &mut JointMut<'_>, call: JointCall) -> Result<(), WorldError> {
    match call {
        JointCall::SetDef { def } => {
            return {
                let id = joint.as_ref().id();
                joint.world.try_set_joint(id, *def)
            };
        }
        JointCall::SetUserData { user_data } => joint.set_user_data(user_data),
        JointCall::Enable {} => joint.enable(),
        JointCall::Disable {} => joint.disable(),
    }
    Ok(())
}
