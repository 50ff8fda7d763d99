//! What comes down on a corner on fixed ground: the corners that it turns down are stopped with the first.
//!
//! Contacts know what is nearer than the speculative distance. A box that lands on a corner at 10 m/s turns its other corner, which is out of that
//! reach, by eight centimetres into the ground within the step, at 30 m/s by thirty; and one that rolls over as fast likewise. So what stands on
//! nothing but fixed ground, and moves fast, is looked at for such corners before the substeps. They may come down as far as the ground.

use super::blows::BlowLists;
use crate::body::state::{BodyState, state_flags};
use crate::contact::patch::patch_flags;
use crate::graph::GraphPlace;
use crate::solver::MIN_RESTITUTION;
use crate::world::World;

/// Speed of its fastest point from which on a body is looked at [m/s]. Below, a corner that is beyond the speculative distance comes no further than
/// that into the ground.
const FAST: f32 = 2.0;

/// Says whether a body that reaches so far from its centre [m] moves fast.
pub(super) fn is_fast(state: &BodyState, extent: f32) -> bool {
    let spin = state.angular_velocity * extent;
    state.velocity.norm_squared() + spin * spin > FAST * FAST
}

impl World {
    /// Stops the corners of those bodies which are turned down into fixed ground within the step.
    pub(crate) fn stop_landings(&mut self, dt: f32) {
        let landing = core::mem::take(&mut self.scratch.landing);
        let mut lists = core::mem::take(&mut self.scratch.blows);
        for &body in &landing {
            if self.comes_down(body, dt, &mut lists) {
                self.stop_blow(&mut lists);
            }
        }
        self.scratch.blows = lists;
        self.scratch.landing = landing;
    }

    /// Lists the rows of a body's contacts; says whether a corner comes down fast, and does not bounce.
    fn comes_down(&self, body: u32, dt: f32, lists: &mut BlowLists) -> bool {
        lists.rows.clear();
        let locks = state_flags::LOCK_X | state_flags::LOCK_Y;
        if self.bodies.states[body as usize].flags & locks != 0 {
            return false;
        }
        let mut comes_down = false;
        for &contact in &self.bodies.slots[body].contacts {
            let patch = &self.patches[contact as usize];
            let idle = patch.flags & patch_flags::IDLE != 0;
            if idle || self.contacts[contact].graph == GraphPlace::NONE {
                continue;
            }
            if patch.restitution >= MIN_RESTITUTION {
                return false;
            }
            comes_down |= self.list_landing(contact, dt, lists);
        }
        comes_down
    }
}
