//! Joints: create, destroy, and what all kinds have.

use crate::abi::{Fault, In, Out, Outcome, UserPointer, Zeroed};
use crate::defaults::check_cookie;
use crate::joint_settings::JointSettings;
use crate::slot::{Slot, item_at};
use crate::types::*;
use crate::worlds::{joint, read, world_mut, write};
use cairn2d::{JointRef, math};
use core::ffi::c_void;

/// Adds a joint to the world.
fn add(slot: &mut Slot, mut settings: JointSettings) -> Outcome<b2JointId> {
    for body in [settings.base.bodyIdA, settings.base.bodyIdB] {
        if body.world0 != slot.world0 {
            return Err(Fault::Stale("body"));
        }
    }
    let id = slot.world.try_create_joint(settings.engine_def()?)?;
    settings.id = id;
    slot.watches_joints |= settings.is_watched();
    *item_at(&mut slot.joints, id.index(), None) = Some(settings);
    Ok(slot.joint_id(id))
}

/// Creates a joint from a definition.
fn create<T: Zeroed>(
    world: b2WorldId,
    def: In<T>,
    cookie: impl FnOnce(&T) -> core::ffi::c_int,
    settings: impl FnOnce(&T) -> JointSettings,
) -> Outcome<b2JointId> {
    let def = def.as_ref()?;
    check_cookie(cookie(def))?;
    world_mut(world, |slot| add(slot, settings(def)))
}

/// Copies the parts that definitions of several kinds have under the same names.
macro_rules! copy_parts {
    ($settings:ident, $def:ident, $target:expr, $lower:ident, $upper:ident, $max_effort:ident) => {
        $settings.spring.is_on = $def.enableSpring.is_set();
        $settings.spring.hertz = $def.hertz;
        $settings.spring.damping_ratio = $def.dampingRatio;
        $settings.spring.target = $target;
        $settings.limit.is_on = $def.enableLimit.is_set();
        $settings.limit.lower = $def.$lower;
        $settings.limit.upper = $def.$upper;
        $settings.motor.is_on = $def.enableMotor.is_set();
        $settings.motor.speed = $def.motorSpeed;
        $settings.motor.max_effort = $def.$max_effort;
    };
}

fn distance(def: &b2DistanceJointDef) -> JointSettings {
    let mut settings = JointSettings::new(b2_distanceJoint, def.base);
    copy_parts!(settings, def, 0.0, minLength, maxLength, maxMotorForce);
    settings.length = def.length;
    settings.spring_forces = [def.lowerSpringForce, def.upperSpringForce];
    settings
}

fn motor(def: &b2MotorJointDef) -> JointSettings {
    let mut settings = JointSettings::new(b2_motorJoint, def.base);
    settings.drive = *def;
    settings
}

fn prismatic(def: &b2PrismaticJointDef) -> JointSettings {
    let mut settings = JointSettings::new(b2_prismaticJoint, def.base);
    copy_parts!(
        settings,
        def,
        def.targetTranslation,
        lowerTranslation,
        upperTranslation,
        maxMotorForce
    );
    settings
}

fn revolute(def: &b2RevoluteJointDef) -> JointSettings {
    let mut settings = JointSettings::new(b2_revoluteJoint, def.base);
    copy_parts!(
        settings,
        def,
        def.targetAngle,
        lowerAngle,
        upperAngle,
        maxMotorTorque
    );
    settings
}

fn weld(def: &b2WeldJointDef) -> JointSettings {
    let mut settings = JointSettings::new(b2_weldJoint, def.base);
    settings.drive.linearHertz = def.linearHertz;
    settings.drive.angularHertz = def.angularHertz;
    settings.drive.linearDampingRatio = def.linearDampingRatio;
    settings.drive.angularDampingRatio = def.angularDampingRatio;
    settings
}

fn wheel(def: &b2WheelJointDef) -> JointSettings {
    let mut settings = JointSettings::new(b2_wheelJoint, def.base);
    copy_parts!(
        settings,
        def,
        0.0,
        lowerTranslation,
        upperTranslation,
        maxMotorTorque
    );
    settings
}

