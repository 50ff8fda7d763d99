//! Definitions of joints.

use super::*;
use crate::abi::{Flag, UserPointer};
use core::ffi::c_int;

c_structs! { list_joints:
    b2JointDef {
        userData: UserPointer,
        bodyIdA: b2BodyId,
        bodyIdB: b2BodyId,
        localFrameA: b2Transform,
        localFrameB: b2Transform,
        forceThreshold: f32,
        torqueThreshold: f32,
        constraintHertz: f32,
        constraintDampingRatio: f32,
        drawScale: f32,
        collideConnected: Flag,
    }

    b2DistanceJointDef {
        base: b2JointDef,
        length: f32,
        enableSpring: Flag,
        lowerSpringForce: f32,
        upperSpringForce: f32,
        hertz: f32,
        dampingRatio: f32,
        enableLimit: Flag,
        minLength: f32,
        maxLength: f32,
        enableMotor: Flag,
        maxMotorForce: f32,
        motorSpeed: f32,
        internalValue: c_int,
    }

    b2MotorJointDef {
        base: b2JointDef,
        linearVelocity: b2Vec2,
        maxVelocityForce: f32,
        angularVelocity: f32,
        maxVelocityTorque: f32,
        linearHertz: f32,
        linearDampingRatio: f32,
        maxSpringForce: f32,
        angularHertz: f32,
        angularDampingRatio: f32,
        maxSpringTorque: f32,
        internalValue: c_int,
    }

    b2FilterJointDef {
        base: b2JointDef,
        internalValue: c_int,
    }

    b2PrismaticJointDef {
        base: b2JointDef,
        enableSpring: Flag,
        hertz: f32,
        dampingRatio: f32,
        targetTranslation: f32,
        enableLimit: Flag,
        lowerTranslation: f32,
        upperTranslation: f32,
        enableMotor: Flag,
        maxMotorForce: f32,
        motorSpeed: f32,
        internalValue: c_int,
    }

    b2RevoluteJointDef {
        base: b2JointDef,
        targetAngle: f32,
        enableSpring: Flag,
        hertz: f32,
        dampingRatio: f32,
        enableLimit: Flag,
        lowerAngle: f32,
        upperAngle: f32,
        enableMotor: Flag,
        maxMotorTorque: f32,
        motorSpeed: f32,
        internalValue: c_int,
    }

    b2WeldJointDef {
        base: b2JointDef,
        linearHertz: f32,
        angularHertz: f32,
        linearDampingRatio: f32,
        angularDampingRatio: f32,
        internalValue: c_int,
    }

    b2WheelJointDef {
        base: b2JointDef,
        enableSpring: Flag,
        hertz: f32,
        dampingRatio: f32,
        enableLimit: Flag,
        lowerTranslation: f32,
        upperTranslation: f32,
        enableMotor: Flag,
        maxMotorTorque: f32,
        motorSpeed: f32,
        internalValue: c_int,
    }
}
