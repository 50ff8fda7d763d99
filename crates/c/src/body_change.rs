//! Bodies: changes, forces and impulses.

use crate::body::{body_kind, cairn_body_kind, cairn_continuous, continuous, speed_cap};
use crate::failure::{Failure, cairn_result, call};
use crate::handle::change;
use crate::pointer::{array, get_optional};
use crate::values::{CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_vec2, finite, number, position};
use crate::world::cairn_world;
use engine::{BodyMut, Locks, MassData, World};

fn find_mut(world: &mut World, body: cairn_body_id) -> Result<BodyMut<'_>, Failure> {
    let found = world.get_body_mut(body.into());
    found.ok_or_else(|| Failure::stale("body", body.bits))
}

/// Changes a body.
fn edit(
    world: *mut cairn_world,
    body: cairn_body_id,
    edit: impl FnOnce(&mut BodyMut<'_>) -> Result<(), Failure>,
) -> cairn_result {
    call(|| change(world, |world| edit(&mut find_mut(world, body)?)))
}

/// Moves a body to a position [m] and angle [rad] without passing what is between.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_pose(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f64,
    y: f64,
    angle: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_pose(position(x, y)?, angle)?)
    })
}

/// Gives a kinematic body the velocity with which it reaches a position [m] and angle [rad] in a step of `dt` seconds.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_move_to(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f64,
    y: f64,
    angle: f32,
    dt: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_move_to(position(x, y)?, angle, dt)?)
    })
}

/// Sets the velocity of the center of mass [m/s] and wakes the body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_velocity(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f32,
    y: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_velocity(finite(x, y, "velocity")?)?)
    })
}

/// Sets the angular velocity [rad/s] and wakes the body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_angular_velocity(
    world: *mut cairn_world,
    body: cairn_body_id,
    angular_velocity: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_angular_velocity(angular_velocity)?)
    })
}

/// Adds a force on the center of mass for the next step [N].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_force(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f32,
    y: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_apply_force(finite(x, y, "force")?)?)
    })
}

/// Adds a force at a point of the world [m] for the next step [N].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_force_at(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f32,
    y: f32,
    point_x: f64,
    point_y: f64,
) -> cairn_result {
    edit(world, body, |body| {
        let force = finite(x, y, "force")?;
        Ok(body.try_apply_force_at(force, position(point_x, point_y)?)?)
    })
}

/// Adds a torque for the next step, counter-clockwise [N m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_torque(
    world: *mut cairn_world,
    body: cairn_body_id,
    torque: f32,
) -> cairn_result {
    edit(world, body, |body| Ok(body.try_apply_torque(torque)?))
}

/// Applies an impulse to the center of mass [N s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_impulse(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f32,
    y: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_apply_impulse(finite(x, y, "impulse")?)?)
    })
}

/// Applies an impulse at a point of the world [m], [N s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_impulse_at(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: f32,
    y: f32,
    point_x: f64,
    point_y: f64,
) -> cairn_result {
    edit(world, body, |body| {
        let impulse = finite(x, y, "impulse")?;
        Ok(body.try_apply_impulse_at(impulse, position(point_x, point_y)?)?)
    })
}

/// Applies an angular impulse, counter-clockwise [N m s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_angular_impulse(
    world: *mut cairn_world,
    body: cairn_body_id,
    impulse: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_apply_angular_impulse(impulse)?)
    })
}

/// A force on a body for the next step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_body_force {
    /// The body.
    pub body: cairn_body_id,
    /// Force on the center of mass [N].
    pub force: cairn_vec2,
    /// Torque, counter-clockwise [N m].
    pub torque: f32,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

/// Adds many forces for the next step. At the first one that is refused the call fails; those before it stay.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_apply_forces(
    world: *mut cairn_world,
    forces: *const cairn_body_force,
    force_count: usize,
) -> cairn_result {
    call(|| {
        let forces = array(forces, force_count, "forces")?;
        change(world, |world| {
            for force in forces {
                let mut body = find_mut(world, force.body)?;
                body.try_apply_force(force.force.into())?;
                body.try_apply_torque(force.torque)?;
            }
            Ok(())
        })
    })
}

/// Changes the kind of motion: see cairn_body_kind.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_kind(
    world: *mut cairn_world,
    body: cairn_body_id,
    kind: cairn_body_kind,
) -> cairn_result {
    edit(world, body, |body| {
        body.set_kind(body_kind(kind)?);
        Ok(())
    })
}

