//! Queries between steps: visibility, half-planes, consistency and hash.

use crate::crowd::Crowd;
use crate::error::{demand, measure};
use crate::half_plane::HalfPlane;
use crate::neighbors::step_context::StepContext;
use crate::schedule::workspace::Workspace;
use crate::store::agent::check_point;
use crate::store::id::AgentId;
use crate::tuning::MIN_STEP;
use cairn2d_geometry::StateHasher;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::BASELINE8;

/// Constraints of an agent's choice, for drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// Half-planes of walls in contact and walls ahead; satisfied before all others.
    pub walls: Vec<HalfPlane>,
    /// Half-planes of the turn limit; satisfied before those of agents.
    pub turning: Vec<HalfPlane>,
    /// Half-planes of other agents, in order of their gaps.
    pub agents: Vec<HalfPlane>,
    /// The agents considered, in order of their gaps.
    pub neighbors: Vec<AgentId>,
    /// Present time horizon to agents [s].
    pub time_horizon: f32,
}

impl Crowd {
    /// Returns whether a disc of `radius` \[m\] moves straight from one point of the world to another \[m\]
    /// without touching an obstacle whose layers are in `mask`.
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

    /// Returns the constraints of an agent's choice in a step of `dt` \[s\], from the state of the crowd at the
    /// last [`Self::solve`]; `None` for an agent that did not exist then.
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
        let ctx = StepContext {
            store: &self.store,
            grid: &self.grid,
            walls: self.walls(),
            step: dt.max(MIN_STEP),
        };
        let mut workspace = Workspace::default();
        let agent = workspace.decide_alone(BASELINE8, &ctx, own);
        let scratch = &workspace.scratches[0];
        let [_, walls, turning] = scratch.ends;
        let name = |index: u32| self.store.ids[self.grid.order[index as usize] as usize];
        Some(Constraints {
            walls: scratch.hard[..walls].to_vec(),
            turning: scratch.hard[walls..turning].to_vec(),
            agents: workspace.solver.agent_planes(0).collect(),
            neighbors: scratch.neighbors.iter().map(|n| name(n.index)).collect(),
            time_horizon: agent.horizon(scratch.plan.level),
        })
    }

    /// Iterates over the obstacles' corners in the world \[m\], for drawing: each a closed ring, solid on its left;
    /// an open line is traversed there and back.
    pub fn obstacle_rings(&self) -> impl Iterator<Item = Vec<WorldPoint>> + '_ {
        self.obstacles.iter().map(|(_, _, obstacle)| {
            let corners = 0..obstacle.ring.len();
            corners
                .map(|i| obstacle.motion.position + obstacle.arm(i))
                .collect()
        })
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
            demand(self.store.def(row).validate());
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
