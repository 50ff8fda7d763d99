//! The crowd: agents, obstacles and the step.

mod def;
mod agent_ref;
mod agent_mut;
mod obstacle;
mod query;
mod warning;

use crate::error::{CrowdError, demand, range};
use crate::neighbors::grid::Grid;
use crate::neighbors::step_context::StepContext;
use crate::obstacles::edge_tree::EdgeTree;
use crate::obstacles::obstacle::Obstacle;
use crate::profile::{CrowdProfile, lap};
use crate::schedule::event::CrowdEvent;
use crate::schedule::slices::TimeSlices;
use crate::schedule::stages::Stages;
use crate::store::Store;
use crate::store::agent::{AgentDef, check_velocity};
use crate::store::id::{AgentId, Slots, kind};
use crate::tuning::{CHUNK, MIN_STEP};
use crate::workers::for_each;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{HashState, StateHasher};
use core::borrow::Borrow;
use std::sync::{Mutex, PoisonError};

pub use agent_mut::AgentMut;
pub use agent_ref::AgentRef;
pub use def::CrowdDef;
pub use obstacle::{ObstacleMut, ObstacleRef};
pub use query::Constraints;
pub use warning::CrowdWarning;

/// Agents that avoid each other and obstacles.
///
/// In each step every agent reads the positions and velocities of the others and chooses the collision-free velocity
/// nearest to its preferred velocity. The state is plain data: a clone is a snapshot. Results depend neither on the
/// number of threads nor on the order of creation.
#[derive(Clone, Debug)]
pub struct Crowd {
    def: CrowdDef,
    store: Store,
    obstacles: Slots<kind::Obstacle, Obstacle>,
    grid: Grid,
    standing: EdgeTree,
    moving: EdgeTree,
    standing_is_stale: bool,
    stages: Stages,
    events: Vec<CrowdEvent>,
    profile: CrowdProfile,
}

impl Default for Crowd {
    /// Makes an empty crowd of the default definition.
    fn default() -> Self {
        Self::new(CrowdDef::default())
    }
}

/// See [`Crowd::state_hash`].
impl HashState for Crowd {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            // The steering interval is part of the slices; results do not depend on the rest.
            def: _,
            store,
            obstacles,
            // Rebuilt in each step.
            grid: _,
            // Rebuilt from the obstacles after changes.
            standing: _,
            moving: _,
            standing_is_stale,
            stages,
            // Reports of the last step.
            events: _,
            profile: _,
        } = self;
        hash.add(store).add(&stages.slices).add(standing_is_stale);
        obstacles.hash_names(hash);
        for (_, obstacle) in obstacles.iter() {
            hash.add(obstacle);
        }
    }
}

