//! What lands on fixed ground and is stopped by more than a point of one contact: all of them at once.
//!
//! Contacts know what is nearer than the speculative distance. A box that lands on a corner at 10 m/s turns its other corner, which is out of that
//! reach, by eight centimetres into the ground within the step, at 30 m/s by thirty; and one that rolls over as fast likewise. And what is shot into
//! a wedge is passed to and fro by its sides: at 50 m/s it went three centimetres into one of them. So what stands on nothing but fixed ground, and
//! moves fast, is looked at before the substeps. Corners may come down as far as the ground.

use super::blows::BlowLists;
use crate::body::state::{BodyState, state_flags};
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
    /// Stops those bodies whose corners are turned down into fixed ground within the step, and those that come fast between two things.
    pub(crate) fn stop_landings(&mut self, dt: f32) {
        let landing = core::mem::take(&mut self.scratch.landing);
        let mut lists = core::mem::take(&mut self.scratch.blows);
        for &body in &landing {
            if self.list_landing_of(body, dt, &mut lists) {
                self.stop_blow(&mut lists);
            }
        }
        self.scratch.blows = lists;
        self.scratch.landing = landing;
    }

    /// Lists the rows of a body's contacts; says whether they should be stopped at once, and none of them bounces.
    fn list_landing_of(&self, body: u32, dt: f32, lists: &mut BlowLists) -> bool {
        lists.rows.clear();
        let locks = state_flags::LOCK_X | state_flags::LOCK_Y;
        if self.bodies.states[body as usize].flags & locks != 0 {
            return false;
        }
        let (mut corners, mut points, mut contacts) = (false, false, 0);
        for &contact in &self.bodies.slots[body].contacts {
            if !self.contacts.is_solved(contact) {
                continue;
            }
            if self.contacts.constraints[contact as usize].restitution >= MIN_RESTITUTION {
                return false;
            }
            let landing = self.list_landing(contact, dt, lists);
            corners |= landing.corners;
            points |= landing.points;
            contacts += 1;
        }
        corners || points && contacts > 1
    }
}
