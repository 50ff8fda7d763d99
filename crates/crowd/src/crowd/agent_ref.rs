//! A view that reads one agent.

use crate::crowd::Crowd;
use crate::store::agent::{AgentDef, Target};
use crate::store::id::AgentId;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// A view of one agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentRef<'a> {
    pub(super) crowd: &'a Crowd,
    pub(super) row: usize,
}

impl AgentRef<'_> {
    /// Returns the id of the agent.
    #[must_use]
    pub fn id(&self) -> AgentId {
        self.crowd.store.id(self.row)
    }

    /// Returns its center [m].
    #[must_use]
    pub fn position(&self) -> WorldPoint {
        self.crowd.store.position[self.row]
    }

    /// Returns its velocity [m/s].
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.crowd.store.velocity[self.row]
    }

    /// Returns the velocity that the last [`Crowd::solve`] chose for it [m/s].
    #[must_use]
    pub fn new_velocity(&self) -> Vec2 {
        self.crowd.store.next_velocity[self.row]
    }

    /// Returns its preferred velocity [m/s], as it was set; without effect while it has a target.
    #[must_use]
    pub fn preferred_velocity(&self) -> Vec2 {
        self.crowd.store.preferred[self.row]
    }

    /// Returns its target.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        self.crowd.store.target(self.row).copied()
    }

    /// Returns the radius of its disc [m].
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.crowd.store.params(self.row).radius
    }

    /// Returns its greatest speed [m/s].
    #[must_use]
    pub fn max_speed(&self) -> f32 {
        self.crowd.store.params(self.row).max_speed
    }

    /// Returns the definition that would create the agent in its present state.
    #[must_use]
    pub fn def(&self) -> AgentDef {
        self.crowd.store.def(self.row)
    }

    /// Returns its heading as a unit vector; `None` for an agent without a turn limit, and before it has moved.
    #[must_use]
    pub fn heading(&self) -> Option<Vec2> {
        let facing = self.crowd.store.facing(self.row);
        let limited = self.crowd.store.params(self.row).max_turn_rate.is_finite();
        (limited && facing != Vec2::zeros()).then_some(facing)
    }

    /// Returns whether it stands at its target.
    #[must_use]
    pub fn has_arrived(&self) -> bool {
        self.crowd.store.memory[self.row].arrived
    }

    /// Returns whether it has made no progress for some time.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.crowd.store.memory[self.row].stuck
    }
}
