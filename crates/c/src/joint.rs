//! Joints between bodies.

use crate::body::find as find_body;
use crate::failure::{Failure, cairn_result, call};
use crate::handle::{change, read};
use crate::joint_def::{
    cairn_joint_def, cairn_limit, cairn_motor, cairn_spring, describe, limit, motor, spring,
};
use crate::pointer::{fill, get, put, put_optional};
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_joint_id, cairn_position, cairn_vec2, number,
    position,
};
use crate::world::cairn_world;
use engine::{JointId, JointMut, JointRef, World};

fn find(world: &World, joint: cairn_joint_id) -> Result<JointRef<'_>, Failure> {
    let found = world.get_joint(joint.into());
    found.ok_or_else(|| Failure::stale("joint", joint.bits))
}

fn edit(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    edit: impl FnOnce(&mut JointMut<'_>) -> Result<(), Failure>,
) -> cairn_result {
    call(|| {
        change(world, |world| {
            let found = world.get_joint_mut(joint.into());
            edit(&mut found.ok_or_else(|| Failure::stale("joint", joint.bits))?)
        })
    })
}

/// Sets the frames of a definition so that the anchors meet at a point of the world [m], and the x axes of both frames have an
/// angle in the world [rad]: that is the axis of sliders and wheels. The present pose of the bodies has the coordinate 0.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_def_at(
    world: *const cairn_world,
    def: *mut cairn_joint_def,
    x: f64,
    y: f64,
    angle: f32,
) -> cairn_result {
    call(|| {
        let place = position(x, y)?;
        let angle = number(angle, "angle")?;
        let mut filled = get(def, "def")?;
        read(world, |world| {
            let (a, b) = (filled.body_a, filled.body_b);
            find_body(world, a)?;
            find_body(world, b)?;
            let [frame_a, frame_b] = world.joint_frames(a.into(), b.into(), place, angle);
            filled.frame_a = frame_a.into();
            filled.frame_b = frame_b.into();
            put(def, filled, "def")
        })
    })
}

/// Sets the anchors of a definition to a point of the world on each body [m], and `length` to their distance.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_def_between(
    world: *const cairn_world,
    def: *mut cairn_joint_def,
    ax: f64,
    ay: f64,
    bx: f64,
    by: f64,
) -> cairn_result {
    call(|| {
        let (point_a, point_b) = (position(ax, ay)?, position(bx, by)?);
        let mut filled = get(def, "def")?;
        read(world, |world| {
            let body_a = find_body(world, filled.body_a)?;
            let body_b = find_body(world, filled.body_b)?;
            filled.frame_a.anchor = body_a.to_local(point_a).into();
            filled.frame_b.anchor = body_b.to_local(point_b).into();
            filled.length = (point_b - point_a).norm();
            put(def, filled, "def")
        })
    })
}

/// Creates a joint and writes its id; a null `joint` declines the id.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_create(
    world: *mut cairn_world,
    def: *const cairn_joint_def,
    joint: *mut cairn_joint_id,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?.def()?;
        if !joint.is_null() {
            crate::pointer::check_result(joint, "joint")?;
        }
        change(world, |world| {
            put_optional(joint, world.try_create_joint(def)?.into(), "joint")
        })
    })
}

/// Destroys a joint.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_destroy(
    world: *mut cairn_world,
    joint: cairn_joint_id,
) -> cairn_result {
    call(|| {
        change(world, |world| {
            find(world, joint)?;
            world.destroy_joint(joint.into());
            Ok(())
        })
    })
}

/// Writes the definition of a joint with its present settings.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_get_def(
    world: *const cairn_world,
    joint: cairn_joint_id,
    def: *mut cairn_joint_def,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            put(def, describe(find(world, joint)?.def()), "def")
        })
    })
}

/// Changes all settings of a joint; kind and bodies must be those that it has.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_def(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    def: *const cairn_joint_def,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?.def()?;
        change(world, |world| Ok(world.try_set_joint(joint.into(), def)?))
    })
}