fn destroy(slot: &mut Slot, id: b2JointId, wake: bool) -> Outcome<()> {
    let joint = slot.joint(id)?;
    let bodies = joint.bodies();
    let asleep = bodies.map(|body| slot.world.get_body(body).is_some_and(|b| !b.is_awake()));
    slot.world.destroy_joint(id.engine());
    slot.joints[id.engine().index() as usize] = None;
    for (body, was_asleep) in bodies.into_iter().zip(asleep) {
        if let Some(mut body) = slot.world.get_body_mut(body) {
            match (wake, was_asleep) {
                (true, _) => body.wake(),
                (false, true) => body.sleep(),
                (false, false) => {}
            }
        }
    }
    Ok(())
}

/// Reads the settings of a joint.
pub(crate) fn setting<R>(id: b2JointId, read_it: impl FnOnce(&JointSettings) -> R) -> Outcome<R> {
    read(id.world0, |slot| Ok(read_it(slot.settings(id)?)))
}

/// Changes the settings of a joint.
pub(crate) fn edit(
    id: b2JointId,
    change: impl FnOnce(&mut JointSettings) -> Outcome<()>,
) -> Outcome<()> {
    write(id.world0, |slot| slot.edit_joint(id, change))
}

/// Changes settings that the engine does not know.
fn note(id: b2JointId, change: impl FnOnce(&mut JointSettings)) -> Outcome<()> {
    write(id.world0, |slot| {
        slot.settings(id)?;
        if let Some(settings) = &mut slot.joints[id.engine().index() as usize] {
            change(settings);
            slot.watches_joints |= settings.is_watched();
        }
        Ok(())
    })
}

/// Checks a force or torque threshold.
const fn threshold(value: f32) -> Outcome<f32> {
    if value >= 0.0 {
        Ok(value)
    } else {
        Err(Fault::Value("threshold"))
    }
}

/// Returns `angle` as the same angle within half a turn of 0.
pub(crate) fn unwound(angle: f32) -> f32 {
    let (sine, cosine) = math::sin_cos(angle);
    math::atan2(sine, cosine)
}

/// Angle that the joint should hold and does not; 0 for a kind that holds none.
fn angular_separation(joint: JointRef<'_>, settings: &JointSettings) -> f32 {
    let angle = joint.angle();
    match settings.kind {
        b2_prismaticJoint => unwound(angle),
        b2_weldJoint if settings.drive.angularHertz == 0.0 => unwound(angle),
        b2_revoluteJoint if settings.limit.is_on => {
            let limit = settings.limit;
            (limit.lower - angle).max(0.0) + (angle - limit.upper).max(0.0)
        }
        _ => 0.0,
    }
}

fn wake(slot: &mut Slot, id: b2JointId) -> Outcome<()> {
    for body in slot.joint(id)?.bodies() {
        if let Some(mut body) = slot.world.get_body_mut(body) {
            body.wake();
        }
    }
    Ok(())
}

/// Sets one of the frames.
fn set_frame(id: b2JointId, frame: b2Transform, is_first: bool) -> Outcome<()> {
    frame.p.finite("frame")?;
    frame.q.angle()?;
    edit(id, |settings| {
        if is_first {
            settings.base.localFrameA = frame;
        } else {
            settings.base.localFrameB = frame;
        }
        Ok(())
    })
}

