//! Steering of one agent: neighbors, half-planes, choice.
//!
//! The half-planes come in tiers, each hard for the next: walls in contact, walls within the horizon, turn limit,
//! agents within the horizon. Rest satisfies all but the last while nothing overlaps. If the last tier is infeasible,
//! the horizon is halved repeatedly: near collisions count, later ones are ignored. After a while the agent tries one
//! halving less.

use crate::agent::Params;
use crate::arrival::TargetApproach;
use crate::braking::BrakingLimit;
use crate::contacts::Contacts;
use crate::detour::{
    Detour, RotationCache, Side, TurnControl, along_walls, is_blocked, redirect_along_walls,
};
use crate::encounters::{Encounters, Own};
use crate::half_plane::HalfPlane;
use crate::heading::Heading;
use crate::neighbor_search::NeighborSearches;
use crate::neighbors::{Column, Neighbors};
use crate::obstacle_planes::{Edges, ObstacleQuery};
use crate::planes::Planes;
use crate::program::solve_tiers;
use crate::region::Region;
use crate::separation::apart;
use crate::step_context::StepContext;
use crate::store::Memory;
use crate::tuning::{
    CRAWL_SHARE, HORIZON_FACTOR, HORIZON_RETRY_TIME, MAX_HORIZON_LEVEL, MIN_BIAS_PROGRESS,
    MIN_CRAWL_HORIZON, MIN_HORIZON_STEPS,
};
use crate::yielding::PreferredVelocity;
use crate::yielding::shares_by_weight;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{LANES, Lanes8};
use core::cmp::Ordering;

/// Result of steering for an agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decision {
    pub(crate) choice: Choice,
    /// Its search distance for neighbors [m].
    pub(crate) reach: f32,
    /// Its preferred velocity [m/s].
    pub(crate) wanted: Vec2,
    pub(crate) arrived: bool,
}

impl Decision {
    /// Returns the decision with another velocity [m/s].
    #[inline]
    pub(crate) fn with(&self, velocity: Vec2) -> Self {
        let choice = Choice {
            velocity,
            ..self.choice
        };
        Self { choice, ..*self }
    }
}

/// A velocity and its derivation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    pub(crate) velocity: Vec2,
    /// Number of halvings of the horizon.
    pub(crate) level: u8,
    /// Time until a longer horizon is tried [s].
    pub(crate) wait: f32,
    /// Angle by which the preferred velocity was turned [rad].
    pub(crate) turn: f32,
    /// Side on which the agent passes a wall.
    pub(crate) side: Side,
    /// Whether all half-planes are satisfied.
    pub(crate) feasible: bool,
}

/// Lists of one agent, reused for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) neighbors: Neighbors,
    /// Shares of the agent; not read if they are common to all encounters.
    pub(crate) shares: Column,
    encounters: Encounters,
    pub(crate) planes: Planes,
    /// Ends of the tiers in `planes`.
    pub(crate) ends: [usize; TIERS],
    projected: Planes,
    /// Search distance for neighbors [m].
    pub(crate) reach: f32,
    /// Whether it stands at its target, and its preferred velocity [m/s].
    arrived: bool,
    wanted: Vec2,
    pub(crate) plan: Plan,
    turns: RotationCache,
}

/// Scratch that the agents of a thread use one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedScratch {
    pub(crate) searches: NeighborSearches,
    edges: Edges,
    turns: RotationCache,
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

impl Scratch {
    /// Returns whether only other agents bound the velocity.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.ends[HARD - 1] == 0
    }

    /// Returns the decision for this choice.
    #[inline]
    pub(crate) fn decision(&self, choice: Choice) -> Decision {
        Decision {
            choice,
            reach: self.reach,
            wanted: self.wanted,
            arrived: self.arrived,
        }
    }
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
const HARD: usize = TIERS - 1;

/// An agent that is being steered.
pub(crate) struct SteeringAgent<'a> {
    ctx: &'a StepContext<'a>,
    pub(crate) params: &'a Params,
    pub(crate) memory: Memory,
    row: usize,
    pub(crate) own: usize,
    obstacles: ObstacleQuery<'a>,
}

