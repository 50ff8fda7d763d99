//! Access to the agents of a crowd.

use crate::crowd::Crowd;
use crate::error::{CrowdError, demand};
use crate::parallel::is_parallel;
use crate::schedule::event::CrowdEvent;
use crate::store::Store;
use crate::store::agent::{AgentDef, Target, check_point, check_velocity};
use crate::store::id::AgentId;
use crate::tuning::PARALLEL_THRESHOLD;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use rayon::prelude::*;

impl Crowd {
    /// Returns the number of agents.
    #[must_use]
    pub fn agent_count(&self) -> usize {
        self.store.len()
    }

    /// Returns the number of obstacles.
    #[must_use]
    pub fn obstacle_count(&self) -> usize {
        self.obstacles.len()
    }

    /// Returns one more than the highest slot that an agent ever had: the length of an array beside
    /// the crowd, indexed by [`AgentId::index`].
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.store.slot_count()
    }

    /// Iterates over the agents in order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.store.ids_in_order().map(|(id, _)| id)
    }

    /// Returns the number of agents without a feasible velocity in the last step.
    #[must_use]
    pub fn infeasible_count(&self) -> usize {
        self.stages
            .decisions
            .iter()
            .filter(|d| !d.choice.feasible)
            .count()
    }

    /// Returns whether the agent exists.
    #[must_use]
    pub fn has_agent(&self, id: AgentId) -> bool {
        self.store.row(id).is_some()
    }

    /// Returns the events of the last step, in order of the agents.
    #[must_use]
    pub fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    #[track_caller]
    fn row(&self, id: AgentId) -> usize {
        demand(self.store.row(id).ok_or(CrowdError::NoAgent(id)))
    }

    /// Returns an agent's center [m].
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn position(&self, id: AgentId) -> WorldPoint {
        self.store.position[self.row(id)]
    }

    /// Returns an agent's velocity [m/s].
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn velocity(&self, id: AgentId) -> Vec2 {
        self.store.velocity[self.row(id)]
    }

    /// Returns the velocity that the last [`Self::solve`] chose for an agent [m/s].
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn new_velocity(&self, id: AgentId) -> Vec2 {
        self.store.next_velocity[self.row(id)]
    }

    /// Returns the definition that would create the agent in its present state.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn agent(&self, id: AgentId) -> AgentDef {
        self.store.def(self.row(id))
    }

    /// Returns the definition that would create the agent in its present state; `None` if it is gone.
    #[must_use]
    pub fn get_agent(&self, id: AgentId) -> Option<AgentDef> {
        self.store.row(id).map(|row| self.store.def(row))
    }

    /// Sets all settings of an agent.
    ///
    /// # Panics
    /// If a number of the definition is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_agent(&mut self, id: AgentId, def: &AgentDef) {
        demand(self.try_set_agent(id, def));
    }

    /// Sets all settings of an agent.
    ///
    /// # Errors
    /// A number out of range, or an agent that is gone.
    pub fn try_set_agent(&mut self, id: AgentId, def: &AgentDef) -> Result<(), CrowdError> {
        def.validate()?;
        let row = self.store.row(id).ok_or(CrowdError::NoAgent(id))?;
        self.store.overwrite(row, def);
        Ok(())
    }

    /// Sets position and velocity of an agent that the caller moves [m, m/s].
    ///
    /// # Panics
    /// If a number is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_motion(&mut self, id: AgentId, position: WorldPoint, velocity: Vec2) {
        demand(self.try_set_motion(id, position, velocity));
    }

    /// Sets position and velocity of an agent that the caller moves [m, m/s].
    ///
    /// # Errors
    /// A number out of range, or an agent that is gone.
    pub fn try_set_motion(
        &mut self,
        id: AgentId,
        position: WorldPoint,
        velocity: Vec2,
    ) -> Result<(), CrowdError> {
        check_point(["position.x", "position.y"], position)?;
        check_velocity(["velocity.x", "velocity.y"], &velocity)?;
        let row = self.store.row(id).ok_or(CrowdError::NoAgent(id))?;
        self.store.position[row] = position;
        self.store.velocity[row] = velocity;
        Ok(())
    }

    /// Sets the preferred velocity of an agent [m/s]; without effect while it has a target.
    ///
    /// # Panics
    /// If a number is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_preferred_velocity(&mut self, id: AgentId, velocity: Vec2) {
        demand(self.try_set_preferred_velocity(id, velocity));
    }

    /// Sets the preferred velocity of an agent [m/s]; without effect while it has a target.
    ///
    /// # Errors
    /// A number out of range, or an agent that is gone.
    pub fn try_set_preferred_velocity(
        &mut self,
        id: AgentId,
        velocity: Vec2,
    ) -> Result<(), CrowdError> {
        check_velocity(["preferred_velocity.x", "preferred_velocity.y"], &velocity)?;
        let row = self.store.row(id).ok_or(CrowdError::NoAgent(id))?;
        self.store.preferred[row] = velocity;
        Ok(())
    }

    /// Sets the preferred velocity of each agent [m/s] to what `velocity_of` returns for its id and its center
    /// \[m\].
    ///
    /// # Panics
    /// If `velocity_of` returns a number out of range.
    #[track_caller]
    pub fn set_preferred_velocities(
        &mut self,
        mut velocity_of: impl FnMut(AgentId, WorldPoint) -> Vec2,
    ) {
        self.store.close_up();
        for row in 0..self.store.len() {
            let velocity = velocity_of(self.store.ids[row], self.store.position[row]);
            let names = ["preferred_velocity.x", "preferred_velocity.y"];
            demand(check_velocity(names, &velocity));
            self.store.preferred[row] = velocity;
        }
    }

    /// The same as [`Self::set_preferred_velocities`], from ids and centers \[m\] to velocities [m/s], in parallel
    /// on the rayon pool if there are many agents.
    ///
    /// `velocity_of` is called in no particular order.
    ///
    /// # Panics
    /// If `velocity_of` returns a number out of range; any of the other velocities may have been set then.
    #[track_caller]
    pub fn par_set_preferred_velocities(
        &mut self,
        velocity_of: impl Fn(AgentId, WorldPoint) -> Vec2 + Sync,
    ) {
        if !is_parallel(self.store.len()) {
            self.set_preferred_velocities(velocity_of);
            return;
        }
        self.store.close_up();
        let Store {
            ids,
            position,
            preferred,
            ..
        } = &mut self.store;
        let agents = preferred.par_iter_mut().zip(ids).zip(position);
        let first_error = agents
            .with_min_len(PARALLEL_THRESHOLD / 2)
            .map(|((preferred, id), position)| {
                let velocity = velocity_of(*id, *position);
                let names = ["preferred_velocity.x", "preferred_velocity.y"];
                check_velocity(names, &velocity)?;
                *preferred = velocity;
                Ok(())
            })
            .find_map_first(Result::<(), CrowdError>::err);
        if let Some(error) = first_error {
            panic!("{error}");
        }
    }

    /// Sets the target of an agent; with `None` the caller sets the preferred velocity again.
    ///
    /// # Panics
    /// If a number is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_target(&mut self, id: AgentId, target: Option<Target>) {
        demand(self.try_set_target(id, target));
    }

    /// Sets the target of an agent; with `None` the caller sets the preferred velocity again.
    ///
    /// # Errors
    /// A number out of range, or an agent that is gone.
    pub fn try_set_target(
        &mut self,
        id: AgentId,
        target: Option<Target>,
    ) -> Result<(), CrowdError> {
        if let Some(target) = &target {
            target.validate()?;
        }
        let row = self.store.row(id).ok_or(CrowdError::NoAgent(id))?;
        self.store.set_target(row, target);
        Ok(())
    }

    /// Returns the heading as a unit vector; `None` for an agent without a turn limit, and before it has moved.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn heading(&self, id: AgentId) -> Option<Vec2> {
        let row = self.row(id);
        let facing = self.store.memory[row].facing;
        let limited = self.store.params[row].max_turn_rate.is_finite();
        (limited && facing != Vec2::zeros()).then_some(facing)
    }

    /// Returns whether the agent stands at its target.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn has_arrived(&self, id: AgentId) -> bool {
        self.store.memory[self.row(id)].arrived
    }

    /// Returns whether the agent has made no progress for some time.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn is_stuck(&self, id: AgentId) -> bool {
        self.store.memory[self.row(id)].stuck
    }
}
