//! Preparation of one agent's decision: preferred velocity, half-planes of walls and turns, shares.

use crate::half_plane::HalfPlane;
use crate::limits::braking::BrakingLimit;
use crate::limits::heading::Heading;
use crate::limits::recovery::{Recovery, apart};
use crate::limits::region::Region;
use crate::neighbors::list::{Column, Neighbors};
use crate::neighbors::step_context::StepContext;
use crate::neighbors::yielding::{expected, share, yields_to_none};
use crate::orca::arrival::TargetApproach;
use crate::orca::detour::{Detour, RotationCache, along_walls, redirect_along_walls};
use crate::orca::obstacle_lines::{Edges, HardPlanes, ObstacleQuery};
use crate::store::agent::Params;
use crate::store::{Memory, Side};
use crate::tuning::{
    HORIZON_FACTOR, HORIZON_RETRY_TIME, MAX_HORIZON_LEVEL, MIN_CRAWL_HORIZON, MIN_HORIZON_STEPS,
};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::LANES;
use core::cmp::Ordering;

/// Result of steering for an agent, beside its velocity; 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decision {
    /// Its preferred velocity [m/s].
    pub(crate) wanted: Vec2,
    /// Its search distance for neighbors [m].
    pub(crate) reach: f32,
    /// Time until a longer horizon is tried [s].
    pub(crate) wait: f32,
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
    /// Initial number of halvings of the horizon.
    pub(crate) level: u8,
}

/// Share of the horizon after each number of halvings.
const HALVINGS: [f32; MAX_HORIZON_LEVEL as usize + 1] = {
    let mut parts = [1.0; MAX_HORIZON_LEVEL as usize + 1];
    let mut level = 1;
    while level < parts.len() {
        parts[level] = HORIZON_FACTOR * parts[level - 1];
        level += 1;
    }
    parts
};

/// Walls in contact, walls ahead, turn limit, agents.
pub(crate) const TIERS: usize = 4;

/// Number of tiers of walls, and of hard tiers.
const WALLS: usize = 2;
pub(crate) const HARD: usize = TIERS - 1;

/// An agent that is being steered.
pub(crate) struct SteeringAgent<'a> {
    ctx: &'a StepContext<'a>,
    pub(crate) params: &'a Params,
    pub(crate) memory: Memory,
    row: usize,
    pub(crate) own: u32,
    obstacles: ObstacleQuery<'a>,
}

impl<'a> SteeringAgent<'a> {
    /// Returns the sorted agent `own`.
    #[inline(always)]
    pub(crate) fn new(ctx: &'a StepContext<'a>, own: u32) -> Self {
        let row = ctx.row(own);
        let params = ctx.store.params(row);
        Self {
            ctx,
            params,
            memory: ctx.store.memory[row],
            row,
            own,
            obstacles: ObstacleQuery {
                ctx,
                params,
                position: ctx.grid.position(own as usize),
                velocity: ctx.store.velocity[row],
                braking_limit: BrakingLimit {
                    step: ctx.step,
                    braking: params.max_acceleration,
                },
            },
        }
    }

