//! A body while it is solved directly: its place and velocity in `f64`, within one step.

use super::vector::{DVec, turn_by};
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::solver::integrate::{IntegrationStep, acceleration};

/// Where a body is within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Centre of mass, from that of the island's first body at the start of the step [m].
    pub(crate) center: DVec,
    /// Turn since the start of the step: as an angle [rad], and as cosine and sine.
    pub(crate) angle: f64,
    pub(crate) turn: DVec,
}

impl Place {
    /// Returns the place after a way and a turn.
    pub(crate) fn after(&self, way: DVec, angle: f64) -> Self {
        Self {
            center: self.center + way,
            angle: self.angle + angle,
            turn: self.turn.turned(turn_by(angle)),
        }
    }
}

/// One body of an island, or one at which it hangs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) slot: u32,
    /// 0 where it is not dynamic.
    pub(crate) inv_mass: f64,
    pub(crate) inv_inertia: f64,
    pub(crate) place: Place,
    /// Rotation at the start of the step.
    pub(crate) start: DVec,
    /// [m/s], [rad/s]
    pub(crate) velocity: DVec,
    pub(crate) spin: f64,
    /// Spin after the substep before, and by what it had risen there [rad/s].
    pub(crate) last_spin: f64,
    pub(crate) last_gain: f64,
    /// Way since the start of the step [m].
    way: DVec,
    /// [m/s^2], [rad/s^2]
    acceleration: DVec,
    twist: f64,
    /// Rates at which velocity fades [1/s].
    damping: [f64; 2],
    max_speed: f64,
    max_spin: f64,
}

impl Body {
    /// Returns the body in `slot`, with its centre seen from `origin`.
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
            place: Place {
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
            last_spin: 0.0,
            last_gain: 0.0,
            way: DVec::default(),
            acceleration: DVec::default(),
            twist: 0.0,
            damping: [0.0; 2],
            max_speed: f64::INFINITY,
            max_spin: f64::INFINITY,
        };
        if is_dynamic {
            body.acceleration = DVec::wide(acceleration(mass, motion, drive.gravity));
            body.twist = (mass.inv_inertia * motion.torque).into();
            body.damping = [motion.linear_damping.into(), motion.angular_damping.into()];
            body.max_speed = motion.max_linear_speed.into();
            body.max_spin = max_spin.into();
        }
        body
    }

    /// Says whether impulses change its velocity.
    pub(crate) fn is_free(&self) -> bool {
        self.inv_mass > 0.0 || self.inv_inertia > 0.0
    }

    /// Has forces act for `time` [s].
    pub(crate) fn kick(&mut self, time: f64) {
        let [linear, angular] = self.damping.map(|rate| 1.0 / (1.0 + time * rate));
        self.velocity = linear * (self.velocity + time * self.acceleration);
        self.spin = angular * (self.spin + time * self.twist);
        let speed = self.velocity.norm();
        if speed > self.max_speed {
            self.velocity = (self.max_speed / speed) * self.velocity;
        }
        self.spin = self.spin.clamp(-self.max_spin, self.max_spin);
    }

    /// Returns where it is `time` [s] later.
    pub(crate) fn place_after(&self, time: f64) -> Place {
        self.place.after(time * self.velocity, time * self.spin)
    }

    /// Moves for `time` [s].
    pub(crate) fn drift(&mut self, time: f64) {
        self.shift(time * self.velocity, time * self.spin);
    }

    /// Moves by a way and a turn.
    pub(crate) fn shift(&mut self, way: DVec, angle: f64) {
        self.way += way;
        self.place = self.place.after(way, angle);
    }

    /// Says whether all numbers are finite.
    pub(crate) fn is_sound(&self) -> bool {
        let sum = (self.velocity.x + self.velocity.y + self.spin)
            + (self.way.x + self.way.y + self.place.turn.x + self.place.turn.y);
        sum.is_finite()
    }

    /// Writes what came of the step.
    pub(crate) fn store(&self, state: &mut BodyState) {
        state.velocity = self.velocity.narrow();
        state.angular_velocity = self.spin as f32;
        state.delta_position = self.way.narrow();
        state.delta_rotation = self.place.turn.narrow();
    }
}