impl Crowd {
    /// Makes an empty crowd.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(def: CrowdDef) -> Self {
        demand(Self::try_new(def), "make the crowd")
    }

    /// Makes an empty crowd.
    ///
    /// # Errors
    /// If `def` is invalid: see [`CrowdDef::validate`].
    pub fn try_new(def: CrowdDef) -> Result<Self, CrowdError> {
        def.validate()?;
        let mut stages = Stages::default();
        (stages.threads, stages.slices) = (def.threads, TimeSlices::every(def.steering_interval));
        let (mut store, mut obstacles) = (Store::default(), Slots::default());
        store.rows.set_mark(def.id_mark);
        obstacles.set_mark(def.id_mark);
        Ok(Self {
            def,
            store,
            obstacles,
            grid: Grid::default(),
            standing: EdgeTree::default(),
            moving: EdgeTree::default(),
            standing_is_stale: false,
            stages,
            events: Vec::new(),
            profile: CrowdProfile::default(),
        })
    }

    /// Returns the definition of the crowd, with later changes.
    #[must_use]
    pub fn def(&self) -> &CrowdDef {
        &self.def
    }

    /// Changes the settings of the crowd: pass a changed copy of [`def`](Self::def). The mark of ids stays that of
    /// creation.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_set_def`](Self::try_set_def) returns the error instead.
    #[track_caller]
    pub fn set_def(&mut self, def: CrowdDef) {
        demand(self.try_set_def(def), "change the crowd");
    }

    /// Like [`set_def`](Self::set_def), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `def` is invalid.
    pub fn try_set_def(&mut self, def: CrowdDef) -> Result<(), CrowdError> {
        def.validate()?;
        if def.steering_interval != self.def.steering_interval {
            self.stages.slices = TimeSlices::every(def.steering_interval);
        }
        self.stages.threads = def.threads;
        let id_mark = self.def.id_mark;
        self.def = CrowdDef { id_mark, ..def };
        Ok(())
    }

    /// Adds an agent. The definition may be passed by value or by reference.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_create_agent`](Self::try_create_agent) returns the error instead.
    #[track_caller]
    pub fn create_agent(&mut self, def: impl Borrow<AgentDef>) -> AgentId {
        demand(self.try_create_agent(def), "create the agent")
    }

    /// Adds an agent.
    ///
    /// # Errors
    /// If `def` is invalid: see [`AgentDef::validate`]. The crowd is then unchanged.
    pub fn try_create_agent(&mut self, def: impl Borrow<AgentDef>) -> Result<AgentId, CrowdError> {
        let def = def.borrow();
        def.validate()?;
        self.grid.order.clear();
        Ok(self.store.insert(def))
    }

    /// Removes an agent.
    ///
    /// Returns `true` if the agent existed: a stale or foreign id changes nothing.
    pub fn destroy_agent(&mut self, id: AgentId) -> bool {
        self.grid.order.clear();
        self.store.remove(id)
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn agent_count(&self) -> usize {
        self.store.len()
    }

    /// Returns one more than the highest slot that an agent ever had: the length of an array beside the crowd, indexed
    /// by [`AgentId::index`](crate::CrowdId::index).
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.store.slot_count()
    }

    /// Returns a view of an agent.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_agent`](Self::get_agent) returns `None` instead.
    #[must_use]
    #[track_caller]
    pub fn agent(&self, id: AgentId) -> AgentRef<'_> {
        let row = self.store.expect_row(id);
        AgentRef { crowd: self, row }
    }

    /// Returns a view of an agent, or `None` if `id` is stale or foreign.
    #[must_use]
    pub fn get_agent(&self, id: AgentId) -> Option<AgentRef<'_>> {
        let row = self.store.row(id)?;
        Some(AgentRef { crowd: self, row })
    }

    /// Returns a view that can change an agent.
    ///
    /// # Panics
    /// If `id` is stale or foreign; [`get_agent_mut`](Self::get_agent_mut) returns `None` instead.
    #[track_caller]
    pub fn agent_mut(&mut self, id: AgentId) -> AgentMut<'_> {
        let row = self.store.expect_row(id);
        AgentMut { crowd: self, row }
    }

    /// Returns a view that can change an agent, or `None` if `id` is stale or foreign.
    pub fn get_agent_mut(&mut self, id: AgentId) -> Option<AgentMut<'_>> {
        let row = self.store.row(id)?;
        Some(AgentMut { crowd: self, row })
    }

    /// Iterates over the agents in order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = AgentRef<'_>> {
        let rows = self.store.ids_in_order();
        rows.map(|(_, row)| AgentRef { crowd: self, row })
    }

    /// Sets the preferred velocity of each agent [m/s] to the result of `velocity_of` for its id and its center \[m\].
    ///
    /// `velocity_of` is called in no particular order, on as many threads as a step may use.
    ///
    /// # Panics
    /// If `velocity_of` returns a number out of range; any of the other velocities may have been set then.
    /// [`try_set_preferred_velocities`](Self::try_set_preferred_velocities) returns the error instead.
    #[track_caller]
    pub fn set_preferred_velocities(
        &mut self,
        velocity_of: impl Fn(AgentId, WorldPoint) -> Vec2 + Sync,
    ) {
        let set = self.try_set_preferred_velocities(velocity_of);
        demand(set, "set the preferred velocity");
    }

    /// Like [`set_preferred_velocities`](Self::set_preferred_velocities), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `velocity_of` returns a number out of range; any of the other velocities may have been set then.
    pub fn try_set_preferred_velocities(
        &mut self,
        velocity_of: impl Fn(AgentId, WorldPoint) -> Vec2 + Sync,
    ) -> Result<(), CrowdError> {
        self.store.close_up();
        let threads = self.stages.threads_for(self.store.len());
        let Store {
            slots,
            rows,
            position,
            preferred,
            ..
        } = &mut self.store;
        let error = Mutex::new(Ok(()));
        let agents = slots.chunks(CHUNK).zip(position.chunks(CHUNK));
        for_each(
            threads,
            agents.zip(preferred.chunks_mut(CHUNK)),
            |((slots, places), preferred)| {
                for ((&slot, &position), preferred) in slots.iter().zip(places).zip(preferred) {
                    let velocity = velocity_of(rows.id_at(slot), position);
                    let names = ["preferred_velocity.x", "preferred_velocity.y"];
                    match check_velocity(names, &velocity) {
                        Ok(()) => *preferred = velocity,
                        refused => *error.lock().unwrap_or_else(PoisonError::into_inner) = refused,
                    }
                }
            },
        );
        error.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds new velocities for all agents and moves them by one step of `dt` \[s\].
    ///
    /// # Panics
    /// If `dt` is not finite or negative; [`try_step`](Self::try_step) returns the error instead.
    #[track_caller]
    pub fn step(&mut self, dt: f32) {
        demand(self.try_step(dt), "step the crowd");
    }

    /// Like [`step`](Self::step), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `dt` is not finite or negative.
    pub fn try_step(&mut self, dt: f32) -> Result<(), CrowdError> {
        self.try_solve(dt)?;
        self.try_integrate(dt)
    }

    /// Finds new velocities [m/s] for a step of `dt` \[s\], without moving any agent.
    ///
    /// [`AgentRef::new_velocity`] returns them. A caller that moves the agents itself, such as by bodies, writes
    /// positions and velocities back by [`AgentMut::set_motion`] before the next call.
    ///
    /// # Panics
    /// If `dt` is not finite or negative; [`try_solve`](Self::try_solve) returns the error instead.
    #[track_caller]
    pub fn solve(&mut self, dt: f32) {
        demand(self.try_solve(dt), "solve the crowd");
    }

    /// Like [`solve`](Self::solve), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `dt` is not finite or negative.
    pub fn try_solve(&mut self, dt: f32) -> Result<(), CrowdError> {
        check_step(dt)?;
        let (clock, mut last) = (self.def.clock, 0);
        lap(clock, &mut last);
        // An agent plans for all steps until its next decision.
        let contact_step = dt.max(MIN_STEP);
        let step = contact_step * self.def.steering_interval as f32;
        self.update_obstacles();
        self.stages.sort(&mut self.store, &mut self.grid);
        let index = lap(clock, &mut last);
        let (store, grid) = (&self.store, &self.grid);
        let walls = [&self.standing, &self.moving];
        let ctx = StepContext {
            store,
            grid,
            walls,
            step,
            contact_step,
        };
        self.stages.decide(&ctx);
        self.stages.follow_choices(&mut self.store, &self.grid, dt);
        let decisions = lap(clock, &mut last);
        self.stages.separate(&self.store, &self.grid, contact_step);
        let contacts = lap(clock, &mut last);
        self.stages
            .record(&mut self.store, &self.grid, dt, &mut self.events);
        self.profile = CrowdProfile {
            index,
            decisions,
            contacts,
            record: lap(clock, &mut last),
        };
        Ok(())
    }

    /// Gives all agents their new velocities and moves them on for `dt` \[s\].
    ///
    /// # Panics
    /// If `dt` is not finite or negative; [`try_integrate`](Self::try_integrate) returns the error instead.
    #[track_caller]
    pub fn integrate(&mut self, dt: f32) {
        demand(self.try_integrate(dt), "move the crowd");
    }

    /// Like [`integrate`](Self::integrate), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `dt` is not finite or negative.
    pub fn try_integrate(&mut self, dt: f32) -> Result<(), CrowdError> {
        check_step(dt)?;
        let threads = self.stages.threads_for(self.store.slots.len());
        let Store {
            position,
            velocity,
            next_velocity,
            ..
        } = &mut self.store;
        let moved = position.chunks_mut(CHUNK).zip(velocity.chunks_mut(CHUNK));
        for_each(
            threads,
            moved.zip(next_velocity.chunks(CHUNK)),
            |((positions, velocities), next)| {
                velocities.copy_from_slice(next);
                for (position, &velocity) in positions.iter_mut().zip(next) {
                    *position += velocity * dt;
                }
            },
        );
        Ok(())
    }

    /// Returns the events of the last step, in order of the agents.
    #[must_use]
    pub fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    /// Returns the number of agents without a feasible velocity that decided in the last step.
    #[must_use]
    pub fn infeasible_count(&self) -> usize {
        let decisions = self.stages.decisions.iter();
        decisions.filter(|decision| decision.infeasible).count()
    }

    /// Returns the times of the parts of the last [`solve`](Self::solve).
    #[must_use]
    pub fn profile(&self) -> &CrowdProfile {
        &self.profile
    }

    /// Checks the invariants of the crowd: for tests and bug reports.
    ///
    /// # Panics
    /// If an invariant of the engine is broken: ids and rows disagree, or an agent holds an invalid number.
    #[track_caller]
    pub fn assert_consistent(&self) {
        let tables_agree = self.store.is_consistent();
        assert!(tables_agree, "ids and rows of the agents disagree");
        for (_, row) in self.store.ids_in_order() {
            demand(self.store.def(row).validate(), "have such an agent");
        }
    }

    /// Returns a hash of the state on which later steps depend; equal for equal crowds on every machine and with any
    /// number of threads.
    ///
    /// Two crowds with equal hashes keep equal hashes under the same calls. Reports of the last step are not part of
    /// it. Its values belong to one version of the engine.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        StateHasher::new().add(self).finish()
    }
}

/// Refuses steps that are negative or not finite.
fn check_step(dt: f32) -> Result<(), CrowdError> {
    range("dt", dt.into(), 0.0, f32::MAX.into())
}
