//! The crowd: agents, obstacles and the step.

use crate::agent::{AgentDef, Target, check_point, check_velocity};
use crate::edge_tree::EdgeTree;
use crate::error::{CrowdError, measure};
use crate::event::CrowdEvent;
use crate::grid::Grid;
use crate::id::{AgentId, ObstacleId, Slots};
use crate::obstacle::{Motion, Obstacle, ObstacleDef};
use crate::separate::Contacts;
use crate::steer::{Decision, Scratch, Walker};
use crate::store::Store;
use crate::surroundings::Surroundings;
use crate::tuning::{CHUNK, MAX_SWEEPS, MIN_STEP, REORDER_INTERVAL, SWEEP_SLOP};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use rayon::prelude::*;

/// Working memory of a block of agents.
#[derive(Clone, Debug, Default)]
struct Block {
    scratch: Scratch,
    contacts: Contacts,
}

/// Agents that avoid each other and obstacles.
///
/// Each step every agent looks at the others' positions and velocities and chooses the velocity
/// nearest to the one it prefers that leads into nobody. The state is plain data: a clone is a
/// snapshot. Results depend neither on the number of threads nor on the order in which agents were
/// added.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    pub(crate) store: Store,
    pub(crate) obstacles: Slots<Obstacle>,
    pub(crate) grid: Grid,
    pub(crate) standing: EdgeTree,
    pub(crate) moving: EdgeTree,
    standing_is_stale: bool,
    decisions: Vec<Decision>,
    blocks: Vec<Block>,
    /// Velocities chosen, in the order of the grid.
    chosen: Vec<Vec2>,
    pub(crate) events: Vec<CrowdEvent>,
    step_count: u32,
    /// Typical search radius of the last step [m]: fits the grid's rows, no result depends on it.
    typical_reach: f32,
}