/// State of a joint.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_joint_state {
    /// The first body.
    pub body_a: cairn_body_id,
    /// The second body.
    pub body_b: cairn_body_id,
    /// Anchor on A, in the world [m].
    pub anchor_a: cairn_position,
    /// Anchor on B, in the world [m].
    pub anchor_b: cairn_position,
    /// Force on B in the last step [N].
    pub force: cairn_vec2,
    /// Torque on B in the last step [N m].
    pub torque: f32,
    /// Angle of B relative to A [rad].
    pub angle: f32,
    /// Angular velocity of B relative to A [rad/s].
    pub angular_speed: f32,
    /// Translation of B's anchor along the axis [m].
    pub translation: f32,
    /// Speed of the translation [m/s].
    pub translation_speed: f32,
    /// Distance of the anchors, or length of the rope [m].
    pub length: f32,
    /// By how much the joint fails to hold its bodies [m].
    pub gap: f32,
    /// Whether the joint takes part.
    pub enabled: cairn_bool,
    /// As in the definition.
    pub user_data: u64,
}

/// Writes the state of a joint.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_get_state(
    world: *const cairn_world,
    joint: cairn_joint_id,
    state: *mut cairn_joint_state,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let joint = find(world, joint)?;
            let [body_a, body_b] = joint.bodies();
            let [anchor_a, anchor_b] = joint.anchors();
            let reaction = joint.reaction();
            let now = cairn_joint_state {
                body_a: body_a.into(),
                body_b: body_b.into(),
                anchor_a: anchor_a.into(),
                anchor_b: anchor_b.into(),
                force: reaction.force.into(),
                torque: reaction.torque,
                angle: joint.angle(),
                angular_speed: joint.angular_speed(),
                translation: joint.translation(),
                translation_speed: joint.translation_speed(),
                length: joint.length(),
                gap: joint.gap(),
                enabled: joint.is_enabled().into(),
                user_data: joint.user_data(),
            };
            put(state, now, "state")
        })
    })
}

/// Lets a joint take part (1), or not (0).
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_enabled(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    enabled: cairn_bool,
) -> cairn_result {
    edit(world, joint, |joint| {
        if enabled == CAIRN_FALSE {
            joint.disable();
        } else {
            joint.enable();
        }
        Ok(())
    })
}

/// Sets the motor of a joint.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_motor(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    new: *const cairn_motor,
) -> cairn_result {
    edit(world, joint, |joint| {
        Ok(joint.try_set_motor(motor(get(new, "motor")?))?)
    })
}

/// Sets the speed of the motor of a joint [rad/s] or [m/s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_motor_speed(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    speed: f32,
) -> cairn_result {
    edit(world, joint, |joint| Ok(joint.try_set_motor_speed(speed)?))
}

/// Sets the limits of a joint.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_limit(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    new: *const cairn_limit,
) -> cairn_result {
    edit(world, joint, |joint| {
        Ok(joint.try_set_limit(limit(get(new, "limit")?))?)
    })
}

/// Sets the spring of a joint.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_spring(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    new: *const cairn_spring,
) -> cairn_result {
    edit(world, joint, |joint| {
        Ok(joint.try_set_spring(spring(get(new, "spring")?))?)
    })
}

/// Writes the mass that the spring of a joint moves at the present poses: the effective mass of its translation [kg] or angle
/// [kg m^2], for cairn_spring_from_stiffness(). It is 0 if neither body can move along the spring. A joint without a spring is
/// an error.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_get_spring_mass(
    world: *const cairn_world,
    joint: cairn_joint_id,
    mass: *mut f32,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let found = find(world, joint)?.spring_mass();
            let found = found.ok_or_else(|| Failure::value("the joint has no spring"))?;
            put(mass, found, "mass")
        })
    })
}

/// Sets the length of a distance joint or pulley [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_length(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    length: f32,
) -> cairn_result {
    edit(world, joint, |joint| Ok(joint.try_set_length(length)?))
}

/// Moves the target of a mouse or motor joint to a point of the world [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_set_target(
    world: *mut cairn_world,
    joint: cairn_joint_id,
    x: f64,
    y: f64,
) -> cairn_result {
    edit(world, joint, |joint| {
        Ok(joint.try_set_target(position(x, y)?)?)
    })
}

/// Writes the joints of a world.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_get_joints(
    world: *const cairn_world,
    buffer: *mut cairn_joint_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let ids = world.joints().map(|joint| joint.id().into());
            fill(ids, buffer, capacity, count)
        })
    })
}

/// Writes 1 to `exists` if the id names a joint of this world, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_joint_exists(
    world: *const cairn_world,
    joint: cairn_joint_id,
    exists: *mut cairn_bool,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let id: JointId = joint.into();
            put(exists, world.get_joint(id).is_some().into(), "exists")
        })
    })
}
