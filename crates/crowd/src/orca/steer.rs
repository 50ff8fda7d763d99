//! Preparation of one agent's decision: preferred velocity, half-planes of walls and turns, shares.

use crate::half_plane::HalfPlane;
use crate::neighbors::candidates::Column;
use crate::neighbors::list::Neighbors;
use crate::neighbors::yielding::{expected, share, yields_to_none};
use crate::orca::agent::SteeringAgent;
use crate::orca::detour::{Detour, along_walls, redirect_along_walls, turned};
use crate::orca::obstacle_lines::{Edges, HardPlanes};
use crate::store::{Attempt, Side};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::LANES;

/// Result of steering for an agent, beside its velocity; 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decision {
    /// Its preferred velocity [m/s].
    pub(crate) wanted: Vec2,
    /// Its search distance for neighbors [m].
    pub(crate) reach: f32,
    /// Angle by which the preferred velocity was turned [rad].
    pub(crate) turn: f32,
    /// Number of halvings of the horizon.
    pub(crate) level: u8,
    /// Side on which the agent passes a wall.
    pub(crate) side: Side,
    /// Whether it stands at its target.
    pub(crate) arrived: bool,
    /// Whether its half-planes are infeasible.
    pub(crate) infeasible: bool,
    /// What it has tried, if it comes no nearer.
    pub(crate) attempt: Attempt,
}

const _: () = assert!(size_of::<Decision>() == 24);

/// Lists of one agent, reused for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentScratch {
    pub(crate) neighbors: Neighbors,
    /// Shares of the agent; not read if they are common to all encounters.
    pub(crate) shares: Column,
    /// Half-planes of the hard tiers, and the ends of these tiers.
    pub(crate) hard: HardPlanes,
    pub(crate) ends: [usize; HARD],
    /// Search distance for neighbors [m].
    pub(crate) reach: f32,
    /// Whether it stands at its target, and its preferred velocity [m/s].
    pub(crate) arrived: bool,
    pub(crate) wanted: Vec2,
    pub(crate) plan: Plan,
}

/// Input of an agent's choice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    /// Preferred velocity redirected along walls [m/s], and the side on which the agent passes a wall.
    pub(crate) preferred: Vec2,
    pub(crate) side: Side,
    /// The redirected preferred velocity with the turn of the last step [m/s], and the part of it that walls leave.
    pub(crate) last: Vec2,
    pub(crate) free: Vec2,
    /// Whether the agent waits for others, or stands because it has given up.
    pub(crate) waits: bool,
    pub(crate) attempt: Attempt,
    /// Initial number of halvings of the horizon.
    pub(crate) level: u8,
}

/// Walls in contact, walls ahead, turn limit, agents.
pub(crate) const TIERS: usize = 4;

/// Number of tiers of walls, and of hard tiers.
const WALLS: usize = 2;
pub(crate) const HARD: usize = TIERS - 1;

