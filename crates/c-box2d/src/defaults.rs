//! Default definitions: Box2D's numbers, and its mark of a definition that was made by its default function.

use crate::abi::{Fault, Flag, In, Outcome, Zeroed};
use crate::math::length_units;
use crate::types::*;
use core::ffi::c_int;

/// Mark in definitions that their default function made.
const COOKIE: c_int = 1_152_023;

/// Farthest that a distance joint may be, in meters.
const HUGE: f32 = 1.0e5;

/// Refuses a definition that was not made by its default function.
pub(crate) const fn check_cookie(cookie: c_int) -> Outcome<()> {
    if cookie == COOKIE {
        Ok(())
    } else {
        Err(Fault::Definition)
    }
}

const FILTER: b2Filter = b2Filter {
    categoryBits: 1,
    maskBits: u64::MAX,
    groupIndex: 0,
};

pub(crate) const MATERIAL: b2SurfaceMaterial = b2SurfaceMaterial {
    friction: 0.6,
    restitution: 0.0,
    rollingResistance: 0.0,
    tangentSpeed: 0.0,
    userMaterialId: 0,
    customColor: 0,
};

/// The material of chains that name none.
static CHAIN_MATERIAL: b2SurfaceMaterial = MATERIAL;

fn joint_base() -> b2JointDef {
    b2JointDef {
        localFrameA: b2Transform::IDENTITY,
        localFrameB: b2Transform::IDENTITY,
        forceThreshold: f32::MAX,
        torqueThreshold: f32::MAX,
        constraintHertz: 60.0,
        constraintDampingRatio: 2.0,
        drawScale: length_units(),
        ..b2JointDef::zeroed()
    }
}

c_functions! {
    fn b2DefaultWorldDef() -> b2WorldDef {
        let units = length_units();
        b2WorldDef {
            gravity: b2Vec2 { x: 0.0, y: -10.0 },
            restitutionThreshold: units,
            hitEventThreshold: units,
            contactHertz: 30.0,
            contactDampingRatio: 10.0,
            contactSpeed: 3.0 * units,
            maximumLinearSpeed: 400.0 * units,
            enableSleep: Flag::ON,
            enableContinuous: Flag::ON,
            internalValue: COOKIE,
            ..b2WorldDef::zeroed()
        }
    }

    fn b2DefaultBodyDef() -> b2BodyDef {
        b2BodyDef {
            rotation: b2Rot::IDENTITY,
            gravityScale: 1.0,
            sleepThreshold: 0.05 * length_units(),
            enableSleep: Flag::ON,
            isAwake: Flag::ON,
            isEnabled: Flag::ON,
            enableContactRecycling: Flag::ON,
            internalValue: COOKIE,
            ..b2BodyDef::zeroed()
        }
    }

    fn b2DefaultFilter() -> b2Filter { FILTER }

    fn b2DefaultQueryFilter() -> b2QueryFilter {
        b2QueryFilter { categoryBits: FILTER.categoryBits, maskBits: FILTER.maskBits }
    }

    fn b2DefaultSurfaceMaterial() -> b2SurfaceMaterial { MATERIAL }

    fn b2DefaultShapeDef() -> b2ShapeDef {
        b2ShapeDef {
            material: MATERIAL,
            density: 1.0,
            filter: FILTER,
            invokeContactCreation: Flag::ON,
            updateBodyMass: Flag::ON,
            internalValue: COOKIE,
            ..b2ShapeDef::zeroed()
        }
    }

    fn b2DefaultChainDef() -> b2ChainDef {
        b2ChainDef {
            materials: In::of(&CHAIN_MATERIAL),
            materialCount: 1,
            filter: FILTER,
            internalValue: COOKIE,
            ..b2ChainDef::zeroed()
        }
    }

    fn b2DefaultExplosionDef() -> b2ExplosionDef {
        b2ExplosionDef { maskBits: u64::MAX, ..b2ExplosionDef::zeroed() }
    }

    fn b2DefaultDistanceJointDef() -> b2DistanceJointDef {
        b2DistanceJointDef {
            base: joint_base(),
            length: 1.0,
            lowerSpringForce: f32::MIN,
            upperSpringForce: f32::MAX,
            maxLength: HUGE * length_units(),
            internalValue: COOKIE,
            ..b2DistanceJointDef::zeroed()
        }
    }

    fn b2DefaultMotorJointDef() -> b2MotorJointDef {
        b2MotorJointDef { base: joint_base(), internalValue: COOKIE, ..b2MotorJointDef::zeroed() }
    }

    fn b2DefaultFilterJointDef() -> b2FilterJointDef {
        b2FilterJointDef { base: joint_base(), internalValue: COOKIE }
    }

    fn b2DefaultPrismaticJointDef() -> b2PrismaticJointDef {
        b2PrismaticJointDef { base: joint_base(), internalValue: COOKIE, ..b2PrismaticJointDef::zeroed() }
    }

    fn b2DefaultRevoluteJointDef() -> b2RevoluteJointDef {
        b2RevoluteJointDef { base: joint_base(), internalValue: COOKIE, ..b2RevoluteJointDef::zeroed() }
    }

    fn b2DefaultWeldJointDef() -> b2WeldJointDef {
        b2WeldJointDef { base: joint_base(), internalValue: COOKIE, ..b2WeldJointDef::zeroed() }
    }

    fn b2DefaultWheelJointDef() -> b2WheelJointDef {
        b2WheelJointDef {
            base: joint_base(),
            enableSpring: Flag::ON,
            hertz: 1.0,
            dampingRatio: 0.7,
            internalValue: COOKIE,
            ..b2WheelJointDef::zeroed()
        }
    }
}
