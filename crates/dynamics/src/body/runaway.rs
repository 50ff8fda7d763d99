//! Runaway bodies: they would leave the coordinate range within a step, or their velocity is not finite.
//!
//! They are found before the solver runs, since a value that is not finite spreads to all bodies in contact.

use crate::body::state::state_flags;
use crate::body::table::BodyTable;
use crate::bounded::bounded;
use crate::tuning::{MAX_COORDINATE, MAX_ROTATION};
use cairn2d_geometry::math::Vec2;

/// Distance of a motion that ends outside the coordinate range, wherever it begins [m].
const MAX_MOTION_OF_STEP: f32 = 2.0 * MAX_COORDINATE as f32;

/// Speed whose square is finite in `f32`, with room for the sum of some squares [m/s].
const MAX_SQUARABLE_SPEED: f32 = 1.0e18;

impl BodyTable {
    /// Lists the awake bodies that cannot be simulated for `dt` \[s\], in order of slots.
    pub(crate) fn list_runaways(&self, dt: f32, gravity: Vec2, runaways: &mut Vec<u32>) {
        runaways.clear();
        let awake = self.awake.iter();
        runaways.extend(awake.filter(|&slot| !self.stays_in_range(slot, dt, gravity)));
    }

    /// Returns `true` if all points of the body in `slot` stay in the coordinate range for `dt` \[s\], by its
    /// velocity, forces and speed limits, and its speeds can be squared.
    pub(crate) fn stays_in_range(&self, slot: u32, dt: f32, gravity: Vec2) -> bool {
        let index = slot as usize;
        let (state, motion) = (&self.states[index], &self.motions[index]);
        let (mut velocity, mut spin) = (state.velocity, state.angular_velocity);
        if state.flags & state_flags::DYNAMIC != 0 {
            let mass = &self.masses[index];
            velocity += dt * (motion.gravity_scale * gravity + mass.inv_mass * motion.force);
            spin += dt * mass.inv_inertia * motion.torque;
        }
        let is_squarable =
            |v: &Vec2| v.x.abs() < MAX_SQUARABLE_SPEED && v.y.abs() < MAX_SQUARABLE_SPEED;
        let extent = self.tracks[index].max_extent;
        let is_slow = spin.abs() * extent.max(1.0) < MAX_SQUARABLE_SPEED;
        if !is_squarable(&velocity) || !is_squarable(&state.velocity) || !is_slow {
            return false;
        }
        let rotation = if state.flags & state_flags::FAST_ROTATION == 0 {
            MAX_ROTATION
        } else {
            spin.abs().min(motion.max_angular_speed) * dt
        };
        let distance = velocity.norm().min(motion.max_linear_speed) * dt;
        distance + rotation * extent < MAX_MOTION_OF_STEP
    }

    /// Clamps a finite speed that is too large to be squared to the speed limit of the body, and keeps its
    /// direction; clamps such a spin to half of the greatest one.
    pub(crate) fn clamp_unsquarable_speed(&mut self, slot: u32) {
        let limit = self.motions[slot as usize].max_linear_speed;
        let extent = self.tracks[slot as usize].max_extent;
        let state = &mut self.states[slot as usize];
        let (velocity, spin) = (&mut state.velocity, &mut state.angular_velocity);
        if spin.is_finite() {
            *spin = bounded(*spin, 0.5 * MAX_SQUARABLE_SPEED / extent.max(1.0));
        }
        if !velocity.x.is_finite() || !velocity.y.is_finite() {
            return;
        }
        let size = velocity.amax();
        if size >= MAX_SQUARABLE_SPEED && limit < MAX_SQUARABLE_SPEED {
            *velocity = (*velocity / size).normalize() * limit;
        }
    }
}