impl<'a> SteeringAgent<'a> {
    /// Returns the sorted agent `own`.
    #[inline(always)]
    pub(crate) fn new(ctx: &'a StepContext<'a>, own: usize) -> Self {
        let row = ctx.grid.order[own] as usize;
        let params = &ctx.store.params[row];
        Self {
            ctx,
            params,
            memory: ctx.store.memory[row],
            row,
            own,
            obstacles: ObstacleQuery {
                ctx,
                params,
                position: ctx.grid.position(own),
                velocity: ctx.store.velocity[row],
                braking_limit: BrakingLimit {
                    step: ctx.step,
                    braking: params.max_acceleration,
                },
            },
        }
    }

    /// Finds the neighbors and prepares the decision.
    #[inline(always)]
    pub(crate) fn gather<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &mut Scratch,
        shared_scratch: &mut SharedScratch,
    ) {
        let (searches, neighbors) = (&mut shared_scratch.searches, &mut scratch.neighbors);
        scratch.reach = searches.find_neighbors::<L>(simd, self.ctx, self.own, neighbors);
        self.prepare::<L>(simd, scratch, shared_scratch);
    }

    /// Prepares the decision: preferred velocity, shares and hard half-planes.
    #[inline(always)]
    pub(crate) fn prepare<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &mut Scratch,
        shared_scratch: &mut SharedScratch,
    ) {
        (scratch.arrived, scratch.wanted) = self.preferred(&scratch.neighbors);
        self.expect_preferred_velocities(&mut scratch.neighbors);
        if !self.ctx.grid.alike {
            self.compute_shares::<L>(simd, scratch);
        }
        self.build_hard_planes(scratch, &mut shared_scratch.edges);
        // Field by field: a record that is composed first is copied with other widths than it was written with, which
        // stalls.
        if scratch.ends[WALLS - 1] == 0 {
            scratch.plan.preferred = scratch.wanted;
            scratch.plan.side = 0;
            let last = shared_scratch
                .turns
                .turned(&scratch.wanted, self.memory.turn);
            (scratch.plan.last, scratch.plan.free) = (last, last);
        } else {
            let detour = self.redirect_along_walls(scratch, &scratch.wanted);
            scratch.plan.preferred = detour.preferred;
            scratch.plan.side = detour.side;
            let last = shared_scratch
                .turns
                .turned(&detour.preferred, self.memory.turn);
            scratch.plan.last = last;
            scratch.plan.free = along_walls(&scratch.planes, scratch.ends[WALLS - 1], &last);
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
            braking_limit: self.obstacles.braking_limit,
        };
        let arrived = approach.has_arrived(neighbors);
        (arrived, approach.preferred_velocity(arrived))
    }

    /// Decides the agent's next velocity after [`Self::prepare`], from `level` halvings of the horizon on. Notes its
    /// contacts in a lane of the present group, if `contacts` is given.
    #[inline(always)]
    pub(crate) fn decide<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &mut Scratch,
        contacts: Option<(&mut Contacts, usize)>,
        level: u8,
    ) -> Decision {
        self.read_encounters::<L>(simd, scratch);
        if let Some((contacts, lane)) = contacts {
            self.note_contacts::<L>(simd, scratch, contacts, lane);
        }
        let choice = self.choose::<L>(simd, scratch, level);
        scratch.decision(choice)
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
        Heading::limited(self.memory.facing, self.params.max_turn_rate, self.ctx.step)
    }

    /// Replaces the velocities of faster neighbors by their expected velocities.
    #[inline]
    fn expect_preferred_velocities(&self, neighbors: &mut Neighbors) {
        let grid = self.ctx.grid;
        let own_speed = grid.preferred_velocities[self.own].speed();
        if !PreferredVelocity::yields_to_none(own_speed, grid.top_preferred_speed) {
            neighbors.expect(|index, velocity| {
                grid.preferred_velocities[index as usize].expected(velocity, own_speed)
            });
        }
    }

    /// Computes the shares of the agent: all of the change towards a neighbor that does not consider it; otherwise by
    /// right of way, and by weights among equals.
    #[inline(always)]
    fn compute_shares<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch) {
        let (grid, params) = (self.ctx.grid, self.params);
        let blocks = scratch.neighbors.len().div_ceil(LANES);
        let eights = scratch.neighbors.index.as_chunks::<LANES>().0;
        for (others, shares) in eights[..blocks].iter().zip(&mut scratch.shares) {
            let claims = L::gather(simd, &grid.claims, others);
            *shares = shares_by_weight(params.weight, params.priority, claims).store();
            if grid.all_consider {
                continue;
            }
            for (&other, share) in others.iter().zip(&mut shares.0) {
                if grid.interaction_layers[other as usize].mask & params.layers == 0 {
                    *share = 1.0;
                }
            }
        }
    }

    /// Reads the encounters with the neighbors.
    #[inline(always)]
    fn read_encounters<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch) {
        let (neighbors, shares) = (&scratch.neighbors, &scratch.shares);
        let own = self.as_subject();
        scratch.encounters.read::<L>(simd, neighbors, shares, &own);
    }

    /// Returns the agent as the subject of encounters.
    #[inline]
    pub(crate) fn as_subject(&self) -> Own {
        Own {
            velocity: self.obstacles.velocity,
            radius: self.params.radius,
            recovery: self.obstacles.recovery(),
            top_closing: 2.0 * self.params.max_speed,
            share: self.ctx.grid.common_share(),
        }
    }

    /// Builds the tiers that do not depend on the horizon to agents.
    #[inline]
    fn build_hard_planes(&self, scratch: &mut Scratch, edges: &mut Edges) {
        scratch.planes.truncate(0);
        scratch.ends = [0; TIERS];
        if self.ctx.has_walls() {
            self.add_wall_planes(scratch, edges);
        }
        if self.params.max_turn_rate.is_finite() {
            self.add_turn_planes(scratch);
        }
    }

    fn add_wall_planes(&self, scratch: &mut Scratch, edges: &mut Edges) {
        let (planes, ends) = (&mut scratch.planes, &mut scratch.ends);
        self.obstacles.find_edges(edges);
        self.obstacles.add_contact_planes(edges, planes);
        ends[0] = planes.end_tier();
        self.obstacles.add_horizon_planes(edges, planes);
        ends[1..].fill(planes.end_tier());
    }

    fn add_turn_planes(&self, scratch: &mut Scratch) {
        let heading = self.heading().and_then(|heading| heading.half_planes());
        let turning = heading.iter().flatten();
        turning.for_each(|plane| scratch.planes.push(plane));
        scratch.ends[WALLS..].fill(scratch.planes.end_tier());
    }

    /// Finds the longest feasible horizon, from `level` halvings on, and its best velocity.
    ///
    /// A horizon is too long if its half-planes are infeasible, or leave so little that the agent hardly moves
    /// although no collision is near.
    #[inline(always)]
    fn choose<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, mut level: u8) -> Choice {
        let region = &self.region();
        loop {
            self.avoid_agents::<L>(simd, scratch, self.horizon(level));
            let turn = self.turn::<L>(simd, scratch, region);
            let preferred = self.turned_preferred(&mut scratch.turns, &scratch.plan, turn);
            let preferred = scratch
                .encounters
                .with_separation::<L>(simd, &preferred, turn);
            let (planes, ends) = (&scratch.planes, &scratch.ends);
            let solution = solve_tiers::<L>(simd, planes, ends, region, preferred);
            let feasible = solution.tiers == TIERS;
            let crawls = feasible
                && solution.velocity.dot(&preferred) < CRAWL_SHARE * preferred.norm_squared();
            let is_too_long = |level| self.is_too_long(level, solution.tiers == HARD, crawls);
            while scratch.encounters.all_overlap && is_too_long(level) {
                level += 1;
            }
            if !is_too_long(level) {
                let velocity =
                    solution.settle::<L>(simd, planes, ends, region, &mut scratch.projected);
                let side = scratch.plan.side;
                return self.choice(velocity, level, turn, side, feasible);
            }
            level += 1;
        }
    }

    /// Returns a choice.
    #[inline]
    pub(crate) fn choice(
        &self,
        velocity: Vec2,
        level: u8,
        turn: f32,
        side: Side,
        feasible: bool,
    ) -> Choice {
        Choice {
            velocity,
            level,
            wait: self.wait(level),
            turn,
            side,
            feasible,
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

    /// Returns the preferred velocity, turned by no more than the bias.
    #[inline(always)]
    pub(crate) fn turned_by_bias(&self, turns: &mut RotationCache, plan: &Plan) -> Vec2 {
        turns.turned(&plan.preferred, self.params.bias)
    }

    /// Returns the planned step [s].
    #[inline]
    pub(crate) fn step(&self) -> f32 {
        self.ctx.step
    }

    /// Returns the turn of the preferred velocity [rad], with others in the way or not; more than the bias only if
    /// the bias makes no progress.
    #[inline]
    pub(crate) fn turn_angle(&self, plan: &Plan, blocked: bool) -> f32 {
        let turn = TurnControl {
            last: self.memory.turn,
            bias: self.params.bias,
            step: self.ctx.step,
            blocked,
        };
        turn.angle(&plan.last, &plan.free, &self.obstacles.velocity)
    }

    /// Returns the turn of the preferred velocity [rad].
    #[inline(always)]
    fn turn<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, region: &Region) -> f32 {
        let Scratch {
            planes,
            ends,
            plan,
            turns,
            ..
        } = scratch;
        let (preferred, bias) = (plan.preferred, self.params.bias);
        let blocked = is_blocked::<L>(
            simd,
            planes,
            ends[HARD - 1],
            &preferred,
            self.params.max_speed,
        );
        let angle = self.turn_angle(plan, blocked);
        if angle.abs() <= bias.abs() {
            return angle;
        }
        // After a large turn the agent tests whether the preferred velocity is free again.
        let least = self.turned_by_bias(turns, plan);
        let solution = solve_tiers::<L>(simd, planes, ends, region, least);
        let progress = solution.velocity.dot(&preferred);
        let is_free =
            solution.tiers == TIERS && progress > MIN_BIAS_PROGRESS * preferred.norm_squared();
        if is_free { bias } else { angle }
    }

    /// Returns the time until the agent tries a longer horizon than that of `level` halvings [s].
    fn wait(&self, level: u8) -> f32 {
        let left = self.memory.wait - self.ctx.step;
        match level.cmp(&self.memory.level) {
            Ordering::Less => 0.0,
            Ordering::Equal if left > 0.0 => left,
            Ordering::Equal | Ordering::Greater => HORIZON_RETRY_TIME,
        }
    }

    /// Redirects the preferred velocity along the walls between the agent and its target.
    fn redirect_along_walls(&self, scratch: &Scratch, wanted: &Vec2) -> Detour {
        let (planes, end) = (&scratch.planes, scratch.ends[WALLS - 1]);
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
        redirect_along_walls(planes, end, wanted, bias, last, blocks)
    }

    fn shortest_horizon(&self) -> f32 {
        MIN_HORIZON_STEPS * self.ctx.step
    }

    /// Returns the time horizon to agents after `level` halvings [s].
    pub(crate) fn horizon(&self, level: u8) -> f32 {
        let horizon = self.params.time_horizon * HALVINGS[usize::from(level)];
        horizon.max(self.shortest_horizon())
    }

    /// Builds the half-planes of agents for a horizon; replaces those of another horizon.
    #[inline(always)]
    fn avoid_agents<L: Lanes8>(&self, simd: L::Simd, scratch: &mut Scratch, horizon: f32) {
        let planes = &mut scratch.planes;
        planes.truncate(scratch.ends[HARD - 1]);
        let neighbors = &scratch.neighbors;
        scratch.encounters.half_planes::<L>(
            simd,
            self.params.model,
            &scratch.wanted,
            horizon,
            |i| self.separation_direction(neighbors.index[i]),
            planes,
        );
        scratch.ends[TIERS - 1] = planes.end_tier();
    }

    /// Returns the unit vector to a neighbor at the same position.
    fn separation_direction(&self, index: u32) -> Vec2 {
        let slots = &self.ctx.grid.slots;
        apart(slots[self.own], slots[index as usize])
    }

    /// Notes the agents that could touch within the step, in a lane of the present group.
    #[inline(always)]
    fn note_contacts<L: Lanes8>(
        &self,
        simd: L::Simd,
        scratch: &Scratch,
        contacts: &mut Contacts,
        lane: usize,
    ) {
        let index = &scratch.neighbors.index;
        let others = index.as_chunks::<LANES>().0;
        scratch.encounters.touching::<L>(
            simd,
            self.ctx.step,
            |i| self.separation_direction(index[i]),
            |block, touch| contacts.put(lane, LANES * block, touch, &others[block]),
        );
        let walls = scratch.planes.iter(0..scratch.ends[0]);
        contacts.set_agent(lane, self.own, &self.region(), walls);
    }
}