/// Mass of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_mass {
    /// Mass [kg].
    pub mass: f32,
    /// Rotational inertia about the center of mass [kg m^2].
    pub inertia: f32,
    /// Center of mass in the body's frame [m].
    pub center: cairn_vec2,
}

/// Sets the mass of a body; a null `mass` is that of its shapes.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_mass(
    world: *mut cairn_world,
    body: cairn_body_id,
    mass: *const cairn_mass,
) -> cairn_result {
    edit(world, body, |body| {
        let mass = get_optional(mass, "mass")?.map(|mass| MassData {
            mass: mass.mass,
            center: mass.center.point(),
            inertia: mass.inertia,
        });
        Ok(body.try_set_mass(mass)?)
    })
}

/// Sets the decay rates of velocity and angular velocity [1/s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_damping(
    world: *mut cairn_world,
    body: cairn_body_id,
    linear: f32,
    angular: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_damping(linear, angular)?)
    })
}

/// Sets the factor on the world's gravity.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_gravity_scale(
    world: *mut cairn_world,
    body: cairn_body_id,
    scale: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_gravity_scale(number(scale, "scale")?)?)
    })
}

/// Sets the greatest speed [m/s]; infinite is that of the world.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_max_linear_speed(
    world: *mut cairn_world,
    body: cairn_body_id,
    speed: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_max_linear_speed(speed_cap(speed))?)
    })
}

/// Sets the greatest angular speed [rad/s]; may be infinite.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_max_angular_speed(
    world: *mut cairn_world,
    body: cairn_body_id,
    speed: f32,
) -> cairn_result {
    edit(world, body, |body| {
        Ok(body.try_set_max_angular_speed(speed)?)
    })
}

/// Sets the speed below which the body may fall asleep [m/s], and whether it may at all.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_sleeping(
    world: *mut cairn_world,
    body: cairn_body_id,
    sleep_speed: f32,
    can_sleep: cairn_bool,
) -> cairn_result {
    edit(world, body, |body| {
        body.try_set_sleep_speed(sleep_speed)?;
        body.set_can_sleep(can_sleep != CAIRN_FALSE);
        Ok(())
    })
}

/// Sets how a fast body is swept: see cairn_continuous, and cairn_body_def.bullet and cairn_body_def.fast_rotation.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_continuous(
    world: *mut cairn_world,
    body: cairn_body_id,
    kind: cairn_continuous,
    bullet: cairn_bool,
    fast_rotation: cairn_bool,
) -> cairn_result {
    edit(world, body, |body| {
        body.set_continuous(continuous(kind)?);
        body.set_bullet(bullet != CAIRN_FALSE);
        body.set_fast_rotation(fast_rotation != CAIRN_FALSE);
        Ok(())
    })
}

/// Locks or frees the motions of a body.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_locks(
    world: *mut cairn_world,
    body: cairn_body_id,
    x: cairn_bool,
    y: cairn_bool,
    rotation: cairn_bool,
) -> cairn_result {
    edit(world, body, |body| {
        body.set_locks(Locks {
            x: x != CAIRN_FALSE,
            y: y != CAIRN_FALSE,
            rotation: rotation != CAIRN_FALSE,
        });
        Ok(())
    })
}

/// Wakes a body (1), or sends it to sleep (0).
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_awake(
    world: *mut cairn_world,
    body: cairn_body_id,
    awake: cairn_bool,
) -> cairn_result {
    edit(world, body, |body| {
        if awake == CAIRN_FALSE {
            body.sleep();
        } else {
            body.wake();
        }
        Ok(())
    })
}

/// Lets a body take part (1), or not (0).
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_enabled(
    world: *mut cairn_world,
    body: cairn_body_id,
    enabled: cairn_bool,
) -> cairn_result {
    edit(world, body, |body| {
        if enabled == CAIRN_FALSE {
            body.disable();
        } else {
            body.enable();
        }
        Ok(())
    })
}

/// Sets the caller's number.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_set_user_data(
    world: *mut cairn_world,
    body: cairn_body_id,
    user_data: u64,
) -> cairn_result {
    edit(world, body, |body| {
        body.set_user_data(user_data);
        Ok(())
    })
}

/// Lets a body fall through the one-way shapes on which it stands.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_drop_through(
    world: *mut cairn_world,
    body: cairn_body_id,
) -> cairn_result {
    call(|| {
        change(world, |world| {
            crate::body::find(world, body)?;
            world.drop_through(body.into());
            Ok(())
        })
    })
}