impl Crowd {
    /// Returns an empty crowd.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an agent.
    ///
    /// # Panics
    /// If a number of the definition is not finite, negative or too large.
    #[track_caller]
    pub fn create_agent(&mut self, def: &AgentDef) -> AgentId {
        self.try_create_agent(def)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Adds an agent.
    ///
    /// # Errors
    /// The first number that is not finite, negative or too large.
    pub fn try_create_agent(&mut self, def: &AgentDef) -> Result<AgentId, CrowdError> {
        def.validate()?;
        Ok(self.store.insert(def))
    }

    /// Destroys an agent; says whether it was there.
    pub fn destroy_agent(&mut self, id: AgentId) -> bool {
        self.store.remove(id)
    }

    /// Adds an obstacle.
    ///
    /// # Panics
    /// If a number of the definition is out of range, or it has fewer than two distinct points.
    #[track_caller]
    pub fn create_obstacle(&mut self, def: &ObstacleDef) -> ObstacleId {
        self.try_create_obstacle(def)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    /// Adds an obstacle.
    ///
    /// # Errors
    /// The first number that is out of range, or too few points.
    pub fn try_create_obstacle(&mut self, def: &ObstacleDef) -> Result<ObstacleId, CrowdError> {
        def.validate()?;
        let obstacle = Obstacle::new(def);
        self.standing_is_stale |= !obstacle.moves;
        let (index, generation) = self.obstacles.insert(obstacle);
        Ok(ObstacleId { index, generation })
    }

    /// Destroys an obstacle; says whether it was there.
    pub fn destroy_obstacle(&mut self, id: ObstacleId) -> bool {
        let removed = self.obstacles.remove(id.index, id.generation);
        self.standing_is_stale |= removed.as_ref().is_some_and(|o| !o.moves);
        removed.is_some()
    }

    /// Moves an obstacle; from then on it counts among the moving ones.
    ///
    /// # Panics
    /// If a number of `motion` is out of range, or the obstacle is gone.
    #[track_caller]
    pub fn set_obstacle_motion(&mut self, id: ObstacleId, motion: Motion) {
        self.try_set_obstacle_motion(id, motion)
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Moves an obstacle; from then on it counts among the moving ones.
    ///
    /// # Errors
    /// A number out of range, or an obstacle that is gone.
    pub fn try_set_obstacle_motion(
        &mut self,
        id: ObstacleId,
        motion: Motion,
    ) -> Result<(), CrowdError> {
        motion.validate()?;
        let obstacle = self.obstacles.get_mut(id.index, id.generation);
        let obstacle = obstacle.ok_or(CrowdError::NoObstacle(id))?;
        obstacle.motion = motion;
        self.standing_is_stale |= !core::mem::replace(&mut obstacle.moves, true);
        Ok(())
    }

    /// Finds new velocities for all agents and moves them by one step of `dt` seconds.
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn step(&mut self, dt: f32) {
        self.solve(dt);
        self.integrate(dt);
    }

    /// Finds new velocities for a step of `dt` seconds, without moving anyone.
    ///
    /// [`Self::new_velocity`] tells them. Whoever moves the agents (bodies, say) writes places and
    /// velocities back by [`Self::set_motion`] before the next call.
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn solve(&mut self, dt: f32) {
        measure("dt", dt.into()).unwrap_or_else(|error| panic!("{error}"));
        self.update_obstacles();
        self.update_grid();
        self.decide(dt.max(MIN_STEP));
        self.separate(dt.max(MIN_STEP));
        self.record(dt);
    }

    /// Gives all agents their new velocities and moves them by `dt` seconds.
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn integrate(&mut self, dt: f32) {
        measure("dt", dt.into()).unwrap_or_else(|error| panic!("{error}"));
        for row in 0..self.store.len() {
            let velocity = self.store.next_velocity[row];
            self.store.velocity[row] = velocity;
            self.store.position[row] += velocity * dt;
        }
    }

    /// Returns the edges that stand and those that move, as the last step saw them.
    pub(crate) fn walls(&self) -> [&EdgeTree; 2] {
        [&self.standing, &self.moving]
    }

    /// Brings what [`Self::is_visible`] sees up to date with the obstacles.
    ///
    /// [`Self::solve`] does so by itself; needed only for questions before the first step, or
    /// between changing obstacles and the next step.
    pub fn update_obstacles(&mut self) {
        if core::mem::take(&mut self.standing_is_stale) {
            self.standing.build(&self.obstacles, false);
        }
        self.moving.build(&self.obstacles, true);
    }

    fn update_grid(&mut self) {
        if self.typical_reach <= 0.0 {
            self.typical_reach = first_reach(&self.store);
        }
        self.grid.build(&self.store, self.typical_reach);
        if self.step_count.is_multiple_of(REORDER_INTERVAL) {
            self.store.reorder(&self.grid.order);
            for (row, place) in self.grid.order.iter_mut().enumerate() {
                *place = row as u32;
            }
        }
        self.step_count = self.step_count.wrapping_add(1);
    }

    /// Lets every agent decide, in blocks over the threads of the pool.
    fn decide(&mut self, step: f32) {
        self.decisions.resize(self.store.len(), Decision::default());
        let walls = [&self.standing, &self.moving];
        let around = Surroundings {
            store: &self.store,
            grid: &self.grid,
            walls,
            step,
        };
        let decide = |((index, block), decisions): ((usize, &mut Block), &mut [Decision])| {
            block.contacts.clear();
            for (i, decision) in decisions.iter_mut().enumerate() {
                let walker = Walker::new(&around, index * CHUNK + i);
                *decision = walker.decide(&mut block.scratch);
                let scratch = &block.scratch;
                let walls = &scratch.planes[..scratch.ends[0]];
                block
                    .contacts
                    .add(i, &scratch.contacts, walls, walker.region());
            }
        };
        self.blocks
            .resize_with(self.decisions.len().div_ceil(CHUNK), Block::default);
        if self.decisions.len() <= CHUNK || rayon::current_num_threads() == 1 {
            let decisions = self.decisions.chunks_mut(CHUNK);
            self.blocks
                .iter_mut()
                .enumerate()
                .zip(decisions)
                .for_each(decide);
        } else {
            let decisions = self.decisions.par_chunks_mut(CHUNK);
            self.blocks
                .par_iter_mut()
                .enumerate()
                .zip(decisions)
                .for_each(decide);
        }
    }

    /// Settles the contacts of the step among all.
    fn separate(&mut self, step: f32) {
        self.chosen.clear();
        self.chosen
            .extend(self.decisions.iter().map(|d| d.choice.velocity));
        let slop = SWEEP_SLOP / step;
        for _ in 0..MAX_SWEEPS {
            let chosen = &self.chosen;
            let sweep = |(i, block): (usize, &mut Block)| block.contacts.sweep(chosen, i * CHUNK);
            let worst = if self.blocks.len() == 1 || rayon::current_num_threads() == 1 {
                self.blocks
                    .iter_mut()
                    .enumerate()
                    .map(sweep)
                    .fold(0.0, f32::max)
            } else {
                self.blocks
                    .par_iter_mut()
                    .enumerate()
                    .map(sweep)
                    .reduce(|| 0.0, f32::max)
            };
            for (block, velocities) in self.blocks.iter().zip(self.chosen.chunks_mut(CHUNK)) {
                block.contacts.store(velocities);
            }
            if worst <= slop {
                break;
            }
        }
        for (decision, velocity) in self.decisions.iter_mut().zip(&self.chosen) {
            decision.choice.velocity = *velocity;
        }
    }

    /// Writes the decisions back to the agents, and notes who is stuck or has arrived.
    fn record(&mut self, dt: f32) {
        self.events.clear();
        let mut sum = 0.0f64;
        for (&row, decision) in self.grid.order.iter().zip(&self.decisions) {
            let row = row as usize;
            sum += f64::from(decision.reach);
            self.store.next_velocity[row] = decision.choice.velocity;
            self.store.reach[row] = decision.reach;
            let memory = &mut self.store.memory[row];
            crate::event::note(self.store.ids[row], memory, decision, dt, &mut self.events);
        }
        self.events.sort_unstable();
        if !self.decisions.is_empty() {
            self.typical_reach = (sum / self.decisions.len() as f64) as f32;
        }
    }

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

    /// Goes through the agents in order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        self.store.ids_in_order().map(|(id, _)| id)
    }

    /// Returns how many agents found no velocity that keeps all half-planes in the last step.
    #[must_use]
    pub fn infeasible_count(&self) -> usize {
        self.decisions.iter().filter(|d| !d.choice.feasible).count()
    }

    /// Says whether the agent is there.
    #[must_use]
    pub fn has_agent(&self, id: AgentId) -> bool {
        self.store.row(id).is_some()
    }

    /// Returns what happened in the last step, in order of the agents.
    #[must_use]
    pub fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    #[track_caller]
    fn row(&self, id: AgentId) -> usize {
        self.store
            .row(id)
            .unwrap_or_else(|| panic!("{}", CrowdError::NoAgent(id)))
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

    /// Returns the definition that would create the agent as it is now.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn agent(&self, id: AgentId) -> AgentDef {
        self.store.def(self.row(id))
    }

    /// Returns the definition that would create the agent as it is now; `None` if it is gone.
    #[must_use]
    pub fn get_agent(&self, id: AgentId) -> Option<AgentDef> {
        self.store.row(id).map(|row| self.store.def(row))
    }

    /// Sets everything about an agent.
    ///
    /// # Panics
    /// If a number of the definition is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_agent(&mut self, id: AgentId, def: &AgentDef) {
        self.try_set_agent(id, def)
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Sets everything about an agent.
    ///
    /// # Errors
    /// A number out of range, or an agent that is gone.
    pub fn try_set_agent(&mut self, id: AgentId, def: &AgentDef) -> Result<(), CrowdError> {
        def.validate()?;
        let row = self.store.row(id).ok_or(CrowdError::NoAgent(id))?;
        self.store.overwrite(row, def);
        Ok(())
    }

    /// Tells where an agent is and how fast it goes, as moved by someone else [m, m/s].
    ///
    /// # Panics
    /// If a number is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_motion(&mut self, id: AgentId, position: WorldPoint, velocity: Vec2) {
        self.try_set_motion(id, position, velocity)
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Tells where an agent is and how fast it goes, as moved by someone else [m, m/s].
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

    /// Sets the velocity that an agent would take alone [m/s]; without effect while it has a target.
    ///
    /// # Panics
    /// If a number is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_preferred_velocity(&mut self, id: AgentId, velocity: Vec2) {
        self.try_set_preferred_velocity(id, velocity)
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Sets the velocity that an agent would take alone [m/s]; without effect while it has a target.
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

    /// Sets every agent's preferred velocity [m/s] from its name and center.
    ///
    /// # Panics
    /// If `wish` returns a number out of range.
    #[track_caller]
    pub fn set_preferred_velocities(&mut self, mut wish: impl FnMut(AgentId, WorldPoint) -> Vec2) {
        for row in 0..self.store.len() {
            let velocity = wish(self.store.ids[row], self.store.position[row]);
            let names = ["preferred_velocity.x", "preferred_velocity.y"];
            check_velocity(names, &velocity).unwrap_or_else(|error| panic!("{error}"));
            self.store.preferred[row] = velocity;
        }
    }

    /// Sends an agent to a place, or leaves its preferred velocity to the caller again.
    ///
    /// # Panics
    /// If a number is out of range, or the agent is gone.
    #[track_caller]
    pub fn set_target(&mut self, id: AgentId, target: Option<Target>) {
        self.try_set_target(id, target)
            .unwrap_or_else(|error| panic!("{error}"));
    }

    /// Sends an agent to a place, or leaves its preferred velocity to the caller again.
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

    /// Says whether the agent stands at its target.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn has_arrived(&self, id: AgentId) -> bool {
        self.store.memory[self.row(id)].arrived
    }

    /// Says whether the agent has made no progress for some time.
    ///
    /// # Panics
    /// If the agent is gone.
    #[must_use]
    #[track_caller]
    pub fn is_stuck(&self, id: AgentId) -> bool {
        self.store.memory[self.row(id)].stuck
    }
}

/// Returns the search radius to expect of a crowd that has not searched yet [m].
fn first_reach(store: &Store) -> f32 {
    let count = store.len().max(1) as f64;
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in &store.position {
        low = [low[0].min(p.x), low[1].min(p.y)];
        high = [high[0].max(p.x), high[1].max(p.y)];
    }
    let area = (high[0] - low[0]).max(0.0) * (high[1] - low[1]).max(0.0);
    let range = store
        .params
        .iter()
        .map(|p| p.neighbor_range)
        .fold(0.0, f32::max);
    let limit = store
        .params
        .iter()
        .map(|p| p.neighbor_limit)
        .max()
        .unwrap_or(0);
    let spread = (area / count * f64::from(limit) / core::f64::consts::PI).sqrt() as f32;
    spread.min(range).max(f32::MIN_POSITIVE)
}