    /// Prepares the decision of an agent whose neighbors are known.
    #[inline(always)]
    pub(crate) fn prepare(
        &self,
        scratch: &mut AgentScratch,
        edges: &mut Edges,
        turns: &mut RotationCache,
    ) {
        (scratch.arrived, scratch.wanted) = self.preferred(&scratch.neighbors);
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
            let last = turns.turned(&scratch.wanted, turn);
            (scratch.plan.last, scratch.plan.free) = (last, last);
        } else {
            let detour = self.redirect_along_walls(scratch);
            scratch.plan.preferred = detour.preferred;
            scratch.plan.side = detour.side;
            let last = turns.turned(&detour.preferred, turn);
            scratch.plan.last = last;
            scratch.plan.free = along_walls(&scratch.hard[..scratch.ends[WALLS - 1]], &last);
        }
        let tries_longer = self.memory.wait <= self.ctx.step;
        scratch.plan.level = self.memory.level.saturating_sub(tries_longer.into());
    }

    /// Returns whether the agent stands at its target, and its preferred velocity [m/s].
    #[inline]
    fn preferred(&self, neighbors: &Neighbors) -> (bool, Vec2) {
        let Some(target) = self.ctx.store.target(self.row) else {
            return (false, self.ctx.store.preferred[self.row]);
        };
        let approach = TargetApproach {
            ctx: self.ctx,
            params: self.params,
            target,
            position: self.obstacles.position,
            memory: &self.memory,
            facing: self.ctx.store.facing(self.row),
            braking_limit: self.obstacles.braking_limit,
        };
        let arrived = approach.has_arrived(neighbors);
        (arrived, approach.preferred_velocity(arrived))
    }

    /// Returns its velocity [m/s].
    #[inline]
    pub(crate) fn velocity(&self) -> Vec2 {
        self.obstacles.velocity
    }

    /// Returns how its overlaps are resolved.
    #[inline]
    pub(crate) fn recovery(&self) -> Recovery {
        self.obstacles.recovery()
    }

    /// Returns its share in all encounters; `None` if they differ.
    #[inline]
    pub(crate) fn common_share(&self) -> Option<f32> {
        self.ctx.grid.common_share()
    }

    #[inline]
    pub(crate) fn region(&self) -> Region {
        self.params.region(self.obstacles.velocity, self.ctx.step)
    }

    /// Returns the greatest change of its velocity in the step [m/s].
    #[inline]
    pub(crate) fn reach(&self) -> f32 {
        self.params.reach(self.ctx.step)
    }

    /// Returns the heading, if the turns are limited.
    fn heading(&self) -> Option<Heading> {
        Heading::limited(
            self.ctx.store.facing(self.row),
            self.params.max_turn_rate,
            self.ctx.step,
        )
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
            self.obstacles.find_edges(edges);
            self.obstacles.add_contact_planes(edges, planes);
            ends[0] = planes.len();
            self.obstacles.add_horizon_planes(edges, planes);
            ends[1..].fill(planes.len());
        }
        if self.params.max_turn_rate.is_finite() {
            let heading = self.heading().and_then(|heading| heading.half_planes());
            planes.extend(heading.into_iter().flatten());
            ends[WALLS] = planes.len();
        }
    }

    /// Returns whether a horizon that is halved `level` times must be halved again: because it is infeasible or the
    /// agent `crawls`.
    #[inline]
    pub(crate) fn is_too_long(&self, level: u8, is_infeasible: bool, crawls: bool) -> bool {
        let horizon = self.horizon(level);
        (is_infeasible || (crawls && horizon > MIN_CRAWL_HORIZON))
            && level < MAX_HORIZON_LEVEL
            && horizon > self.shortest_horizon()
    }

    /// Returns the preferred velocity, turned by an angle [rad].
    #[inline(always)]
    pub(crate) fn turned_preferred(
        &self,
        turns: &mut RotationCache,
        plan: &Plan,
        turn: f32,
    ) -> Vec2 {
        if turn == self.memory.turn {
            plan.last
        } else {
            turns.turned(&plan.preferred, turn)
        }
    }

    /// Returns the planned step [s].
    #[inline]
    pub(crate) fn step(&self) -> f32 {
        self.ctx.step
    }

    /// Returns the time until the agent tries a longer horizon than that of `level` halvings [s].
    pub(crate) fn wait(&self, level: u8) -> f32 {
        let left = self.memory.wait - self.ctx.step;
        match level.cmp(&self.memory.level) {
            Ordering::Less => 0.0,
            Ordering::Equal if left > 0.0 => left,
            Ordering::Equal | Ordering::Greater => HORIZON_RETRY_TIME,
        }
    }

    /// Redirects the preferred velocity along the walls between the agent and its target.
    fn redirect_along_walls(&self, scratch: &AgentScratch) -> Detour {
        let walls = &scratch.hard[..scratch.ends[WALLS - 1]];
        let (bias, last) = (self.params.bias, self.memory.side);
        let target = self.ctx.store.target(self.row);
        let offset = target.map(|target| target.point - self.obstacles.position);
        // A wall behind the target is not in the way.
        let blocks = |index: usize, plane: &HalfPlane| {
            let time = if index < scratch.ends[0] {
                self.ctx.step
            } else {
                self.params.obstacle_horizon.max(self.ctx.step)
            };
            offset.is_none_or(|offset| plane.normal.dot(&offset) < plane.offset * time)
        };
        redirect_along_walls(walls, &scratch.wanted, bias, last, blocks)
    }

    fn shortest_horizon(&self) -> f32 {
        MIN_HORIZON_STEPS * self.ctx.step
    }

    /// Returns the time horizon to agents after `level` halvings [s].
    pub(crate) fn horizon(&self, level: u8) -> f32 {
        let horizon = self.params.time_horizon * HALVINGS[usize::from(level)];
        horizon.max(self.shortest_horizon())
    }

    /// Returns the unit vector to a neighbor at the same position.
    pub(crate) fn separation_direction(&self, index: u32) -> Vec2 {
        apart(self.ctx.slot(self.own), self.ctx.slot(index))
    }
}
