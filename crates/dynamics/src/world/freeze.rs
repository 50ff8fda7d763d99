//! Freezing: a body that cannot be simulated stays where it was and is disabled.

use crate::body::state::BodyState;
use crate::event::BodyFreeze;
use crate::joint::JointReaction;
use crate::world::World;

impl World {
    /// Freezes the awake bodies that cannot be simulated for `dt` \[s\], even at their speed limits; in order
    /// of slots.
    pub(crate) fn freeze_runaways(&mut self, dt: f32) {
        let mut runaways = core::mem::take(&mut self.scratch.runaways);
        let gravity = self.def.gravity;
        self.bodies.list_runaways(dt, gravity, &mut runaways);
        for &slot in &runaways {
            self.bodies.clamp_unsquarable_speed(slot);
            if !self.bodies.stays_in_range(slot, dt, gravity) {
                self.freeze(slot);
            }
        }
        self.scratch.runaways = runaways;
    }

    /// Stops and disables a body whose new state is not finite or out of the coordinate range. It stays where
    /// it was, and its joints carry no load.
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
            self.joints.loads[joint as usize] = JointReaction::NONE;
        }
    }
}