impl SteeringAgent<'_> {
    /// Prepares the decision of an agent whose neighbors are known.
    #[inline(always)]
    pub(crate) fn prepare(&self, scratch: &mut AgentScratch, edges: &mut Edges) {
        (scratch.arrived, scratch.wanted) = match self.ctx.store.target(self.row) {
            None => (false, self.ctx.store.preferred[self.row]),
            Some(target) => self.approach(target, &scratch.neighbors),
        };
        self.expect_preferred_velocities(&mut scratch.neighbors);
        if !self.ctx.grid.alike {
            self.compute_shares(scratch);
        }
        self.build_hard_planes(scratch, edges);
        // Field by field: a record that is composed first is copied with other widths than it was written with, which
        // stalls.
        let turn = self.memory.turn;
        if scratch.ends[WALLS - 1] == 0 {
            scratch.plan.preferred = scratch.wanted;
            scratch.plan.side = 0;
            let last = turned(&scratch.wanted, turn);
            (scratch.plan.last, scratch.plan.free) = (last, last);
        } else {
            let detour = self.redirect_along_walls(scratch);
            scratch.plan.preferred = detour.preferred;
            scratch.plan.side = detour.side;
            let last = turned(&detour.preferred, turn);
            scratch.plan.last = last;
            scratch.plan.free = along_walls(&scratch.hard[..scratch.ends[WALLS - 1]], &last);
        }
        scratch.plan.attempt = self.attempt(scratch);
        scratch.plan.waits =
            scratch.plan.attempt.stands() || self.waits(&scratch.wanted, &scratch.neighbors);
        let tries_longer = self.memory.wait <= self.ctx.step;
        scratch.plan.level = self.memory.level.saturating_sub(tries_longer.into());
    }

    /// Prepares an agent that keeps its choice for its contacts.
    pub(crate) fn prepare_contacts(&self, scratch: &mut AgentScratch, edges: &mut Edges) {
        if !self.ctx.grid.alike {
            self.compute_shares(scratch);
        }
        let (planes, ends) = (&mut scratch.hard, &mut scratch.ends);
        planes.clear();
        if self.ctx.has_walls() {
            self.find_edges(edges);
            self.add_contact_planes(edges, planes);
        }
        ends.fill(planes.len());
    }

    /// Replaces the velocities of faster neighbors by their expected velocities.
    #[inline]
    fn expect_preferred_velocities(&self, neighbors: &mut Neighbors) {
        let ctx = self.ctx;
        let own_speed = self.memory.wanted.norm();
        if !yields_to_none(own_speed, ctx.grid.top_preferred_speed) {
            neighbors
                .expect(|index, velocity| expected(velocity, &ctx.memory(index).wanted, own_speed));
        }
    }

    /// Computes the shares of the agent.
    fn compute_shares(&self, scratch: &mut AgentScratch) {
        let neighbors = &scratch.neighbors;
        for (i, &other) in neighbors.index[..neighbors.len()].iter().enumerate() {
            let share = share(self.params, self.ctx.params(other));
            scratch.shares[i / LANES].0[i % LANES] = share;
        }
    }

    /// Builds the tiers that do not depend on the horizon to agents.
    #[inline]
    fn build_hard_planes(&self, scratch: &mut AgentScratch, edges: &mut Edges) {
        let (planes, ends) = (&mut scratch.hard, &mut scratch.ends);
        planes.clear();
        *ends = [0; HARD];
        if self.ctx.has_walls() {
            self.find_edges(edges);
            self.add_contact_planes(edges, planes);
            ends[0] = planes.len();
            self.add_horizon_planes(edges, planes);
            ends[1..].fill(planes.len());
        }
        if self.params.max_turn_rate.is_finite() {
            let heading = self.heading().and_then(|heading| heading.half_planes());
            planes.extend(heading.into_iter().flatten());
            ends[WALLS] = planes.len();
        }
    }

    /// Returns the preferred velocity, turned by an angle [rad].
    #[inline(always)]
    pub(crate) fn turned_preferred(&self, plan: &Plan, turn: f32) -> Vec2 {
        if turn == self.memory.turn {
            plan.last
        } else {
            turned(&plan.preferred, turn)
        }
    }

    /// Redirects the preferred velocity along the walls between the agent and its target; not if the last detour has
    /// brought the agent no farther, or if it has given up: it then stands where it is nearest.
    fn redirect_along_walls(&self, scratch: &AgentScratch) -> Detour {
        let walls = &scratch.hard[..scratch.ends[WALLS - 1]];
        let (bias, last) = (self.params.bias, self.memory.side);
        if self.memory.attempt.stands() || last == 0 && self.memory.owed > 0.0 {
            return Detour {
                preferred: scratch.wanted,
                side: 0,
            };
        }
        let target = self.ctx.store.target(self.row);
        let offset = target.map(|target| target.point - self.position);
        // A wall behind the target is not in the way.
        let blocks = |index: usize, plane: &HalfPlane| {
            let time = if index < scratch.ends[0] {
                self.ctx.step
            } else {
                self.obstacle_horizon()
            };
            offset.is_none_or(|offset| plane.normal.dot(&offset) < plane.offset * time)
        };
        redirect_along_walls(walls, &scratch.wanted, bias, last, blocks)
    }
}
