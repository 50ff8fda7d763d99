//! Motion of single bodies: what accelerates, damps, caps and moves them in a substep.
//!
//! A body that something may touch is advanced by semi-implicit Euler, since constraints act on the
//! new velocity: `v += h a`, constraints, `x += h v`. A body that nothing touches (flag `FREE`) uses the mean
//! of old and new velocity, which is exact for a constant acceleration.
//! Rotation is exact for the angular velocity: the turn by `h w`, not its tangent.

use crate::body::state::{BodyMass, BodyMotion, BodyState, state_flags};
use crate::tuning::MAX_ROTATION;
use cairn2d_geometry::math::{Vec2, sin_cos};

/// What acts on all bodies in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    /// Length of the step and of a substep [s].
    pub(crate) dt: f32,
    pub(crate) h: f32,
    /// Acceleration of all dynamic bodies [m/s^2].
    pub(crate) gravity: Vec2,
    /// Greatest angular speed of a body without `FAST_ROTATION` [rad/s].
    pub(crate) max_angular_speed: f32,
}

impl Drive {
    pub(crate) fn new(dt: f32, h: f32, gravity: Vec2) -> Self {
        Self {
            dt,
            h,
            gravity,
            max_angular_speed: MAX_ROTATION / dt,
        }
    }
}

/// Advances the velocity of a body by a substep. A free body is left alone.
#[inline(always)]
pub(crate) fn integrate_velocity(
    state: &mut BodyState,
    mass: &BodyMass,
    motion: &BodyMotion,
    drive: &Drive,
) {
    if state.flags & state_flags::FREE == 0 {
        advance_velocity(state, mass, motion, drive, drive.h);
    }
}

/// Advances a free body by the whole step: in one go, since that rounds least; in substeps if it is damped, so that
/// damping does not change when something touches the body.
pub(crate) fn fly(
    state: &mut BodyState,
    mass: &BodyMass,
    motion: &BodyMotion,
    drive: &Drive,
    substeps: u32,
) {
    let damped = motion.linear_damping != 0.0 || motion.angular_damping != 0.0;
    let count = if damped { substeps } else { 1 };
    let h = if damped { drive.h } else { drive.dt };
    for _ in 0..count {
        let before = *state;
        advance_velocity(state, mass, motion, drive, h);
        let mut mean = *state;
        mean.velocity = 0.5 * (before.velocity + state.velocity);
        mean.angular_velocity = 0.5 * (before.angular_velocity + state.angular_velocity);
        stop_locked(&mut mean);
        state.delta_position += h * mean.velocity;
        state.delta_rotation = turned(state.delta_rotation, h * mean.angular_velocity);
    }
}

#[inline(always)]
fn advance_velocity(
    state: &mut BodyState,
    mass: &BodyMass,
    motion: &BodyMotion,
    drive: &Drive,
    h: f32,
) {
    if state.flags & state_flags::DYNAMIC != 0 {
        accelerate(state, mass, motion, drive, h);
    }
    cap_speeds(state, motion, drive);
    stop_locked(state);
}

/// Moves a body by its velocity over a substep. A free body is left alone.
#[inline(always)]
pub(crate) fn integrate_position(state: &mut BodyState, h: f32) {
    if state.flags & state_flags::FREE == 0 {
        stop_locked(state);
        state.delta_position += h * state.velocity;
        state.delta_rotation = turned(state.delta_rotation, h * state.angular_velocity);
    }
}

/// Applies gravity, the user's force and torque, and damping in its implicit form `v / (1 + h d)`, which
/// never turns a velocity round.
#[inline(always)]
fn accelerate(state: &mut BodyState, mass: &BodyMass, motion: &BodyMotion, drive: &Drive, h: f32) {
    let linear = acceleration(mass, motion, drive.gravity);
    let angular = mass.inv_inertia * motion.torque;
    state.velocity = (state.velocity + h * linear) / (1.0 + h * motion.linear_damping);
    state.angular_velocity =
        (state.angular_velocity + h * angular) / (1.0 + h * motion.angular_damping);
}

/// Returns the acceleration of a dynamic body's centre by gravity and the user's force [m/s^2].
#[inline(always)]
pub(crate) fn acceleration(mass: &BodyMass, motion: &BodyMotion, gravity: Vec2) -> Vec2 {
    motion.gravity_scale * gravity + mass.inv_mass * motion.force
}

#[inline(always)]
fn cap_speeds(state: &mut BodyState, motion: &BodyMotion, drive: &Drive) {
    let max = motion.max_linear_speed;
    let speed_sq = state.velocity.norm_squared();
    if speed_sq > max * max {
        state.velocity *= max / speed_sq.sqrt();
    }
    let mut max_w = motion.max_angular_speed;
    if state.flags & state_flags::FAST_ROTATION == 0 {
        max_w = max_w.min(drive.max_angular_speed);
    }
    state.angular_velocity = state.angular_velocity.clamp(-max_w, max_w);
}

#[inline(always)]
fn stop_locked(state: &mut BodyState) {
    const LOCKS: u32 = state_flags::LOCK_X | state_flags::LOCK_Y | state_flags::LOCK_ROTATION;
    if state.flags & LOCKS == 0 {
        return;
    }
    if state.flags & state_flags::LOCK_X != 0 {
        state.velocity.x = 0.0;
    }
    if state.flags & state_flags::LOCK_Y != 0 {
        state.velocity.y = 0.0;
    }
    if state.flags & state_flags::LOCK_ROTATION != 0 {
        state.angular_velocity = 0.0;
    }
}

/// Turn up to which the tangent's series is used [rad]. There its error, 0.022 x^9 of the half angle x, is
/// under the rounding of an `f32`.
const SERIES_TURN: f32 = 0.4;

/// Returns the rotation `q` (cosine, sine) turned by `angle`.
///
/// With t = tan(angle / 2), cosine and sine are (1 - t^2) / (1 + t^2) and 2 t / (1 + t^2): a unit vector
/// whatever the error of t, so that the length does not drift.
#[inline(always)]
pub(crate) fn turned(q: Vec2, angle: f32) -> Vec2 {
    let (s, c) = if angle.abs() <= SERIES_TURN {
        let x = 0.5 * angle;
        let x2 = x * x;
        // tan x = x + x^3 / 3 + 2 x^5 / 15 + 17 x^7 / 315 + ..
        let t = x * (1.0 + x2 * (1.0 / 3.0 + x2 * (2.0 / 15.0 + x2 * (17.0 / 315.0))));
        let t2 = t * t;
        let scale = 1.0 / (1.0 + t2);
        (2.0 * t * scale, (1.0 - t2) * scale)
    } else {
        sin_cos(angle)
    };
    Vec2::new(c * q.x - s * q.y, s * q.x + c * q.y)
}
