//! Callbacks of a step: which pairs collide, and how.

use crate::body::{cairn_body_kind, kind_of};
use crate::failure::{cairn_result, call};
use crate::handle::change;
use crate::pointer::Context;
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_position, cairn_shape_id, cairn_vec2,
};
use crate::world::cairn_world;
use engine::{HookShape, MAX_DRIVE_SPEED, MAX_FRICTION, MAX_RESTITUTION, PreSolve};
use std::ffi::c_void;

/// A shape in a callback of a step.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_hook_shape {
    /// The shape.
    pub shape: cairn_shape_id,
    /// Its body.
    pub body: cairn_body_id,
    /// User data of the shape.
    pub user_data: u64,
    /// User data of the body.
    pub body_user_data: u64,
    /// Origin of the body's frame [m].
    pub position: cairn_position,
    /// Angle of the body [rad].
    pub angle: f32,
    /// Velocity of the body's center of mass [m/s].
    pub velocity: cairn_vec2,
    /// Angular velocity of the body [rad/s].
    pub angular_velocity: f32,
    /// Kind of the body: see cairn_body_kind.
    pub kind: cairn_body_kind,
    /// Whether the shape is a sensor.
    pub sensor: cairn_bool,
}

impl From<HookShape<'_>> for cairn_hook_shape {
    fn from(shape: HookShape<'_>) -> Self {
        Self {
            shape: shape.id().into(),
            body: shape.body().into(),
            user_data: shape.user_data(),
            body_user_data: shape.body_user_data(),
            position: shape.position().into(),
            angle: shape.angle(),
            velocity: shape.velocity().into(),
            angular_velocity: shape.angular_velocity(),
            kind: kind_of(shape.kind()),
            sensor: shape.is_sensor().into(),
        }
    }
}

/// A contact that is about to be solved.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_pre_solve {
    /// First shape.
    pub shape_a: cairn_hook_shape,
    /// Second shape.
    pub shape_b: cairn_hook_shape,
    /// Unit normal, from A to B.
    pub normal: cairn_vec2,
    /// Number of points, 0 to 2.
    pub point_count: u32,
    /// Gaps at the points [m]; negative: overlap.
    pub separations: [f32; 2],
    /// Places of the points [m].
    pub points: [cairn_position; 2],
    /// May be changed: coefficient of friction.
    pub friction: f32,
    /// May be changed: coefficient of restitution.
    pub restitution: f32,
    /// May be changed: speed of the surfaces along the contact [m/s].
    pub surface_speed: f32,
    /// May be set to 1: the contact does nothing in this step.
    pub ignore: cairn_bool,
}

fn describe(contact: &PreSolve<'_>) -> cairn_pre_solve {
    let [shape_a, shape_b] = contact.shapes();
    let mut separations = [0.0; 2];
    let mut points = [cairn_position::default(); 2];
    for (index, point) in contact.points().iter().take(2).enumerate() {
        separations[index] = point.separation;
        points[index] = point.point.into();
    }
    cairn_pre_solve {
        shape_a: shape_a.into(),
        shape_b: shape_b.into(),
        normal: contact.normal().into(),
        point_count: contact.points().len() as u32,
        separations,
        points,
        friction: contact.friction,
        restitution: contact.restitution,
        surface_speed: contact.surface_speed,
        ignore: CAIRN_FALSE,
    }
}

/// Takes a number of a callback if it is in range; the contact keeps its own otherwise.
fn take(place: &mut f32, new: f32, min: f32, max: f32) {
    if (min..=max).contains(&new) {
        *place = new;
    }
}

/// Decides whether two shapes collide: 0 is no. It must give the same answer each time, must not throw and must not call
/// functions of the world. With several threads, it is called from several of them at a time.
pub type cairn_pair_filter = Option<
    extern "C" fn(
        context: *mut c_void,
        a: *const cairn_hook_shape,
        b: *const cairn_hook_shape,
    ) -> cairn_bool,
>;

/// May change a contact before it is solved, for shapes with cairn_shape_def.pre_solve. The rules of cairn_pair_filter apply.
/// Numbers that are out of range are ignored.
pub type cairn_pre_solve_callback =
    Option<extern "C" fn(context: *mut c_void, contact: *mut cairn_pre_solve)>;

/// Sets the callback that filters pairs; null removes it. Clones of the world share it, saves do not have it. What is behind
/// `context` must exist as long as the world and its clones.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_set_pair_filter(
    world: *mut cairn_world,
    accept: cairn_pair_filter,
    context: *mut c_void,
) -> cairn_result {
    call(|| {
        let context = Context::new(context);
        change(world, |world| {
            match accept {
                None => world.clear_pair_filter(),
                Some(accept) => world.set_pair_filter(move |a, b| {
                    let (a, b) = (a.into(), b.into());
                    accept(context.pointer(), &raw const a, &raw const b) != CAIRN_FALSE
                }),
            }
            Ok(())
        })
    })
}

/// Sets the callback that changes contacts before they are solved; null removes it. See cairn_world_set_pair_filter().
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_set_pre_solve(
    world: *mut cairn_world,
    callback: cairn_pre_solve_callback,
    context: *mut c_void,
) -> cairn_result {
    call(|| {
        let context = Context::new(context);
        change(world, |world| {
            match callback {
                None => world.clear_pre_solve(),
                Some(callback) => world.set_pre_solve(move |contact| {
                    let mut changed = describe(contact);
                    callback(context.pointer(), &raw mut changed);
                    take(&mut contact.friction, changed.friction, 0.0, MAX_FRICTION);
                    take(
                        &mut contact.restitution,
                        changed.restitution,
                        0.0,
                        MAX_RESTITUTION,
                    );
                    let limit = MAX_DRIVE_SPEED;
                    take(
                        &mut contact.surface_speed,
                        changed.surface_speed,
                        -limit,
                        limit,
                    );
                    if changed.ignore != CAIRN_FALSE {
                        contact.ignore();
                    }
                }),
            }
            Ok(())
        })
    })
}
