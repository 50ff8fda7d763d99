//! The crowd: agents, obstacles and the step.

pub(crate) mod agents;
pub(crate) mod query;

use crate::error::{CrowdError, demand, measure};
use crate::neighbors::grid::Grid;
use crate::neighbors::step_context::StepContext;
use crate::obstacles::edge_tree::EdgeTree;
use crate::obstacles::obstacle::{Motion, Obstacle, ObstacleDef};
use crate::profile::{Clock, CrowdProfile, Stopwatch};
use crate::schedule::event::CrowdEvent;
use crate::schedule::slices::TimeSlices;
use crate::schedule::stages::Stages;
use crate::store::Store;
use crate::store::agent::AgentDef;
use crate::store::id::{AgentId, ObstacleId, Slots};
use crate::tuning::MIN_STEP;
use cairn2d_geometry::{HashState, StateHasher};

/// Agents that avoid each other and obstacles.
///
/// In each step every agent reads the positions and velocities of the others and chooses the collision-free velocity
/// nearest to its preferred velocity. The state is plain data: a clone is a snapshot. Results depend neither on the
/// number of threads nor on the order of creation.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    pub(crate) store: Store,
    pub(crate) obstacles: Slots<Obstacle>,
    pub(crate) grid: Grid,
    pub(crate) standing: EdgeTree,
    pub(crate) moving: EdgeTree,
    standing_is_stale: bool,
    pub(crate) stages: Stages,
    pub(crate) events: Vec<CrowdEvent>,
}

/// See [`Crowd::state_hash`].
impl HashState for Crowd {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
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
        } = self;
        hash.add(store).add(stages).add(standing_is_stale);
        obstacles.hash_names(hash);
        for (_, _, obstacle) in obstacles.iter() {
            hash.add(obstacle);
        }
    }
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
        demand(self.try_create_agent(def))
    }

    /// Adds an agent.
    ///
    /// # Errors
    /// The first number that is not finite, negative or too large.
    pub fn try_create_agent(&mut self, def: &AgentDef) -> Result<AgentId, CrowdError> {
        def.validate()?;
        Ok(self.store.insert(def))
    }

    /// Destroys an agent; returns whether it existed.
    pub fn destroy_agent(&mut self, id: AgentId) -> bool {
        self.store.remove(id)
    }

    /// Adds an obstacle.
    ///
    /// # Panics
    /// If a number of the definition is out of range, or it has fewer than two distinct points.
    #[track_caller]
    pub fn create_obstacle(&mut self, def: &ObstacleDef) -> ObstacleId {
        demand(self.try_create_obstacle(def))
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

    /// Destroys an obstacle; returns whether it existed.
    pub fn destroy_obstacle(&mut self, id: ObstacleId) -> bool {
        let removed = self.obstacles.remove(id.index, id.generation);
        self.standing_is_stale |= removed.as_ref().is_some_and(|o| !o.moves);
        removed.is_some()
    }

    /// Moves an obstacle; from then on it counts as moving.
    ///
    /// # Panics
    /// If a number of `motion` is out of range, or the obstacle is gone.
    #[track_caller]
    pub fn set_obstacle_motion(&mut self, id: ObstacleId, motion: Motion) {
        demand(self.try_set_obstacle_motion(id, motion));
    }

    /// Moves an obstacle; from then on it counts as moving.
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

    /// Time-slices the decisions: each agent decides in one of `steps` steps. The default is 1: all agents decide in
    /// every step.
    ///
    /// Between decisions an agent approaches its chosen velocity within its limits of acceleration and turning. A
    /// crowd whose agents decide 20 times a second in steps of 1/60 s costs about a third. The slice of an agent
    /// follows from [`AgentId::index`], and so from the order of creation.
    ///
    /// # Panics
    /// If `steps` is 0.
    #[track_caller]
    pub fn set_steering_interval(&mut self, steps: u32) {
        assert!(steps > 0, "steps must be at least 1, got 0");
        self.stages.slices = TimeSlices::every(steps);
    }

    /// Returns the number of steps in which each agent decides once.
    #[must_use]
    pub fn steering_interval(&self) -> u32 {
        self.stages.slices.interval()
    }

    /// Finds new velocities for all agents and moves them by one step of `dt` \[s\].
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn step(&mut self, dt: f32) {
        self.solve(dt);
        self.integrate(dt);
    }

    /// Finds new velocities [m/s] for a step of `dt` \[s\], without moving any agent.
    ///
    /// [`Self::new_velocity`] returns them. A caller that moves the agents itself, such as by bodies, writes
    /// positions and velocities back by [`Self::set_motion`] before the next call.
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn solve(&mut self, dt: f32) {
        self.solve_timed(dt, || 0);
    }

    /// The same as [`Self::solve`], for a step of `dt` \[s\]; returns the times of its parts.
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn solve_timed(&mut self, dt: f32, clock: Clock) -> CrowdProfile {
        demand(measure("dt", dt.into()));
        let mut watch = Stopwatch::new(clock);
        // An agent plans for all steps until its next decision.
        let step = dt.max(MIN_STEP) * self.stages.slices.interval() as f32;
        self.update_obstacles();
        self.stages.sort(&mut self.store, &mut self.grid);
        let index = watch.lap();
        let ctx = StepContext {
            store: &self.store,
            grid: &self.grid,
            walls: [&self.standing, &self.moving],
            step,
        };
        self.stages.decide(&ctx);
        let decisions = watch.lap();
        self.stages.separate(&mut self.store, &self.grid, dt, step);
        let contacts = watch.lap();
        self.stages
            .record(&mut self.store, &self.grid, dt, &mut self.events);
        CrowdProfile {
            index,
            decisions,
            contacts,
            record: watch.lap(),
        }
    }

    /// Gives all agents their new velocities and moves them on for `dt` \[s\].
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[track_caller]
    pub fn integrate(&mut self, dt: f32) {
        demand(measure("dt", dt.into()));
        self.store.integrate(dt);
    }

    /// Updates the obstacles that [`Self::is_visible`] reads.
    ///
    /// [`Self::solve`] does so by itself. Needed only for queries before the first step, or between changes of
    /// obstacles and the next step.
    pub fn update_obstacles(&mut self) {
        if core::mem::take(&mut self.standing_is_stale) {
            self.standing.build(&self.obstacles, false);
        }
        self.moving.build(&self.obstacles, true);
    }

    /// Returns the static and the moving edges, as of the last step.
    pub(crate) fn walls(&self) -> [&EdgeTree; 2] {
        [&self.standing, &self.moving]
    }
}
