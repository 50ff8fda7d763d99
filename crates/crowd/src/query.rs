//! Questions to a crowd between steps: sight, half-planes, health and hash.

use crate::agent::check_point;
use crate::crowd::Crowd;
use crate::error::{CrowdError, demand, measure};
use crate::half_plane::HalfPlane;
use crate::id::AgentId;
use crate::steer::{Scratch, Sights, Walker};
use crate::surroundings::Surroundings;
use crate::tuning::MIN_STEP;
use cairn2d_geometry::StateHasher;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::{BASELINE8, Baseline8, F32};

/// What bounds an agent's choice, for drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// Half-planes of walls in contact and walls ahead; kept before all others.
    pub walls: Vec<HalfPlane>,
    /// Half-planes of the velocities that it can turn to; kept before those of agents.
    pub turning: Vec<HalfPlane>,
    /// Half-planes of other agents, in order of their gaps.
    pub agents: Vec<HalfPlane>,
    /// The agents heeded, in order of their gaps.
    pub neighbors: Vec<AgentId>,
    /// Time horizon to agents that was in use [s].
    pub time_horizon: f32,
}

impl Crowd {
    /// Says whether a disc of `radius` meters gets straight from one point to another without
    /// touching an obstacle whose layers are in `mask`.
    ///
    /// # Panics
    /// If a number is not finite, or the radius is negative.
    #[must_use]
    #[track_caller]
    pub fn is_visible(&self, from: WorldPoint, to: WorldPoint, radius: f32, mask: u32) -> bool {
        demand(check_point(["from.x", "from.y"], from));
        demand(check_point(["to.x", "to.y"], to));
        demand(measure("radius", radius.into()));
        self.walls()
            .iter()
            .all(|walls| walls.is_clear(from, to, radius, mask))
    }

    /// Returns what bounds an agent's choice in a step of `dt` seconds from the crowd as it was when
    /// [`Self::solve`] looked at it last; `None` for an agent that was not there.
    ///
    /// # Panics
    /// If `dt` is not finite or negative.
    #[must_use]
    #[track_caller]
    pub fn constraints(&self, id: AgentId, dt: f32) -> Option<Constraints> {
        demand(measure("dt", dt.into()));
        let row = self.store.row(id)? as u32;
        if self.grid.order.len() != self.store.len() {
            return None;
        }
        let own = self.grid.order.iter().position(|&r| r == row)?;
        let around = Surroundings {
            store: &self.store,
            grid: &self.grid,
            walls: self.walls(),
            step: dt.max(MIN_STEP),
        };
        let mut scratch = Scratch::default();
        let walker = Walker::new(&around, own);
        walker.see::<F32<Baseline8>>(BASELINE8, &mut scratch, &mut Sights::default());
        let level = scratch.plan.level;
        let choice = walker
            .decide::<F32<Baseline8>>(BASELINE8, &mut scratch, None, level)
            .choice;
        let [_, walls, turning, agents] = scratch.ends;
        let name = |index: u32| self.store.ids[self.grid.order[index as usize] as usize];
        Some(Constraints {
            walls: scratch.planes.iter(0..walls).collect(),
            turning: scratch.planes.iter(walls..turning).collect(),
            agents: scratch.planes.iter(turning..agents).collect(),
            neighbors: scratch.neighbors.iter().map(|n| name(n.index)).collect(),
            time_horizon: walker.horizon(choice.level),
        })
    }

    /// Iterates over the obstacles' corners in the world \[m\], for drawing: each a closed ring, solid on its left; an open
    /// line is walked there and back.
    pub fn obstacle_rings(&self) -> impl Iterator<Item = Vec<WorldPoint>> + '_ {
        self.obstacles.iter().map(|(_, _, obstacle)| {
            let corners = 0..obstacle.ring.len();
            corners
                .map(|i| obstacle.motion.position + obstacle.arm(i))
                .collect()
        })
    }

    /// Checks the crowd's own books; meant for tests.
    ///
    /// # Errors
    /// [`CrowdError::Broken`] if names and rows disagree, or what is wrong with an agent's numbers.
    pub fn validate(&self) -> Result<(), CrowdError> {
        if !self.store.is_consistent() {
            return Err(CrowdError::Broken {
                what: "names and rows of the agents",
            });
        }
        for (_, row) in self.store.ids_in_order() {
            self.store.def(row).validate()?;
        }
        Ok(())
    }

    /// Returns a hash of all that later steps depend on; equal for equal crowds on every machine and with any number of
    /// threads.
    ///
    /// Two crowds with equal hashes go on with equal hashes under the same calls. What the last step reported is not part of it. Its
    /// values belong to one version of the engine.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        StateHasher::new().add(self).finish()
    }
}
