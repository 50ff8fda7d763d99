//! Queries between steps: visibility, and the constraints of an agent.

use crate::crowd::{AgentRef, Crowd, check_step};
use crate::half_plane::HalfPlane;
use crate::neighbors::step_context::StepContext;
use crate::schedule::workspace::Workspace;
use crate::store::agent::check_point;
use crate::store::id::AgentId;
use crate::tuning::MIN_STEP;
use cairn2d_geometry::math::WorldPoint;
use cairn2d_simd::BASELINE8;

/// Constraints of an agent's choice, for drawing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
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
    /// Returns whether a disc of `radius` \[m\] can move straight from one point of the world to another \[m\] without
    /// touching an obstacle whose layers are in `mask`; `false` if a number is not finite, or the radius is negative.
    #[must_use]
    pub fn is_visible(
        &self,
        from: impl Into<WorldPoint>,
        to: impl Into<WorldPoint>,
        radius: f32,
        mask: u32,
    ) -> bool {
        let (from, to) = (from.into(), to.into());
        let is_valid = check_point(["from.x", "from.y"], from).is_ok()
            && check_point(["to.x", "to.y"], to).is_ok()
            && (0.0..=f32::MAX).contains(&radius);
        let walls = [&self.standing, &self.moving];
        is_valid
            && walls
                .iter()
                .all(|walls| walls.is_clear(from, to, radius, mask))
    }
}

impl AgentRef<'_> {
    /// Returns the constraints of the agent's choice in a step of `dt` \[s\], from the state of the crowd at the last
    /// [`Crowd::solve`]; `None` if agents were created or removed since then, or if `dt` is negative or not finite.
    #[must_use]
    pub fn constraints(&self, dt: f32) -> Option<Constraints> {
        check_step(dt).ok()?;
        let Crowd { store, grid, .. } = self.crowd;
        // Empty after a creation or removal, since rows change then.
        let mut order = grid.order.iter();
        let own = order.position(|&row| row as usize == self.row)?;
        let ctx = StepContext {
            store,
            grid,
            walls: [&self.crowd.standing, &self.crowd.moving],
            step: dt.max(MIN_STEP),
            contact_step: dt.max(MIN_STEP),
        };
        let mut workspace = Workspace::default();
        let agent = workspace.decide_alone(BASELINE8, &ctx, own as u32);
        let scratch = &workspace.scratches[0];
        let [_, walls, turning] = scratch.ends;
        let neighbors = scratch.neighbors.iter();
        Some(Constraints {
            walls: scratch.hard[..walls].to_vec(),
            turning: scratch.hard[walls..turning].to_vec(),
            agents: workspace.solver.agent_planes(0).collect(),
            neighbors: neighbors.map(|n| store.id(ctx.row(n.index))).collect(),
            time_horizon: agent.horizon(scratch.plan.level),
        })
    }
}
