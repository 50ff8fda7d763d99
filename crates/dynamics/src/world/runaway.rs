//! Before the step: bodies that would leave the world within it, or whose velocity is no longer finite,
//! are stopped.
//!
//! They must go before the solver runs: what is not finite spreads to all that it touches.

use crate::body::state::{BodyState, state_flags};
use crate::event::BodyFreeze;
use crate::joint::JointReaction;
use crate::tuning::{MAX_COORDINATE, MAX_ROTATION};
use crate::world::World;
use cairn2d_geometry::math::Vec2;

/// Way within a step that surely leads out of the world [m].
const MAX_WAY: f32 = 2.0 * MAX_COORDINATE as f32;

/// Speed whose square still is a number [m/s].
const SQUARABLE: f32 = 1.0e18;

impl World {
    /// Stops the awake bodies that cannot be simulated for `dt` [s], in order of slot.
    pub(crate) fn stop_runaways(&mut self, dt: f32) {
        let mut runaways = core::mem::take(&mut self.scratch.ccd_input.swept);
        runaways.clear();
        let awake = self.bodies.awake.iter();
        runaways.extend(awake.filter(|&slot| !self.stays(slot, dt)));
        for &slot in &runaways {
            if self.has_finite_velocity(slot) {
                self.cap_by_hand(slot);
            }
            if !self.stays(slot, dt) {
                self.freeze(slot);
            }
        }
        self.scratch.ccd_input.swept = runaways;
    }

    /// Says whether the way of every point of the body in `slot` within `dt` ends in the world, as far as
    /// velocity, forces and speed caps tell, with speeds that can be squared.
    fn stays(&self, slot: u32, dt: f32) -> bool {
        let index = slot as usize;
        let (state, motion) = (&self.bodies.states[index], &self.bodies.motions[index]);
        let (mut velocity, mut spin) = (state.velocity, state.angular_velocity);
        if state.flags & state_flags::DYNAMIC != 0 {
            let mass = &self.bodies.masses[index];
            velocity +=
                dt * (motion.gravity_scale * self.def.gravity + mass.inv_mass * motion.force);
            spin += dt * mass.inv_inertia * motion.torque;
        }
        let squarable = |v: &Vec2| v.norm() < SQUARABLE;
        if !squarable(&velocity) || !squarable(&state.velocity) || !spin.is_finite() {
            return false;
        }
        let turn = if state.flags & state_flags::FAST_ROTATION == 0 {
            MAX_ROTATION
        } else {
            spin.abs().min(motion.max_angular_speed) * dt
        };
        let way = velocity.norm().min(motion.max_linear_speed) * dt;
        way + turn * self.bodies.tracks[index].max_extent < MAX_WAY
    }

    fn has_finite_velocity(&self, slot: u32) -> bool {
        let velocity = self.bodies.states[slot as usize].velocity;
        velocity.x.is_finite() && velocity.y.is_finite()
    }

    /// Brings a speed whose square is infinite down to the body's cap, keeping the direction.
    fn cap_by_hand(&mut self, slot: u32) {
        let cap = self.bodies.motions[slot as usize].max_linear_speed;
        let velocity = &mut self.bodies.states[slot as usize].velocity;
        let size = velocity.amax();
        if size >= SQUARABLE && cap < SQUARABLE {
            *velocity = (*velocity / size).normalize() * cap;
        }
    }

    /// Stops a body whose new state is not finite or lies beyond the edge of the world: it stays where
    /// it was and is disabled, and its joints bear nothing; the rest of the world goes on.
    pub(crate) fn freeze(&mut self, slot: u32) {
        let state = &mut self.bodies.states[slot as usize];
        *state = BodyState {
            flags: state.flags,
            ..BodyState::IDENTITY
        };
        let id = self.bodies.slots.id_at(slot);
        self.events.collecting.frozen.push(BodyFreeze { body: id });
        self.detach(slot);
        // Impulses of this step may not be finite either.
        for &joint in &self.bodies.slots[slot].joints {
            self.joints.sims[joint as usize].forget_impulses();
            self.joint_loads[joint as usize] = JointReaction::NONE;
        }
    }
}
