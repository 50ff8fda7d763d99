//! A body of an island that is solved directly: pose and velocity in `f64`, within one step.

use super::vector::{DVec, turn_by};
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::bounded::bounded_f64;
use crate::linear::block_sparse::Triple;
use crate::solver::{IntegrationStep, acceleration};

/// Pose of a body within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectPose {
    /// Center of mass, from that of the island's first body at the start of the step [m].
    pub(crate) center: DVec,
    /// Rotation since the start of the step: as an angle [rad], and as cosine and sine.
    pub(crate) angle: f64,
    pub(crate) turn: DVec,
}

impl DirectPose {
    /// Returns the pose after a motion [m] and a rotation [rad].
    pub(crate) fn moved(&self, motion: DVec, angle: f64) -> Self {
        Self {
            center: self.center + motion,
            angle: self.angle + angle,
            turn: self.turn.turned(turn_by(angle)),
        }
    }
}

/// A body of an island, or a fixed or kinematic body that its joints attach to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectBody {
    pub(crate) slot: u32,
    /// 0 unless it is dynamic.
    pub(crate) inv_mass: f64,
    pub(crate) inv_inertia: f64,
    pub(crate) pose: DirectPose,
    /// Rotation at the start of the step.
    pub(crate) start: DVec,
    /// [m/s], [rad/s]
    pub(crate) velocity: DVec,
    pub(crate) spin: f64,
    pub(crate) track: SpinTrack,
    /// Motion since the start of the step [m].
    pub(crate) motion: DVec,
    /// [m/s^2], [rad/s^2]
    acceleration: DVec,
    angular_acceleration: f64,
    /// Linear and angular damping [1/s].
    damping: [f64; 2],
    max_speed: f64,
    max_spin: f64,
}

/// A rate of rotation after the last substep, and its change in that substep [rad/s].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpinTrack {
    last: f64,
    last_change: f64,
}

impl SpinTrack {
    /// Notes the rate after a substep. Returns the difference of its change from that in the substep before.
    pub(crate) fn advance(&mut self, rate: f64) -> f64 {
        let change = rate - self.last;
        let jerk = change - self.last_change;
        (self.last, self.last_change) = (rate, change);
        jerk
    }
}

impl DirectBody {
    /// Returns the body in `slot`, with its center relative to that of `origin`.
    pub(crate) fn new(
        slot: u32,
        (pose, origin): (&BodyPose, &BodyPose),
        state: &BodyState,
        (mass, motion): (&BodyMass, &BodyMotion),
        drive: &IntegrationStep,
    ) -> Self {
        let rotation = DVec::wide(pose.rotation);
        let is_dynamic = state.flags & state_flags::DYNAMIC != 0;
        let max_spin = if state.flags & state_flags::FAST_ROTATION != 0 {
            motion.max_angular_speed
        } else {
            motion.max_angular_speed.min(drive.max_angular_speed)
        };
        let mut body = Self {
            slot,
            inv_mass: mass.inv_mass.into(),
            inv_inertia: mass.inv_inertia.into(),
            pose: DirectPose {
                center: DVec::new(
                    pose.center.x - origin.center.x,
                    pose.center.y - origin.center.y,
                ),
                angle: 0.0,
                turn: DVec::new(1.0, 0.0),
            },
            start: (1.0 / rotation.norm()) * rotation,
            velocity: DVec::wide(state.velocity),
            spin: state.angular_velocity.into(),
            track: SpinTrack::default(),
            motion: DVec::default(),
            acceleration: DVec::default(),
            angular_acceleration: 0.0,
            damping: [0.0; 2],
            max_speed: f64::INFINITY,
            max_spin: f64::INFINITY,
        };
        if is_dynamic {
            body.acceleration = DVec::wide(acceleration(mass, motion, drive.gravity));
            body.angular_acceleration = (mass.inv_inertia * motion.torque).into();
            body.damping = [motion.linear_damping.into(), motion.angular_damping.into()];
            body.max_speed = motion.max_linear_speed.into();
            body.max_spin = max_spin.into();
        }
        body
    }

    /// Returns `true` if impulses change its velocity.
    pub(crate) fn is_free(&self) -> bool {
        self.inv_mass > 0.0 || self.inv_inertia > 0.0
    }

    /// Returns velocity and spin.
    pub(crate) fn velocities(&self) -> Triple {
        [self.velocity.x, self.velocity.y, self.spin]
    }

    /// Adds to velocity and spin.
    pub(crate) fn add_velocities(&mut self, [x, y, spin]: &Triple) {
        self.velocity += DVec::new(*x, *y);
        self.spin += spin;
    }

    /// Applies forces, damping and the speed limits for `time` [s].
    pub(crate) fn kick(&mut self, time: f64) {
        self.velocity += time * self.acceleration;
        self.spin += time * self.angular_acceleration;
        if self.damping != [0.0; 2] {
            let [linear, angular] = self.damping.map(|rate| 1.0 / (1.0 + time * rate));
            self.velocity = linear * self.velocity;
            self.spin *= angular;
        }
        if self.velocity.dot(self.velocity) > self.max_speed * self.max_speed {
            self.velocity = (self.max_speed / self.velocity.norm()) * self.velocity;
        }
        self.spin = bounded_f64(self.spin, self.max_spin);
    }

    /// Returns the pose after a drift of `time` [s].
    pub(crate) fn pose_after(&self, time: f64) -> DirectPose {
        if self.velocity == DVec::default() && self.spin == 0.0 {
            return self.pose;
        }
        self.pose.moved(time * self.velocity, time * self.spin)
    }

    /// Moves for `time` [s].
    pub(crate) fn drift(&mut self, time: f64) {
        self.shift(time * self.velocity, time * self.spin);
    }

    /// Moves by a motion [m] and a rotation [rad].
    pub(crate) fn shift(&mut self, motion: DVec, angle: f64) {
        self.motion += motion;
        self.pose = self.pose.moved(motion, angle);
    }

    /// Returns `true` if all numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        let sum = (self.velocity.x + self.velocity.y + self.spin)
            + (self.motion.x + self.motion.y + self.pose.turn.x + self.pose.turn.y);
        sum.is_finite()
    }

    /// Writes velocity and motion of the step to `state`.
    pub(crate) fn store(&self, state: &mut BodyState) {
        self.store_velocity(state);
        state.delta_position = self.motion.narrow();
        state.delta_rotation = self.pose.turn.narrow();
    }

    /// Writes the velocity to `state`.
    pub(crate) fn store_velocity(&self, state: &mut BodyState) {
        state.velocity = self.velocity.narrow();
        state.angular_velocity = self.spin as f32;
    }
}