c_functions! {
    fn b2CreateDistanceJoint(world: b2WorldId, def: In<b2DistanceJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, distance)?
    }

    fn b2CreateMotorJoint(world: b2WorldId, def: In<b2MotorJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, motor)?
    }

    fn b2CreateFilterJoint(world: b2WorldId, def: In<b2FilterJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, |def| JointSettings::new(b2_filterJoint, def.base))?
    }

    fn b2CreatePrismaticJoint(world: b2WorldId, def: In<b2PrismaticJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, prismatic)?
    }

    fn b2CreateRevoluteJoint(world: b2WorldId, def: In<b2RevoluteJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, revolute)?
    }

    fn b2CreateWeldJoint(world: b2WorldId, def: In<b2WeldJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, weld)?
    }

    fn b2CreateWheelJoint(world: b2WorldId, def: In<b2WheelJointDef>) -> b2JointId {
        create(world, def, |def| def.internalValue, wheel)?
    }

    fn b2DestroyJoint(id: b2JointId, wake_attached: bool) {
        write(id.world0, |slot| destroy(slot, id, wake_attached))?
    }

    fn b2Joint_IsValid(id: b2JointId) -> bool { joint(id, |_| ()).is_ok() }

    fn b2Joint_GetType(id: b2JointId) -> b2JointType { setting(id, |settings| settings.kind)? }

    fn b2Joint_GetBodyA(id: b2JointId) -> b2BodyId { setting(id, |settings| settings.base.bodyIdA)? }

    fn b2Joint_GetBodyB(id: b2JointId) -> b2BodyId { setting(id, |settings| settings.base.bodyIdB)? }

    fn b2Joint_SetLocalFrameA(id: b2JointId, frame: b2Transform) { set_frame(id, frame, true)? }

    fn b2Joint_GetLocalFrameA(id: b2JointId) -> b2Transform { setting(id, |settings| settings.base.localFrameA)? }

    fn b2Joint_SetLocalFrameB(id: b2JointId, frame: b2Transform) { set_frame(id, frame, false)? }

    fn b2Joint_GetLocalFrameB(id: b2JointId) -> b2Transform { setting(id, |settings| settings.base.localFrameB)? }

    fn b2Joint_SetCollideConnected(id: b2JointId, collide: bool) {
        edit(id, |settings| {
            settings.base.collideConnected = collide.into();
            Ok(())
        })?
    }

    fn b2Joint_GetCollideConnected(id: b2JointId) -> bool {
        setting(id, |settings| settings.base.collideConnected.is_set())?
    }

    fn b2Joint_SetUserData(id: b2JointId, user_data: *mut c_void) {
        note(id, |settings| settings.base.userData = UserPointer::new(user_data))?
    }

    fn b2Joint_GetUserData(id: b2JointId) -> *mut c_void { setting(id, |settings| settings.base.userData.get())? }

    fn b2Joint_WakeBodies(id: b2JointId) { write(id.world0, |slot| wake(slot, id))? }

    fn b2Joint_GetConstraintForce(id: b2JointId) -> b2Vec2 { joint(id, |joint| joint.reaction().force.into())? }

    fn b2Joint_GetConstraintTorque(id: b2JointId) -> f32 { joint(id, |joint| joint.reaction().torque)? }

    fn b2Joint_GetLinearSeparation(id: b2JointId) -> f32 { joint(id, |joint| joint.gap())? }

    fn b2Joint_GetAngularSeparation(id: b2JointId) -> f32 {
        read(id.world0, |slot| Ok(angular_separation(slot.joint(id)?, slot.settings(id)?)))?
    }

    fn b2Joint_SetConstraintTuning(id: b2JointId, hertz: f32, damping_ratio: f32) {
        edit(id, |settings| {
            settings.base.constraintHertz = hertz;
            settings.base.constraintDampingRatio = damping_ratio;
            Ok(())
        })?
    }

    fn b2Joint_GetConstraintTuning(id: b2JointId, hertz: Out<f32>, damping_ratio: Out<f32>) {
        let tuning = setting(id, |s| [s.base.constraintHertz, s.base.constraintDampingRatio])?;
        hertz.set(tuning[0]);
        damping_ratio.set(tuning[1]);
    }

    fn b2Joint_SetForceThreshold(id: b2JointId, value: f32) {
        let value = threshold(value)?;
        note(id, |settings| settings.base.forceThreshold = value)?
    }

    fn b2Joint_GetForceThreshold(id: b2JointId) -> f32 { setting(id, |settings| settings.base.forceThreshold)? }

    fn b2Joint_SetTorqueThreshold(id: b2JointId, value: f32) {
        let value = threshold(value)?;
        note(id, |settings| settings.base.torqueThreshold = value)?
    }

    fn b2Joint_GetTorqueThreshold(id: b2JointId) -> f32 { setting(id, |settings| settings.base.torqueThreshold)? }
}
