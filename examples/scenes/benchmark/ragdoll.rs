//! A ragdoll: eleven bones, held by hinges with limits, friction and springs.

use crate::engine::{BodyHandle, Engine, Hinge};
use cairn2d::math::PI;
use cairn2d::prelude::*;

/// Friction of a joint, before each joint's factor [N m].
const FRICTION_TORQUE: f32 = 0.05;

/// Spring of each joint.
const SPRING: Spring = Spring {
    hertz: 5.0,
    damping_ratio: 0.5,
    target: 0.0,
};

/// Speed below which a bone may fall asleep [m/s].
const SLEEP_SPEED: f32 = 0.1;

/// A bone: a vertical capsule about its body's origin, and how it hangs on its parent.
struct Bone {
    parent: Option<usize>,
    /// Height of the origin above the ragdoll's [m].
    y: f32,
    /// Ends and radius of the capsule [m].
    low: f32,
    high: f32,
    radius: f32,
    /// Height of the joint above the ragdoll's origin [m].
    pivot: f32,
    /// Limits of the joint [half turns].
    lower: f32,
    upper: f32,
    friction_factor: f32,
    linear_damping: f32,
    /// Turn of the joint's frame on the parent [rad].
    parent_angle: f32,
    has_foot: bool,
}

const BONE: Bone = Bone {
    parent: None,
    y: 0.95,
    low: -0.02,
    high: 0.02,
    radius: 0.095,
    pivot: 0.0,
    lower: 0.0,
    upper: 0.0,
    friction_factor: 0.0,
    linear_damping: 0.0,
    parent_angle: 0.0,
    has_foot: false,
};

const HIP: Bone = BONE;

const TORSO: Bone = Bone {
    parent: Some(0),
    y: 1.2,
    low: -0.135,
    high: 0.135,
    radius: 0.09,
    pivot: 1.0,
    lower: -0.25,
    upper: 0.0,
    friction_factor: 0.5,
    ..BONE
};

const HEAD: Bone = Bone {
    parent: Some(1),
    y: 1.475,
    low: -0.038,
    high: 0.039,
    radius: 0.075,
    pivot: 1.4,
    lower: -0.3,
    upper: 0.1,
    friction_factor: 0.25,
    linear_damping: 0.1,
    ..BONE
};

const UPPER_LEG: Bone = Bone {
    parent: Some(0),
    y: 0.775,
    low: -0.125,
    high: 0.125,
    radius: 0.06,
    pivot: 0.9,
    lower: -0.05,
    upper: 0.4,
    friction_factor: 1.0,
    ..BONE
};

const UPPER_ARM: Bone = Bone {
    parent: Some(1),
    y: 1.225,
    low: -0.125,
    high: 0.125,
    radius: 0.035,
    pivot: 1.35,
    lower: -0.1,
    upper: 0.8,
    friction_factor: 0.5,
    ..BONE
};

const fn lower_leg(parent: usize) -> Bone {
    Bone {
        parent: Some(parent),
        y: 0.475,
        low: -0.155,
        high: 0.125,
        radius: 0.045,
        pivot: 0.625,
        lower: -0.5,
        upper: -0.02,
        friction_factor: 0.5,
        has_foot: true,
        ..BONE
    }
}

const fn lower_arm(parent: usize) -> Bone {
    Bone {
        parent: Some(parent),
        y: 0.975,
        low: -0.125,
        high: 0.125,
        radius: 0.03,
        pivot: 1.1,
        lower: -0.2,
        upper: 0.3,
        friction_factor: 0.1,
        linear_damping: 0.1,
        parent_angle: 0.25 * PI,
        ..BONE
    }
}

const BONES: [Bone; 11] = [
    HIP,
    TORSO,
    HEAD,
    UPPER_LEG,
    lower_leg(3),
    UPPER_LEG,
    lower_leg(5),
    UPPER_ARM,
    lower_arm(7),
    UPPER_ARM,
    lower_arm(9),
];

/// Builds a ragdoll with its origin at `origin` [m], and adds its bones to `bodies`.
///
/// Bones of the same `group`, which is negative, do not touch each other.
pub(super) fn build(
    engine: &mut dyn Engine,
    origin: Point,
    group: i32,
    bodies: &mut Vec<BodyHandle>,
) {
    let first = bodies.len();
    for bone in &BONES {
        let body = build_bone(engine, bone, origin, group);
        if let Some(parent) = bone.parent {
            build_joint(engine, bone, body, &BONES[parent], bodies[first + parent]);
        }
        bodies.push(body);
    }
}

fn build_bone(engine: &mut dyn Engine, bone: &Bone, origin: Point, group: i32) -> BodyHandle {
    let body = engine.create_body(&BodyDef {
        linear_damping: bone.linear_damping,
        sleep_speed: SLEEP_SPEED,
        ..BodyDef::dynamic().position(origin.x, origin.y + bone.y)
    });
    let def = |friction: f32, mask: u64| ShapeDef {
        filter: Filter {
            category: 2,
            mask,
            group,
        },
        ..ShapeDef::default().friction(friction)
    };
    let capsule = Capsule::new(point(0.0, bone.low), point(0.0, bone.high), bone.radius);
    engine.create_shape(body, &capsule.into(), &def(0.2, 1 | 2));
    if bone.has_foot {
        engine.create_shape(body, &foot(), &def(0.05, 1));
    }
    body
}

fn foot() -> Shape {
    let sole = [
        point(-0.03, -0.185),
        point(0.11, -0.185),
        point(0.11, -0.16),
        point(-0.03, -0.14),
    ];
    Polygon::rounded_hull(&sole, 0.015).into()
}

fn build_joint(
    engine: &mut dyn Engine,
    bone: &Bone,
    body: BodyHandle,
    parent_bone: &Bone,
    parent: BodyHandle,
) {
    let on_parent = JointFrame {
        anchor: point(0.0, bone.pivot - parent_bone.y),
        angle: bone.parent_angle,
    };
    let on_bone = JointFrame::at(0.0, bone.pivot - bone.y);
    engine.create_hinge(&Hinge {
        limit: Some(Limit::new(bone.lower * PI, bone.upper * PI)),
        motor: Some(Motor::new(0.0, bone.friction_factor * FRICTION_TORQUE)),
        spring: Some(SPRING),
        ..Hinge::new((parent, on_parent), (body, on_bone))
    });
}
