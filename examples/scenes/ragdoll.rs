//! A jointed human figure.

use crate::kit::{hull, pin};
use cairn2d::geometry::math::PI;
use cairn2d::prelude::{
    BodyDef, BodyId, Capsule, Filter, Limit, Motor, ShapeDef, Spring, World, WorldPoint, point,
    vec2,
};

/// One bone: a vertical capsule, and how it hangs on its parent.
struct Bone {
    parent: Option<usize>,
    /// Height of the bone's origin above the figure's [m].
    y: f32,
    /// Ends of the middle line above the bone's origin [m].
    ends: [f32; 2],
    radius: f32,
    /// Height of the joint above the figure's origin [m].
    pivot: f32,
    /// Limits of the joint [pi rad].
    limit: [f32; 2],
    /// Friction of the joint against that of the stiffest.
    friction: f32,
    /// Turn of the joint's frame on the parent [pi rad].
    frame_turn: f32,
    linear_damping: f32,
    has_foot: bool,
}

const fn bone(
    parent: usize,
    y: f32,
    ends: [f32; 2],
    radius: f32,
    pivot: f32,
    limit: [f32; 2],
) -> Bone {
    Bone {
        parent: Some(parent),
        y,
        ends,
        radius,
        pivot,
        limit,
        friction: 0.5,
        frame_turn: 0.0,
        linear_damping: 0.0,
        has_foot: false,
    }
}

const HIP: usize = 0;
const TORSO: usize = 1;

const UPPER_LEG: Bone = Bone {
    friction: 1.0,
    ..bone(HIP, 0.775, [-0.125, 0.125], 0.06, 0.9, [-0.05, 0.4])
};
const UPPER_ARM: Bone = bone(TORSO, 1.225, [-0.125, 0.125], 0.035, 1.35, [-0.1, 0.8]);

const fn lower_leg(upper: usize) -> Bone {
    Bone {
        has_foot: true,
        ..bone(upper, 0.475, [-0.155, 0.125], 0.045, 0.625, [-0.5, -0.02])
    }
}

const fn lower_arm(upper: usize) -> Bone {
    Bone {
        friction: 0.1,
        frame_turn: 0.25,
        linear_damping: 0.1,
        ..bone(upper, 0.975, [-0.125, 0.125], 0.03, 1.1, [-0.2, 0.3])
    }
}

const BONES: [Bone; 11] = [
    Bone {
        parent: None,
        ..bone(HIP, 0.95, [-0.02, 0.02], 0.095, 0.0, [0.0, 0.0])
    },
    bone(HIP, 1.2, [-0.135, 0.135], 0.09, 1.0, [-0.25, 0.0]),
    Bone {
        friction: 0.25,
        linear_damping: 0.1,
        ..bone(TORSO, 1.475, [-0.038, 0.039], 0.075, 1.4, [-0.3, 0.1])
    },
    UPPER_LEG,
    lower_leg(3),
    UPPER_LEG,
    lower_leg(5),
    UPPER_ARM,
    lower_arm(7),
    UPPER_ARM,
    lower_arm(9),
];

/// Most friction torque of a joint [N m].
const JOINT_FRICTION: f32 = 0.05;

/// Adds a figure 1.6 m tall with its soles at `feet`; its bones, which do not touch each other, share
/// the filter group `-number`.
pub fn ragdoll(world: &mut World, feet: WorldPoint, number: i32, tint: u64) -> [BodyId; 11] {
    let mut ids: Vec<BodyId> = Vec::with_capacity(BONES.len());
    for bone in &BONES {
        let def = BodyDef {
            position: feet + vec2(0.0, bone.y),
            linear_damping: bone.linear_damping,
            sleep_speed: 0.1,
            user_data: tint,
            ..BodyDef::dynamic()
        };
        let body = world.create_body(def);
        add_flesh(world, body, bone, number);
        if let Some(parent) = bone.parent {
            let pivot = feet + vec2(0.0, bone.pivot);
            join(world, ids[parent], body, bone, pivot);
        }
        ids.push(body);
    }
    core::array::from_fn(|i| ids[i])
}

fn add_flesh(world: &mut World, body: BodyId, bone: &Bone, number: i32) {
    let filter = Filter {
        group: -number,
        ..Filter::default()
    };
    let def = ShapeDef {
        filter,
        ..ShapeDef::default()
    };
    let [a, b] = bone.ends.map(|y| point(0.0, y));
    let capsule = Capsule::new(a, b, bone.radius);
    world.create_shape(body, capsule, def.friction(0.2));
    if bone.has_foot {
        let foot = hull(&[
            (-0.045, -0.2),
            (0.125, -0.2),
            (0.125, -0.16),
            (-0.045, -0.13),
        ]);
        world.create_shape(body, foot, def.friction(0.05));
    }
}

fn join(world: &mut World, parent: BodyId, child: BodyId, bone: &Bone, pivot: WorldPoint) {
    let mut def = pin(world, parent, child, pivot);
    def.base.frame_a.angle = bone.frame_turn * PI;
    def.limit = Some(Limit::new(bone.limit[0] * PI, bone.limit[1] * PI));
    def.motor = Some(Motor::new(0.0, bone.friction * JOINT_FRICTION));
    def.spring = Some(Spring::new(5.0, 0.5));
    world.create_joint(def);
}
