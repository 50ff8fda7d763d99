//! Joints: the settings and readings of each kind.

use crate::abi::{Fault, Out, Outcome};
use crate::joint::{edit, setting, unwound};
use crate::joint_settings::JointSettings;
use crate::types::*;
use crate::worlds::read;
use cairn2d::{JointRef, Vec2, math};

/// Reads the settings of a joint of a kind.
fn of_kind<R>(
    id: b2JointId,
    kind: b2JointType,
    read_it: impl FnOnce(&JointSettings) -> R,
) -> Outcome<R> {
    setting(id, |settings| {
        if settings.kind == kind {
            Ok(read_it(settings))
        } else {
            Err(Fault::Kind)
        }
    })?
}

/// Changes the settings of a joint of a kind.
fn change(
    id: b2JointId,
    kind: b2JointType,
    change: impl FnOnce(&mut JointSettings),
) -> Outcome<()> {
    edit(id, |settings| {
        if settings.kind != kind {
            return Err(Fault::Kind);
        }
        change(settings);
        Ok(())
    })
}

/// Reads the state of a joint of a kind.
fn state<R>(
    id: b2JointId,
    kind: b2JointType,
    read_it: impl FnOnce(JointRef<'_>, &JointSettings) -> R,
) -> Outcome<R> {
    read(id.world0, |slot| {
        let settings = slot.settings(id)?;
        if settings.kind != kind {
            return Err(Fault::Kind);
        }
        Ok(read_it(slot.joint(id)?, settings))
    })
}

/// Exports a setter and a getter for each field of a kind.
macro_rules! joint_fields {
    ($kind:ident: $($set:ident, $get:ident: $type:ty = $($field:ident).+;)*) => {
        c_functions! {
            $(
                fn $set(id: b2JointId, value: $type) { change(id, $kind, |settings| settings.$($field).+ = value)? }

                fn $get(id: b2JointId) -> $type { of_kind(id, $kind, |settings| settings.$($field).+)? }
            )*
        }
    };
}

joint_fields! { b2_distanceJoint:
    b2DistanceJoint_SetLength, b2DistanceJoint_GetLength: f32 = length;
    b2DistanceJoint_EnableSpring, b2DistanceJoint_IsSpringEnabled: bool = spring.is_on;
    b2DistanceJoint_SetSpringHertz, b2DistanceJoint_GetSpringHertz: f32 = spring.hertz;
    b2DistanceJoint_SetSpringDampingRatio, b2DistanceJoint_GetSpringDampingRatio: f32 = spring.damping_ratio;
    b2DistanceJoint_EnableLimit, b2DistanceJoint_IsLimitEnabled: bool = limit.is_on;
    b2DistanceJoint_EnableMotor, b2DistanceJoint_IsMotorEnabled: bool = motor.is_on;
    b2DistanceJoint_SetMotorSpeed, b2DistanceJoint_GetMotorSpeed: f32 = motor.speed;
    b2DistanceJoint_SetMaxMotorForce, b2DistanceJoint_GetMaxMotorForce: f32 = motor.max_effort;
}

joint_fields! { b2_motorJoint:
    b2MotorJoint_SetLinearVelocity, b2MotorJoint_GetLinearVelocity: b2Vec2 = drive.linearVelocity;
    b2MotorJoint_SetAngularVelocity, b2MotorJoint_GetAngularVelocity: f32 = drive.angularVelocity;
    b2MotorJoint_SetMaxVelocityForce, b2MotorJoint_GetMaxVelocityForce: f32 = drive.maxVelocityForce;
    b2MotorJoint_SetMaxVelocityTorque, b2MotorJoint_GetMaxVelocityTorque: f32 = drive.maxVelocityTorque;
    b2MotorJoint_SetLinearHertz, b2MotorJoint_GetLinearHertz: f32 = drive.linearHertz;
    b2MotorJoint_SetLinearDampingRatio, b2MotorJoint_GetLinearDampingRatio: f32 = drive.linearDampingRatio;
    b2MotorJoint_SetAngularHertz, b2MotorJoint_GetAngularHertz: f32 = drive.angularHertz;
    b2MotorJoint_SetAngularDampingRatio, b2MotorJoint_GetAngularDampingRatio: f32 = drive.angularDampingRatio;
    b2MotorJoint_SetMaxSpringForce, b2MotorJoint_GetMaxSpringForce: f32 = drive.maxSpringForce;
    b2MotorJoint_SetMaxSpringTorque, b2MotorJoint_GetMaxSpringTorque: f32 = drive.maxSpringTorque;
}

joint_fields! { b2_prismaticJoint:
    b2PrismaticJoint_EnableSpring, b2PrismaticJoint_IsSpringEnabled: bool = spring.is_on;
    b2PrismaticJoint_SetSpringHertz, b2PrismaticJoint_GetSpringHertz: f32 = spring.hertz;
    b2PrismaticJoint_SetSpringDampingRatio, b2PrismaticJoint_GetSpringDampingRatio: f32 = spring.damping_ratio;
    b2PrismaticJoint_SetTargetTranslation, b2PrismaticJoint_GetTargetTranslation: f32 = spring.target;
    b2PrismaticJoint_EnableLimit, b2PrismaticJoint_IsLimitEnabled: bool = limit.is_on;
    b2PrismaticJoint_EnableMotor, b2PrismaticJoint_IsMotorEnabled: bool = motor.is_on;
    b2PrismaticJoint_SetMotorSpeed, b2PrismaticJoint_GetMotorSpeed: f32 = motor.speed;
    b2PrismaticJoint_SetMaxMotorForce, b2PrismaticJoint_GetMaxMotorForce: f32 = motor.max_effort;
}

joint_fields! { b2_revoluteJoint:
    b2RevoluteJoint_EnableSpring, b2RevoluteJoint_IsSpringEnabled: bool = spring.is_on;
    b2RevoluteJoint_SetSpringHertz, b2RevoluteJoint_GetSpringHertz: f32 = spring.hertz;
    b2RevoluteJoint_SetSpringDampingRatio, b2RevoluteJoint_GetSpringDampingRatio: f32 = spring.damping_ratio;
    b2RevoluteJoint_SetTargetAngle, b2RevoluteJoint_GetTargetAngle: f32 = spring.target;
    b2RevoluteJoint_EnableLimit, b2RevoluteJoint_IsLimitEnabled: bool = limit.is_on;
    b2RevoluteJoint_EnableMotor, b2RevoluteJoint_IsMotorEnabled: bool = motor.is_on;
    b2RevoluteJoint_SetMotorSpeed, b2RevoluteJoint_GetMotorSpeed: f32 = motor.speed;
    b2RevoluteJoint_SetMaxMotorTorque, b2RevoluteJoint_GetMaxMotorTorque: f32 = motor.max_effort;
}

joint_fields! { b2_weldJoint:
    b2WeldJoint_SetLinearHertz, b2WeldJoint_GetLinearHertz: f32 = drive.linearHertz;
    b2WeldJoint_SetLinearDampingRatio, b2WeldJoint_GetLinearDampingRatio: f32 = drive.linearDampingRatio;
    b2WeldJoint_SetAngularHertz, b2WeldJoint_GetAngularHertz: f32 = drive.angularHertz;
    b2WeldJoint_SetAngularDampingRatio, b2WeldJoint_GetAngularDampingRatio: f32 = drive.angularDampingRatio;
}

joint_fields! { b2_wheelJoint:
    b2WheelJoint_EnableSpring, b2WheelJoint_IsSpringEnabled: bool = spring.is_on;
    b2WheelJoint_SetSpringHertz, b2WheelJoint_GetSpringHertz: f32 = spring.hertz;
    b2WheelJoint_SetSpringDampingRatio, b2WheelJoint_GetSpringDampingRatio: f32 = spring.damping_ratio;
    b2WheelJoint_EnableLimit, b2WheelJoint_IsLimitEnabled: bool = limit.is_on;
    b2WheelJoint_EnableMotor, b2WheelJoint_IsMotorEnabled: bool = motor.is_on;
    b2WheelJoint_SetMotorSpeed, b2WheelJoint_GetMotorSpeed: f32 = motor.speed;
    b2WheelJoint_SetMaxMotorTorque, b2WheelJoint_GetMaxMotorTorque: f32 = motor.max_effort;
}

/// Sets both limits, in order.
fn set_limits(id: b2JointId, kind: b2JointType, a: f32, b: f32) -> Outcome<()> {
    change(id, kind, |settings| {
        (settings.limit.lower, settings.limit.upper) = (a.min(b), a.max(b));
    })
}

/// Axis of a sliding joint in the world.
fn axis(settings: &JointSettings, rotation: cairn2d::Rotation) -> Vec2 {
    rotation * settings.base.localFrameA.q.rotation() * math::vec2(1.0, 0.0)
}

/// Force of a slider along its axis.
fn axial_force(id: b2JointId) -> Outcome<f32> {
    read(id.world0, |slot| {
        let (joint, settings) = (slot.joint(id)?, slot.settings(id)?);
        if settings.kind != b2_prismaticJoint {
            return Err(Fault::Kind);
        }
        if !settings.motor.is_on {
            return Ok(0.0);
        }
        let rotation = slot.body(settings.base.bodyIdA)?.rotation();
        Ok(joint.reaction().force.dot(&axis(settings, rotation)))
    })
}

/// Torque on the second body; 0 without a motor.
fn motor_torque(id: b2JointId, kind: b2JointType) -> Outcome<f32> {
    state(id, kind, |joint, settings| {
        if settings.motor.is_on {
            joint.reaction().torque
        } else {
            0.0
        }
    })
}

/// Force that lengthens the distance; 0 without a motor.
fn lengthening_force(joint: JointRef<'_>, settings: &JointSettings) -> f32 {
    let [a, b] = joint.anchors();
    let direction = (b - a).try_normalize(0.0).unwrap_or(Vec2::zeros());
    if settings.motor.is_on && settings.spring.is_on {
        joint.reaction().force.dot(&direction)
    } else {
        0.0
    }
}

c_functions! {
    fn b2DistanceJoint_SetSpringForceRange(id: b2JointId, lower: f32, upper: f32) {
        if lower.is_nan() || upper.is_nan() || lower > upper {
            return Err(Fault::Value("spring force range"));
        }
        change(id, b2_distanceJoint, |settings| settings.spring_forces = [lower, upper])?
    }

    fn b2DistanceJoint_GetSpringForceRange(id: b2JointId, lower: Out<f32>, upper: Out<f32>) {
        let forces = of_kind(id, b2_distanceJoint, |settings| settings.spring_forces)?;
        lower.set(forces[0]);
        upper.set(forces[1]);
    }

    fn b2DistanceJoint_SetLengthRange(id: b2JointId, a: f32, b: f32) { set_limits(id, b2_distanceJoint, a, b)? }

    fn b2DistanceJoint_GetMinLength(id: b2JointId) -> f32 { of_kind(id, b2_distanceJoint, |s| s.limit.lower)? }

    fn b2DistanceJoint_GetMaxLength(id: b2JointId) -> f32 { of_kind(id, b2_distanceJoint, |s| s.limit.upper)? }

    fn b2DistanceJoint_GetCurrentLength(id: b2JointId) -> f32 { state(id, b2_distanceJoint, |joint, _| joint.length())? }

    fn b2DistanceJoint_GetMotorForce(id: b2JointId) -> f32 { state(id, b2_distanceJoint, lengthening_force)? }

    fn b2PrismaticJoint_GetLowerLimit(id: b2JointId) -> f32 { of_kind(id, b2_prismaticJoint, |s| s.limit.lower)? }

    fn b2PrismaticJoint_GetUpperLimit(id: b2JointId) -> f32 { of_kind(id, b2_prismaticJoint, |s| s.limit.upper)? }

    fn b2PrismaticJoint_SetLimits(id: b2JointId, a: f32, b: f32) { set_limits(id, b2_prismaticJoint, a, b)? }

    fn b2PrismaticJoint_GetMotorForce(id: b2JointId) -> f32 { axial_force(id)? }

    fn b2PrismaticJoint_GetTranslation(id: b2JointId) -> f32 {
        state(id, b2_prismaticJoint, |joint, _| joint.translation())?
    }

    fn b2PrismaticJoint_GetSpeed(id: b2JointId) -> f32 {
        state(id, b2_prismaticJoint, |joint, _| joint.translation_speed())?
    }

    fn b2RevoluteJoint_GetAngle(id: b2JointId) -> f32 {
        state(id, b2_revoluteJoint, |joint, _| unwound(joint.angle()))?
    }

    fn b2RevoluteJoint_GetLowerLimit(id: b2JointId) -> f32 { of_kind(id, b2_revoluteJoint, |s| s.limit.lower)? }

    fn b2RevoluteJoint_GetUpperLimit(id: b2JointId) -> f32 { of_kind(id, b2_revoluteJoint, |s| s.limit.upper)? }

    fn b2RevoluteJoint_SetLimits(id: b2JointId, a: f32, b: f32) { set_limits(id, b2_revoluteJoint, a, b)? }

    fn b2RevoluteJoint_GetMotorTorque(id: b2JointId) -> f32 { motor_torque(id, b2_revoluteJoint)? }

    fn b2WheelJoint_GetLowerLimit(id: b2JointId) -> f32 { of_kind(id, b2_wheelJoint, |s| s.limit.lower)? }

    fn b2WheelJoint_GetUpperLimit(id: b2JointId) -> f32 { of_kind(id, b2_wheelJoint, |s| s.limit.upper)? }

    fn b2WheelJoint_SetLimits(id: b2JointId, a: f32, b: f32) { set_limits(id, b2_wheelJoint, a, b)? }

    fn b2WheelJoint_GetMotorTorque(id: b2JointId) -> f32 { motor_torque(id, b2_wheelJoint)? }
}
